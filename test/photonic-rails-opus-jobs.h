/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_JOBS_H
#define PHOTONIC_RAILS_OPUS_JOBS_H

#include "photonic-rails-opus-bench.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * Programs for tests of the control plane. Rank k is the one GPU of server k.
 */

namespace ns3
{

/** Groups that programs of tests mean, by number. */
enum TestGroup : uint32_t
{
    DP = 0,
    PP = 1,
};

/**
 * Four ranks in a square: "dp" joins 0-1 and 2-3, "pp" joins 0-2 and 1-3. With two ports a rank,
 * and all of them for one parallelism, a shift turns all.
 */
struct SquareJob
{
    /** @param bench where */
    explicit SquareJob(OpusBench& bench)
        : dp{bench.MakeGroup("dp 0", {0, 1}), bench.MakeGroup("dp 1", {2, 3})},
          pp{bench.MakeGroup("pp 0", {0, 2}), bench.MakeGroup("pp 1", {1, 3})}
    {
    }

    /** @return a rank's groups @param rank it */
    CollectiveApplication::Groups GroupsOf(uint32_t rank) const
    {
        return {dp[rank / 2], pp[rank % 2]};
    }

    std::shared_ptr<const CommunicationGroup> dp[2];
    std::shared_ptr<const CommunicationGroup> pp[2];
};

/**
 * An iteration of a square: gather (dp), compute, reduce (pp), compute, scatter (dp), compute,
 * reduce (pp), compute. Four shifts, the one at the boundary included.
 */
inline void
AddFourShifts(RankProgram& program, Picoseconds compute, uint64_t bytes = 1 << 18)
{
    program.BeginIteration();
    program.Collective(0, DP, CollectiveKind::ALL_GATHER, bytes, "ring");
    program.Compute(0, compute);
    program.Collective(0, PP, CollectiveKind::ALL_REDUCE, bytes, "ring");
    program.Compute(0, compute);
    program.Collective(0, DP, CollectiveKind::REDUCE_SCATTER, bytes, "ring");
    program.Compute(0, compute);
    program.Collective(0, PP, CollectiveKind::ALL_REDUCE, bytes, "ring");
    program.Compute(0, compute);
}

/** @return a program of some such iterations */
inline std::shared_ptr<RankProgram>
FourShifts(uint32_t iterations, Picoseconds compute, uint64_t bytes = 1 << 18)
{
    auto program = std::make_shared<RankProgram>();
    for (uint32_t i = 0; i < iterations; ++i)
    {
        AddFourShifts(*program, compute, bytes);
    }
    return program;
}

/** @return the numbers of operations that begin an iteration */
inline std::vector<uint32_t>
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

/** One forward, one backward: micro-batches through the stages of a pipeline. */
struct PipelineIteration
{
    uint32_t stages{3};
    uint32_t microBatches{4};
    uint64_t parameters{1 << 20};  //!< gathered before and scattered after, by "dp"
    uint64_t activations{1 << 18}; //!< of a micro-batch
    Picoseconds forward{50'000'000};

    /**
     * Adds an iteration of a stage. Stream 0 is the GPU; 1 and 2 send to the next stage and to the
     * one before, 3 and 4 receive from the one before and from the next. The group PP has a rank of
     * each stage.
     * @param program whose
     * @param stage which
     * @param before what the rank does before it gathers
     */
    void Add(RankProgram& program, uint32_t stage, Picoseconds before = 0) const
    {
        program.BeginIteration();
        if (before > 0)
        {
            program.Compute(0, before);
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
        program.After(program.Compute(0, 0, "all is sent"), last);
        program.Collective(0, DP, CollectiveKind::REDUCE_SCATTER, parameters, "ring");
    }

  private:
    /** A micro-batch goes forward. */
    void Forward(RankProgram& program, uint32_t stage, uint32_t gathered) const
    {
        uint32_t received = gathered;
        if (stage > 0)
        {
            received = program.Receive(3, PP, stage - 1, activations);
            program.After(received, gathered);
        }
        const uint32_t computed = program.Compute(0, forward, "forward");
        program.After(computed, received);
        if (stage + 1 < stages)
        {
            program.After(program.Send(1, PP, stage + 1, activations), computed);
        }
    }

    /** A micro-batch goes backward. @return what is over last */
    uint32_t Backward(RankProgram& program, uint32_t stage, uint32_t gathered) const
    {
        uint32_t received = gathered;
        if (stage + 1 < stages)
        {
            received = program.Receive(4, PP, stage + 1, activations);
            program.After(received, gathered);
        }
        const uint32_t computed = program.Compute(0, 2 * forward, "backward");
        program.After(computed, received);
        if (stage == 0)
        {
            return computed;
        }
        const uint32_t sent = program.Send(2, PP, stage - 1, activations);
        program.After(sent, computed);
        return sent;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_JOBS_H */
