/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-ways.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return whether links lead from a rank to another, without detours @param found the links */
bool
AreJoinedDirectly(const Connectivity& joined,
                  RankId from,
                  RankId to,
                  const std::vector<RailLink>& found)
{
    const auto paths = joined.GetPaths(from, to);
    return !found.empty() && joined.GetRelays(from, to) == Relays() &&
           std::none_of(paths.begin(), paths.end(), [](const SharedRailPath& path) {
               return path != nullptr;
           });
}

} // namespace

FoldedPath
OperationWays::FindOfStage(const RankSchedule& part, uint32_t place) const
{
    const OperationCircuits::Stage& stage = m_circuits.GetStages()[place];
    const Connectivity* links = stage.answer.links.get();
    FoldedPath path;
    path.isPlain = stage.answer.network == CircuitAnswer::Network::RAIL && links != nullptr;
    if (!path.isPlain)
    {
        return path;
    }
    std::vector<uint32_t> peers;
    const auto add = [&](const std::vector<RankSchedule::Transfer>& transfers,
                         const std::vector<RankSchedule::Way>& ways) {
        for (const RankSchedule::Transfer& transfer : transfers)
        {
            const uint32_t peer = ways[transfer.way].peer;
            if (transfer.stage == stage.request.stage &&
                std::find(peers.begin(), peers.end(), peer) == peers.end())
            {
                peers.push_back(peer);
            }
        }
    };
    add(part.outgoing, part.waysOut);
    add(part.incoming, part.waysIn);
    for (const uint32_t peer : peers)
    {
        const std::vector<RailLink> found = links->GetLinks(m_rank, m_ranks[peer]);
        path.links.insert(path.links.end(), found.begin(), found.end());
        path.peers.insert(path.peers.end(), found.size(), m_ranks[peer]);
        path.isPlain = path.isPlain && AreJoinedDirectly(*links, m_rank, m_ranks[peer], found);
    }
    return path;
}

MemoizedWays
OperationWays::FindAll(const RankSchedule& part) const
{
    MemoizedWays ways;
    const CircuitAnswer& answer = m_circuits.GetStages().front().answer;
    if (answer.network != CircuitAnswer::Network::RAIL || !answer.links)
    {
        return ways;
    }
    const bool isPair = m_flow.pointToPoint;
    TransportMessage way;
    way.group = m_flow.group;
    for (const bool isOut : {true, false})
    {
        std::vector<TransportMessage>& its = isOut ? ways.out : ways.in;
        for (const RankSchedule::Way& one : isOut ? part.waysOut : part.waysIn)
        {
            if (one.wires == CollectiveTransfer::Wires::SCALE_UP)
            {
                continue;
            }
            way.from = isOut ? m_rank : m_ranks[one.peer];
            way.to = isOut ? m_ranks[one.peer] : m_rank;
            way.channel = one.channel | (isPair ? TransportMessage::POINT_TO_POINT : 0);
            Add(its, way, one.channel);
        }
    }
    if (isPair)
    {
        const bool sends = !part.waysOut.empty();
        way.from = m_ranks[1];
        way.to = m_ranks[0];
        way.channel = TransportMessage::POINT_TO_POINT | TransportMessage::CLEAR_TO_SEND;
        Add(sends ? ways.in : ways.out,
            way,
            sends ? part.waysOut.front().channel : part.waysIn.front().channel);
    }
    return ways;
}

MemoizedInside
OperationWays::FindInside(const RankSchedule& part, const Transport& inside) const
{
    MemoizedInside found;
    for (const bool isOut : {true, false})
    {
        for (const RankSchedule::Way& one : isOut ? part.waysOut : part.waysIn)
        {
            if (one.wires == CollectiveTransfer::Wires::SCALE_UP)
            {
                const RankId peer = m_ranks[one.peer];
                found.port = inside.FindPort(m_rank);
                found.ways.push_back({peer, one.channel, isOut, inside.FindPort(peer)});
            }
        }
    }
    return found;
}

void
OperationWays::Add(std::vector<TransportMessage>& ways, TransportMessage way, uint16_t wire) const
{
    const Connectivity& joined = *m_circuits.GetStages().front().answer.links;
    const std::vector<RailLink> links = joined.GetLinks(way.from, way.to);
    if (AreJoinedDirectly(joined, way.from, way.to, links))
    {
        way.link = links[wire % links.size()];
        ways.push_back(way);
    }
}

} // namespace ns3
