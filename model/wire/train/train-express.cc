/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "train-express.h"

#include <algorithm>

namespace ns3
{

Picoseconds
TrainExpress::NextAckRequest(const Wire& wire, uint32_t place)
{
    if (place < wire.ackRequests.size())
    {
        return wire.ackRequests[place].first;
    }
    if (!wire.streams)
    {
        return NEVER;
    }
    const uint64_t more = (place - wire.ackRequests.size()) * wire.stream.ackRequestEvery;
    const uint64_t frames = wire.stream.ackRequest + more + 1 - wire.stream.next;
    return wire.clock.After(frames * wire.stream.wireBytes - FrameClock::GAP) + wire.way;
}

Picoseconds
TrainExpress::GetNext() const
{
    return std::min(NextAckRequest(m_wires[0]), NextAckRequest(m_wires[1]));
}

uint32_t
TrainExpress::Run(Picoseconds before, uint32_t most)
{
    uint32_t steps = 0;
    std::array<Picoseconds, 2> next{NextAckRequest(m_wires[0]), NextAckRequest(m_wires[1])};
    while (steps < most)
    {
        const uint32_t from = next[0] <= next[1] ? 0 : 1;
        if (next[from] >= before || !Step(from, next[from], before))
        {
            break;
        }
        // an answer may delay the other wire's next requesting frame
        next = {NextAckRequest(m_wires[0]), NextAckRequest(m_wires[1])};
        ++steps;
    }
    return steps;
}

void
TrainExpress::Send(Wire& wire, uint64_t count)
{
    // a piece ends with each requesting frame
    while (count > 0)
    {
        BatchOffload::Stream& stream = wire.stream;
        const uint64_t toAckRequest = stream.ackRequest + 1 - stream.next;
        const uint64_t some = std::min(count, toAckRequest);
        const bool requestsAck = some == toAckRequest;
        wire.pieces.push_back({stream.next,
                               static_cast<uint32_t>(some),
                               requestsAck,
                               wire.clock.GetAnchor(),
                               wire.clock.GetBytes()});
        wire.clock.Skip(some * stream.wireBytes);
        stream.next += some;
        count -= some;
        if (requestsAck)
        {
            wire.ackRequests.push_back({wire.clock.GetLast() + wire.way, stream.ackRequest});
            stream.ackRequest += stream.ackRequestEvery;
        }
    }
}

bool
TrainExpress::Step(uint32_t from, Picoseconds at, Picoseconds before)
{
    Wire& there = m_wires[from];
    Wire& back = m_wires[1 - from];
    const uint64_t answered =
        there.ackRequests.empty() ? there.stream.ackRequest : there.ackRequests.front().second;
    if (there.ackRequests.empty() && answered + 1 >= there.stream.end)
    {
        return false;
    }
    uint64_t begun = 0;
    if (back.streams)
    {
        // frames that have begun when it arrives; the answer follows them
        const int64_t bytes = back.clock.BytesBy(at);
        begun = bytes < 0 ? 0 : bytes / back.stream.wireBytes + 1;
        const Picoseconds begin = back.clock.After(begun * back.stream.wireBytes);
        if (begin >= before || back.stream.next + begun >= back.stream.end ||
            NextAckRequest(there, 1) < begin)
        {
            return false; // the last: one answer would cover both
        }
        Send(back, begun);
    }
    else
    {
        if (at < back.clock.GetNext() || at + 1 >= before)
        {
            return false;
        }
        back.clock.Start(at);
    }
    back.pieces.push_back({answered + 1, 0, false, back.clock.GetAnchor(), back.clock.GetBytes()});
    back.clock.Skip(back.answerBytes);
    if (there.ackRequests.empty())
    {
        Send(there, answered + 1 - there.stream.next);
    }
    there.ackRequests.pop_front();
    ++back.answers;
    there.arrivedUpTo = answered + 1;
    return true;
}

} // namespace ns3
