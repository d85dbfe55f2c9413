/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-expected-calls.h"

#include "ns3/pipeline-schedule.h"

#include <algorithm>

namespace ns3
{

ExpectedCalls::ExpectedCalls(const TrainingTask& task, uint32_t place)
    : m_task(task),
      m_plan(task.plan),
      m_recipe(task.recipe),
      m_tokens(uint64_t{m_recipe.microBatchSize} * m_recipe.sequence / m_plan.cp),
      m_hidden(m_tokens * task.shape.hidden * m_recipe.parameterBytes),
      m_again(m_recipe.recompute == Recomputation::FULL ? 1 : 0)
{
    for (uint32_t chunk = 0; chunk < m_recipe.chunks; ++chunk)
    {
        CountStage(chunk * m_plan.pp + place, CountGatheringPasses(place, chunk));
    }
    Add(GroupRole::DATA, "all-reduce", 1 + m_recipe.smallReductions, m_recipe.smallBytes);
    Add(GroupRole::PIPELINE, "all-reduce", m_recipe.pipelineNorm ? 1 : 0, m_recipe.smallBytes);
}

uint32_t
ExpectedCalls::GetSize(GroupRole role) const
{
    const bool full = m_plan.sharding == ParameterSharding::FULL;
    const uint32_t data = m_plan.cp * m_plan.dp / m_plan.replicas;
    switch (role)
    {
    case GroupRole::TENSOR:
        return m_plan.tp;
    case GroupRole::CONTEXT:
        return m_plan.cp;
    case GroupRole::EXPERT:
        return m_plan.ep;
    case GroupRole::DATA:
        return data;
    case GroupRole::EXPERT_DATA:
        return data / m_plan.ep;
    case GroupRole::REPLICA:
        return full ? m_plan.replicas : 1;
    case GroupRole::CHECKPOINT:
        return 1; // there are none
    case GroupRole::PIPELINE:
        break;
    }
    return m_plan.pp;
}

void
ExpectedCalls::Add(GroupRole role, const std::string& what, uint64_t calls, uint64_t bytes)
{
    if (calls > 0 && bytes > 0 && GetSize(role) > 1)
    {
        m_table[{role, what}].Add(calls, bytes);
    }
}

uint32_t
ExpectedCalls::CountGatheringPasses(uint32_t place, uint32_t chunk) const
{
    bool held = false;
    uint32_t passes = 0;
    for (const PipelineStep& step : MakePipelineSchedule(
             {m_recipe.schedule, m_plan.pp, m_recipe.chunks, m_recipe.microBatches},
             place))
    {
        if (step.chunk == chunk && step.kind != PipelineStep::Kind::BACKWARD_WEIGHT)
        {
            passes += held ? 0 : 1;
            held = step.kind != PipelineStep::Kind::FORWARD || !m_recipe.reshard;
        }
    }
    return passes;
}

void
ExpectedCalls::CountStage(uint32_t stage, uint32_t gathers)
{
    const uint32_t stages = m_plan.pp * m_recipe.chunks;
    const uint32_t layers = m_task.shape.layers;
    // earlier stages have one layer more
    const uint32_t first = stage * (layers / stages) + std::min(stage, layers % stages);
    const uint32_t behind = first + layers / stages + (stage < layers % stages ? 1 : 0);
    for (uint32_t layer = first; layer < behind; ++layer)
    {
        CountLayerCalls(layer);
        CountParameters({ModelUnit::Kind::LAYER, layer}, gathers);
    }
    if (stage == 0)
    {
        CountParameters({ModelUnit::Kind::EMBEDDING, 0}, gathers);
    }
    if (stage + 1 == stages)
    {
        CountParameters({ModelUnit::Kind::HEAD, 0}, gathers);
    }
    CountEnds(stage == 0, stage + 1 == stages);
}

void
ExpectedCalls::CountEnds(bool first, bool last)
{
    const uint64_t m = m_recipe.microBatches;
    const bool split = m_plan.sequenceParallel;
    Add(GroupRole::TENSOR,
        "all-gather",
        split ? m * ((first ? 1 : 0) + (last ? 2 : 0)) : 0,
        m_hidden);
    Add(GroupRole::TENSOR,
        split ? "reduce-scatter" : "all-reduce",
        m * ((first ? 1 : 0) + (last ? 1 : 0)),
        m_hidden);
    Add(GroupRole::TENSOR, "all-reduce", last ? 3 * m : 0, m_tokens * 4);
    const uint64_t messages = m * ((first ? 0 : 1) + (last ? 0 : 1));
    Add(GroupRole::PIPELINE, "send", messages, GetStageBytes());
    Add(GroupRole::PIPELINE, "receive", messages, GetStageBytes());
}

void
ExpectedCalls::CountLayerCalls(uint32_t layer)
{
    const uint64_t m = m_recipe.microBatches;
    const bool split = m_plan.sequenceParallel;
    Add(GroupRole::TENSOR, "all-gather", split ? m * (6 + 2 * m_again) : 0, m_hidden);
    Add(GroupRole::TENSOR,
        split ? "reduce-scatter" : "all-reduce",
        m * (4 + 2 * m_again),
        m_hidden);
    const uint64_t keys = m_tokens * 2 * (m_task.shape.keyHeads / m_plan.tp) *
                          m_task.shape.headSize * m_recipe.parameterBytes;
    if (m_recipe.context == ContextExchange::ALL_GATHER)
    {
        Add(GroupRole::CONTEXT, "all-gather", m * (2 + m_again), keys * m_plan.cp);
        Add(GroupRole::CONTEXT, "reduce-scatter", m, keys * m_plan.cp);
    }
    else
    {
        const uint64_t steps = (m_plan.cp - 1) * (2 + m_again) + m_plan.cp;
        Add(GroupRole::CONTEXT, "send", m * steps, keys);
        Add(GroupRole::CONTEXT, "receive", m * steps, keys);
    }
    const uint64_t visits = m_task.shape.HasExperts(layer) ? m * (4 + 2 * m_again) : 0;
    Add(GroupRole::EXPERT, "all-to-all", visits, GetStageBytes() * m_task.shape.activeExperts);
    const UnitTimes times = m_task.times->GetUnit({ModelUnit::Kind::LAYER, layer});
    const Time pass = times.forward + times.recompute + times.backwardInput + times.backwardWeight;
    m_busy += Picoseconds(m) * pass.GetTimeStep();
}

void
ExpectedCalls::CountParameters(const ModelUnit& unit, uint32_t gathers)
{
    const UnitParameters of = CountUnitOfRank(m_task.shape, m_plan, unit);
    const bool apart = m_plan.ep > 1;
    CountPart(GroupRole::DATA, of.shared + (apart ? 0 : of.experts), gathers);
    CountPart(GroupRole::EXPERT_DATA, apart ? of.experts : 0, gathers);
}

void
ExpectedCalls::CountPart(GroupRole role, uint64_t parameters, uint32_t gathers)
{
    const uint64_t gradients = parameters * m_recipe.gradientBytes;
    if (m_plan.sharding == ParameterSharding::NONE)
    {
        Add(role, "all-reduce", 1, gradients);
        return;
    }
    Add(role, "all-gather", gathers, parameters * m_recipe.parameterBytes);
    Add(role, "reduce-scatter", 1, gradients);
    Add(GroupRole::REPLICA, "all-reduce", 1, gradients / GetSize(role));
}

} // namespace ns3
