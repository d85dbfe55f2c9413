/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "numbered-program.h"

#include "ns3/abort.h"

#include <map>
#include <utility>

namespace ns3
{

void
NumberedProgram::Set(RankId rank,
                     std::shared_ptr<const RankProgram> program,
                     const CommunicationGroups& groups)
{
    m_rank = rank;
    m_program = std::move(program);
    m_groups = groups;
    const auto& operations = GetOperations();
    m_flowKeys.resize(operations.size());
    m_numbers.resize(operations.size());
    std::map<FlowKey, uint64_t> counts;
    for (uint32_t o = 0; o < operations.size(); ++o)
    {
        if (operations[o].IsExchange())
        {
            m_flowKeys[o] = MakeFlowKey(o);
            m_numbers[o] = counts[m_flowKeys[o]]++;
        }
    }
}

FlowKey
NumberedProgram::MakeFlowKey(uint32_t operation) const
{
    const RankOperation& call = GetOperations()[operation];
    const CommunicationGroup& group = GetGroupOf(operation);
    const uint32_t place = group.GetPlace(m_rank);
    NS_ABORT_MSG_UNLESS(call.place < group.GetRanks().size(),
                        "CollectiveApplication: operation "
                            << operation << " of rank " << m_rank << " names place " << call.place
                            << " of group \"" << group.GetName() << "\", which has "
                            << group.GetRanks().size() << " places, counted from 0");
    FlowKey flowKey;
    flowKey.group = group.GetId();
    if (call.kind != RankOperation::Kind::COLLECTIVE)
    {
        NS_ABORT_MSG_IF(call.place == place,
                        "CollectiveApplication: operation " << operation << " of rank " << m_rank
                                                            << " sends to itself");
        const bool sends = call.kind == RankOperation::Kind::SEND;
        flowKey.pointToPoint = true;
        flowKey.from = sends ? place : call.place;
        flowKey.to = sends ? call.place : place;
    }
    return flowKey;
}

void
NumberedProgram::Clear()
{
    m_program.reset();
    m_groups.clear();
}

std::vector<RankId>
NumberedProgram::GetRanks(uint32_t operation) const
{
    const std::vector<RankId>& all = GetGroupOf(operation).GetRanks();
    const FlowKey& flowKey = m_flowKeys[operation];
    return flowKey.pointToPoint ? std::vector<RankId>{all[flowKey.from], all[flowKey.to]} : all;
}

uint32_t
NumberedProgram::GetPlace(uint32_t operation) const
{
    const uint32_t place = GetGroupOf(operation).GetPlace(m_rank);
    const FlowKey& flowKey = m_flowKeys[operation];
    if (flowKey.pointToPoint)
    {
        return place == flowKey.from ? 0 : 1;
    }
    return place;
}

FlowKey
NumberedProgram::FindFlowKey(const TransportMessage& message) const
{
    FlowKey flowKey;
    flowKey.group = message.group;
    flowKey.pointToPoint = message.channel >= TransportMessage::POINT_TO_POINT;
    if (flowKey.pointToPoint)
    {
        for (const auto& group : m_groups)
        {
            if (group->GetId() == message.group)
            {
                flowKey.from = group->GetPlace(message.from);
                flowKey.to = group->GetPlace(message.to);
                if (message.channel & TransportMessage::CLEAR_TO_SEND)
                {
                    std::swap(flowKey.from, flowKey.to); // it belongs to the other direction
                }
                break;
            }
        }
    }
    return flowKey;
}

CircuitRequest
NumberedProgram::MakeRequest(uint32_t operation) const
{
    const FlowKey& flowKey = m_flowKeys[operation];
    CircuitRequest request;
    request.rank = m_rank;
    request.group = flowKey.group;
    request.operation = m_numbers[operation];
    request.pointToPoint = flowKey.pointToPoint;
    if (flowKey.pointToPoint)
    {
        const std::vector<RankId> ranks = GetRanks(operation);
        request.from = ranks[0];
        request.to = ranks[1];
    }
    return request;
}

CircuitRequest
NumberedProgram::MakeRequest(uint32_t operation,
                             const AlgorithmChoice& choice,
                             uint32_t stage) const
{
    CircuitRequest request = MakeRequest(operation);
    request.stage = stage;
    request.stages = choice.schedule->GetStages().size();
    request.kind = choice.schedule->GetParameters().kind;
    request.pairs = choice.pairs[stage];
    request.intraNode = choice.intraNode[stage];
    return request;
}

} // namespace ns3
