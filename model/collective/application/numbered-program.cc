/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "numbered-program.h"

#include "ns3/abort.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** @return the order of a program with some groups */
std::shared_ptr<const ProgramOrder>
FindOrder(const std::shared_ptr<const RankProgram>& program, const CommunicationGroups& groups)
{
    std::map<GroupId, uint32_t> known;
    std::vector<uint32_t> same;
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        same.push_back(known.try_emplace(groups[group]->GetId(), group).first->second);
    }
    return known.size() == groups.size() ? ProgramOrder::Share(program)
                                         : std::make_shared<const ProgramOrder>(*program, same);
}

} // namespace

void
NumberedProgram::Set(RankId rank,
                     std::shared_ptr<const RankProgram> program,
                     const CommunicationGroups& groups)
{
    m_rank = rank;
    m_program = std::move(program);
    m_groups = groups;
    m_order = FindOrder(m_program, groups);
    m_flowKeys.resize(m_order->GetFlows().size());
    for (const uint32_t operation : m_order->GetDistinct())
    {
        m_flowKeys[GetFlow(operation)] = MakeFlowKey(operation);
    }
    m_sorted.resize(m_flowKeys.size());
    std::iota(m_sorted.begin(), m_sorted.end(), 0);
    std::sort(m_sorted.begin(), m_sorted.end(), [this](uint32_t one, uint32_t other) {
        return m_flowKeys[one] < m_flowKeys[other];
    });
}

std::optional<uint32_t>
NumberedProgram::FindFlow(const FlowKey& flowKey) const
{
    const auto found = std::lower_bound(
        m_sorted.begin(),
        m_sorted.end(),
        flowKey,
        [this](uint32_t flow, const FlowKey& key) { return m_flowKeys[flow] < key; });
    if (found == m_sorted.end() || flowKey < m_flowKeys[*found])
    {
        return std::nullopt;
    }
    return *found;
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
    m_order.reset();
    m_flowKeys.clear();
    m_sorted.clear();
}

std::vector<RankId>
NumberedProgram::GetRanks(uint32_t operation) const
{
    const std::vector<RankId>& all = GetGroupOf(operation).GetRanks();
    const FlowKey& flowKey = GetFlowKey(operation);
    return flowKey.pointToPoint ? std::vector<RankId>{all[flowKey.from], all[flowKey.to]} : all;
}

uint32_t
NumberedProgram::GetPlace(uint32_t operation) const
{
    const uint32_t place = GetGroupOf(operation).GetPlace(m_rank);
    const FlowKey& flowKey = GetFlowKey(operation);
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
    const FlowKey& flowKey = GetFlowKey(operation);
    CircuitRequest request;
    request.rank = m_rank;
    request.group = flowKey.group;
    request.operation = GetNumber(operation);
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
