/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-transmitter.h"

#include "ns3/ethernet-frame.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RailTransmitter::RailTransmitter(std::function<void(WireFrame&&)> put)
    : m_put(std::move(put)),
      m_pauseEnd(MakeCallback(&RailTransmitter::PauseEnded, this))
{
}

void
RailTransmitter::SetRate(uint64_t bitsPerSecond, Picoseconds now)
{
    if (now == ALWAYS_BEFORE)
    {
        m_rate = AsOf<uint64_t>(bitsPerSecond);
        return;
    }
    m_rate.Set(now, bitsPerSecond);
}

void
RailTransmitter::SetOffload(NicOffload* offload)
{
    m_offload = offload;
    if (offload != nullptr)
    {
        Kick();
    }
}

void
RailTransmitter::SetAddress(Mac48Address address)
{
    m_address = address;
}

void
RailTransmitter::SetQueueSize(QueueSize size)
{
    for (HostQueue& queue : m_queues)
    {
        queue.SetLimit(size);
    }
}

Ptr<Queue<Packet>>
RailTransmitter::GetQueue(uint32_t trafficClass)
{
    return m_queues[trafficClass].GetQueue();
}

void
RailTransmitter::SetInterface(uint32_t trafficClass, Ptr<NetDeviceQueue> shown)
{
    m_queues[trafficClass].SetInterface(shown);
}

bool
RailTransmitter::Enqueue(Ptr<Packet> packet, uint32_t trafficClass)
{
    if (!m_queues[trafficClass].Enqueue(packet, NowPicoseconds()))
    {
        return false;
    }
    m_queued |= 1U << trafficClass;
    Kick();
    return true;
}

void
RailTransmitter::EnqueueControl(Ptr<Packet> packet)
{
    m_control.push_back({packet, NowPicoseconds()});
    Kick();
}

uint64_t
RailTransmitter::GetQueued() const
{
    uint64_t queued = 0;
    for (const HostQueue& queue : m_queues)
    {
        queued += queue.GetCount();
    }
    return queued;
}

Ptr<Packet>
RailTransmitter::TakeBack(uint32_t trafficClass)
{
    Ptr<Packet> packet = m_queues[trafficClass].Dequeue();
    if (m_queues[trafficClass].IsEmpty())
    {
        m_queued &= ~(1U << trafficClass);
    }
    return packet;
}

void
RailTransmitter::Pause(uint32_t trafficClass, Picoseconds until)
{
    const Picoseconds now = NowPicoseconds();
    m_paused[trafficClass].Set(now, until);
    SetPauseEnd();
    if (until <= now)
    {
        Kick();
    }
}

void
RailTransmitter::SetPauseEnd()
{
    const Picoseconds now = NowPicoseconds();
    Picoseconds first = NEVER;
    for (const PausedUntil& paused : m_paused)
    {
        first = paused.Get() > now ? std::min(first, paused.Get()) : first;
    }
    m_pauseEnd.Set(first);
}

void
RailTransmitter::PauseEnded()
{
    SetPauseEnd();
    Kick();
}

bool
RailTransmitter::IsPaused(uint32_t trafficClass) const
{
    return m_paused[trafficClass].Get() > NowPicoseconds();
}

void
RailTransmitter::PresetCarrier(bool carrier)
{
    m_carrier = AsOf<bool>(carrier);
}

void
RailTransmitter::SetCarrier(bool carrier)
{
    m_carrier.Set(NowPicoseconds(), carrier);
    Kick();
}

bool
RailTransmitter::HasCarrier() const
{
    return m_carrier.Get();
}

void
RailTransmitter::Dispose()
{
    m_decision.Cancel();
    m_pauseEnd.Set(NEVER);
    for (HostQueue& queue : m_queues)
    {
        queue.Dispose();
    }
    m_control.clear();
    m_offload = nullptr;
}

void
RailTransmitter::Kick()
{
    if (m_state.decision != NEVER || m_deciding || m_lent || !HasCarrier())
    {
        return;
    }
    // a decision on an idle wire follows when its instant is over, so it covers all events of the
    // instant
    const Picoseconds now = NowPicoseconds();
    ScheduleDecision(now, now < m_state.busyUntil ? m_state.busyUntil : now + 1);
}

void
RailTransmitter::ScheduleDecision(Picoseconds now, Picoseconds at)
{
    m_decision.Schedule(Simulator::GetContext(), ToTime(at - now), [this] { Decide(); });
    m_state.decision = at;
}

void
RailTransmitter::SetEntering(std::function<bool()> enter)
{
    m_enter = std::move(enter);
}

bool
RailTransmitter::MayEnterAhead() const
{
    return !m_lent && m_decisionsToWait == 0 && m_state.decision == NEVER &&
           m_state.busyUntil < NowPicoseconds();
}

