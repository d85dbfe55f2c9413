/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-search.h"

#include "ns3/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

// Attempts stop at the least rounds, after FEW_STEPS with one round more, and after MANY_STEPS
// anyway; an attempt for n ranks has n^3 of them.
constexpr uint64_t FEW_STEPS = 2'000'000;
constexpr uint64_t MANY_STEPS = 100'000'000;

constexpr int32_t GIFT = 20;    // any gift weighs as much as this number of lacking chunks
constexpr int32_t AGES = 16;    // rounds since its end by which a chunk weighs less
constexpr int32_t RANDOM = 60;  // random parts of weights are below it
constexpr uint32_t WORD = 64;   // bits
constexpr uint32_t SWEEPS = 20; // over all pairs of pairs, at most

} // namespace

StragglerSearch::StragglerSearch(uint32_t ranks)
    : m_ranks(ranks),
      m_straggler(ranks - 1)
{
    NS_ASSERT_MSG(ranks >= 3 && ranks <= MOST_RANKS, "no search for " << ranks << " ranks");
}

StragglerPlan
StragglerSearch::Find()
{
    const uint32_t least = GetLeastStragglerRounds(m_ranks);
    const uint64_t steps = uint64_t{m_ranks} * m_ranks * m_ranks;
    StragglerPlan best;
    best.rounds = UINT32_MAX;
    for (uint64_t spent = 0; best.rounds > least; spent += steps)
    {
        const bool isFirst = spent == 0;
        const uint64_t most = best.rounds == least + 1 ? FEW_STEPS : MANY_STEPS;
        if (!isFirst && spent >= most)
        {
            break;
        }
        if (Attempt(!isFirst, best.rounds - 1))
        {
            best = m_plan;
        }
    }
    return best;
}

bool
StragglerSearch::Attempt(bool isRandom, uint32_t limit)
{
    Reset();
    while (!IsOver())
    {
        if (m_round == limit)
        {
            return false;
        }
        PlanRound(isRandom);
        ++m_round;
    }
    m_plan.rounds = m_round;
    return true;
}

void
StragglerSearch::Reset()
{
    m_plan = StragglerPlan();
    m_round = 0;
    m_oldest = 0;
    m_holds.assign(m_ranks, Chunks());
    m_holders.assign(m_straggler, 0);
    m_lacks.assign(m_ranks, 0);
    m_weights.assign(std::size_t{m_ranks} * m_ranks, 0);
}

bool
StragglerSearch::IsOver() const
{
    return m_round >= m_straggler &&
           std::all_of(m_lacks.begin(), m_lacks.end(), [](int32_t lacks) { return lacks == 0; });
}

void
StragglerSearch::PlanRound(bool isRandom)
{
    while (m_oldest < std::min(m_round, m_straggler) && m_holders[m_oldest] == m_ranks)
    {
        ++m_oldest;
    }
    m_free.clear();
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        if (m_round >= m_straggler || (rank != m_straggler && rank != m_round))
        {
            m_free.push_back(rank);
        }
    }
    Weigh(isRandom);
    MatchHeaviestFirst();
    ExchangePartners();
    CarryOut();
}

int32_t
StragglerSearch::FindGift(uint32_t from, uint32_t to) const
{
    const int32_t newest = std::min(m_round, m_straggler - 1);
    const int32_t last = m_oldest / WORD;
    for (int32_t word = newest / WORD; word >= last; --word)
    {
        const uint64_t gifts = m_holds[from][word] & ~m_holds[to][word];
        if (gifts != 0)
        {
            return word * WORD + WORD - 1 - __builtin_clzll(gifts);
        }
    }
    return NO_CHUNK;
}

int32_t
StragglerSearch::WeighGift(uint32_t from, uint32_t to) const
{
    const int32_t gift = FindGift(from, to);
    if (gift == NO_CHUNK)
    {
        return 0;
    }
    const int32_t age = m_round - gift;
    return AGES * (GIFT + m_lacks[to]) + std::max(0, AGES - 1 - age);
}

void
StragglerSearch::Weigh(bool isRandom)
{
    m_pairs.clear();
    for (std::size_t i = 0; i < m_free.size(); ++i)
    {
        for (std::size_t j = i + 1; j < m_free.size(); ++j)
        {
            const uint32_t one = m_free[i];
            const uint32_t other = m_free[j];
            int32_t weight = WeighGift(one, other) + WeighGift(other, one);
            weight += weight > 0 && isRandom ? Draw(RANDOM) : 0;
            m_weights[one * m_ranks + other] = weight;
            m_weights[other * m_ranks + one] = weight;
            if (weight > 0)
            {
                m_pairs.push_back({weight, one, other});
            }
        }
    }
}

