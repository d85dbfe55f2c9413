/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "algorithm-choice.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{

namespace
{

/** Fills in what follows from an algorithm. @return why its pairs can't be joined, or nothing */
std::string
Complete(AlgorithmChoice& choice,
         const CollectiveParameters& parameters,
         const std::vector<RankId>& ranks,
         const CircuitBroker& broker,
         const AlgorithmPreference& preference)
{
    choice.schedule = CollectiveAlgorithm::GetSchedule(choice.algorithm, parameters);
    choice.pairs.clear();
    for (const CollectiveTransfer& transfer : choice.schedule->GetTransfers())
    {
        if (transfer.wires == CollectiveTransfer::Wires::SCALE_UP && !preference.inside)
        {
            return "it sends inside servers, and no fabric joins their GPUs";
        }
    }
    for (const CollectiveSchedule::Stage& stage : choice.schedule->GetStages())
    {
        auto pairs = std::make_shared<std::vector<std::pair<RankId, RankId>>>();
        for (const auto& [one, other] : stage.pairs)
        {
            pairs->emplace_back(ranks[one], ranks[other]);
        }
        const std::string why = broker.GetWhyNot(ranks, *pairs);
        if (!why.empty())
        {
            return why;
        }
        choice.pairs.push_back(std::move(pairs));
    }
    return "";
}

/** @return the choice of the algorithm of a name, or why it can't be */
AlgorithmChoice
ChooseByName(const CollectiveParameters& parameters,
             const std::vector<RankId>& ranks,
             const CircuitBroker& broker,
             const AlgorithmPreference& preference)
{
    AlgorithmChoice choice;
    choice.algorithm = preference.algorithm;
    const CollectiveAlgorithm& asked =
        CollectiveAlgorithm::Get(parameters.kind, preference.algorithm);
    choice.why = asked.GetWhyNot(parameters);
    if (choice.why.empty())
    {
        choice.why = Complete(choice, parameters, ranks, broker, preference);
    }
    if (choice.why.empty())
    {
        return choice;
    }
    choice.why = "\"" + asked.name + "\" for " + ToString(parameters.kind) + ": " + choice.why;
    const CollectiveAlgorithm* instead = CollectiveAlgorithm::Find(parameters.kind, asked.fallback);
    if (instead == nullptr || !preference.fallback)
    {
        choice.why += instead == nullptr
                          ? "; it has no fallback: choose another algorithm"
                          : "; its fallback is \"" + instead->name + "\", which is not allowed";
        choice.algorithm.clear();
        return choice;
    }
    choice.algorithm = instead->name;
    choice.fellBack = true;
    std::string whyNot = instead->GetWhyNot(parameters);
    whyNot = whyNot.empty() ? Complete(choice, parameters, ranks, broker, preference) : whyNot;
    if (!whyNot.empty())
    {
        choice.why += "; nor its fallback \"" + instead->name + "\": " + whyNot;
        choice.algorithm.clear();
    }
    return choice;
}

} // namespace

Picoseconds
EstimateTime(const CollectiveSchedule& schedule,
             uint64_t buffer,
             const AlgorithmPreference& preference)
{
    __extension__ using Wide = unsigned __int128;

    /** What has come of a chunk: when its first message was there, and all of it. */
    struct Come
    {
        Picoseconds first{0};
        Picoseconds last{0};
    };

    const CollectiveParameters& all = schedule.GetParameters();
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Come>> slots; // by rank and chunk
    std::map<std::tuple<uint32_t, uint16_t, bool>, Picoseconds> out;  // when a lane is free
    std::map<std::tuple<uint32_t, uint16_t, bool>, Picoseconds> in;
    Picoseconds end = 0;
    for (const CollectiveTransfer& it : schedule.GetTransfers())
    {
        const bool inside = it.wires == CollectiveTransfer::Wires::SCALE_UP;
        const Wide rate = inside ? preference.bytesPerSecondInside : preference.bytesPerSecond;
        const Wide lanes = inside ? 1 : all.lanes; // that share the rate
        const auto span = [&rate, &lanes](uint64_t bytes) {
            return static_cast<Picoseconds>(bytes * lanes * 1'000'000'000'000 / rate);
        };
        const uint64_t bytes = schedule.GetBytes(it.chunk, buffer);
        const Picoseconds message = span(std::min(bytes, preference.messageSize));
        Come ready;
        const std::vector<Come>& source = slots[{it.from, it.chunk}];
        for (uint32_t a = 0; a < it.needs; ++a)
        {
            ready.first = std::max(ready.first, source[a].first);
            ready.last = std::max(ready.last, source[a].last);
        }
        Picoseconds& free = out[{it.from, it.lane, inside}];
        Picoseconds& taken = in[{it.to, it.lane, inside}];
        const Picoseconds start = std::max(free, ready.first);
        free = std::max(
            {start + span(bytes), taken + span(bytes), ready.last + (it.needs > 0 ? message : 0)});
        taken = free;
        slots[{it.to, it.chunk}].push_back(
            {start + message + preference.hop, free + preference.hop});
        end = std::max(end, free + preference.hop);
    }
    return end;
}

AlgorithmChoice
ChooseAlgorithm(const CollectiveParameters& parameters,
                uint64_t bytes,
                const std::vector<RankId>& ranks,
                const CircuitBroker& broker,
                const AlgorithmPreference& preference)
{
    if (!preference.algorithm.empty())
    {
        return ChooseByName(parameters, ranks, broker, preference);
    }
    AlgorithmChoice best;
    Picoseconds least = 0;
    std::string why;
    for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(parameters.kind))
    {
        AlgorithmChoice choice;
        choice.algorithm = algorithm->name;
        choice.why = algorithm->GetWhyNot(parameters);
        if (choice.why.empty())
        {
            choice.why = Complete(choice, parameters, ranks, broker, preference);
        }
        if (!choice.why.empty())
        {
            why += (why.empty() ? "" : "; ") + algorithm->name + ": " + choice.why;
            continue;
        }
        const Picoseconds time = EstimateTime(*choice.schedule, bytes, preference);
        if (best.algorithm.empty() || time < least)
        {
            best = choice;
            least = time;
        }
    }
    if (best.algorithm.empty())
    {
        best.why =
            std::string("no algorithm for ") + ToString(parameters.kind) + " can run here: " + why;
    }
    return best;
}

} // namespace ns3
