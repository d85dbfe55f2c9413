/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TWO_STAGE_JOB_H
#define PHOTONIC_RAILS_TWO_STAGE_JOB_H

#include "job-programs.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The smallest training job whose ranks change between two parallelisms: two pipeline stages
 * of two data-parallel ranks on each rail.
 *
 * There are four servers, with a GPU on each rail. Servers 0 and 1 are stage 0, servers 2 and 3 are
 * stage 1. On each rail data parallelism (dp) joins servers 0-1 and 2-3, and pipeline parallelism
 * (pp) joins 0-2 and 1-3. In an iteration a rank gathers its parameters (dp), sends or receives the
 * activations and gradients of two micro-batches (pp), and scatters gradients (dp). Backward takes
 * twice the time of forward.
 *
 *     stage 0: gather, F0, F1,            B0, B1, scatter      stream 0 computes, 1 sends,
 *     stage 1: gather,     F0, B0, F1, B1,        scatter      2 receives
 *
 * @code
 * TwoStageJob job;
 * job.iterations = 3;
 * const JobPrograms programs = job.Make(2); // 8 ranks: rank r is GPU r % 2 of server r / 2
 * @endcode
 */
struct TwoStageJob
{
    uint32_t iterations{4};
    Time forward{MilliSeconds(8)};  //!< of a stage, for one micro-batch
    uint64_t parameters{256 << 20}; //!< of a stage, bytes that a GPU gathers
    uint64_t activations{32 << 20}; //!< of a micro-batch, bytes

    /** @return the job on a number of rails */
    JobPrograms Make(uint32_t rails) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TWO_STAGE_JOB_H */
