/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_H
#define PHOTONIC_RAILS_TRAINING_JOB_H

#include "job-groups.h"
#include "job-programs.h"
#include "training-task.h"

#include "ns3/expert-routing.h"
#include "ns3/parallelism-plan.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A training job: the computing, sends and receives of every rank, call by call.
 *
 * Each rank executes the steps of its pipeline schedule. A step passes the units of a stage (the
 * embedding, layers, the head); for each unit a rank
 *
 * - with FSDP gathers its parameters (AllGather of parameterBytes each), unless it still holds
 *   them: after a forward pass they are freed if `reshard` is set; after a backward pass only if it
 *   was the last of the iteration for that stage. With `prefetch` the next unit is gathered during
 *   the computing of the present one, else after it. Gradients are scattered (ReduceScatter of
 *   gradientBytes each), and with replicas the shards summed (AllReduce): in a pipeline of several
 *   stages those of all units of a stage after its last backward pass, else those of a unit in that
 *   pass (GradientScatter);
 * - with plain data parallelism sums gradients in the last backward pass, in buckets during it, or
 *   all after it (AllReduce of gradientBytes each);
 * - with tensor parallelism gathers tokens before and scatters them after attention and the
 *   feed-forward part (sequence parallelism; in backward passes the input is gathered once more for
 *   the gradients of parameters), or sums partial sums after each;
 * - with context parallelism gathers keys and values and scatters their gradients, or passes both
 *   around a ring during attention;
 * - with expert parallelism sends tokens to experts and back: AllToAll if all experts have the same
 *   load, AllToAllV by the demand of the layer and the iteration if the recipe's router is not even
 *   (ExpertRouting). A recomputed forward pass has the demand of the first, and gradients go the
 *   same ways back;
 * - with recomputation computes a layer's forward pass again, with all its exchanges, before its
 *   backward pass.
 *
 * Stages send activations and gradients (1 / tp of them with sequence parallelism). An iteration
 * ends with an AllReduce for the gradient norm, smallReductions others, and the optimizer's step.
 *
 * The order of calls is that of a capture of PyTorch's FSDP2 in a pipeline. The receive of a pass
 * is called when the step before is computed, before the first gather of the pass, which waits for
 * the receive. The send of a pass is called when the pass is computed. The next send to the same
 * stage waits for it (as in PyTorch's schedules), so gathers of the next pass may overlap it. If
 * circuits serve one parallelism at a time, the control plane orders the operations.
 *
 * The scatters of a stage after its last backward pass are called after the send of that pass, in
 * order of the model. With gpipe and 1f1b they wait until all gradients of the stage are sent, with
 * interleaved and zb-h1 they do not. If the rank has further stages, their later passes wait for
 * the scatters; their receives do not.
 *
 * Not modelled: the tensor-parallel part of the gradient norm, the part of the small AllReduces
 * that goes over replicas, the packing of buckets, data loading, checkpoints, embeddings that are
 * tied over stages (their gradients' sum). PyTorch gathers up to three stages of a rank ahead with
 * interleaved and zb-h1; here the first pass of a stage gathers it, as with the other schedules.
 *
 * From the iteration of a RecipeChange on, all ranks have the other pipeline.
 *
 * Ranks with equal work share one program object.
 */
class TrainingJob
{
  public:
    /** @param task a mistake in it aborts with a message */
    explicit TrainingJob(const TrainingTask& task);

    /** @return the task */
    const TrainingTask& GetTask() const
    {
        return m_task;
    }

    /** @return the groups */
    const JobGroups& GetGroups() const
    {
        return m_groups;
    }

    /** @return the places of ranks */
    const RankLayout& GetLayout() const
    {
        return m_layout;
    }

    /** @return the program of a rank, shared by ranks with equal work */
    std::shared_ptr<const RankProgram> GetProgram(uint32_t rank) const;

    /** @return its groups and programs, for JobRun */
    JobPrograms MakePrograms() const;

    /**
     * Counts the visits of tokens to routed experts, as the router divides them: of all ranks,
     * layers, micro-batches and iterations, each once, however often passes send them. A token
     * that several tensor-parallel ranks have counts once.
     * @return the visits; none if the model has no experts
     */
    ExpertVisits CountVisits() const;

    /**
     * @return the largest load of a rank's experts in a layer and an iteration, over an even share
     *         of all visits; 1 if the model has no experts
     */
    double FindLargestLoad() const;

    /** @return the number of different programs */
    std::size_t CountPrograms() const
    {
        return m_programs.size();
    }

  private:
    /** The places of a rank that its program depends on: in the pipeline, the context, and the
     *  expert-parallel group. */
    using Place = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** Passes each routed layer of each iteration to a function. */
    template <typename FUNCTION>
    void RouteAll(FUNCTION function) const;
    /** @return the place of a rank, 0 where it does not matter */
    Place GetPlace(uint32_t rank) const;

    TrainingTask m_task;
    RankLayout m_layout;
    JobGroups m_groups;
    std::map<Place, std::shared_ptr<const RankProgram>> m_programs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_H */
