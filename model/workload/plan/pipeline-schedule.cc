/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-schedule.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

using Kind = PipelineStep::Kind;
using Steps = std::vector<PipelineStep>;

Steps
MakeGpipe(const PipelineShape& shape)
{
    Steps steps;
    for (const Kind kind : {Kind::FORWARD, Kind::BACKWARD})
    {
        for (uint32_t m = 0; m < shape.microBatches; ++m)
        {
            steps.push_back({kind, m, 0});
        }
    }
    return steps;
}

/** Makes the k-th pass of a rank with several stages: p micro-batches through each. */
PipelineStep
PassOf(const PipelineShape& shape, Kind kind, uint32_t k)
{
    const uint32_t round = shape.ranks * shape.chunks;
    const uint32_t chunk = k % round / shape.ranks;
    return {kind,
            k / round * shape.ranks + k % shape.ranks,
            kind == Kind::FORWARD ? chunk : shape.chunks - 1 - chunk};
}

/** Makes a few forward passes, then alternating passes, then the remaining backward passes. */
Steps
MakeOneAndOne(const PipelineShape& shape, uint32_t ahead)
{
    const uint32_t all = shape.microBatches * shape.chunks;
    ahead = std::min(ahead, all);
    Steps steps;
    for (uint32_t k = 0; k < ahead; ++k)
    {
        steps.push_back(PassOf(shape, Kind::FORWARD, k));
    }
    for (uint32_t k = ahead; k < all; ++k)
    {
        steps.push_back(PassOf(shape, Kind::FORWARD, k));
        steps.push_back(PassOf(shape, Kind::BACKWARD, k - ahead));
    }
    for (uint32_t k = all - ahead; k < all; ++k)
    {
        steps.push_back(PassOf(shape, Kind::BACKWARD, k));
    }
    return steps;
}

uint32_t
CountAhead(const PipelineShape& shape, uint32_t place)
{
    const uint32_t behind = shape.ranks - 1 - place;
    return shape.chunks == 1 ? behind : 2 * behind + (shape.chunks - 1) * shape.ranks;
}

/** Splits backward passes; the gradients of parameters wait for `delay` more of them. */
Steps
Split(const Steps& whole, uint32_t delay)
{
    Steps steps;
    Steps waiting;
    for (const PipelineStep& step : whole)
    {
        if (step.kind == Kind::FORWARD)
        {
            steps.push_back(step);
            continue;
        }
        steps.push_back({Kind::BACKWARD_INPUT, step.microBatch, step.chunk});
        waiting.push_back({Kind::BACKWARD_WEIGHT, step.microBatch, step.chunk});
        if (waiting.size() > delay)
        {
            steps.push_back(waiting.front());
            waiting.erase(waiting.begin());
        }
    }
    steps.insert(steps.end(), waiting.begin(), waiting.end());
    return steps;
}

} // namespace

const std::vector<std::string>&
GetPipelineSchedules()
{
    static const std::vector<std::string> names{"gpipe", "1f1b", "interleaved", "zb-h1"};
    return names;
}

std::string
FindMistake(const PipelineShape& shape)
{
    std::ostringstream why;
    const auto& names = GetPipelineSchedules();
    if (std::find(names.begin(), names.end(), shape.schedule) == names.end())
    {
        why << "schedule " << shape.schedule << ": give one of";
        for (const std::string& name : names)
        {
            why << " " << name;
        }
    }
    else if (shape.ranks == 0 || shape.chunks == 0 || shape.microBatches == 0)
    {
        why << "a pipeline of " << shape.ranks << " ranks, " << shape.chunks << " stages each, and "
            << shape.microBatches << " micro-batches: give 1 or more of each";
    }
    else if (shape.chunks > 1 && shape.schedule != "interleaved")
    {
        why << shape.chunks << " stages a rank with the schedule " << shape.schedule
            << ": only interleaved has more than 1";
    }
    else if (shape.schedule == "interleaved" && shape.microBatches % shape.ranks != 0)
    {
        why << shape.microBatches << " micro-batches in an interleaved pipeline of " << shape.ranks
            << ": give a multiple of " << shape.ranks << ", or another schedule";
    }
    return why.str();
}

std::vector<PipelineStep>
MakePipelineSchedule(const PipelineShape& shape, uint32_t place)
{
    const std::string mistake = FindMistake(shape);
    NS_ABORT_MSG_UNLESS(mistake.empty(), mistake);
    NS_ABORT_MSG_IF(place >= shape.ranks,
                    "place " << place << " in a pipeline of " << shape.ranks << ": give 0 to "
                             << shape.ranks - 1);
    if (shape.schedule == "gpipe")
    {
        return MakeGpipe(shape);
    }
    const Steps steps = MakeOneAndOne(shape, CountAhead(shape, place));
    return shape.schedule == "zb-h1" ? Split(steps, place) : steps;
}

std::vector<PipelineMessage>
ListPipelineMessages(const PipelineShape& shape, uint32_t from, uint32_t to)
{
    const uint32_t stages = shape.ranks * shape.chunks;
    std::vector<PipelineMessage> messages;
    for (const PipelineStep& step : MakePipelineSchedule(shape, from))
    {
        const uint32_t stage = step.chunk * shape.ranks + from;
        const bool forward = step.kind == Kind::FORWARD;
        const bool ends = forward ? stage + 1 == stages : stage == 0;
        if (ends || step.kind == Kind::BACKWARD_WEIGHT)
        {
            continue;
        }
        if ((forward ? stage + 1 : stage - 1) % shape.ranks == to && to != from)
        {
            messages.push_back({forward, stage, step.microBatch});
        }
    }
    return messages;
}

} // namespace ns3
