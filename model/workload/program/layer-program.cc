/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "layer-program.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * The reductions of the cross entropy over a split vocabulary: the maximum, the sum, the target's
 * logit.
 */
constexpr uint32_t LOSS_REDUCTIONS = 3;
constexpr uint32_t LOSS_BYTES = 4;

uint64_t
CountKeyValues(const ModelShape& shape, uint32_t tp)
{
    if (shape.IsLatent())
    {
        return uint64_t{shape.keyRank} + shape.ropeSize;
    }
    return 2ULL * std::max(1U, shape.keyHeads / tp) * shape.headSize;
}

} // namespace

LayerProgram::LayerProgram(const TrainingTask& task,
                           const JobGroups& groups,
                           const ProgramPlace& place,
                           ExpertRouting* routing,
                           RankProgram& program,
                           ComputeTape& tape)
    : m_task(task),
      m_groups(groups),
      m_place(place),
      m_routing(routing),
      m_program(program),
      m_tape(tape),
      m_tokens(uint64_t{task.recipe.microBatchSize} * task.recipe.sequence / task.plan.cp),
      m_hiddenBytes(m_tokens * task.shape.hidden * task.recipe.parameterBytes),
      m_keyValueBytes(m_tokens * CountKeyValues(task.shape, task.plan.tp) *
                      task.recipe.parameterBytes)
{
}

uint64_t
LayerProgram::GetStageBytes() const
{
    return m_task.plan.sequenceParallel ? m_hiddenBytes / m_task.plan.tp : m_hiddenBytes;
}

void
LayerProgram::Tensor(CollectiveKind kind, uint64_t bytes, const std::string& label)
{
    if (const auto group = m_groups.GetNumber(GroupRole::TENSOR))
    {
        m_tape.Collective(*group, kind, bytes, label);
    }
}

void
LayerProgram::Enter(const std::string& label)
{
    if (m_task.plan.sequenceParallel)
    {
        Tensor(CollectiveKind::ALL_GATHER, m_hiddenBytes, label);
    }
}

void
LayerProgram::Leave(const std::string& label)
{
    Tensor(m_task.plan.sequenceParallel ? CollectiveKind::REDUCE_SCATTER
                                        : CollectiveKind::ALL_REDUCE,
           m_hiddenBytes,
           label);
}

void
LayerProgram::EnterBack(const std::string& label)
{
    Leave(label); // gathered tokens are summed and scattered; whole ones are summed
}

void
LayerProgram::LeaveBack(const std::string& label)
{
    Enter(label); // scattered tokens are gathered; the gradient of a sum is whole already
}

const RoutedLayer*
LayerProgram::FindRouted(const ModelUnit& unit) const
{
    return m_routing && m_task.shape.HasExperts(unit.layer)
               ? &m_routing->Get(unit.layer, m_iteration)
               : nullptr;
}

void
LayerProgram::SendToExperts(const ModelUnit& unit, const std::string& label)
{
    const RoutedLayer* routed = FindRouted(unit);
    Exchange(unit, routed ? routed->dispatch : nullptr, label);
}

void
LayerProgram::SendBack(const ModelUnit& unit, const std::string& label)
{
    const RoutedLayer* routed = FindRouted(unit);
    Exchange(unit, routed ? routed->combine : nullptr, label);
}

void
LayerProgram::Exchange(const ModelUnit& unit,
                       const std::shared_ptr<const DemandMatrix>& demand,
                       const std::string& label)
{
    const auto group = m_groups.GetNumber(GroupRole::EXPERT);
    if (group && m_task.shape.HasExperts(unit.layer))
    {
        const uint32_t number =
            m_tape.Collective(*group,
                              demand ? CollectiveKind::ALL_TO_ALL_V : CollectiveKind::ALL_TO_ALL,
                              GetStageBytes() * m_task.shape.activeExperts,
                              label);
        m_program.Edit(number).demand = demand;
    }
}

Time
LayerProgram::WithLoad(const ModelUnit& unit, Time pass, Time experts) const
{
    __extension__ using Wide = unsigned __int128;
    const RoutedLayer* routed = FindRouted(unit);
    if (!routed)
    {
        return pass;
    }
    const Wide product = Wide(experts.GetTimeStep()) * routed->load[m_place.expert];
    const auto time = static_cast<Picoseconds>(product / m_routing->GetVisitsOfRank());
    return pass - std::min(pass, experts) + ToTime(time);
}

uint32_t
LayerProgram::PassOn(uint64_t bytes, const std::vector<uint32_t>& after, const std::string& label)
{
    const uint32_t group = *m_groups.GetNumber(GroupRole::CONTEXT);
    const uint32_t size = m_task.plan.cp;
    const uint32_t next = (m_place.context + 1) % size;
    const uint32_t previous = (m_place.context + size - 1) % size;
    const uint32_t sent = m_program.Send(TrainingStream::SEND_CONTEXT, group, next, bytes);
    const uint32_t come =
        m_program.Receive(TrainingStream::RECEIVE_CONTEXT, group, previous, bytes);
    for (const uint32_t operation : {sent, come})
    {
        m_program.Edit(operation).label = label;
        for (const uint32_t earlier : after)
        {
            m_program.After(operation, earlier);
        }
    }
    return come;
}

