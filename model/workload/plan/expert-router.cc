/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "expert-router.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

__extension__ using WideTokens = unsigned __int128;

constexpr double LARGEST_FACTOR = 1000;
constexpr uint64_t MILLION = 1'000'000;

/** @return the mistake of a measured layer, or an empty string */
std::string
FindStepMisfit(const ModelShape& shape,
               uint32_t layer,
               const std::vector<RoutingCounts::Tokens>& steps)
{
    for (std::size_t step = 0; step < steps.size(); ++step)
    {
        const auto visited =
            steps[step].size() - std::count(steps[step].begin(), steps[step].end(), 0);
        if (visited < shape.activeExperts)
        {
            return "routing counts: in layer " + std::to_string(layer) + ", step " +
                   std::to_string(step) + " " + std::to_string(visited) +
                   " experts have tokens, and a token visits " +
                   std::to_string(shape.activeExperts) + "; give tokens to so many or more";
        }
    }
    return "";
}

/** @return the reason why counts can't be those of a model, or an empty string */
std::string
FindCountsMisfit(const RoutingCounts& counts, const ModelShape& shape)
{
    if (counts.GetExperts() != shape.experts)
    {
        return "routing counts are of " + std::to_string(counts.GetExperts()) +
               " experts, and the model \"" + shape.name + "\" has " +
               std::to_string(shape.experts) + "; give counts for each of these";
    }
    for (uint32_t layer = 0; layer < shape.layers; ++layer)
    {
        const auto its = counts.GetSteps().find(layer);
        const bool known = its != counts.GetSteps().end();
        if (known != shape.HasExperts(layer))
        {
            return "routing counts: " +
                   std::string(known ? "there are rows for" : "there is no row for") + " layer " +
                   std::to_string(layer) + ", which has " + (known ? "no experts" : "experts") +
                   " in the model \"" + shape.name + "\"; give counts for layers " +
                   std::to_string(shape.denseLayers) + " to " + std::to_string(shape.layers - 1);
        }
        const std::string misfit = known ? FindStepMisfit(shape, layer, its->second) : "";
        if (!misfit.empty())
        {
            return misfit;
        }
    }
    return "";
}

} // namespace

bool
ExpertRouter::IsEven() const
{
    return !counts && skew.kind == ExpertSkew::Kind::UNIFORM &&
           (capacityFactor == 0 || capacityFactor >= 1);
}

uint64_t
ExpertRouter::GetCapacity(uint64_t tokens, uint32_t activeExperts, uint32_t experts) const
{
    if (capacityFactor == 0)
    {
        return tokens; // a token visits an expert once
    }
    const WideTokens millionths = std::llround(capacityFactor * MILLION);
    const WideTokens divisor = WideTokens{experts} * MILLION;
    const WideTokens capacity = (millionths * tokens * activeExperts + divisor - 1) / divisor;
    return capacity < tokens ? static_cast<uint64_t>(capacity) : tokens;
}

std::vector<uint64_t>
ExpertRouter::GetWeights(uint32_t experts, uint32_t layer, uint32_t iteration) const
{
    return counts ? counts->Get(layer, iteration) : skew.DrawWeights(experts, layer, iteration);
}

std::string
FindMistake(const ExpertRouter& router)
{
    if (router.counts && router.skew.kind != ExpertSkew::Kind::UNIFORM)
    {
        return "router: there are routing counts and the skew " + router.skew.GetName() +
               "; give one of both";
    }
    const std::string mistake = FindMistake(router.skew);
    if (!mistake.empty())
    {
        return "router: " + mistake;
    }
    const bool fits = router.capacityFactor == 0 || (router.capacityFactor >= 1.0 / MILLION &&
                                                     router.capacityFactor <= LARGEST_FACTOR);
    std::ostringstream why;
    if (!fits)
    {
        why << "router: the capacity factor is " << router.capacityFactor
            << "; give 0 for no limit, or 0.000001 to " << LARGEST_FACTOR;
    }
    return why.str();
}

std::string
FindMisfit(const ExpertRouter& router, const ModelShape& shape, const ParallelismPlan& plan)
{
    if (shape.experts == 0)
    {
        if (router.IsEven() && router.capacityFactor == 0)
        {
            return "";
        }
        return "a skew, routing counts or a capacity factor is given, and the model \"" +
               shape.name + "\" has no experts; leave it out, or take a model with experts";
    }
    if (shape.experts % plan.ep != 0)
    {
        return "experts is " + std::to_string(shape.experts) +
               ", not a multiple of ep = " + std::to_string(plan.ep) +
               "; take an ep that divides it";
    }
    return router.counts ? FindCountsMisfit(*router.counts, shape) : "";
}

} // namespace ns3
