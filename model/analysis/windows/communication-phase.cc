/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "communication-phase.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/**
 * The identity of an operation in the parts of several ranks; it refers to a part, which must
 * outlive it.
 */
using Identity = std::tuple<std::string_view, std::string_view, uint64_t, bool, uint32_t, uint32_t>;

Identity
IdentityOf(const FinishedOperation& part)
{
    const bool alone = part.kind != FinishedOperation::Kind::COLLECTIVE;
    return {part.parallelism,
            part.group,
            part.number,
            alone,
            alone ? part.from.Get() : 0,
            alone ? part.to.Get() : 0};
}

/** An operation of several ranks as a whole. */
struct Whole
{
    Time start; //!< the slowest rank has called it
    Time end;   //!< the last rank has completed it
};

/** Most operations of a job differ in their number, or in their two ends. */
struct IdentityHash
{
    std::size_t operator()(const Identity& identity) const
    {
        const auto& [parallelism, group, number, alone, from, to] = identity;
        std::size_t hash = std::hash<std::string_view>()(group);
        for (const uint64_t part : {number, uint64_t{from}, uint64_t{to}})
        {
            hash = (hash ^ part) * 0x9e3779b97f4a7c15U; // odd, near 2^64 over the golden ratio
        }
        return hash ^ (hash >> 32);
    }
};

using Wholes = std::unordered_map<Identity, Whole, IdentityHash>;

/** @return the scale-out operations, each combined from its parts */
Wholes
PutTogether(const std::vector<FinishedOperation>& operations)
{
    Wholes wholes;
    for (const FinishedOperation& part : operations)
    {
        if (part.scaleOut)
        {
            const auto [place, isNew] = wholes.insert({IdentityOf(part), {part.start, part.end}});
            place->second.start = std::max(place->second.start, part.start);
            place->second.end = std::max(place->second.end, part.end);
        }
    }
    return wholes;
}

/** An operation in the order of a rank or rail. */
struct Step
{
    Whole whole;
    std::string parallelism;
    uint32_t iteration;
    uint64_t bytes;
};

/** Adds the phases of a rank or rail. */
void
AddPhases(std::vector<CommunicationPhase>& phases,
          std::optional<RankId> rank,
          RailId rail,
          const std::vector<Step>& steps)
{
    const std::size_t first = phases.size();
    for (const Step& step : steps)
    {
        if (phases.size() == first || phases.back().parallelism != step.parallelism)
        {
            phases.push_back(
                {rank, rail, step.iteration, step.whole.start, step.whole.end, step.parallelism});
        }
        CommunicationPhase& phase = phases.back();
        phase.start = std::min(phase.start, step.whole.start);
        phase.end = std::max(phase.end, step.whole.end);
        phase.bytes += step.bytes;
        ++phase.operations;
    }
}

} // namespace

std::vector<CommunicationPhase>
FindPhases(const std::vector<FinishedOperation>& operations)
{
    const Wholes wholes = PutTogether(operations);
    std::map<RankId, std::vector<const FinishedOperation*>> ranks;
    for (const FinishedOperation& part : operations)
    {
        if (part.scaleOut)
        {
            ranks[part.rank].push_back(&part);
        }
    }
    std::vector<CommunicationPhase> phases;
    for (auto& [rank, parts] : ranks)
    {
        // calls of a rank at one instant are in the order of its program; a trace without numbers
        // gives the same result for any order of its rows
        std::sort(parts.begin(), parts.end(), [](const auto* one, const auto* other) {
            const auto when = std::tuple(one->start, one->sequence, one->end);
            const auto whenOther = std::tuple(other->start, other->sequence, other->end);
            return when != whenOther ? when < whenOther : IdentityOf(*one) < IdentityOf(*other);
        });
        std::vector<Step> steps;
        for (const FinishedOperation* part : parts)
        {
            steps.push_back(
                {wholes.at(IdentityOf(*part)), part->parallelism, part->iteration, part->bytes});
        }
        AddPhases(phases, rank, parts.front()->rail, steps);
    }
    return phases;
}

std::vector<CommunicationPhase>
FindRailPhases(const std::vector<FinishedOperation>& operations)
{
    const Wholes wholes = PutTogether(operations);
    std::map<RailId, std::unordered_map<Identity, Step, IdentityHash>> rails;
    for (const FinishedOperation& part : operations)
    {
        if (part.scaleOut)
        {
            const Identity identity = IdentityOf(part);
            Step& step =
                rails[part.rail]
                    .insert({identity, {wholes.at(identity), part.parallelism, part.iteration, 0}})
                    .first->second;
            step.iteration = std::min(step.iteration, part.iteration);
            step.bytes += part.bytes;
        }
    }
    std::vector<CommunicationPhase> phases;
    for (const auto& [rail, byIdentity] : rails)
    {
        std::vector<const std::pair<const Identity, Step>*> ordered;
        for (const auto& one : byIdentity)
        {
            ordered.push_back(&one);
        }
        std::sort(ordered.begin(), ordered.end(), [](const auto* one, const auto* other) {
            const auto when = std::pair(one->second.whole.start, one->second.whole.end);
            const auto whenOther = std::pair(other->second.whole.start, other->second.whole.end);
            return when != whenOther ? when < whenOther : one->first < other->first;
        });
        std::vector<Step> steps;
        for (const auto* one : ordered)
        {
            steps.push_back(one->second);
        }
        AddPhases(phases, std::nullopt, rail, steps);
    }
    return phases;
}

} // namespace ns3
