/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "expert-routing.h"

#include "ns3/assert.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

__extension__ using WideVisits = unsigned __int128;

/** @return how many of the numbers below a limit have a remainder @param ranks the divisor */
uint64_t
CountDealt(uint64_t limit, uint32_t rank, uint32_t ranks)
{
    return (limit + ranks - 1 - rank) / ranks;
}

/** An expert's share of what is left to divide. */
struct ExpertShare
{
    uint32_t expert{0};
    uint64_t remainder{0};
};

/**
 * Gives experts that have a larger share than a visit of each token that many visits.
 * @param [in,out] weights 0 for experts that have all their visits
 * @param [out] counts receives the visits of these
 * @return the visits that are left for the others
 */
uint64_t
FillLargest(std::vector<uint64_t>& weights,
            std::vector<uint64_t>& counts,
            uint64_t visits,
            uint64_t tokens)
{
    uint64_t left = visits;
    for (bool again = true; again;)
    {
        again = false;
        const uint64_t sum = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
        const uint64_t divided = left;
        for (std::size_t expert = 0; expert < weights.size(); ++expert)
        {
            if (weights[expert] > 0 &&
                WideVisits{divided} * weights[expert] > WideVisits{tokens} * sum)
            {
                counts[expert] = tokens;
                left -= tokens;
                weights[expert] = 0;
                again = true;
            }
        }
    }
    return left;
}

} // namespace

void
ExpertVisits::Add(const ExpertVisits& other, uint64_t times)
{
    routed += other.routed * times;
    sent += other.sent * times;
    local += other.local * times;
    dropped += other.dropped * times;
}

std::vector<uint64_t>
DivideVisits(const std::vector<uint64_t>& weights, uint64_t visits, uint64_t tokens)
{
    std::vector<uint64_t> others = weights;
    std::vector<uint64_t> counts(weights.size());
    const uint64_t divided = FillLargest(others, counts, visits, tokens);
    const uint64_t sum = std::accumulate(others.begin(), others.end(), uint64_t{0});
    NS_ASSERT_MSG(divided == 0 || sum > 0, "fewer experts have a weight than a token visits");
    uint64_t left = divided;
    std::vector<ExpertShare> shares;
    for (uint32_t expert = 0; expert < others.size(); ++expert)
    {
        if (others[expert] > 0)
        {
            const WideVisits product = WideVisits{divided} * others[expert];
            counts[expert] = static_cast<uint64_t>(product / sum);
            left -= counts[expert];
            shares.push_back({expert, static_cast<uint64_t>(product % sum)});
        }
    }
    std::stable_sort(shares.begin(), shares.end(), [](const auto& one, const auto& other) {
        return one.remainder > other.remainder;
    });
    for (uint64_t i = 0; i < left; ++i)
    {
        ++counts[shares[i].expert];
    }
    return counts;
}

ExpertRouting::ExpertRouting(const ModelShape& shape,
                             const ParallelismPlan& plan,
                             const TrainingRecipe& recipe)
    : m_router(recipe.router),
      m_experts(shape.experts),
      m_activeExperts(shape.activeExperts),
      m_ranks(plan.ep),
      m_tokens(uint64_t{recipe.microBatchSize} * recipe.sequence / plan.cp /
               (plan.sequenceParallel ? plan.tp : 1)),
      m_tokenBytes(uint64_t{shape.hidden} * recipe.parameterBytes)
{
}

const RoutedLayer&
ExpertRouting::Get(uint32_t layer, uint32_t iteration)
{
    const auto [known, isNew] = m_known.try_emplace({layer, iteration});
    if (isNew)
    {
        known->second = Route(layer, iteration);
    }
    return known->second;
}

RoutedLayer
ExpertRouting::Route(uint32_t layer, uint32_t iteration) const
{
    const std::vector<uint64_t> counts =
        DivideVisits(m_router.GetWeights(m_experts, layer, iteration),
                     m_ranks * GetVisitsOfRank(),
                     m_ranks * m_tokens);
    const uint64_t capacity = m_router.GetCapacity(m_tokens, m_activeExperts, m_experts);
    DemandMatrix dispatch(m_ranks);
    DemandMatrix combine(m_ranks);
    RoutedLayer routed;
    routed.load.resize(m_ranks);
    uint64_t begin = 0; // of an expert's visits, in the order in which visits are dealt to ranks
    for (uint32_t expert = 0; expert < m_experts; begin += counts[expert], ++expert)
    {
        const uint32_t home = expert / (m_experts / m_ranks);
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            const uint64_t visits = CountDealt(begin + counts[expert], rank, m_ranks) -
                                    CountDealt(begin, rank, m_ranks);
            const uint64_t kept = std::min(visits, capacity);
            routed.visits.routed += visits;
            routed.visits.dropped += visits - kept;
            routed.load[home] += kept;
            if (rank == home)
            {
                routed.visits.local += kept;
                continue;
            }
            routed.visits.sent += kept;
            const uint64_t bytes = kept * m_tokenBytes;
            dispatch.Set(rank, home, dispatch.Get(rank, home) + bytes);
            combine.Set(home, rank, combine.Get(home, rank) + bytes);
        }
    }
    routed.dispatch = std::make_shared<const DemandMatrix>(dispatch);
    routed.combine = std::make_shared<const DemandMatrix>(combine);
    return routed;
}

} // namespace ns3
