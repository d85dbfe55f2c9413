/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-program.h"

#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

using Kind = PipelineStep::Kind;

/** @return the units of the stages of a rank */
std::vector<std::vector<ModelUnit>>
ListUnits(const TrainingTask& task, uint32_t place)
{
    const auto stages = DivideModel(task.shape, task.plan.pp * task.recipe.chunks);
    std::vector<std::vector<ModelUnit>> units;
    for (uint32_t chunk = 0; chunk < task.recipe.chunks; ++chunk)
    {
        units.push_back(stages[chunk * task.plan.pp + place]);
    }
    return units;
}

} // namespace

StageProgram::StageProgram(const TrainingTask& task,
                           const JobGroups& groups,
                           const ProgramPlace& place,
                           ExpertRouting* routing)
    : m_task(task),
      m_groups(groups),
      m_place(place.pipeline),
      m_stages(task.plan.pp * task.recipe.chunks),
      m_scattersAfter(task.plan.sharding == ParameterSharding::FULL &&
                      ScattersAfterBackward(task.recipe, m_stages)),
      m_units(ListUnits(task, place.pipeline)),
      m_program(std::make_shared<RankProgram>()),
      m_tape(*m_program),
      m_layers(task, groups, place, routing, *m_program, m_tape),
      m_parameters(task, groups, *m_program)
{
}

std::shared_ptr<const RankProgram>
StageProgram::Write()
{
    if (m_task.checkpointsAtStart)
    {
        WriteCheckpoint(0);
    }
    for (uint32_t i = 1; i <= m_task.iterations; ++i)
    {
        SetPipeline(m_task.GetRecipe(i));
        m_program->BeginIteration();
        m_layers.BeginIteration(i - 1);
        WriteIteration();
        WriteCheckpoint(i);
    }
    NameAlgorithms();
    m_program->Shrink();
    return m_program;
}

void
StageProgram::SetPipeline(const TrainingRecipe& recipe)
{
    m_pipeline = {recipe.schedule, m_task.plan.pp, recipe.chunks, recipe.microBatches};
    m_steps = MakePipelineSchedule(m_pipeline, m_place);
}

void
StageProgram::NameAlgorithms()
{
    for (uint32_t o = 0; o < m_program->GetOperations().size(); ++o)
    {
        RankOperation& operation = m_program->Edit(o);
        const bool sums = operation.collective == CollectiveKind::ALL_GATHER ||
                          operation.collective == CollectiveKind::REDUCE_SCATTER ||
                          operation.collective == CollectiveKind::ALL_REDUCE;
        if (operation.kind == RankOperation::Kind::COLLECTIVE && sums &&
            m_groups.IsOnOneRail(operation.group))
        {
            const std::string& name = m_task.recipe.railAlgorithm;
            const bool isKnown =
                name.empty() || CollectiveAlgorithm::Find(operation.collective, name) != nullptr;
            operation.algorithm = isKnown ? name : "ring";
        }
    }
}

void
StageProgram::WriteIteration()
{
    m_received.clear();
    m_called.clear();
    m_gradientsSent.reset();
    m_scattersAwaited = 0;
    for (uint32_t place = 0; place < m_pipeline.ranks; ++place)
    {
        m_toReceive[place] = ListPipelineMessages(m_pipeline, place, m_place);
    }
    for (const PipelineStep& step : m_steps)
    {
        WriteStep(step);
    }
    const std::vector<uint32_t> ready = m_parameters.Finish(*m_tape.Flush());
    for (const uint32_t operation : ready)
    {
        m_tape.Await(operation);
    }
    m_tape.Compute(m_task.times->GetOptimizer(m_parameters.CountUpdated(m_units)), "optimizer");
    m_updated = m_tape.Flush();
}

