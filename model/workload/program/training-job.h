/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_H
#define PHOTONIC_RAILS_TRAINING_JOB_H

#include "job-groups.h"
#include "job-programs.h"
#include "training-task.h"

#include "ns3/parallelism-plan.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A training job: what every rank computes, sends and receives, call by call.
 *
 * Each rank takes the steps of its pipeline schedule. A step goes through the units of a stage (the
 * embedding, layers, the head); for each unit a rank
 *
 * - with FSDP gathers its parameters (AllGather of parameterBytes each), unless it still holds
 *   them: after a forward pass they are freed if `reshard` is set; after a backward pass only if it
 *   was the last of the iteration for that stage. With `prefetch` the next unit is gathered while
 *   one is computed, else after it. In the last backward pass the unit's gradients are scattered
 *   (ReduceScatter of gradientBytes each), and with replicas the shards summed (AllReduce);
 * - with plain data parallelism sums gradients in the last backward pass, in buckets beside it, or
 *   all after it (AllReduce of gradientBytes each);
 * - with tensor parallelism has tokens gathered before and scattered after attention and the
 *   feed-forward part (sequence parallelism; in backward passes the input is gathered once more for
 *   the gradients of parameters), or partial sums summed after each;
 * - with context parallelism gathers keys and values and scatters their gradients, or passes both
 *   around a ring while attention goes on;
 * - with expert parallelism sends tokens to experts and back (AllToAll; all experts are as busy);
 * - with recomputation computes a layer's forward pass again, with all it sends, before its
 *   backward pass.
 *
 * Stages send activations and gradients (1 / tp of them with sequence parallelism). An iteration
 * ends with an AllReduce for the gradient norm, smallReductions others, and the optimizer's step.
 *
 * The order of calls is the one that was captured from PyTorch's FSDP2 in a pipeline: what a pass
 * receives is called before its first gather, which waits for it, and when the step before is
 * computed. What a pass sends is called when it is computed, and waited for before the next send to
 * the same stage (PyTorch's schedules wait for a send there), so gathers of the next pass may go
 * beside it. Where circuits are for one parallelism at a time, the control plane orders them.
 *
 * Not modelled: the tensor-parallel part of the gradient norm, the part of the small AllReduces
 * that goes over replicas, what is computed to pack buckets, data loading, checkpoints, embeddings
 * that are tied over stages (their gradients' sum).
 *
 * Programs are shared: ranks that do the same have the same object.
 */
class TrainingJob
{
  public:
    /** @param task what is to be done; a mistake in it aborts with words */
    explicit TrainingJob(const TrainingTask& task);

    /** @return what is done */
    const TrainingTask& GetTask() const
    {
        return m_task;
    }

    /** @return the groups */
    const JobGroups& GetGroups() const
    {
        return m_groups;
    }

    /** @return where ranks are */
    const RankLayout& GetLayout() const
    {
        return m_layout;
    }

    /** @return what a rank does; ranks share these */
    std::shared_ptr<const RankProgram> GetProgram(uint32_t rank) const;

    /** @return its groups and programs, as JobRun runs them */
    JobPrograms MakePrograms() const;

    /** @return the number of programs that there are */
    std::size_t CountPrograms() const
    {
        return m_programs.size();
    }

  private:
    TrainingTask m_task;
    RankLayout m_layout;
    JobGroups m_groups;
    //! by place in the pipeline and, where it matters, in the context
    std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<const RankProgram>> m_programs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_H */
