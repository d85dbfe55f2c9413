/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_VOTES_H
#define PHOTONIC_RAILS_PHASE_VOTES_H

#include "circuit-planner.h"

#include "ns3/identifier-table.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** The vote of a rank for a phase. */
enum class PhaseVote : uint8_t
{
    NONE,        //!< no vote
    SPECULATIVE, //!< requested in advance; the guess may be wrong
    REQUESTED,   //!< requested, because the rank has called the operation
    FINISHED,    //!< the rank is through with the phase
};

/** The request of a rank. */
struct PhaseRequest
{
    PhaseVote vote{PhaseVote::REQUESTED}; //!< or SPECULATIVE
    uint64_t number{0};                   //!< of its requests for the phase
    uint64_t until{0};                    //!< the last operation that needs the circuits
    uint32_t links{0};                    //!< of a pair, at most; 0: any number
    Picoseconds when{0};                  //!< arrival of the request
};

/**
 * @ingroup photonic-rails
 * @brief The votes of the ranks that take part in a phase: the ranks in its pairs. Their number is
 * known from the start. A rank becomes known when it requests the phase, or when another rank names
 * it.
 *
 * A rank that withdraws a guess may request the phase again. The requests of a rank for a phase are
 * numbered, so that a message that was sent before the withdrawal is not taken for a later one: a
 * message for an earlier request does not count.
 *
 * A rank that has been granted circuits holds them until it releases them, or requests again, which
 * it does only after the release.
 */
class PhaseVotes
{
  public:
    /** @param pairs all pairs of the phase */
    explicit PhaseVotes(const std::vector<JoinedRanks>& pairs);
    /** @param whole number of ranks that take part; none of them is known yet */
    explicit PhaseVotes(uint32_t whole);

    /** Adds a rank that takes part. @return whether it was not known before */
    bool Add(RankId rank);

    /** @return whether a rank is known to take part */
    bool Has(RankId rank) const;
    /**
     * @param rank that takes part
     * @return its vote
     */
    PhaseVote Get(RankId rank) const;
    /**
     * @param rank that takes part
     * @return its request that counts
     */
    const PhaseRequest& GetRequest(RankId rank) const;

    /** Counts a request of a rank. @return whether it is new */
    bool Request(RankId rank, const PhaseRequest& request);

    /**
     * Counts a release of a rank, which does not need the circuits any more.
     * @param unused whether it withdraws a guess or releases a grant unused; else it is through
     * with the phase
     * @param request number of the request that it releases
     * @return whether it is new
     */
    bool Release(RankId rank, bool unused, uint64_t request);

    /**
     * Notes that a rank is through with the phase's operation, although it has not released the
     * phase: its request does not count any more.
     * @return whether that is new
     */
    bool Finish(RankId rank);

    /**
     * Notes that a rank that wants circuits has them.
     * @param joins whether others have them already
     */
    void Hold(RankId rank, bool joins);
    /**
     * @param rank that takes part
     * @return whether it holds circuits
     */
    bool IsHolding(RankId rank) const;
    /**
     * @param rank that takes part
     * @return whether it got circuits later than others
     */
    bool HasJoined(RankId rank) const;
    /** @return the ranks that hold circuits */
    std::vector<RankId> GetHolding() const;
    /** @return the number of ranks that hold circuits */
    uint32_t CountHolding() const;
    /** @return the ranks that request circuits, in advance or not */
    std::vector<RankId> GetWanting() const;

    /**
     * @return the last operation that all requesting ranks agree to; the greatest number if there
     * are none
     */
    uint64_t GetUntil() const;
    /** @return the links of a pair that all requesting ranks allow; 0: any number */
    uint32_t GetLinks() const;

    /** @return whether no vote is missing, and a rank requests circuits */
    bool IsComplete() const;
    /** @return whether all ranks are through with the phase */
    bool IsOver() const;
    /** @return whether no rank has called the phase's operation or is through with it */
    bool IsGuess() const;
    /** @return the number of ranks with a vote */
    uint32_t Count(PhaseVote vote) const;
    /** @return the number of ranks that are known to take part */
    uint32_t CountKnown() const;
    /** @return the number of ranks that take part */
    uint32_t CountWhole() const;
    /** @return the ranks with a vote */
    std::vector<RankId> GetRanks(PhaseVote vote) const;
    /** @return the ranks that are known to take part */
    const std::vector<RankId>& GetRanks() const&;
    /** @return the same, of an object that is about to end */
    std::vector<RankId> GetRanks() &&;
    /**
     * @param other votes of another phase
     * @return whether a rank takes part in both
     */
    bool SharesRankWith(const PhaseVotes& other) const;

  private:
    /** The vote of a rank, and its request. */
    struct Ballot
    {
        PhaseVote vote{PhaseVote::NONE};
        PhaseRequest request; //!< its vote is the one of the request
        bool holds{false};
        bool joined{false};
    };

    /** @return the ballot of a rank that takes part */
    const Ballot& At(RankId rank) const;
    /** @return the ranks whose ballots fulfil a condition */
    template <typename Condition>
    std::vector<RankId> Select(const Condition& condition) const;
    /** @return whether a ballot is a request of circuits, in advance or not */
    static bool IsWanting(const Ballot& ballot);
    /** Sets a vote. */
    void Set(Ballot& ballot, PhaseVote vote);
    /** Sets whether a rank has circuits. */
    void SetHolding(Ballot& ballot, bool holds);

    uint32_t m_whole{0}; //!< number of ranks that take part
    IdentifierTable<RankId, Ballot> m_votes;
    std::array<uint32_t, 4> m_counts{};
    uint32_t m_holding{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_VOTES_H */
