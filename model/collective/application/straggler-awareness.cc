/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-awareness.h"

#include "operation-parameters.h"

#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StragglerAwareness");

StragglerAwareness::StragglerAwareness(const NumberedProgram& program,
                                       const RankConnections& connections,
                                       const CollectiveSettings& settings)
    : m_program(program),
      m_connections(connections),
      m_settings(settings)
{
}

bool
StragglerAwareness::Covers(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    return m_settings.stragglerAware && call.kind == RankOperation::Kind::COLLECTIVE &&
           call.collective == CollectiveKind::ALL_REDUCE &&
           (call.algorithm.empty() || call.algorithm == "ring") &&
           m_program.GetGroup(call.group).GetRanks().size() >= 3;
}

bool
StragglerAwareness::Chooses(uint32_t operation) const
{
    return m_program.GetGroupOf(operation).GetRanks().front() == m_connections.rank;
}

std::vector<uint32_t>
StragglerAwareness::FindChosen(uint32_t iteration) const
{
    std::vector<uint32_t> chosen;
    const std::vector<RankOperation>& operations = m_program.GetOperations();
    for (uint32_t next = iteration + 1; m_settings.stragglerAware && next < operations.size() &&
                                        operations[next].kind != RankOperation::Kind::ITERATION;
         ++next)
    {
        if (Covers(next) && Chooses(next))
        {
            chosen.push_back(next);
        }
    }
    return chosen;
}

uint32_t
StragglerAwareness::GetSlot(uint32_t operation) const
{
    const std::vector<RankOperation>& operations = m_program.GetOperations();
    if (m_slots.empty())
    {
        m_slots.resize(operations.size());
        std::map<uint32_t, uint32_t> counts; // by flow
        for (uint32_t one = 0; one < operations.size(); ++one)
        {
            if (operations[one].kind == RankOperation::Kind::ITERATION)
            {
                counts.clear();
            }
            else if (operations[one].kind == RankOperation::Kind::COLLECTIVE)
            {
                m_slots[one] = counts[m_program.GetFlow(one)]++;
            }
        }
    }
    return m_slots[operation];
}

void
StragglerAwareness::Call(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    const CommunicationGroup& group = m_program.GetGroupOf(operation);
    CallNotice notice;
    notice.call.rank = m_connections.rank;
    notice.call.ranks = group.GetRanks().size();
    notice.call.operation = m_program.GetNumber(operation);
    notice.call.slot = GetSlot(operation);
    notice.call.at = NowPicoseconds();
    notice.group = group.GetId();
    notice.place = operation;
    notice.isInServer = IsIntraNodeGroup(group);
    notice.chooses = Chooses(operation);
    if (m_connections.broker->ComparesCalls())
    {
        m_connections.broker->Called(
            notice,
            MakeCallback(&StragglerAwareness::TakeSample, this).Bind(group.GetId().Get()));
        return;
    }
    m_connections.bootstrap->SendCall(group.GetRanks().front(),
                                      m_settings.bootstrapLatency,
                                      notice.group,
                                      notice.call);
}

void
StragglerAwareness::TakeCall(GroupId group, const RankCall& call)
{
    if (const std::optional<LatenessSample> sample = m_comparisons[group].Take(call))
    {
        TakeSample(group.Get(), call.slot, *sample);
    }
}

void
StragglerAwareness::TakeSample(uint32_t group, uint32_t slot, const LatenessSample& sample)
{
    NS_LOG_INFO("rank " << m_connections.rank << " learns that rank " << sample.rank << " was "
                        << ToTime(sample.lateness).As(Time::US) << " late in group " << group
                        << ", slot " << slot);
    m_estimators.try_emplace(GroupId(group), m_settings.latenessWindow)
        .first->second.Add(slot, sample, NowPicoseconds());
}

std::optional<LatenessSample>
StragglerAwareness::GetExpected(uint32_t operation) const
{
    const auto found = m_estimators.find(m_program.GetGroupOf(operation).GetId());
    return found == m_estimators.end() ? std::nullopt
                                       : found->second.Get(GetSlot(operation), NowPicoseconds());
}

void
StragglerAwareness::Clear()
{
    m_comparisons.clear();
    m_estimators.clear();
    m_slots.clear();
}

} // namespace ns3
