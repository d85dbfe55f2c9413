/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sends-on-circuits.h"

#include "framed-size.h"

#include "ns3/frame-clock.h"
#include "ns3/message-sizes.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/** @return whether two ends are of one direction and group */
bool
AreOfOneFlow(const MemoizedSend& one, const MemoizedSend& other)
{
    return one.from == other.from && one.to == other.to && one.group == other.group;
}

} // namespace

bool
SendsOnCircuits::Enter(const MemoizedSend& send,
                       const std::vector<WayOnCircuit>& ways,
                       Picoseconds at)
{
    Half half;
    half.send = send;
    half.part = RankSchedule::Get(send.kind.schedule, send.isSender ? 0 : 1);
    half.ways = ways;
    half.entered = at;
    const auto other = std::find_if(m_ends.begin(), m_ends.end(), [&send](const Half& one) {
        return AreOfOneFlow(one.send, send) && one.send.number == send.number;
    });
    const bool isAlone = other == m_ends.end();
    if (ways.size() != (send.isSender ? half.part->waysOut.size() : 1) || m_ends.size() >= MOST ||
        !IsInOrder(send, isAlone))
    {
        return false;
    }
    for (const RankSchedule::Transfer& transfer : half.part->outgoing)
    {
        const auto sizes = ListMessageSizes(*send.kind.schedule,
                                            transfer.chunk,
                                            send.kind.bytes,
                                            send.kind.messageSize,
                                            send.kind.protocol);
        if (sizes.rbegin()->first > FramedSize::MOST)
        {
            return false;
        }
    }
    if (!isAlone)
    {
        half.other = other - m_ends.begin();
        other->other = m_ends.size();
    }
    m_ends.push_back(std::move(half));
    return AreInTime();
}

bool
SendsOnCircuits::IsInOrder(const MemoizedSend& send, bool isAlone) const
{
    return std::all_of(m_ends.begin(), m_ends.end(), [&send, isAlone](const Half& half) {
        const MemoizedSend& one = half.send;
        if (!AreOfOneFlow(one, send))
        {
            return true;
        }
        if (one.isSender == send.isSender)
        {
            return one.number < send.number;
        }
        // the report of a later receive is for it, too
        return send.isSender ? one.number <= send.number || !isAlone
                             : one.number >= send.number || half.other != ALONE;
    });
}

bool
SendsOnCircuits::AreInTime() const
{
    std::set<QueuePairOrder> queuePairs;
    for (const Half& half : m_ends)
    {
        for (const WayOnCircuit& way : half.ways)
        {
            queuePairs.insert(way.turn);
        }
    }
    return std::all_of(m_ends.begin(), m_ends.end(), [&queuePairs](const Half& half) {
        return std::all_of(half.ways.begin(), half.ways.end(), [&](const WayOnCircuit& way) {
            // from the begin of frames to the answer, if all queue pairs take turns
            const uint64_t most = RoceFrame::WireBytes(RoceOpcode::WRITE_FIRST, way.mtu);
            const uint64_t bytes = most * (way.ackEvery + 4) * queuePairs.size();
            const uint64_t rate = std::min(way.there.rate, way.back.rate);
            return FrameClock(rate).Span(bytes) + way.there.way + way.back.way <= way.timeout / 2;
        });
    });
}

bool
SendsOnCircuits::AreAny() const
{
    return std::any_of(m_ends.begin(), m_ends.end(), [](const Half& half) {
        return half.other != ALONE && !half.hasEnded;
    });
}

SendsOnCircuits::Key
SendsOnCircuits::GetKey() const
{
    std::set<QueuePairOrder> turns;
    for (const Half& half : m_ends)
    {
        for (const WayOnCircuit& way : half.ways)
        {
            turns.insert(way.turn);
        }
    }
    Key key;
    for (const Half& half : m_ends)
    {
        const MemoStore::Kind& kind = half.send.kind;
        key.insert(key.end(),
                   {half.send.isSender,
                    half.send.isSender ? half.send.from == m_ends[0].send.from
                                       : half.send.to == m_ends[0].send.from,
                    static_cast<int64_t>(reinterpret_cast<intptr_t>(kind.schedule.get())),
                    static_cast<int64_t>(kind.bytes),
                    static_cast<int64_t>(kind.messageSize),
                    static_cast<int64_t>(kind.protocol),
                    half.entered,
                    static_cast<int64_t>(half.other)});
        for (const WayOnCircuit& way : half.ways)
        {
            key.insert(key.end(),
                       {static_cast<int64_t>(way.circuit),
                        way.end,
                        static_cast<int64_t>(way.there.rate),
                        way.there.way,
                        static_cast<int64_t>(way.back.rate),
                        way.back.way,
                        way.mtu,
                        way.ackEvery,
                        way.timeout,
                        std::distance(turns.begin(), turns.find(way.turn))});
        }
    }
    return key;
}

} // namespace ns3