void
LayerProgram::Attend(Time duration, const std::string& label)
{
    const auto group = m_groups.GetNumber(GroupRole::CONTEXT);
    if (!group)
    {
        m_tape.Compute(duration, label);
        return;
    }
    const uint32_t size = m_task.plan.cp;
    if (m_task.recipe.context == ContextExchange::ALL_GATHER)
    {
        m_tape.Collective(*group,
                          CollectiveKind::ALL_GATHER,
                          m_keyValueBytes * size,
                          label + ": keys and values");
        m_tape.Compute(duration, label);
        return;
    }
    m_tape.Compute(Time(0), label);
    uint32_t have = *m_tape.Flush();
    for (uint32_t step = 0; step + 1 < size; ++step)
    {
        const uint32_t come = PassOn(m_keyValueBytes, {have}, label + ": keys and values");
        m_tape.Compute(duration / size, label);
        m_tape.Flush();
        m_tape.Await(come);
        have = come;
    }
    m_tape.Compute(duration - duration / size * (size - 1), label);
}

void
LayerProgram::AttendBack(Time duration, const std::string& label)
{
    const auto group = m_groups.GetNumber(GroupRole::CONTEXT);
    if (!group)
    {
        m_tape.Compute(duration, label);
        return;
    }
    const uint32_t size = m_task.plan.cp;
    if (m_task.recipe.context == ContextExchange::ALL_GATHER)
    {
        m_tape.Collective(*group,
                          CollectiveKind::ALL_GATHER,
                          m_keyValueBytes * size,
                          label + ": keys and values");
        m_tape.Compute(duration, label);
        m_tape.Collective(*group,
                          CollectiveKind::REDUCE_SCATTER,
                          m_keyValueBytes * size,
                          label + ": gradients of keys and values");
        return;
    }
    m_tape.Compute(Time(0), label);
    uint32_t have = *m_tape.Flush();
    std::vector<uint32_t> sums;
    for (uint32_t step = 0; step < size; ++step)
    {
        const bool last = step + 1 == size;
        uint32_t come = have;
        if (!last)
        {
            come = PassOn(m_keyValueBytes, {have}, label + ": keys and values");
        }
        m_tape.Compute(last ? duration - duration / size * step : duration / size, label);
        // gradients follow their keys and values and accumulate around the ring
        std::vector<uint32_t> after = sums;
        after.push_back(*m_tape.Flush());
        sums = {PassOn(m_keyValueBytes, after, label + ": gradients of keys and values")};
        if (!last)
        {
            m_tape.Await(come);
            have = come;
        }
    }
    m_tape.Await(sums.front());
}

void
LayerProgram::ForwardLayer(const ModelUnit& unit,
                           Time attention,
                           Time rest,
                           const std::string& label)
{
    Enter(label + ": tokens for attention");
    Attend(attention, label);
    Leave(label + ": attention");
    Enter(label + ": tokens for feed-forward");
    SendToExperts(unit, label + ": dispatch");
    m_tape.Compute(rest, label);
    SendBack(unit, label + ": combine");
    Leave(label + ": feed-forward");
}

void
LayerProgram::Forward(const ModelUnit& unit, const std::string& label)
{
    const UnitTimes times = m_task.times->GetUnit(unit);
    switch (unit.kind)
    {
    case ModelUnit::Kind::EMBEDDING:
        m_tape.Compute(times.forward, label);
        Leave(label);
        break;
    case ModelUnit::Kind::LAYER:
        ForwardLayer(unit,
                     times.attention,
                     WithLoad(unit, times.forward - times.attention, times.experts),
                     label);
        break;
    case ModelUnit::Kind::HEAD:
        Enter(label);
        m_tape.Compute(times.forward, label);
        for (uint32_t i = 0; i < LOSS_REDUCTIONS; ++i)
        {
            Tensor(CollectiveKind::ALL_REDUCE, m_tokens * LOSS_BYTES, label + ": loss");
        }
        break;
    }
}

void
LayerProgram::BackwardLayer(const ModelUnit& unit, const UnitTimes& times, const std::string& label)
{
    if (m_task.recipe.recompute == Recomputation::FULL)
    {
        const Time attention = std::min(times.attention, times.recompute);
        ForwardLayer(unit,
                     attention,
                     WithLoad(unit, times.recompute - attention, times.experts),
                     label + ", again");
    }
    else if (times.recompute.IsStrictlyPositive())
    {
        m_tape.Compute(times.recompute, label);
    }
    // the core of attention has no parameters: both of its gradients are of its inputs
    const Time attention = std::min(2 * times.attention, times.backwardInput);
    LeaveBack(label + ": feed-forward");
    SendToExperts(unit, label + ": combine");
    m_tape.Compute(WithLoad(unit, times.backwardInput - attention, times.experts), label);
    SendBack(unit, label + ": dispatch");
    EnterBack(label + ": tokens for feed-forward");
    LeaveBack(label + ": attention");
    AttendBack(attention, label);
    EnterBack(label + ": tokens for attention");
}

void
LayerProgram::BackwardWeights(const ModelUnit& unit,
                              const UnitTimes& times,
                              const std::string& label)
{
    Time duration = times.backwardWeight;
    // only a share of the inputs is kept
    if (unit.kind == ModelUnit::Kind::LAYER)
    {
        Enter(label + ": input of feed-forward");
        Enter(label + ": input of attention");
        duration = WithLoad(unit, duration, times.experts);
    }
    else if (unit.kind == ModelUnit::Kind::HEAD)
    {
        Enter(label + ": input");
    }
    m_tape.Compute(duration, label);
}

void
LayerProgram::Backward(const ModelUnit& unit, bool input, bool weights, const std::string& label)
{
    const UnitTimes times = m_task.times->GetUnit(unit);
    if (input && unit.kind == ModelUnit::Kind::EMBEDDING)
    {
        LeaveBack(label);
    }
    else if (input && unit.kind == ModelUnit::Kind::LAYER)
    {
        BackwardLayer(unit, times, label);
    }
    else if (input)
    {
        m_tape.Compute(times.recompute + times.backwardInput, label);
        EnterBack(label);
    }
    if (weights)
    {
        BackwardWeights(unit, times, label);
    }
}

} // namespace ns3
