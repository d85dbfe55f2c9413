/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-on-circuits.h"

#include "ns3/frame-clock.h"
#include "ns3/message-sizes.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

std::unique_ptr<OperationOnCircuits>
OperationOnCircuits::Make(const MemoStore::Kind& kind)
{
    if (kind.schedule->GetStages().size() != 1 || kind.schedule->KeepsRounds() ||
        !kind.schedule->EndsDependOnAll())
    {
        return nullptr;
    }
    std::unique_ptr<OperationOnCircuits> operation(new OperationOnCircuits(kind)); // it is private
    const bool canBe = std::all_of(operation->m_ranks.begin(),
                                   operation->m_ranks.end(),
                                   [](const Rank& rank) { return IsPlain(*rank.part); });
    return canBe ? std::move(operation) : nullptr;
}

OperationOnCircuits::OperationOnCircuits(const MemoStore::Kind& kind)
    : m_kind(kind),
      m_ranks(kind.schedule->GetParameters().ranks)
{
    for (uint32_t place = 0; place < m_ranks.size(); ++place)
    {
        m_ranks[place].part = RankSchedule::Get(kind.schedule, place);
    }
}

bool
OperationOnCircuits::IsPlain(const RankSchedule& part)
{
    const auto isOnRail = [](const RankSchedule::Way& way) {
        return way.wires == CollectiveTransfer::Wires::RAIL;
    };
    std::vector<std::set<uint32_t>> ways(part.waysOut.size()); // in, that those out depend on
    for (const RankSchedule::Slot& slot : part.slots)
    {
        for (const uint32_t out : slot.outgoing)
        {
            for (uint32_t in = 0; in < part.outgoing[out].needs; ++in)
            {
                ways[part.outgoing[out].way].insert(part.incoming[slot.incoming[in]].way);
            }
        }
    }
    return std::all_of(part.waysOut.begin(), part.waysOut.end(), isOnRail) &&
           std::all_of(part.waysIn.begin(), part.waysIn.end(), isOnRail) &&
           std::all_of(ways.begin(), ways.end(), [](const auto& in) { return in.size() <= 1; });
}

std::map<uint64_t, uint64_t>
OperationOnCircuits::ListSizes(uint32_t chunk) const
{
    return ListMessageSizes(*m_kind.schedule,
                            chunk,
                            m_kind.bytes,
                            m_kind.messageSize,
                            m_kind.protocol);
}

bool
OperationOnCircuits::Enter(uint32_t place,
                           const std::vector<WayOnCircuit>& ways,
                           Picoseconds at,
                           Picoseconds active)
{
    Rank& rank = m_ranks[place];
    if (ways.empty() || ways.size() != rank.part->waysOut.size())
    {
        return false;
    }
    if (m_entered == 0)
    {
        m_like = ways.front();
        if (!FindSizes(m_like.mtu))
        {
            return false;
        }
    }
    std::set<std::size_t> circuits;
    const uint64_t most = RoceFrame::WireBytes(RoceOpcode::WRITE_FIRST, m_like.mtu);
    for (const WayOnCircuit& way : ways)
    {
        if (way.there.rate != m_like.there.rate || way.back.rate != m_like.there.rate ||
            way.mtu != m_like.mtu || way.ackEvery != m_like.ackEvery)
        {
            return false;
        }
        if (!circuits.insert(way.circuit).second)
        {
            return false; // queue pairs take turns
        }
        // from the begin of frames to the answer, behind a frame of the other rank and an answer
        const Picoseconds round = FrameClock(way.there.rate).Span(most * (way.ackEvery + 4)) +
                                  way.there.way + way.back.way;
        if (way.timeout / 2 < round)
        {
            return false; // they would be sent again
        }
    }
    rank.ways = ways;
    rank.entered = at;
    rank.active = active;
    ++m_entered;
    return true;
}

bool
OperationOnCircuits::FindSizes(uint32_t mtu)
{
    for (uint32_t chunk = 0; chunk < m_kind.schedule->GetChunks().size(); ++chunk)
    {
        for (const auto& [bytes, messages] : ListSizes(chunk))
        {
            if (bytes > FramedSize::MOST)
            {
                return false;
            }
            m_sizes[bytes] = FramedSize::Of(bytes, mtu);
        }
    }
    return true;
}

} // namespace ns3
