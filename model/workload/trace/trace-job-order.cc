/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-job-order.h"

#include <map>

namespace ns3
{

TraceJobOrder::TraceJobOrder(const TraceCollection& collection,
                             const TraceOrders& orders,
                             TraceMatching& matching)
    : m_collection(collection),
      m_orders(orders),
      m_matching(matching),
      m_waits(orders.size()),
      m_next(orders.size()),
      m_placeOf(orders.size()),
      m_done(orders.size())
{
}

void
TraceJobOrder::CountWaits(uint32_t rank)
{
    const TraceOrder& order = *m_orders[rank];
    const std::vector<TraceNode>& nodes = m_collection.Get(rank).nodes;
    m_waits[rank].resize(nodes.size());
    m_placeOf[rank].resize(nodes.size());
    m_next[rank].assign(nodes.size(), TraceMatching::NONE);
    std::map<std::pair<uint32_t, TraceNode::Kind>, uint32_t> last; // by group and kind
    for (uint32_t place = 0; place < order.sequence.size(); ++place)
    {
        const uint32_t node = order.sequence[place];
        m_placeOf[rank][node] = place;
        m_waits[rank][node] += order.after[node].size() + order.begun[node].size();
        const uint32_t call = m_matching.GetCall(rank, node);
        if (call == TraceMatching::NONE)
        {
            continue;
        }
        const uint32_t group = m_matching.GetCalls()[call].group;
        const auto before = last.emplace(std::make_pair(group, nodes[node].kind), node);
        if (!before.second)
        {
            m_next[rank][before.first->second] = node;
            ++m_waits[rank][node];
            before.first->second = node;
        }
        m_waits[rank][node] += nodes[node].kind == TraceNode::Kind::RECEIVE ? 1 : 0;
    }
}

void
TraceJobOrder::Settle(uint32_t rank, uint32_t node)
{
    if (--m_waits[rank][node] == 0)
    {
        Come(rank, node);
    }
}

void
TraceJobOrder::Come(uint32_t rank, uint32_t node)
{
    const uint32_t number = m_matching.GetCall(rank, node);
    if (number == TraceMatching::NONE ||
        m_collection.Get(rank).nodes[node].kind != TraceNode::Kind::COLLECTIVE)
    {
        m_ready.emplace(m_placeOf[rank][node], rank, node);
        return;
    }
    TraceMatching::Call& call = m_matching.GetCalls()[number];
    call.come.emplace_back(rank, node);
    if (call.come.size() == call.parties)
    {
        for (const auto& [one, its] : call.come)
        {
            m_ready.emplace(m_placeOf[one][its], one, its);
        }
        call.come.clear();
        call.come.shrink_to_fit();
    }
}

void
TraceJobOrder::Finish(uint32_t rank, uint32_t node)
{
    m_done[rank].push_back(node);
    for (const uint32_t follower : m_orders[rank]->followers[node])
    {
        Settle(rank, follower);
    }
    if (m_next[rank][node] != TraceMatching::NONE)
    {
        Settle(rank, m_next[rank][node]);
    }
    if (m_collection.Get(rank).nodes[node].kind == TraceNode::Kind::SEND)
    {
        const TraceMatching::Call& call = m_matching.GetCalls()[m_matching.GetCall(rank, node)];
        Settle(call.receiver, call.receiverNode);
    }
}

bool
TraceJobOrder::Find()
{
    const uint32_t ranks = m_orders.size();
    std::size_t left = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        CountWaits(rank);
        left += m_waits[rank].size();
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (const uint32_t node : m_orders[rank]->sequence)
        {
            if (m_waits[rank][node] == 0)
            {
                Come(rank, node);
            }
        }
    }
    for (; !m_ready.empty(); --left)
    {
        const auto [place, rank, node] = m_ready.top();
        m_ready.pop();
        Finish(rank, node);
    }
    return left == 0;
}

TraceError
TraceJobOrder::Describe() const
{
    // the first node of a rank that waits only for other ranks
    for (uint32_t rank = 0; rank < m_done.size(); ++rank)
    {
        const std::vector<TraceNode>& nodes = m_collection.Get(rank).nodes;
        if (m_done[rank].size() == nodes.size())
        {
            continue;
        }
        std::vector<bool> isDone(nodes.size());
        for (const uint32_t node : m_done[rank])
        {
            isDone[node] = true;
        }
        for (const uint32_t node : m_orders[rank]->sequence)
        {
            const uint32_t number = m_matching.GetCall(rank, node);
            if (isDone[node] || number == TraceMatching::NONE)
            {
                continue;
            }
            const JobPrograms::Group& group =
                m_matching.GetGroups()[m_matching.GetCalls()[number].group];
            return m_collection.MakeError(
                rank,
                nodes[node],
                "ranks that do not wait for each other",
                "node " + std::to_string(nodes[node].id) + " of rank " + std::to_string(rank) +
                    ", which can never be done in group \"" + group.name +
                    "\": calls of one group or one pair go in one order in all ranks");
        }
    }
    TraceError error;
    error.expected = "ranks that do not wait for each other";
    error.found = "some that do";
    return error;
}

} // namespace ns3
