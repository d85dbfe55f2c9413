/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-matching.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return a node as text */
std::string
Name(uint32_t rank, const TraceNode& node)
{
    return "node " + std::to_string(node.id) + " of rank " + std::to_string(rank);
}

/** @return a collective as text */
std::string
Describe(const TraceNode& node, const TraceExchange& exchange)
{
    std::string words =
        std::string(ToString(node.collective)) + " of " + std::to_string(exchange.bytes) + " bytes";
    return exchange.rootPlace == 0
               ? words
               : words + " with root at place " + std::to_string(exchange.rootPlace);
}

} // namespace

TraceMatching::TraceMatching(const TraceCollection& collection, const TraceOrders& orders)
    : m_collection(collection),
      m_orders(orders)
{
}

const TraceNode&
TraceMatching::Get(uint32_t rank, uint32_t node) const
{
    return m_collection.Get(rank).nodes[node];
}

TraceResult
TraceMatching::Match(bool tagsApart)
{
    m_calls.clear();
    m_groups.clear();
    m_groupOf.clear();
    m_callsOf.clear();
    m_caller.clear();
    m_pairs.clear();
    m_pairGroups.clear();
    m_callOf.assign(m_collection.GetRanks(), {});
    for (uint32_t rank = 0; rank < m_collection.GetRanks(); ++rank)
    {
        m_callOf[rank].assign(m_orders[rank]->sequence.size(), NONE);
    }
    TraceResult error = MatchCollectives();
    error = error ? error : FindPairs();
    for (auto pair = m_pairs.begin(); !error && pair != m_pairs.end(); ++pair)
    {
        error = MatchPair(pair->first.first, pair->first.second, pair->second, tagsApart);
    }
    return error;
}

TraceResult
TraceMatching::MatchCollectives()
{
    for (uint32_t rank = 0; rank < m_collection.GetRanks(); ++rank)
    {
        std::map<uint32_t, uint32_t> called; // by group: number of calls
        for (const uint32_t node : m_orders[rank]->sequence)
        {
            TraceExchange exchange;
            TraceResult error = ResolveTraceExchange(m_collection, rank, Get(rank, node), exchange);
            if (!error && exchange.isExchange &&
                Get(rank, node).kind == TraceNode::Kind::COLLECTIVE)
            {
                error = JoinCollective(rank, node, exchange, called[exchange.group]++);
            }
            if (error)
            {
                return error;
            }
        }
    }
    return CheckParties();
}

TraceResult
TraceMatching::JoinCollective(uint32_t rank,
                              uint32_t node,
                              const TraceExchange& exchange,
                              uint32_t number)
{
    std::vector<uint32_t>& calls = m_callsOf[exchange.group];
    if (number == calls.size())
    {
        Call call;
        call.group = GetGroup(exchange.group);
        call.parties = m_collection.GetMembers(exchange.group).size();
        calls.push_back(m_calls.size());
        m_calls.push_back(call);
        m_caller.emplace_back(rank, node);
    }
    else if (TraceResult error = Compare(rank, node, exchange, calls[number]))
    {
        return error;
    }
    m_callOf[rank][node] = calls[number];
    return {};
}

TraceResult
TraceMatching::CheckParties() const
{
    std::vector<uint32_t> come(m_calls.size()); // number of ranks
    for (const std::vector<uint32_t>& calls : m_callOf)
    {
        for (const uint32_t call : calls)
        {
            if (call != NONE)
            {
                ++come[call];
            }
        }
    }
    for (uint32_t call = 0; call < m_calls.size(); ++call)
    {
        const uint32_t parties = m_calls[call].parties;
        if (come[call] < parties)
        {
            const auto& [rank, node] = m_caller[call];
            return m_collection.MakeError(rank,
                                          Get(rank, node),
                                          "all " + std::to_string(parties) + " ranks of group \"" +
                                              m_groups[m_calls[call].group].name +
                                              "\" to call what rank " + std::to_string(rank) +
                                              " calls here",
                                          std::to_string(come[call]) + " that do");
        }
    }
    return {};
}

uint32_t
TraceMatching::GetGroup(uint32_t group)
{
    const auto found = m_groupOf.emplace(group, m_groups.size());
    if (found.second)
    {
        m_groups.push_back({m_collection.GetGroupName(group), m_collection.GetMembers(group)});
    }
    return found.first->second;
}

TraceResult
TraceMatching::Compare(uint32_t rank, uint32_t node, const TraceExchange& exchange, uint32_t call)
{
    const auto& [first, firstNode] = m_caller[call];
    const TraceNode& one = Get(first, firstNode);
    const TraceNode& other = Get(rank, node);
    TraceExchange due;
    ResolveTraceExchange(m_collection, first, one, due);
    if (one.collective == other.collective && due.bytes == exchange.bytes &&
        due.rootPlace == exchange.rootPlace)
    {
        return {};
    }
    return m_collection.MakeError(
        rank,
        other,
        Describe(one, due) + " in group \"" + m_collection.GetGroupName(exchange.group) +
            "\", as " + Name(first, one) + " (all ranks of a group call the same in one order)",
        Describe(other, exchange) + " in " + Name(rank, other));
}

