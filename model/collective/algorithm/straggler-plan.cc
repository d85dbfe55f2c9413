/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-plan.h"

#include "straggler-search.h"

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
            plan.AddExchange(round, m);
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

} // namespace

const StragglerPlan&
GetStragglerPlan(uint32_t ranks)
{
    NS_ASSERT_MSG(ranks >= 3, "no plan for " << ranks << " ranks");
    static std::map<uint32_t, StragglerPlan> kept;
    const auto found = kept.find(ranks);
    if (found != kept.end())
    {
        return found->second;
    }
    return kept[ranks] =
               IsPowerOfTwo(ranks) ? PlanByDoubling(ranks) : StragglerSearch(ranks).Find();
}

} // namespace ns3
