/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-plan.h"

#include "weighted-matching.h"

#include "ns3/assert.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

bool
IsPowerOfTwo(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

void
AddExchange(StragglerPlan& plan, uint32_t round, uint32_t straggler)
{
    plan.transfers.push_back({round, straggler, round, round, true});
    plan.transfers.push_back({round, round, straggler, round, true});
}

/**
 * The plan for 2^k ranks is the same in each round, except for the numbers. Let m = n - 1, and a
 * rank's place in round r be its number less r, modulo m: place 0 meets the straggler, and each
 * rank moves down by one place a round. Chunk c has age r - c in round r. Each other place has the
 * age of the chunk that the rank there sends, and the place of the partner that receives it, such
 * that
 * - all ranks that hold a chunk at an age below k are at places of this age. So holders double, and
 *   the places of age a + 1 are one below those of age a and below those of their partners;
 * - of two partners one place always has age k and the other another age. So at age k all ranks
 *   that lack the chunk get it.
 *
 * These places are a binary tree. Its root, the rank that has met the straggler just before, is
 * place m - 1 of age 1; the children of a place are the one below it and the one below its partner.
 * The chain of first children is a run of places that descends to one of age k. So runs, one below
 * the other, fill all m places. Above the first place of a run is the last one of another, of age
 * k, which is the partner that the tree requires. The last place is 0, the one above the root: the
 * rank that meets the straggler sends and receives nothing else.
 */
class DoublingPlaces
{
  public:
    explicit DoublingPlaces(uint32_t places)
        : m_free(places),
          m_age(places),
          m_partner(places)
    {
        while (uint32_t{1} << m_ages <= places)
        {
            ++m_ages;
        }
        AddRun(1);
        for (uint32_t place = places - 1; place > 0; --place)
        {
            if (m_age[place] < m_ages)
            {
                m_partner[place] = m_free;
                m_partner[m_free] = place;
                AddRun(m_age[place] + 1);
            }
        }
        NS_ASSERT_MSG(m_free == 0, "the runs fill the places of 2^k - 1");
    }

    uint32_t GetAges() const
    {
        return m_ages;
    }

    uint32_t GetAge(uint32_t place) const
    {
        return m_age[place];
    }

    uint32_t GetPartner(uint32_t place) const
    {
        return m_partner[place];
    }

  private:
    void AddRun(uint32_t firstAge)
    {
        for (uint32_t age = firstAge; age <= m_ages; ++age)
        {
            m_age[--m_free] = age;
        }
    }

    uint32_t m_ages{0};
    uint32_t m_free; //!< the places below it are free
    std::vector<uint32_t> m_age;
    std::vector<uint32_t> m_partner;
};

StragglerPlan
PlanByDoubling(uint32_t ranks)
{
    const uint32_t m = ranks - 1;
    const uint32_t last = m - 1;
    const DoublingPlaces places(m);
    StragglerPlan plan;
    plan.rounds = m + places.GetAges() - 1;
    for (uint32_t round = 0; round < plan.rounds; ++round)
    {
        if (round < m)
        {
            AddExchange(plan, round, m);
        }
        else
        {
            // the straggler has met all ranks, and helps to spread the last chunk: it sends that
            // instead of a chunk of this round, and so do all ranks that would forward such a chunk
            plan.transfers.push_back({round, m, round - m, last, false});
        }
        for (uint32_t place = 1; place < m; ++place)
        {
            if (places.GetAge(place) <= round)
            {
                plan.transfers.push_back({round,
                                          (round + place) % m,
                                          (round + places.GetPartner(place)) % m,
                                          std::min(round - places.GetAge(place), last),
                                          false});
            }
        }
    }
    return plan;
}

/** Plans round by round, each by the matching of greatest weight. */
class MatchedRounds
{
  public:
    explicit MatchedRounds(uint32_t ranks)
        : m_ranks(ranks),
          m_straggler(ranks - 1),
          m_holds(ranks, std::vector<bool>(ranks - 1)),
          m_holders(ranks - 1),
          m_lacks(ranks)
    {
    }

    StragglerPlan Plan()
    {
        while (
            m_round < m_straggler ||
            std::any_of(m_lacks.begin(), m_lacks.end(), [](uint32_t lacks) { return lacks > 0; }))
        {
            PlanRound();
            ++m_round;
        }
        m_plan.rounds = m_round;
        return m_plan;
    }

  private:
    /** The best chunk for a rank to send to another in this round. */
    struct Gift
    {
        uint32_t chunk{0};
        int64_t worth{0}; //!< 0: there is none
    };

    /** @return whether a rank exchanges with the straggler in this round, or is the straggler */
    bool IsMeeting(uint32_t rank) const
    {
        return m_round < m_straggler && (rank == m_straggler || rank == m_round);
    }

    /**
     * The weights prefer many gifts; among equally many, gifts to ranks that lack most chunks, and
     * then gifts of chunks that few ranks hold.
     */
    int64_t GetWorth(uint32_t to, uint32_t chunk) const
    {
        constexpr uint32_t GIFT = 20; // any gift weighs as much as this number of lacking chunks
        return int64_t{m_ranks} * (GIFT + m_lacks[to]) + (m_ranks - m_holders[chunk]);
    }

    Gift FindGift(uint32_t from, uint32_t to) const
    {
        Gift best;
        for (uint32_t chunk = 0; chunk < m_straggler; ++chunk)
        {
            if (m_holds[from][chunk] && !m_holds[to][chunk])
            {
                const int64_t worth = GetWorth(to, chunk);
                best = worth > best.worth ? Gift{chunk, worth} : best;
            }
        }
        return best;
    }

    void PlanRound()
    {
        std::vector<std::vector<int64_t>> worth(m_ranks, std::vector<int64_t>(m_ranks));
        for (uint32_t from = 0; from < m_ranks; ++from)
        {
            for (uint32_t to = 0; to < m_ranks; ++to)
            {
                if (from != to && !IsMeeting(from) && !IsMeeting(to))
                {
                    const int64_t gift = FindGift(from, to).worth;
                    worth[from][to] += gift;
                    worth[to][from] += gift;
                }
            }
        }
        const std::size_t before = m_plan.transfers.size();
        const std::vector<uint32_t> partners = GetMaximumWeightMatching(worth);
        for (uint32_t from = 0; from < m_ranks; ++from)
        {
            const Gift gift = FindGift(from, partners[from]);
            if (gift.worth > 0)
            {
                m_plan.transfers.push_back({m_round, from, partners[from], gift.chunk, false});
            }
        }
        const bool meets = m_round < m_straggler;
        if (meets)
        {
            AddExchange(m_plan, m_round, m_straggler);
        }
        for (std::size_t t = before; t < m_plan.transfers.size(); ++t)
        {
            Receive(m_plan.transfers[t]);
        }
    }

    void Receive(const StragglerTransfer& transfer)
    {
        if (transfer.exchange && transfer.to == m_straggler)
        {
            // it is finished, so all other ranks lack it from now on
            for (uint32_t rank = 0; rank < m_straggler; ++rank)
            {
                m_lacks[rank] += rank == transfer.from ? 0 : 1;
            }
        }
        else if (!transfer.exchange)
        {
            --m_lacks[transfer.to];
        }
        m_holds[transfer.to][transfer.chunk] = true;
        ++m_holders[transfer.chunk];
    }

    uint32_t m_ranks;
    uint32_t m_straggler;
    std::vector<std::vector<bool>> m_holds; //!< by rank and chunk, when that is finished
    std::vector<uint32_t> m_holders;        //!< by chunk: number of its holders
    std::vector<uint32_t> m_lacks;          //!< by rank: finished chunks that it does not hold
    uint32_t m_round{0};
    StragglerPlan m_plan;
};

} // namespace

const StragglerPlan&
GetStragglerPlan(uint32_t ranks)
{
    NS_ASSERT_MSG(ranks >= 4 && ranks % 2 == 0, "no plan for " << ranks << " ranks");
    static std::map<uint32_t, StragglerPlan> kept;
    const auto found = kept.find(ranks);
    if (found != kept.end())
    {
        return found->second;
    }
    return kept[ranks] = IsPowerOfTwo(ranks) ? PlanByDoubling(ranks) : MatchedRounds(ranks).Plan();
}

} // namespace ns3
