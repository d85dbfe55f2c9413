/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_SEARCH_H
#define PHOTONIC_RAILS_STRAGGLER_SEARCH_H

#include "straggler-rounds.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Searches for a StragglerPlan of any number of ranks, odd ones too.
 *
 * Rounds are planned one after another. In each, the ranks that do not meet the straggler are
 * matched such that the weights of the pairs are great: the heaviest pairs first, and then partners
 * of two pairs are exchanged as long as that adds weight. The weight of a pair prefers pairs in
 * which both receive something; among these, ranks that lack many chunks; and then chunks that were
 * finished last, as few ranks hold these. An odd rank is idle.
 *
 * One attempt takes O(n^3). Further attempts add a random number to each weight, from a generator
 * of its own with a fixed seed, until one has the least rounds (GetLeastStragglerRounds()), or a
 * number of attempts that depends on n alone have failed. So results are the same on every machine.
 */
class StragglerSearch
{
  public:
    /** @param ranks from 3 to MOST_RANKS */
    explicit StragglerSearch(uint32_t ranks);

    /** @return the plan with the fewest rounds of all attempts */
    StragglerPlan Find();

    static constexpr uint32_t MOST_RANKS = 1024; //!< that a plan can be searched for

  private:
    /** The chunks that a rank holds, when they are finished. */
    using Chunks = std::array<uint64_t, MOST_RANKS / 64>;

    /** A pair of ranks that could be partners in a round. */
    struct Pair
    {
        int32_t weight;
        uint32_t one;
        uint32_t other;
    };

    static constexpr int32_t NO_CHUNK = -1;
    static constexpr uint32_t NO_RANK = UINT32_MAX;

    /**
     * Makes a plan.
     * @param isRandom whether weights have a random part
     * @param limit of rounds; a plan that needs more is given up
     * @return whether there is a plan within the limit
     */
    bool Attempt(bool isRandom, uint32_t limit);
    /** Begins with no chunk finished. */
    void Reset();
    /** @return whether all ranks hold all chunks */
    bool IsOver() const;
    /** Plans the round, and carries it out. */
    void PlanRound(bool isRandom);
    /** Weighs all pairs of ranks that do not meet the straggler. */
    void Weigh(bool isRandom);
    /** Sorts the pairs by weight, of equal ones the first in the order of ranks first. */
    void SortPairs();
    /** Makes partners of the heaviest pairs first. */
    void MatchHeaviestFirst();
    /** Exchanges partners of two pairs as long as that adds weight. */
    void ExchangePartners();
    /** @return the weight of a pair; 0 without a second rank */
    int32_t GetWeight(uint32_t one, uint32_t other) const;
    /** @return the best chunk that a rank can send to another; NO_CHUNK: none */
    int32_t FindGift(uint32_t from, uint32_t to) const;
    /** @return the weight of the best chunk that a rank can send to another; 0: there is none */
    int32_t WeighGift(uint32_t from, uint32_t to) const;
    /** Adds the transfers of the round, after which their receivers hold the chunks. */
    void CarryOut();
    /** A rank holds a chunk. */
    void Give(uint32_t rank, uint32_t chunk);
    /** @return the next random number below a limit */
    int32_t Draw(int32_t limit);

    uint32_t m_ranks;
    uint32_t m_straggler;
    uint64_t m_state{1}; //!< of the generator
    StragglerPlan m_plan;
    uint32_t m_round{0};
    uint32_t m_oldest{0}; //!< all ranks hold the chunks before it
    std::vector<Chunks> m_holds;
    std::vector<uint32_t> m_holders; //!< by chunk: number of its holders
    std::vector<int32_t> m_lacks;    //!< by rank: finished chunks that it does not hold
    std::vector<uint32_t> m_free;    //!< ranks that do not meet the straggler
    std::vector<int32_t> m_weights;  //!< by pair of ranks
    std::vector<Pair> m_pairs;       //!< with weight
    std::vector<Pair> m_sorted;      //!< the same, the heaviest first
    std::vector<uint32_t> m_partners;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_SEARCH_H */
