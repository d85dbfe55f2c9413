/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAGE_PROGRAM_H
#define PHOTONIC_RAILS_STAGE_PROGRAM_H

#include "checkpoint-plan.h"
#include "compute-tape.h"
#include "job-groups.h"
#include "layer-program.h"
#include "parameter-traffic.h"
#include "training-task.h"

#include "ns3/model-unit.h"
#include "ns3/pipeline-schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the program of a rank. See TrainingJob.
 */
class StageProgram
{
  public:
    /**
     * @param task of the job
     * @param groups of the job
     * @param place of the rank
     * @param routing of tokens to experts; null: all experts have equal shares
     */
    StageProgram(const TrainingTask& task,
                 const JobGroups& groups,
                 const ProgramPlace& place,
                 ExpertRouting* routing);

    /** @return the program of all iterations */
    std::shared_ptr<const RankProgram> Write();

  private:
    void WriteIteration();
    /** Copies the state of each rank to the next server, if it is time. @param iteration from 1 */
    void WriteCheckpoint(uint32_t iteration);
    /** Sets the steps of the next iteration. @param recipe of it */
    void SetPipeline(const TrainingRecipe& recipe);
    /** Sets the algorithm of collectives over a rail. */
    void NameAlgorithms();
    void WriteStep(const PipelineStep& step);
    void WriteForward(const PipelineStep& step);
    void WriteBackward(const PipelineStep& step);
    /** Computes the units of a stage, and gathers each before. */
    template <typename COMPUTE>
    void WriteUnits(const std::vector<ModelUnit>& units, bool gathers, COMPUTE compute);
    /** Receives the input of a step, and earlier messages of the same sender. */
    void Receive(const PipelineStep& step);
    /** Sends the results of a step. */
    void Send(const PipelineStep& step);
    /** Scatters all gradients of the stage of a step, after its last backward pass. */
    void ScatterStage(const PipelineStep& step);
    /** Makes the next computing wait for the scatters of a stage, as PyTorch's callback after a
     *  backward pass does (_fsdp_state.py, _root_post_backward_final_callback()). */
    void AwaitScatters();
    /** @return whether a step is the last that changes the gradients of its stage */
    bool IsLast(const PipelineStep& step) const;
    /** @return the place of a stage */
    uint32_t PlaceOf(uint32_t stage) const;
    /** @return the label of a step */
    std::string NameOf(const PipelineStep& step) const;

    const TrainingTask& m_task;
    const JobGroups& m_groups;
    uint32_t m_place;         //!< in its pipeline
    PipelineShape m_pipeline; //!< of an iteration
    uint32_t m_stages;        //!< stages of the whole pipeline
    bool m_scattersAfter;     //!< gradients of a stage are scattered after its last backward pass
    std::vector<std::vector<ModelUnit>> m_units; //!< by chunk
    std::shared_ptr<RankProgram> m_program;
    ComputeTape m_tape;
    LayerProgram m_layers;
    ParameterTraffic m_parameters;
    std::optional<CheckpointPlan> m_checkpoint; //!< with the first checkpoint
    std::vector<PipelineStep> m_steps;          //!< of an iteration
    std::optional<uint32_t> m_updated;          //!< the optimizer of the last iteration

    // of an iteration
    std::map<uint32_t, std::vector<PipelineMessage>> m_toReceive; //!< by sender, in order
    std::map<uint32_t, std::size_t> m_called; //!< number of called receives, by sender's place
    std::map<PipelineMessage, uint32_t> m_received; //!< the operation of each receive
    std::vector<uint32_t> m_before;          //!< operations that the gathers of a pass wait for
    std::optional<uint32_t> m_gradientsSent; //!< the last send of gradients
    std::size_t m_scattersAwaited{0};        //!< number of reductions that computing waits for
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAGE_PROGRAM_H */
