/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-exchange.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

TraceResult
ResolveTraceExchange(const TraceCollection& collection,
                     uint32_t rank,
                     const TraceNode& node,
                     TraceExchange& exchange)
{
    exchange = TraceExchange();
    if (node.kind != TraceNode::Kind::COLLECTIVE)
    {
        exchange.isExchange =
            node.kind == TraceNode::Kind::SEND || node.kind == TraceNode::Kind::RECEIVE;
        exchange.bytes = node.bytes;
        return {};
    }
    const std::optional<uint32_t> number = collection.FindGroup(node.group, rank);
    if (!number)
    {
        return collection.MakeError(rank,
                                    node,
                                    "a group that rank " + std::to_string(rank) +
                                        " is in (a group file tells which there are)",
                                    "group \"" + node.group + "\" in node " +
                                        std::to_string(node.id) + " of rank " +
                                        std::to_string(rank));
    }
    const std::vector<uint32_t>& members = collection.GetMembers(*number);
    exchange.group = *number;
    const bool isBarrier = node.collective == CollectiveKind::BARRIER;
    exchange.isExchange = members.size() > 1 && (isBarrier || node.bytes > 0);
    if (!exchange.isExchange)
    {
        return {};
    }
    const uint64_t shares = node.ofShare ? members.size() : 1;
    if (node.bytes > UINT64_MAX / shares)
    {
        return collection.MakeError(rank,
                                    node,
                                    "a buffer of less than 2^64 bytes",
                                    std::to_string(members.size()) + " shares of " +
                                        std::to_string(node.bytes) + " bytes");
    }
    exchange.bytes = isBarrier ? 0 : node.bytes * shares;
    const bool hasRoot =
        node.collective == CollectiveKind::BROADCAST || node.collective == CollectiveKind::REDUCE;
    if (hasRoot && node.root)
    {
        const auto root = std::find(members.begin(), members.end(), *node.root);
        if (root == members.end())
        {
            return collection.MakeError(rank,
                                        node,
                                        "a root in group \"" + collection.GetGroupName(*number) +
                                            "\"",
                                        "rank " + std::to_string(*node.root));
        }
        exchange.rootPlace = root - members.begin();
    }
    return {};
}

} // namespace ns3
