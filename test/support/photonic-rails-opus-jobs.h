/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_JOBS_H
#define PHOTONIC_RAILS_OPUS_JOBS_H

#include "photonic-rails-opus-bench.h"

#include "ns3/collective-application.h"
#include "ns3/communication-group.h"
#include "ns3/picoseconds.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * Programs for tests of the control plane. Rank k is the one GPU of server k.
 */

namespace ns3
{

/** Groups that programs of tests use, by number. */
enum TestGroup : uint32_t
{
    DP = 0,
    PP = 1,
};

/**
 * Four ranks in a square: "dp" joins 0-1 and 2-3, "pp" joins 0-2 and 1-3. With two ports a rank,
 * and all of them for one parallelism, a shift reconfigures all.
 */
struct SquareJob
{
    /** @param bench where */
    explicit SquareJob(OpusBench& bench);

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
void AddFourShifts(RankProgram& program, Picoseconds compute, uint64_t bytes = 1 << 18);

/** @return a program of some such iterations */
std::shared_ptr<RankProgram> FourShifts(uint32_t iterations,
                                        Picoseconds compute,
                                        uint64_t bytes = 1 << 18);

/** @return the numbers of operations that begin an iteration */
std::vector<uint32_t> FindIterations(const RankProgram& program);

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
     * @param program of the stage
     * @param stage its number
     * @param before the operation before its gathers
     */
    void Add(RankProgram& program, uint32_t stage, Picoseconds before = 0) const;

  private:
    /** A micro-batch goes forward. */
    void Forward(RankProgram& program, uint32_t stage, uint32_t gathered) const;

    /** A micro-batch goes backward. @return its last operation */
    uint32_t Backward(RankProgram& program, uint32_t stage, uint32_t gathered) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_JOBS_H */
