/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-choices.h"

#include "operation-parameters.h"
#include "operation-timing.h"

#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace ns3
{

OperationChoices::OperationChoices(const NumberedProgram& program,
                                   const RankConnections& connections,
                                   const CollectiveSettings& settings)
    : m_program(program),
      m_connections(connections),
      m_settings(settings)
{
}

OperationChoices::Choice
OperationChoices::Get(uint32_t operation)
{
    const FlowKey& flowKey = m_program.GetFlowKey(operation);
    const uint64_t number = m_program.GetNumber(operation);
    Choice& known = m_choices[{m_program.GetFlow(operation), number}];
    if (known)
    {
        return known;
    }
    const std::vector<RankId> ranks = m_program.GetRanks(operation);
    const RankOperation& call = m_program.GetOperations()[operation];
    const bool hasCosts = m_connections.broker->HasOwnCosts() && HasAlternatives(call);
    if (hasCosts && m_connections.rank != ranks.front())
    {
        return nullptr;
    }
    const CollectiveParameters parameters = MakeParameters(call);
    const AlgorithmPreference preference = MakePreference(operation);
    const auto choose = [&]() {
        return ChooseAlgorithm(parameters, call.bytes, ranks, *m_connections.broker, preference);
    };
    if (!hasCosts)
    {
        const ChoiceInputs inputs{parameters.GetKey(),
                                  call.bytes,
                                  preference,
                                  m_connections.broker->CanChange() ? Simulator::Now() : Time(0)};
        known = m_connections.ledger->WorkOut(flowKey, number, inputs, choose);
        return known;
    }
    known = std::make_shared<const AlgorithmChoice>(choose());
    for (const RankId rank : ranks)
    {
        if (rank != m_connections.rank)
        {
            m_connections.bootstrap->Send(rank,
                                          m_settings.bootstrapLatency,
                                          flowKey,
                                          number,
                                          known);
        }
    }
    return known;
}

void
OperationChoices::Learn(const FlowKey& flowKey, uint64_t number, Choice choice)
{
    m_choices[{m_program.FindFlow(flowKey).value(), number}] = std::move(choice);
}

void
OperationChoices::Forget(uint32_t operation)
{
    m_choices.erase({m_program.GetFlow(operation), m_program.GetNumber(operation)});
}

void
OperationChoices::Clear()
{
    m_choices.clear();
}

bool
OperationChoices::IsInside(const RankOperation& call) const
{
    return m_connections.scaleUp && IsIntraNodeGroup(m_program.GetGroup(call.group));
}

bool
OperationChoices::MayUseHost(const RankOperation& call) const
{
    return m_connections.host && !IsInside(call);
}

bool
OperationChoices::HasAlternatives(const RankOperation& call) const
{
    if (IsInside(call))
    {
        return false; // the fabric, which has no circuits
    }
    if (!call.algorithm.empty())
    {
        return m_settings.mayUseHost && MayUseHost(call);
    }
    const CollectiveKind kind =
        call.kind == RankOperation::Kind::COLLECTIVE ? call.collective : CollectiveKind::SEND_RECV;
    return MayUseHost(call) || CollectiveAlgorithm::GetAll(kind).size() > 1;
}

CollectiveParameters
OperationChoices::MakeParameters(const RankOperation& call) const
{
    return MakeOperationParameters(m_connections.rank,
                                   call,
                                   m_program.GetGroup(call.group),
                                   m_settings,
                                   m_connections.scaleUp != nullptr);
}

AlgorithmPreference
OperationChoices::MakePreference(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    const FlowKey& flowKey = m_program.GetFlowKey(operation);
    AlgorithmPreference preference;
    preference.algorithm = call.algorithm;
    preference.fallback = m_settings.fallback;
    preference.inside = m_connections.scaleUp != nullptr;
    preference.bytesPerSecond = m_settings.bytesPerSecond;
    preference.hopLatency = m_settings.hopLatency;
    AddTimes(preference);
    preference.messageSize =
        GetMessageSize(call, preference.protocol.value_or(CollectiveProtocol::SIMPLE));
    preference.hostNetwork = MayUseHost(call);
    preference.mayUseHost = m_settings.mayUseHost;
    preference.about.rank = m_connections.rank;
    preference.about.group = flowKey.group;
    preference.about.operation = m_program.GetNumber(operation);
    preference.about.pointToPoint = flowKey.pointToPoint;
    return preference;
}

void
OperationChoices::AddTimes(AlgorithmPreference& preference) const
{
    preference.protocol = m_settings.protocol;
    const OperationTiming timing(m_settings.times,
                                 m_settings.protocol.value_or(CollectiveProtocol::SIMPLE));
    preference.step = timing.GetStep(TransportKind::RAIL);
    preference.intraNodeStep = timing.GetStep(TransportKind::SCALE_UP);
    preference.hostStep = timing.GetStep(TransportKind::HOST);
}

uint64_t
OperationChoices::GetMessageSize(const RankOperation& call, CollectiveProtocol protocol) const
{
    if (IsInside(call))
    {
        return m_settings.intraNodeMessageSize;
    }
    return GetLargestMessage(protocol,
                             call.kind == RankOperation::Kind::COLLECTIVE
                                 ? m_settings.messageSize
                                 : m_settings.pointToPointMessageSize);
}

} // namespace ns3
