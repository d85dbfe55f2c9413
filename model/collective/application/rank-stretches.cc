/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-stretches.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

RankStretches::RankStretches(const NumberedProgram& program,
                             const RankConnections& connections,
                             const CollectiveSettings& settings,
                             ProgramRunner& runner,
                             OperationChoices& choices,
                             OperationsInFlight& inFlight,
                             RankComputations& computations,
                             Listener& listener)
    : m_program(program),
      m_connections(connections),
      m_settings(settings),
      m_runner(runner),
      m_choices(choices),
      m_inFlight(inFlight),
      m_computations(computations),
      m_listener(listener)
{
}

bool
RankStretches::Enter(uint32_t operation)
{
    const ProgramStretch* const stretch = m_program.GetOrder().GetStretches().FindAt(operation);
    if (stretch == nullptr || !MayEnter(*stretch))
    {
        return false;
    }
    const std::optional<double> factor = m_listener.GetFactor();
    const auto steps = factor ? FindSteps(*stretch, *factor) : nullptr;
    if (!steps)
    {
        return false;
    }
    Leave(); // one on another stream
    const CommunicationGroup& group = m_program.GetGroup(stretch->group);
    StretchEntry entry;
    entry.rank = m_connections.rank;
    entry.group = &group;
    entry.number = m_program.GetNumber(stretch->GetFirstCollective());
    entry.place = group.GetPlace(m_connections.rank);
    entry.steps = steps;
    entry.library = this;
    m_stretch = stretch;
    m_steps = steps;
    m_isIn = m_connections.intraNode->EnterStretch(entry);
    return m_isIn;
}

bool
RankStretches::MayEnter(const ProgramStretch& stretch) const
{
    const uint32_t first = stretch.GetFirstCollective();
    return m_settings.intraNodeAsOne && m_settings.intraNodeStretches && m_connections.intraNode &&
           m_connections.scaleUp && m_settings.times.AreZero() && !m_settings.stragglerAware &&
           m_computations.GetFactor() == 1 &&
           m_connections.intraNode->Contains(m_program.GetGroup(stretch.group)) &&
           m_inFlight.IsNext(first);
}

std::shared_ptr<const StretchSteps>
RankStretches::FindSteps(const ProgramStretch& stretch, double factor)
{
    if (m_factor != factor)
    {
        m_factor = factor;
        m_known.clear();
    }
    m_known.resize(m_program.GetOrder().GetStretches().GetShapes());
    // those of all operations of the group are equal, as none of them needs circuits
    const std::optional<PathCosts> costs = m_choices.FindInsideCosts(stretch.GetFirstCollective());
    if (!costs)
    {
        return nullptr;
    }
    Known& known = m_known[stretch.shape];
    if (!known.isKnown || !(known.costs == *costs))
    {
        known = {true, *costs, MakeSteps(stretch, factor)};
    }
    return known.steps;
}

std::shared_ptr<const StretchSteps>
RankStretches::MakeSteps(const ProgramStretch& stretch, double factor)
{
    StretchSteps steps;
    for (const uint32_t operation : stretch.operations)
    {
        const RankOperation& call = m_program.GetOperations()[operation];
        StretchStep& step = steps.emplace_back();
        if (call.kind == RankOperation::Kind::COMPUTE)
        {
            step.duration = RankComputations::Lengthen(call.duration, factor).GetTimeStep();
            continue;
        }
        step.choice = m_choices.Get(operation);
        m_choices.Forget(operation);
        const auto isEmpty = [](const auto& pairs) { return pairs->empty(); };
        if (!step.choice || step.choice->algorithm.empty() || step.choice->fellBack ||
            step.choice->host ||
            !std::all_of(step.choice->pairs.begin(), step.choice->pairs.end(), isEmpty))
        {
            return nullptr;
        }
        step.bytes = call.bytes;
        step.messageSize = m_choices.GetMessageSize(call, step.choice->protocol);
    }
    return m_connections.intraNode->ShareSteps(std::move(steps));
}

void
RankStretches::Leave() const
{
    if (m_isIn && m_connections.intraNode)
    {
        m_connections.intraNode->LeaveStretch(m_connections.rank);
    }
}

// ------------------------------------------------------------------------ StretchRank

void
RankStretches::StretchIsOver(const std::vector<StretchTime>& over)
{
    m_isIn = false;
    const ProgramStretch& stretch = *m_stretch;
    const std::shared_ptr<const StretchSteps> steps = m_steps;
    for (std::size_t step = 0; step < over.size(); ++step)
    {
        const uint32_t operation = stretch.operations[step];
        if ((*steps)[step].IsCollective())
        {
            m_connections.ledger->CallAlike(m_program.GetFlowKey(operation),
                                            m_program.GetNumber(operation),
                                            m_program.GetGroup(stretch.group),
                                            m_program.GetPlace(operation));
        }
        m_listener.NoteEarlierProgress(over[step].end);
        m_listener.OperationOver(Record(operation, (*steps)[step], over[step]));
        m_runner.End(operation);
    }
    if (over.size() == steps->size())
    {
        m_listener.StretchEnded();
        return;
    }
    const uint32_t next = stretch.operations[over.size()];
    m_runner.Resume(next);
    m_listener.StretchIsLeftAt(next);
}

const OperationRecord&
RankStretches::Record(uint32_t operation, const StretchStep& step, const StretchTime& time)
{
    const RankOperation& call = m_program.GetOperations()[operation];
    OperationRecord& record = m_record;
    record.rank = m_connections.rank;
    record.operation = operation;
    record.call = call;
    record.start = ToTime(time.start);
    record.end = ToTime(time.end);
    record.asOne = step.IsCollective();
    record.messagesSent = time.totals.messagesSent;
    record.bytesSent = time.totals.bytesSent;
    record.messagesReceived = time.totals.messagesReceived;
    record.bytesReceived = time.totals.bytesReceived;
    if (step.IsCollective())
    {
        record.group = m_program.GetGroup(call.group).GetName();
        record.number = m_program.GetNumber(operation);
        record.algorithm = step.choice->algorithm;
        record.rounds = step.choice->schedule->GetRounds();
        record.protocol = step.choice->protocol;
        record.trafficPath = step.choice->trafficPath;
        record.reason = step.choice->reason;
        record.why = step.choice->why;
        return record;
    }
    record.group.clear();
    record.number = 0;
    record.algorithm.clear();
    record.rounds = 0;
    record.protocol = CollectiveProtocol::SIMPLE;
    record.trafficPath = TrafficPath::CIRCUITS;
    record.reason.clear();
    record.why.clear();
    return record;
}

void
RankStretches::CallAgain(std::size_t step)
{
    m_inFlight.Begin(m_stretch->operations[step]);
}

void
RankStretches::ComputeOn(std::size_t step, Picoseconds start)
{
    m_computations.Resume(m_stretch->operations[step], start, (*m_steps)[step].duration);
}

void
RankStretches::StretchHadEarly(uint64_t most)
{
    m_listener.MessagesWereEarly(most);
}

} // namespace ns3
