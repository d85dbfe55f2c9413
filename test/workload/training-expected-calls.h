/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_EXPECTED_CALLS_H
#define PHOTONIC_RAILS_TRAINING_EXPECTED_CALLS_H

#include "../support/training-job-bench.h"

#include "ns3/training-job.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * The calls of a rank of a task in an iteration, and how long it computes: by counting layers,
 * passes and parameters, in no order. Sources of the counts are in gtest-training-volumes.cc.
 */
class ExpectedCalls
{
  public:
    /** @param task it; stays while this does @param place of the rank in its pipeline */
    ExpectedCalls(const TrainingTask& task, uint32_t place);

    /** @return the calls */
    const CallTable& GetTable() const
    {
        return m_table;
    }

    /** @return how long a rank computes in an iteration */
    Picoseconds GetBusy() const
    {
        return m_busy + m_task.times->GetOptimizer(0).GetTimeStep();
    }

    /** @return how many ranks a group has @param role its */
    uint32_t GetSize(GroupRole role) const;

  private:
    void Add(GroupRole role, const std::string& what, uint64_t calls, uint64_t bytes);
    /** How many passes through a stage find its parameters freed. */
    uint32_t CountGatheringPasses(uint32_t place, uint32_t chunk) const;
    void CountStage(uint32_t stage, uint32_t gathers);
    /** Tensor-parallel calls of the embedding and the head, and messages between stages. */
    void CountEnds(bool first, bool last);

    uint64_t GetStageBytes() const
    {
        return m_plan.sequenceParallel ? m_hidden / m_plan.tp : m_hidden;
    }

    void CountLayerCalls(uint32_t layer);
    void CountParameters(const ModelUnit& unit, uint32_t gathers);
    void CountPart(GroupRole role, uint64_t parameters, uint32_t gathers);

    const TrainingTask& m_task;
    const ParallelismPlan& m_plan;
    const TrainingRecipe& m_recipe;
    uint64_t m_tokens;
    uint64_t m_hidden;
    uint64_t m_again;
    CallTable m_table;
    Picoseconds m_busy{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_EXPECTED_CALLS_H */