TraceResult
TraceMatching::FindPairs()
{
    const uint32_t ranks = m_collection.GetRanks();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (const uint32_t node : m_orders[rank]->sequence)
        {
            const TraceNode& one = Get(rank, node);
            const bool sends = one.kind == TraceNode::Kind::SEND;
            if (!sends && one.kind != TraceNode::Kind::RECEIVE)
            {
                continue;
            }
            if (one.peer >= ranks || one.peer == rank)
            {
                return m_collection.MakeError(
                    rank,
                    one,
                    "another rank of " + std::to_string(ranks) + ", counted from 0",
                    "rank " + std::to_string(one.peer) + " in " + Name(rank, one));
            }
            Pair& pair = sends ? m_pairs[{rank, one.peer}] : m_pairs[{one.peer, rank}];
            (sends ? pair.sends : pair.receives).push_back(node);
        }
    }
    return {};
}

TraceResult
TraceMatching::MatchPair(uint32_t from, uint32_t to, const Pair& pair, bool tagsApart)
{
    std::map<uint64_t, std::vector<uint32_t>> sends; // by tag
    std::map<uint64_t, std::vector<uint32_t>> receives;
    bool isSame = pair.sends.size() == pair.receives.size();
    for (const uint32_t node : pair.sends)
    {
        sends[Get(from, node).tag].push_back(node);
    }
    for (const uint32_t node : pair.receives)
    {
        receives[Get(to, node).tag].push_back(node);
    }
    for (std::size_t k = 0; isSame && k < pair.sends.size(); ++k)
    {
        isSame = Get(from, pair.sends[k]).tag == Get(to, pair.receives[k]).tag;
    }
    m_hasTags = m_hasTags || sends.size() > 1;
    const bool isApart = !isSame || (tagsApart && sends.size() > 1);
    // groups are numbered in the order of sends
    for (const uint32_t node : pair.sends)
    {
        const uint64_t tag = Get(from, node).tag;
        m_callOf[from][node] =
            GetPairGroup(from, to, isApart ? std::make_optional(tag) : std::nullopt);
    }
    for (const auto& [tag, nodes] : sends)
    {
        const std::vector<uint32_t>& others = receives[tag];
        for (std::size_t k = 0; k < nodes.size(); ++k)
        {
            if (k == others.size())
            {
                return m_collection.MakeError(from,
                                              Get(from, nodes[k]),
                                              "rank " + std::to_string(to) + " to receive what " +
                                                  Name(from, Get(from, nodes[k])) +
                                                  " sends with tag " + std::to_string(tag),
                                              "no such receive");
            }
            if (TraceResult error = MatchMessage(from, to, nodes[k], others[k]))
            {
                return error;
            }
        }
    }
    for (const auto& [tag, nodes] : receives)
    {
        const std::size_t sent = sends.count(tag) == 0 ? 0 : sends[tag].size();
        if (nodes.size() > sent)
        {
            return m_collection.MakeError(to,
                                          Get(to, nodes[sent]),
                                          "rank " + std::to_string(from) + " to send what " +
                                              Name(to, Get(to, nodes[sent])) +
                                              " receives with tag " + std::to_string(tag),
                                          "no such send");
        }
    }
    return {};
}

TraceResult
TraceMatching::MatchMessage(uint32_t from, uint32_t to, uint32_t send, uint32_t receive)
{
    const TraceNode& one = Get(from, send);
    const TraceNode& other = Get(to, receive);
    if (one.bytes != other.bytes)
    {
        return m_collection.MakeError(to,
                                      other,
                                      std::to_string(one.bytes) + " bytes, as " + Name(from, one) +
                                          " sends them",
                                      std::to_string(other.bytes) + " in " + Name(to, other));
    }
    Call call;
    call.group = m_callOf[from][send]; // MatchPair() left it there
    call.parties = 1;
    call.receiver = to;
    call.receiverNode = receive;
    m_callOf[from][send] = m_calls.size();
    m_callOf[to][receive] = m_calls.size();
    m_calls.push_back(call);
    return {};
}

uint32_t
TraceMatching::GetPairGroup(uint32_t one, uint32_t other, std::optional<uint64_t> tag)
{
    const uint32_t low = std::min(one, other);
    const uint32_t high = std::max(one, other);
    const auto found = m_pairGroups.emplace(std::make_tuple(low, high, tag), m_groups.size());
    if (found.second)
    {
        const std::string name = "p2p " + std::to_string(low) + "-" + std::to_string(high);
        m_groups.push_back({tag ? name + " tag " + std::to_string(*tag) : name, {low, high}});
    }
    return found.first->second;
}

} // namespace ns3
