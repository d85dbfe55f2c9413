/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallelism-presets.h"

#include "parallelism-fit.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace ns3
{

namespace
{

constexpr double BILLION = 1e9;
constexpr uint32_t TOKENS_OF_RANK = 8192; // of a sequence, with context parallelism
constexpr uint32_t MOST_EXPERT_RANKS = 64;

/** @return the largest power of two that is not larger @param number at least 1 */
uint32_t
FloorToPowerOfTwo(uint32_t number)
{
    uint32_t power = 1;
    while (power <= number / 2)
    {
        power *= 2;
    }
    return power;
}

/** @return powers of two that divide it, ascending @param number at least 1 */
std::vector<uint32_t>
GetPowersThatDivide(uint32_t number)
{
    std::vector<uint32_t> powers{1};
    while (number % 2 == 0)
    {
        number /= 2;
        powers.push_back(powers.back() * 2);
    }
    return powers;
}

/** @return numbers that divide it, ascending @param number at least 1 @param most the largest */
std::vector<uint32_t>
GetDivisors(uint32_t number, uint32_t most)
{
    std::vector<uint32_t> divisors;
    for (uint32_t divisor = 1; divisor <= std::min(number, most); ++divisor)
    {
        if (number % divisor == 0)
        {
            divisors.push_back(divisor);
        }
    }
    return divisors;
}

/** @return the factors of two between two numbers */
double
GetDistance(uint32_t one, uint32_t other)
{
    return std::abs(std::log2(one) - std::log2(other));
}

/** @return whether a plan has usual parallelisms */
bool
IsUsual(const ParallelismPlan& plan, const std::vector<std::set<Parallelism>>& usual)
{
    std::set<Parallelism> used;
    for (const Parallelism one : {Parallelism::TENSOR, Parallelism::SHARD, Parallelism::PIPELINE})
    {
        const uint32_t degree = one == Parallelism::SHARD ? plan.dp : plan.GetDegree(one);
        if (degree > 1)
        {
            used.insert(one);
        }
    }
    return std::find(usual.begin(), usual.end(), used) != usual.end();
}

/**
 * @return the distance of a plan from the rule, in thousandths so that equal sums are equal, and
 *         the tie-breakers
 */
std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>
GetRank(const ParallelismPlan& plan, const ParallelismPlan& rule)
{
    const double distance = GetDistance(plan.tp, rule.tp) + GetDistance(plan.cp, rule.cp) +
                            GetDistance(plan.pp, rule.pp) + GetDistance(plan.ep, rule.ep);
    return {static_cast<int>(std::lround(distance * 1000)), plan.pp, plan.tp, plan.cp, plan.ep};
}

/**
 * @return all plans of a number of ranks: those with usual parallelisms, then the others, the
 *         nearest to the rule first
 * @param shape of the model
 */
std::vector<ParallelismPlan>
GetCandidates(const ParallelismPlan& rule, uint32_t gpus, uint32_t scaleUp, const ModelShape& shape)
{
    std::vector<ParallelismPlan> candidates;
    for (const uint32_t tp : GetPowersThatDivide(gpus))
    {
        if (scaleUp % tp != 0)
        {
            break;
        }
        for (const uint32_t cp : GetPowersThatDivide(gpus / tp))
        {
            for (const uint32_t pp : GetDivisors(gpus / tp / cp, shape.layers))
            {
                const uint32_t dp = gpus / tp / cp / pp;
                for (const uint32_t ep : GetPowersThatDivide(shape.experts > 0 ? dp : 1))
                {
                    ParallelismPlan plan = rule;
                    plan.tp = tp;
                    plan.cp = cp;
                    plan.pp = pp;
                    plan.dp = dp;
                    plan.ep = ep;
                    plan.scaleUp = scaleUp;
                    candidates.push_back(plan);
                }
            }
        }
    }
    std::sort(candidates.begin(), candidates.end(), [&rule](const auto& one, const auto& other) {
        return GetRank(one, rule) < GetRank(other, rule);
    });
    const auto usual = GetUsualParallelisms(gpus);
    std::stable_partition(candidates.begin(), candidates.end(), [&usual](const auto& one) {
        return IsUsual(one, usual);
    });
    return candidates;
}

} // namespace

ParallelismPlan
GetRuleOfThumb(const ModelShape& shape, uint32_t sequence)
{
    const double billions = double(CountParameters(shape)) / BILLION;
    ParallelismPlan plan;
    if (shape.experts > 0)
    {
        plan.tp = 2;
        plan.pp = billions <= 75 ? 1 : billions <= 180 ? 4 : 16;
        plan.ep = FloorToPowerOfTwo(std::min(shape.experts, MOST_EXPERT_RANKS));
        plan.dp = plan.ep;
    }
    else
    {
        plan.tp = billions <= 1 ? 1 : billions <= 10 ? 4 : 8;
        plan.pp = billions <= 10 ? 1 : billions <= 75 ? 4 : billions <= 180 ? 8 : 16;
    }
    while (uint64_t{plan.cp} * TOKENS_OF_RANK < sequence)
    {
        plan.cp *= 2;
    }
    return plan;
}

std::vector<std::set<Parallelism>>
GetUsualParallelisms(uint32_t gpus)
{
    constexpr Parallelism TP = Parallelism::TENSOR;
    constexpr Parallelism DP = Parallelism::SHARD;
    constexpr Parallelism PP = Parallelism::PIPELINE;
    if (gpus <= 8)
    {
        return {{TP}, {DP}};
    }
    if (gpus <= 512)
    {
        return {{TP, PP}, {TP, DP}, {DP}};
    }
    if (gpus <= 1024)
    {
        return {{DP, PP}, {DP, TP}};
    }
    return {{TP, DP, PP}};
}

ParallelismPlan
SuggestPlan(const ModelShape& shape,
            uint32_t gpus,
            uint32_t scaleUp,
            const GpuGeneration& gpu,
            const TrainingRecipe& recipe)
{
    ParallelismPlan none;
    none.dp = gpus;
    none.scaleUp = scaleUp;
    if (!FindMistake(shape).empty() || !FindMistake(recipe).empty() || !FindMistake(none).empty())
    {
        return none;
    }
    const ParallelismPlan rule = GetRuleOfThumb(shape, recipe.sequence);
    const auto candidates = GetCandidates(rule, gpus, scaleUp, shape);
    for (const ParallelismPlan& plan : candidates)
    {
        if (FindMisfits(shape, plan, recipe, gpu).empty())
        {
            return plan;
        }
    }
    return candidates.front();
}

} // namespace ns3
