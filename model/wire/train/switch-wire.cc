/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-wire.h"

#include <algorithm>
#include <utility>

namespace ns3
{

SwitchWire::SwitchWire(const TransmitterState& state,
                       uint64_t bitsPerSecond,
                       Picoseconds delay,
                       TrainLine& line)
    : m_state(state),
      m_delay(delay),
      m_line(line)
{
    if (m_state.clock.GetRate() != bitsPerSecond)
    {
        m_state.clock = FrameClock(bitsPerSecond); // an idle wire: it gets a new anchor
    }
}

SwitchWire::Inflow&
SwitchWire::GetInflow(uint8_t trafficClass, uint32_t ingress)
{
    const auto place =
        std::lower_bound(m_inflows.begin(),
                         m_inflows.end(),
                         std::pair(trafficClass, ingress),
                         [](const Inflow& inflow, const std::pair<uint8_t, uint32_t>& key) {
                             return inflow.trafficClass != key.first
                                        ? inflow.trafficClass > key.first
                                        : inflow.ingress < key.second;
                         });
    if (place != m_inflows.end() && place->trafficClass == trafficClass &&
        place->ingress == ingress)
    {
        return *place;
    }
    Inflow inflow;
    inflow.trafficClass = trafficClass;
    inflow.ingress = ingress;
    return *m_inflows.insert(place, std::move(inflow));
}

void
SwitchWire::Add(uint32_t ingress, TrainSegment&& segment)
{
    Inflow& inflow = GetInflow(segment.head.trafficClass, ingress);
    SwitchPart& part = inflow.parts.Extend();
    part.segment = std::move(segment);
    part.enters = NEVER;
    const RoceFrame& tail = part.segment.tail;
    part.matters = !tail.IsData() || tail.ackRequest || tail.IsLast();
    if (inflow.parts.size() == 1)
    {
        inflow.enters = GetEntry(part, 0);
    }
}

void
SwitchWire::Absorb(uint32_t ingress, WireFrame&& frame, Picoseconds enters)
{
    TrainSegment segment;
    segment.times = RunClock(frame.first, frame.last);
    segment.tail = frame.roce;
    segment.head = std::move(frame);
    Inflow& inflow = GetInflow(segment.head.trafficClass, ingress);
    Add(ingress, std::move(segment));
    inflow.parts.back().enters = enters;
    inflow.enters = GetEntry(inflow.parts.front(), 0);
}

void
SwitchWire::Advance(Picoseconds before)
{
    for (;;)
    {
        Picoseconds first = NEVER;
        for (const Inflow& inflow : m_inflows)
        {
            first = std::min(first, inflow.enters);
        }
        const bool idle = first >= m_state.busyUntil;
        const Picoseconds start = idle ? first : m_state.busyUntil;
        if (first == NEVER || start >= before)
        {
            return;
        }
        Send(Choose(start, idle), start, idle, before);
    }
}

std::size_t
SwitchWire::Choose(Picoseconds start, bool wireWasIdle) const
{
    const Picoseconds seen = wireWasIdle ? start : start - 1;
    std::size_t first = 0;
    while (m_inflows[first].enters > seen)
    {
        ++first;
    }
    const uint8_t trafficClass = m_inflows[first].trafficClass;
    const uint32_t after = m_state.turns.After(trafficClass, wireWasIdle);
    if (after == EgressTurns::FROM_THE_LOWEST)
    {
        return first;
    }
    for (std::size_t i = first; i < m_inflows.size() && m_inflows[i].trafficClass == trafficClass;
         ++i)
    {
        if (m_inflows[i].ingress > after && m_inflows[i].enters <= seen)
        {
            return i;
        }
    }
    return first;
}

uint64_t
SwitchWire::CountRun(const SwitchPart& part, const Rivals& rivals, Picoseconds before) const
{
    const TrainSegment& segment = part.segment;
    FrameRun run = segment.head.run;
    if (run.count > 1 && run.lastWireBytes != run.wireBytes)
    {
        --run.count; // a last frame of another size enters by itself
    }
    if (run.count == 1)
    {
        return 1;
    }
    const RunClock times(m_state.clock, run);
    const Picoseconds lead = times.First(1) - GetEntry(part, 1);
    const FrameClock& in = segment.times.GetClock();
    const bool alike = in.GetRate() == m_state.clock.GetRate() &&
                       run.wireBytes % m_state.clock.GetDenominator() == 0;
    if (alike && lead == 0)
    {
        // each finds the wire idle, at the end of the one before
        return std::max<uint64_t>(times.FirstsBy(std::min(rivals.any, before) - 1), 1);
    }
    // the instants are rounded up, so the lead may vary by a picosecond
    if ((alike && lead > 0) || (lead > 1 && in.GetRate() >= m_state.clock.GetRate()))
    {
        return std::max<uint64_t>(times.FirstsBy(std::min(rivals.ofClass, before - 1)), 1);
    }
    return 1;
}

void
SwitchWire::Send(std::size_t chosen, Picoseconds start, bool wireWasIdle, Picoseconds before)
{
    Inflow& inflow = m_inflows[chosen];
    Rivals rivals;
    for (std::size_t i = 0; i < m_inflows.size(); ++i)
    {
        if (i != chosen)
        {
            rivals.any = std::min(rivals.any, m_inflows[i].enters);
            rivals.ofClass = m_inflows[i].trafficClass >= inflow.trafficClass
                                 ? std::min(rivals.ofClass, m_inflows[i].enters)
                                 : rivals.ofClass;
        }
    }
    if (wireWasIdle)
    {
        m_state.turns.Restart();
        m_state.clock.Start(start);
    }
    SwitchPart& part = inflow.parts.front();
    const uint64_t count = CountRun(part, rivals, before);
    if (count > 1 && GetEntry(part, 1) == m_state.clock.After(part.segment.head.run.wireBytes))
    {
        m_state.turns.Restart();
    }
    m_state.turns.Serve(inflow.trafficClass, inflow.ingress);
    const bool whole = count == part.segment.head.run.count;
    TrainSegment& segment = m_line.Add();
    segment = whole ? std::move(part.segment) : SplitFront(part.segment, count);
    segment.times = RunClock(m_state.clock, segment.head.run);
    segment.head.first = segment.times.First(0);
    segment.head.last = segment.times.Last(0);
    segment.lostAt = 0;
    m_state.clock.Skip(segment.head.run.GetWireBytes());
    m_state.busyUntil = m_state.clock.GetNext();
    m_counts.Add(segment.head.run);
    m_line.Sent();
    if (whole)
    {
        inflow.parts.pop_front();
    }
    inflow.enters = inflow.parts.empty() ? NEVER : GetEntry(inflow.parts.front(), 0);
}

Picoseconds
SwitchWire::GetEarliestBegin(const SwitchPart& part, uint64_t ahead, uint64_t place) const
{
    return std::max(GetEntry(part, place),
                    m_state.clock.After(ahead + place * part.segment.head.run.wireBytes));
}

Picoseconds
SwitchWire::GetDue(bool wary) const
{
    Picoseconds due = NEVER;
    for (const Inflow& inflow : m_inflows)
    {
        uint64_t ahead = 0;
        for (std::size_t i = 0; i < inflow.parts.size(); ++i)
        {
            const SwitchPart& part = inflow.parts[i];
            if (wary || part.matters)
            {
                const uint64_t place = wary ? 0 : part.segment.head.run.count - 1;
                due = std::min(due, GetEarliestBegin(part, ahead, place) + 1);
                break;
            }
            ahead += part.segment.head.run.GetWireBytes();
        }
    }
    return due;
}

uint64_t
SwitchWire::GetEntered(const SwitchPart& part, Picoseconds before) const
{
    return part.enters != NEVER ? (part.enters < before ? 1 : 0)
                                : part.segment.times.LastsBy(before - 1 - m_delay);
}

SwitchWire::Counts
SwitchWire::GetWaiting(Picoseconds before) const
{
    Counts waiting;
    for (const Inflow& inflow : m_inflows)
    {
        for (std::size_t i = 0; i < inflow.parts.size(); ++i)
        {
            const SwitchPart& part = inflow.parts[i];
            const uint64_t entered = GetEntered(part, before);
            if (entered == 0)
            {
                break;
            }
            waiting.Add(part.segment.head.run.Head(entered));
        }
    }
    return waiting;
}

} // namespace ns3