void
StragglerSearch::SortPairs()
{
    // by counting: there are many pairs, and few weights
    int32_t heaviest = 0;
    for (const Pair& pair : m_pairs)
    {
        heaviest = std::max(heaviest, pair.weight);
    }
    std::vector<std::size_t> begins(heaviest + 2); // by weight, the heaviest first
    for (const Pair& pair : m_pairs)
    {
        ++begins[heaviest - pair.weight + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    m_sorted.resize(m_pairs.size());
    for (const Pair& pair : m_pairs)
    {
        m_sorted[begins[heaviest - pair.weight]++] = pair;
    }
}

void
StragglerSearch::MatchHeaviestFirst()
{
    SortPairs();
    m_partners.assign(m_ranks, NO_RANK);
    const auto join = [this](uint32_t one, uint32_t other) {
        m_partners[one] = other;
        m_partners[other] = one;
    };
    for (const Pair& pair : m_sorted)
    {
        if (m_partners[pair.one] == NO_RANK && m_partners[pair.other] == NO_RANK)
        {
            join(pair.one, pair.other);
        }
    }
    uint32_t waiting = NO_RANK; // ranks that are left may exchange partners with others
    for (const uint32_t rank : m_free)
    {
        if (m_partners[rank] == NO_RANK)
        {
            if (waiting != NO_RANK)
            {
                join(waiting, rank);
            }
            waiting = waiting == NO_RANK ? rank : NO_RANK;
        }
    }
}

int32_t
StragglerSearch::GetWeight(uint32_t one, uint32_t other) const
{
    return one == NO_RANK || other == NO_RANK ? 0 : m_weights[one * m_ranks + other];
}

void
StragglerSearch::ExchangePartners()
{
    bool adds = true;
    for (uint32_t sweep = 0; adds && sweep < SWEEPS; ++sweep)
    {
        adds = false;
        for (std::size_t i = 0; i < m_free.size(); ++i)
        {
            for (std::size_t j = i + 1; j < m_free.size(); ++j)
            {
                const uint32_t one = m_free[i];
                const uint32_t other = m_free[j];
                const uint32_t ofOne = m_partners[one];
                const uint32_t ofOther = m_partners[other];
                if (ofOne == other || GetWeight(one, other) + GetWeight(ofOne, ofOther) <=
                                          GetWeight(one, ofOne) + GetWeight(other, ofOther))
                {
                    continue;
                }
                adds = true;
                m_partners[one] = other;
                m_partners[other] = one;
                for (const auto& [rank, partner] :
                     {std::pair(ofOne, ofOther), std::pair(ofOther, ofOne)})
                {
                    if (rank != NO_RANK)
                    {
                        m_partners[rank] = partner;
                    }
                }
            }
        }
    }
}

void
StragglerSearch::CarryOut()
{
    const std::size_t before = m_plan.transfers.size();
    for (const uint32_t from : m_free)
    {
        const uint32_t to = m_partners[from];
        const int32_t gift = to == NO_RANK ? NO_CHUNK : FindGift(from, to);
        if (gift != NO_CHUNK)
        {
            m_plan.transfers.push_back({m_round, from, to, static_cast<uint32_t>(gift), false});
        }
    }
    for (std::size_t t = before; t < m_plan.transfers.size(); ++t)
    {
        Give(m_plan.transfers[t].to, m_plan.transfers[t].chunk);
        --m_lacks[m_plan.transfers[t].to];
    }
    if (m_round < m_straggler)
    {
        m_plan.AddExchange(m_round, m_straggler);
        Give(m_straggler, m_round);
        Give(m_round, m_round);
        for (uint32_t rank = 0; rank < m_straggler; ++rank)
        {
            m_lacks[rank] += rank == m_round ? 0 : 1; // it is finished, and all others lack it
        }
    }
}

void
StragglerSearch::Give(uint32_t rank, uint32_t chunk)
{
    m_holds[rank][chunk / WORD] |= uint64_t{1} << chunk % WORD;
    ++m_holders[chunk];
}

int32_t
StragglerSearch::Draw(int32_t limit)
{
    // Knuth's linear congruential generator (MMIX), of which the upper bits are used
    m_state = m_state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int32_t>((m_state >> 33) % limit);
}

} // namespace ns3