void
StageProgram::WriteCheckpoint(uint32_t iteration)
{
    const std::optional<uint32_t> group = m_groups.GetNumber(GroupRole::CHECKPOINT);
    if (!group || iteration % m_task.checkpointInterval != 0)
    {
        return;
    }
    if (!m_checkpoint)
    {
        m_checkpoint.emplace(m_task);
    }
    const bool isOverHosts = m_task.checkpointNetwork == CheckpointNetwork::HOSTS;
    const uint32_t copy = m_program->SendReceiveGroup(
        isOverHosts ? TrainingStream::CHECKPOINT : TrainingStream::COMPUTE, // after the optimizer
        *group,
        m_checkpoint->GetServers(),
        m_checkpoint->GetSends());
    if (isOverHosts && m_updated)
    {
        m_program->After(copy, *m_updated);
    }
    RankOperation& operation = m_program->Edit(copy);
    operation.label = "checkpoint " + std::to_string(iteration);
    operation.checkpoint = iteration;
    operation.isOverHosts = operation.isBackground = isOverHosts;
}

void
StageProgram::WriteStep(const PipelineStep& step)
{
    switch (step.kind)
    {
    case Kind::FORWARD:
        Receive(step);
        AwaitScatters();
        WriteForward(step);
        Send(step);
        break;
    case Kind::BACKWARD:
    case Kind::BACKWARD_INPUT:
        Receive(step);
        AwaitScatters();
        WriteBackward(step);
        Send(step);
        break;
    case Kind::BACKWARD_WEIGHT:
        AwaitScatters();
        WriteBackward(step);
        break;
    }
    if (m_scattersAfter && IsLast(step))
    {
        ScatterStage(step);
    }
}

template <typename COMPUTE>
void
StageProgram::WriteUnits(const std::vector<ModelUnit>& units, bool gathers, COMPUTE compute)
{
    std::vector<std::optional<uint32_t>> computed(units.size());
    std::vector<std::vector<uint32_t>> gathered(units.size());
    std::vector<uint32_t> begin = m_before; // the first gather waits for it, the others for that
    const auto gather = [&](std::size_t u, std::optional<uint32_t> after) {
        if (gathers && u < units.size() && m_parameters.MustGather(units[u]))
        {
            std::vector<uint32_t> before = std::exchange(begin, {});
            if (after)
            {
                before.push_back(*after);
            }
            gathered[u] = m_parameters.Gather(units[u], before);
        }
    };
    for (std::size_t u = 0; u < units.size(); ++u)
    {
        const auto previous = u == 0 ? std::nullopt : computed[u - 1];
        if (u == 0 || !m_task.recipe.prefetch)
        {
            gather(u, previous);
        }
        if (m_task.recipe.prefetch)
        {
            gather(u + 1, previous); // while this one is computed
        }
        for (const uint32_t operation : gathered[u])
        {
            m_tape.Await(operation);
        }
        compute(units[u]);
        computed[u] = m_tape.Flush();
    }
}

void
StageProgram::WriteForward(const PipelineStep& step)
{
    const std::string name = NameOf(step);
    WriteUnits(m_units[step.chunk], true, [&](const ModelUnit& unit) {
        m_layers.Forward(unit, "forward " + name + ", " + unit.GetName());
    });
    if (m_task.recipe.reshard)
    {
        for (const ModelUnit& unit : m_units[step.chunk])
        {
            m_parameters.Free(unit);
        }
    }
}

void
StageProgram::WriteBackward(const PipelineStep& step)
{
    std::vector<ModelUnit> units = m_units[step.chunk];
    std::reverse(units.begin(), units.end());
    const bool input = step.kind != Kind::BACKWARD_WEIGHT;
    const bool weights = step.kind != Kind::BACKWARD_INPUT;
    const bool scatters = !m_scattersAfter && IsLast(step);
    const std::string name =
        (weights ? input ? "backward " : "gradients " : "backward input ") + NameOf(step) + ", ";
    WriteUnits(units, input, [&](const ModelUnit& unit) {
        m_layers.Backward(unit, input, weights, name + unit.GetName());
        if (scatters)
        {
            m_parameters.Reduce(unit, {*m_tape.Flush()});
            m_parameters.Free(unit);
        }
    });
}

