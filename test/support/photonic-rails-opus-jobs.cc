/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-opus-jobs.h"

#include "ns3/collective-kind.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

SquareJob::SquareJob(OpusBench& bench)
    : dp{bench.MakeGroup("dp 0", {0, 1}), bench.MakeGroup("dp 1", {2, 3})},
      pp{bench.MakeGroup("pp 0", {0, 2}), bench.MakeGroup("pp 1", {1, 3})}
{
}

void
AddFourShifts(RankProgram& program, Picoseconds compute, uint64_t bytes)
{
    program.BeginIteration();
    program.Collective(0, DP, CollectiveKind::ALL_GATHER, bytes, "ring");
    program.Compute(0, ToTime(compute));
    program.Collective(0, PP, CollectiveKind::ALL_REDUCE, bytes, "ring");
    program.Compute(0, ToTime(compute));
    program.Collective(0, DP, CollectiveKind::REDUCE_SCATTER, bytes, "ring");
    program.Compute(0, ToTime(compute));
    program.Collective(0, PP, CollectiveKind::ALL_REDUCE, bytes, "ring");
    program.Compute(0, ToTime(compute));
}

std::shared_ptr<RankProgram>
FourShifts(uint32_t iterations, Picoseconds compute, uint64_t bytes)
{
    auto program = std::make_shared<RankProgram>();
    for (uint32_t i = 0; i < iterations; ++i)
    {
        AddFourShifts(*program, compute, bytes);
    }
    return program;
}

std::vector<uint32_t>
FindIterations(const RankProgram& program)
{
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < program.GetOperations().size(); ++i)
    {
        if (program.GetOperations()[i].kind == RankOperation::Kind::ITERATION)
        {
            found.push_back(i);
        }
    }
    return found;
}

void
PipelineIteration::Add(RankProgram& program, uint32_t stage, Picoseconds before) const
{
    program.BeginIteration();
    if (before > 0)
    {
        program.Compute(0, ToTime(before));
    }
    const uint32_t gathered =
        program.Collective(0, DP, CollectiveKind::ALL_GATHER, parameters, "ring");
    // warm-up: as many micro-batches go forward first as there are stages behind
    const uint32_t warm = std::min(microBatches, stages - 1 - stage);
    uint32_t last = gathered;
    for (uint32_t m = 0; m < warm; ++m)
    {
        Forward(program, stage, gathered);
    }
    for (uint32_t m = warm; m < microBatches; ++m) // steady: one forward, one backward
    {
        Forward(program, stage, gathered);
        last = Backward(program, stage, gathered);
    }
    for (uint32_t m = 0; m < warm; ++m) // cool-down
    {
        last = Backward(program, stage, gathered);
    }
    program.After(program.Compute(0, ToTime(0), "all is sent"), last);
    program.Collective(0, DP, CollectiveKind::REDUCE_SCATTER, parameters, "ring");
}

void
PipelineIteration::Forward(RankProgram& program, uint32_t stage, uint32_t gathered) const
{
    uint32_t received = gathered;
    if (stage > 0)
    {
        received = program.Receive(3, PP, stage - 1, activations);
        program.After(received, gathered);
    }
    const uint32_t computed = program.Compute(0, ToTime(forward), "forward");
    program.After(computed, received);
    if (stage + 1 < stages)
    {
        program.After(program.Send(1, PP, stage + 1, activations), computed);
    }
}

uint32_t
PipelineIteration::Backward(RankProgram& program, uint32_t stage, uint32_t gathered) const
{
    uint32_t received = gathered;
    if (stage + 1 < stages)
    {
        received = program.Receive(4, PP, stage + 1, activations);
        program.After(received, gathered);
    }
    const uint32_t computed = program.Compute(0, ToTime(2 * forward), "backward");
    program.After(computed, received);
    if (stage == 0)
    {
        return computed;
    }
    const uint32_t sent = program.Send(2, PP, stage - 1, activations);
    program.After(sent, computed);
    return sent;
}

} // namespace ns3
