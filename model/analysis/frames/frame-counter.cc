/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-counter.h"

namespace ns3
{

const FrameCounter::Counts&
FrameCounter::GetSent(FrameKind kind) const
{
    return m_sent[static_cast<std::size_t>(kind)];
}

const FrameCounter::Counts&
FrameCounter::GetReceived(FrameKind kind) const
{
    return m_received[static_cast<std::size_t>(kind)];
}

FrameCounter::Counts
FrameCounter::GetSent() const
{
    return Sum(m_sent);
}

FrameCounter::Counts
FrameCounter::GetReceived() const
{
    return Sum(m_received);
}

void
FrameCounter::TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    Add(m_sent, head, tail, times);
}

void
FrameCounter::TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    Add(m_received, head, tail, times);
}

void
FrameCounter::Settle(Picoseconds)
{
    // sums do not depend on later frames
}

bool
FrameCounter::IsInAnyOrder() const
{
    return true;
}

void
FrameCounter::Add(Table& table, const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    const auto add = [&](const RoceFrame& roce, uint64_t frames, uint32_t wireBytes) {
        Counts& counts = table[static_cast<std::size_t>(KindOf(head, roce))];
        counts.frames += frames;
        counts.wireBytes += frames * wireBytes;
        counts.payloadBytes += frames * PayloadOf(head, roce);
    };
    if (times.GetCount() > 1)
    {
        add(head.roce, times.GetCount() - 1, head.run.wireBytes);
    }
    add(tail, 1, head.packet ? head.wireBytes : head.run.lastWireBytes);
}

bool
FrameCounter::TakesTotals() const
{
    return true;
}

void
FrameCounter::AddSent(const FrameTotal& total)
{
    Add(m_sent, total);
}

void
FrameCounter::AddReceived(const FrameTotal& total)
{
    Add(m_received, total);
}

void
FrameCounter::Add(Table& table, const FrameTotal& total)
{
    Counts& counts = table[static_cast<std::size_t>(KindOf(total.opcode))];
    counts.frames += total.frames;
    counts.wireBytes += total.frames * total.wireBytes;
    counts.payloadBytes += total.frames * total.payload;
}

FrameCounter::Counts
FrameCounter::Sum(const Table& table)
{
    Counts sum;
    for (const Counts& counts : table)
    {
        sum.frames += counts.frames;
        sum.wireBytes += counts.wireBytes;
        sum.payloadBytes += counts.payloadBytes;
    }
    return sum;
}

} // namespace ns3