bool
RailTransmitter::IsPlain() const
{
    const Picoseconds seen = NowPicoseconds() - 1;
    bool plain = m_queued == 0 && m_control.empty() && m_carrier.Get() && m_carrier.At(seen) &&
                 m_rate.Get() == m_rate.At(seen) &&
                 (m_rate.Get() == m_state.clock.GetRate() || m_state.busyUntil < seen);
    for (const PausedUntil& paused : m_paused)
    {
        plain = plain && paused.Get() <= seen && paused.At(seen) <= seen;
    }
    return plain;
}

TransmitterState
RailTransmitter::EnterBatchMode()
{
    m_decision.Cancel();
    m_lent = true;
    return m_state;
}

void
RailTransmitter::Resume(const TransmitterState& state)
{
    m_lent = false;
    m_state = state;
    if (m_state.decision != NEVER)
    {
        ScheduleDecision(NowPicoseconds(), m_state.decision);
    }
}

void
RailTransmitter::Decide()
{
    // number of decisions until the next attempt to enter trains
    constexpr uint32_t DECISIONS_TO_WAIT = 32;
    const Picoseconds now = NowPicoseconds();
    const Picoseconds seen = now - 1;
    const bool wireWasIdle = now != m_state.busyUntil;
    if (m_enter && m_decisionsToWait-- == 0)
    {
        m_decisionsToWait = 0;
        if (m_offload != nullptr && m_offload->GetReadyClasses() != 0)
        {
            if (m_enter())
            {
                return;
            }
            m_decisionsToWait = DECISIONS_TO_WAIT;
        }
    }
    m_state.decision = NEVER;
    m_deciding = true;
    const Choice choice = Choose(seen, wireWasIdle);
    if (choice.source == Choice::NONE)
    {
        m_deciding = false;
        // frames that became ready at this instant find the wire idle
        if (Choose(now, true).source != Choice::NONE)
        {
            Kick();
        }
        return;
    }
    if (wireWasIdle)
    {
        m_state.turns.Restart();
    }
    SetClock(seen, wireWasIdle);
    WireFrame frame = Take(choice, seen);
    const FrameTimes times = m_state.clock.Append(frame.wireBytes);
    frame.first = times.first;
    frame.last = times.last;
    m_state.busyUntil = times.next;
    m_put(std::move(frame));
    m_deciding = false;
    const bool isAgain = m_state.decision == NEVER && !m_lent && HasCarrier();
    if (isAgain && (ClassesWithWork() != 0 || !m_control.empty()))
    {
        ScheduleDecision(now, std::max(m_state.busyUntil, now + 1));
    }
}

void
RailTransmitter::SetClock(Picoseconds seen, bool wireWasIdle)
{
    const uint64_t rate = m_rate.At(seen);
    if (rate != m_state.clock.GetRate())
    {
        m_state.clock = FrameClock(rate);
        m_state.clock.Start(wireWasIdle ? seen : m_state.busyUntil);
    }
    else if (wireWasIdle)
    {
        m_state.clock.Start(seen);
    }
}

uint32_t
RailTransmitter::ClassesWithWork() const
{
    return m_offload != nullptr ? m_queued | m_offload->GetReadyClasses() : m_queued;
}

RailTransmitter::Choice
RailTransmitter::Choose(Picoseconds seen, bool wireWasIdle) const
{
    Choice choice;
    if (!m_carrier.At(seen))
    {
        return choice;
    }
    if (!m_control.empty() && m_control.front().second <= seen)
    {
        choice.source = Choice::CONTROL;
        choice.trafficClass = CLASSES - 1;
        return choice;
    }
    EgressTurns::FindClass(ClassesWithWork(), [&](uint32_t c) {
        if (m_paused[c].At(seen) > seen)
        {
            return false;
        }
        const uint32_t after = m_state.turns.After(c, wireWasIdle);
        const bool host = (m_queued >> c & 1U) != 0 && m_queues[c].WasReady(seen);
        const bool offload = m_offload != nullptr && m_offload->PeekRun(c, after, seen, choice.run);
        if (!host && !offload)
        {
            return false;
        }
        // the host stack is number 0: a queue pair after the one served last comes before it
        choice.source = offload && (!host || !choice.run.wrapped) ? Choice::OFFLOAD : Choice::HOST;
        choice.trafficClass = c;
        return true;
    });
    return choice;
}

WireFrame
RailTransmitter::Take(const Choice& choice, Picoseconds seen)
{
    const uint32_t c = choice.trafficClass;
    if (choice.source == Choice::CONTROL)
    {
        WireFrame frame = EthernetFrame::OnWire(m_control.front().first, c);
        m_control.pop_front();
        return frame;
    }
    if (choice.source == Choice::HOST)
    {
        m_state.turns.Serve(c, 0);
        return EthernetFrame::OnWire(TakeBack(c), c);
    }
    m_state.turns.Serve(c, choice.run.id);
    // a call of the constructor of each address costs more than a copy
    WireFrame frame{nullptr, choice.run.Head(1), RoceFrame(), m_address, m_address};
    frame.wireBytes = frame.run.lastWireBytes;
    frame.trafficClass = c;
    m_offload->CommitRun(frame.run, seen, RunClock(m_state.clock, frame.run), frame, nullptr);
    return frame;
}

} // namespace ns3