void
StageProgram::ScatterStage(const PipelineStep& step)
{
    std::vector<uint32_t> after{*m_tape.Flush()};
    // PyTorch's GPipe and 1F1B wait for what they have sent before they reduce; its runtime of the
    // other schedules does not (schedules.py: ScheduleGPipe, Schedule1F1B; runtime.py)
    const bool waits = m_pipeline.schedule == "gpipe" || m_pipeline.schedule == "1f1b";
    if (waits && m_gradientsSent)
    {
        after.push_back(*m_gradientsSent);
    }
    for (const ModelUnit& unit : m_units[step.chunk])
    {
        m_parameters.Reduce(unit, after);
        m_parameters.Free(unit);
    }
}

void
StageProgram::AwaitScatters()
{
    const std::vector<uint32_t>& all = m_parameters.GetReductions();
    if (m_scattersAfter && m_scattersAwaited < all.size())
    {
        m_tape.Await(all.back()); // the last of their stream
        m_scattersAwaited = all.size();
    }
}

bool
StageProgram::IsLast(const PipelineStep& step) const
{
    // gradients are complete when the last of the steps that add to them has ended
    const auto last = std::find_if(m_steps.rbegin(), m_steps.rend(), [&](const PipelineStep& one) {
        return one.chunk == step.chunk &&
               (one.kind == Kind::BACKWARD || one.kind == Kind::BACKWARD_WEIGHT);
    });
    return *last == step;
}

uint32_t
StageProgram::PlaceOf(uint32_t stage) const
{
    return stage % m_pipeline.ranks;
}

std::string
StageProgram::NameOf(const PipelineStep& step) const
{
    std::string name = std::to_string(step.microBatch);
    if (m_task.recipe.chunks > 1)
    {
        name += " chunk " + std::to_string(step.chunk);
    }
    return name;
}

void
StageProgram::Receive(const PipelineStep& step)
{
    const uint32_t stage = step.chunk * m_pipeline.ranks + m_place;
    const bool forward = step.kind == Kind::FORWARD;
    std::vector<uint32_t> before;
    if (const auto computed = m_tape.Flush())
    {
        before.push_back(*computed);
    }
    m_before = before;
    if (m_pipeline.ranks == 1 || (forward ? stage == 0 : stage + 1 == m_stages))
    {
        return;
    }
    const PipelineMessage wanted{forward, forward ? stage - 1 : stage + 1, step.microBatch};
    const uint32_t from = PlaceOf(wanted.stage);
    const bool isNext = from == (m_place + 1) % m_pipeline.ranks;
    // messages arrive in the order in which they are sent
    while (m_received.find(wanted) == m_received.end())
    {
        const PipelineMessage& message = m_toReceive.at(from).at(m_called[from]++);
        const uint32_t number = m_program->Receive(isNext ? TrainingStream::RECEIVE_NEXT
                                                          : TrainingStream::RECEIVE_PREVIOUS,
                                                   *m_groups.GetNumber(GroupRole::PIPELINE),
                                                   from,
                                                   m_layers.GetStageBytes());
        m_program->Edit(number).label =
            std::string(message.forward ? "activations " : "gradients ") +
            std::to_string(message.microBatch);
        for (const uint32_t earlier : before)
        {
            m_program->After(number, earlier);
        }
        m_received[message] = number;
    }
    m_tape.Await(m_received.at(wanted));
    m_before.push_back(m_received.at(wanted));
}

void
StageProgram::Send(const PipelineStep& step)
{
    const uint32_t stage = step.chunk * m_pipeline.ranks + m_place;
    const bool forward = step.kind == Kind::FORWARD;
    if (m_pipeline.ranks == 1 || (forward ? stage + 1 == m_stages : stage == 0))
    {
        return;
    }
    const uint32_t to = PlaceOf(forward ? stage + 1 : stage - 1);
    const bool isNext = to == (m_place + 1) % m_pipeline.ranks;
    const uint32_t made = *m_tape.Flush();
    const uint32_t number =
        m_program->Send(isNext ? TrainingStream::SEND_NEXT : TrainingStream::SEND_PREVIOUS,
                        *m_groups.GetNumber(GroupRole::PIPELINE),
                        to,
                        m_layers.GetStageBytes());
    m_program->Edit(number).label =
        std::string(forward ? "activations " : "gradients ") + std::to_string(step.microBatch);
    m_program->After(number, made);
    if (!forward)
    {
        m_gradientsSent = number;
    }
}

} // namespace ns3
