/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-program-writer.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

TraceProgramWriter::TraceProgramWriter(const TraceCollection& collection,
                                       uint32_t rank,
                                       const TraceOrder& order)
    : m_collection(collection),
      m_rank(rank),
      m_order(order),
      m_program(std::make_shared<RankProgram>()),
      m_operationOf(order.sequence.size())
{
    m_streams[{TraceNode::Kind::COMPUTE, 0}] = 0;
}

void
TraceProgramWriter::Add(uint32_t node, const TraceExchange& exchange, uint32_t group)
{
    const TraceNode& one = m_collection.Get(m_rank).nodes[node];
    RankOperation operation;
    operation.label = one.name;
    operation.stream = exchange.isExchange ? GetStream(one.kind, group)
                                           : GetStream(TraceNode::Kind::COMPUTE, one.stream);
    for (const uint32_t earlier : m_order.after[node])
    {
        operation.after.push_back(m_operationOf[earlier]);
    }
    for (const uint32_t earlier : m_order.begun[node])
    {
        operation.after.push_back(m_markerOf.at(earlier));
    }
    if (m_order.marked[node])
    {
        RankOperation marker = operation;
        marker.label = one.name.empty() ? "begins" : one.name + " begins";
        m_markerOf[node] = m_program->Add(marker);
        operation.after.clear();
    }
    if (!exchange.isExchange)
    {
        operation.duration = ToTime(one.kind == TraceNode::Kind::COMPUTE ? one.duration : 0);
    }
    else
    {
        SetExchange(operation, one, exchange, group);
    }
    m_operationOf[node] = m_program->Add(operation);
}

JobPrograms::Rank
TraceProgramWriter::Take()
{
    return {m_program, m_groups};
}

uint32_t
TraceProgramWriter::GetStream(TraceNode::Kind kind, uint32_t number)
{
    return m_streams.emplace(std::make_pair(kind, number), m_streams.size()).first->second;
}

void
TraceProgramWriter::SetExchange(RankOperation& operation,
                                const TraceNode& node,
                                const TraceExchange& exchange,
                                uint32_t group)
{
    const auto known = m_groupOf.emplace(group, m_groups.size());
    if (known.second)
    {
        m_groups.push_back(group);
    }
    operation.group = known.first->second;
    operation.bytes = exchange.bytes;
    if (node.kind == TraceNode::Kind::COLLECTIVE)
    {
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.collective = node.collective;
        operation.place = exchange.rootPlace;
        return;
    }
    operation.kind = node.kind == TraceNode::Kind::SEND ? RankOperation::Kind::SEND
                                                        : RankOperation::Kind::RECEIVE;
    operation.place = node.peer > m_rank ? 1 : 0; // a group of two, the lower rank first
}

} // namespace ns3
