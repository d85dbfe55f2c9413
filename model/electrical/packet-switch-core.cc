/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-switch-core.h"

#include "congestion-mark.h"
#include "flow-hash.h"

#include "ns3/abort.h"
#include "ns3/frame-clock.h"
#include "ns3/mac-number.h"
#include "ns3/pause-frame.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** @return the bytes of a frame from its Ethernet header to its check sequence */
uint32_t
SizeOf(const WireFrame& frame)
{
    return frame.wireBytes - FrameClock::PREAMBLE - FrameClock::GAP;
}

} // namespace

PacketSwitchCore::PacketSwitchCore(PacketSwitchEnvironment& environment)
    : m_environment(environment)
{
}

// --------------------------------------------------------------------- settings

void
PacketSwitchCore::AddPort(uint64_t bitsPerSecond)
{
    m_ports.emplace_back(bitsPerSecond);
}

void
PacketSwitchCore::SetRate(uint32_t port, uint64_t bitsPerSecond, Picoseconds now)
{
    m_ports[port].egress.SetRate(bitsPerSecond, now);
}

void
PacketSwitchCore::Configure(const PacketSwitchSettings& settings, std::vector<uint64_t> headroom)
{
    m_settings = settings;
    m_buffer = SharedBuffer(settings.buffer, std::move(headroom));
    m_announced = AnnouncedFrames(m_ports.size());
}

void
PacketSwitchCore::SetMarking(uint32_t port,
                             const std::array<EcnMarking, CLASSES>& marking,
                             uint64_t key)
{
    m_ports[port].marking = marking;
    m_ports[port].markingKey = key;
}

ForwardingTable&
PacketSwitchCore::GetTable()
{
    return m_table;
}

void
PacketSwitchCore::SetFloodPorts(std::vector<PortId> ports)
{
    m_floodPorts = std::move(ports);
    m_floodsEverywhere = false;
}

void
PacketSwitchCore::SetConnected(uint32_t port)
{
    m_ports[port].connected = true;
}

const PacketSwitchCounters&
PacketSwitchCore::GetCounters(uint32_t port) const
{
    return m_ports[port].counters;
}

const SharedBuffer&
PacketSwitchCore::GetBuffer() const
{
    return m_buffer;
}

uint64_t
PacketSwitchCore::GetFrames() const
{
    return m_store.GetUsed() - m_announced.GetCount();
}

bool
PacketSwitchCore::HasPaused(uint32_t port, uint32_t trafficClass) const
{
    return (m_ports[port].paused >> trafficClass & 1U) != 0;
}

Picoseconds
PacketSwitchCore::GetHeldUntil(uint32_t port, uint32_t trafficClass) const
{
    return m_ports[port].egress.GetHeldUntil(trafficClass);
}

void
PacketSwitchCore::Clear()
{
    m_store.Clear();
    m_arrivals.clear();
    m_announced = {};
    m_due = {};
    m_pausesComing = 0;
    m_ports.clear();
}

// ----------------------------------------------------------------------- takeover

const char*
PacketSwitchCore::WhyNotTaken(Picoseconds now) const
{
    for (const Port& port : m_ports)
    {
        if (port.paused != 0 || !port.egress.IsPlain(now))
        {
            return "a port of the switch pauses, is paused, or changes its rate";
        }
    }
    return m_pausesComing == 0 ? nullptr : "a pause comes to the switch";
}

bool
PacketSwitchCore::HoldsOnlyFramesTo(const std::vector<Mac48Address>& addresses)
{
    bool only = true;
    const auto look = [&](uint32_t number) {
        const FrameStore::Slot& slot = m_store[number];
        only = only && !slot.frame.packet &&
               std::binary_search(addresses.begin(), addresses.end(), slot.frame.destination) &&
               FindPort(slot.frame.destination) != slot.ingress;
    };
    for (const Arrival& arrival : m_arrivals)
    {
        look(arrival.number);
    }
    for (const Port& port : m_ports)
    {
        port.egress.Visit(m_store, look);
    }
    return only;
}

uint64_t
PacketSwitchCore::GetCalmBytes() const
{
    return m_buffer.GetCalmBytes();
}

uint64_t
PacketSwitchCore::GetUnmarkedBytes(uint32_t port) const
{
    uint64_t bytes = ~uint64_t{0};
    for (const EcnMarking& marking : m_ports[port].marking)
    {
        bytes = std::min(bytes, marking.GetKmin());
    }
    return bytes;
}

PacketSwitchState
PacketSwitchCore::TakeState()
{
    PacketSwitchState state;
    for (const Arrival& arrival : m_arrivals)
    {
        FrameStore::Slot& slot = m_store[arrival.number];
        state.coming.push_back({arrival.ingress, 0, arrival.at, std::move(slot.frame)});
        m_store.Free(arrival.number);
    }
    m_arrivals.clear();
    for (uint32_t p = 0; p < m_ports.size(); ++p)
    {
        Port& port = m_ports[p];
        state.wires.push_back(port.egress.GetState());
        port.egress.Visit(m_store, [&](uint32_t number) {
            FrameStore::Slot& slot = m_store[number];
            m_buffer.Release(slot.ingress, p, slot.frame.trafficClass, SizeOf(slot.frame));
            state.waiting.push_back({slot.ingress, p, 0, std::move(slot.frame)});
            m_store.Free(number);
        });
        port.egress.RemoveAll();
        port.watched = false;
        port.chance = NEVER;
    }
    m_due = {};
    return state;
}

void
PacketSwitchCore::PutState(PacketSwitchState&& state)
{
    for (uint32_t p = 0; p < m_ports.size(); ++p)
    {
        m_ports[p].egress.PutState(state.wires[p]);
    }
    for (SwitchedFrame& one : state.coming)
    {
        m_arrivals.push_back(
            {one.enters, m_store.Put(std::move(one.frame), one.ingress), one.ingress});
    }
    for (SwitchedFrame& one : state.waiting)
    {
        m_buffer.Admit(one.ingress, one.egress, one.frame.trafficClass, SizeOf(one.frame));
        Port& port = m_ports[one.egress];
        port.egress.Push(m_store, m_store.Put(std::move(one.frame), one.ingress));
        if (!port.watched)
        {
            port.watched = true;
            m_due.push({port.egress.GetBusyUntil(), WIRE_ENDS, one.egress, 0});
        }
    }
}

void
PacketSwitchCore::Count(uint32_t port, const PacketSwitchCounters& more, uint64_t queued)
{
    PacketSwitchCounters& counters = m_ports[port].counters;
    counters.received += more.received;
    counters.receivedBytes += more.receivedBytes;
    counters.forwarded += more.forwarded;
    counters.forwardedBytes += more.forwardedBytes;
    m_ports[port].ordinal += queued;
}

uint32_t
PacketSwitchCore::FindPort(Mac48Address address) const
{
    const uint64_t key = ToNumber(address);
    const ForwardingTable::Route route =
        ForwardingTable::IsGroup(key) ? ForwardingTable::NO_ROUTE : m_table.Find(key);
    if (route == ForwardingTable::NO_ROUTE || m_table.GetPorts(route).size() != 1)
    {
        return m_ports.size();
    }
    return m_table.GetPorts(route)[0].Get();
}

// ---------------------------------------------------------------------- arrivals

void
PacketSwitchCore::ReceiveFrame(uint32_t ingress, WireFrame&& frame, Picoseconds now)
{
    PacketSwitchCounters& counters = m_ports[ingress].counters;
    ++counters.received;
    counters.receivedBytes += SizeOf(frame);
    m_arrivals.push_back(
        {now + m_settings.switchingDelay, m_store.Put(std::move(frame), ingress), ingress});
}

void
PacketSwitchCore::Announce(uint32_t ingress, WireFrame&& frame, Picoseconds at)
{
    m_announced.Push(ingress,
                     {at + m_settings.switchingDelay, m_store.Put(std::move(frame), ingress)});
}

PacketSwitchCore::Arrival
PacketSwitchCore::TakeAnnounced(uint32_t ingress)
{
    const AnnouncedFrames::Frame frame = m_announced.Take(ingress);
    PacketSwitchCounters& counters = m_ports[ingress].counters;
    ++counters.received;
    counters.receivedBytes += SizeOf(m_store[frame.number].frame);
    return {frame.at, frame.number, ingress};
}

RingQueue<WireFrame>
PacketSwitchCore::Withdraw(uint32_t ingress, Picoseconds now)
{
    RingQueue<WireFrame> back;
    while (m_announced.Has(ingress))
    {
        if (m_announced.GetNext(ingress) - m_settings.switchingDelay < now)
        {
            const Arrival arrival = TakeAnnounced(ingress);
            const auto isLater = [](const Arrival& a, const Arrival& b) { return a.at < b.at; };
            m_arrivals.insert(
                std::upper_bound(m_arrivals.begin(), m_arrivals.end(), arrival, isLater),
                arrival);
            continue;
        }
        const uint32_t number = m_announced.Take(ingress).number;
        back.push_back(std::move(m_store[number].frame));
        m_store.Free(number);
    }
    return back;
}

void
PacketSwitchCore::ReceivePause(uint32_t port,
                               uint32_t trafficClass,
                               Picoseconds span,
                               Picoseconds now)
{
    ++m_pausesComing;
    m_due.push({now, PAUSE_COMES, port * CLASSES + trafficClass, span});
}

Picoseconds
PacketSwitchCore::GetNextDue() const
{
    const Picoseconds received = m_arrivals.empty() ? NEVER : m_arrivals.front().at;
    const Picoseconds arrival = std::min(received, m_announced.GetNext());
    return m_due.empty() ? arrival : std::min(arrival, m_due.top().at);
}

// -------------------------------------------------------------------------- time

void
PacketSwitchCore::Process(Picoseconds until)
{
    for (Picoseconds now = GetNextDue(); now <= until && now != NEVER; now = GetNextDue())
    {
        // parts 1 and 2
        while (!m_due.empty() && m_due.top().at == now)
        {
            const Due due = m_due.top();
            m_due.pop();
            ProcessDue(due);
        }
        if (!m_arrivals.empty() && m_arrivals.front().at == now)
        {
            Admit(now);
        }
        else
        {
            AdmitAnnounced(now);
        }
        // part 3
        if (!m_beginning.empty())
        {
            BeginWires(now);
        }
    }
}

void
PacketSwitchCore::ProcessDue(const Due& due)
{
    switch (due.kind)
    {
    case WIRE_ENDS:
        m_ports[due.which].watched = false;
        Decide(due.which, due.at, false);
        return;
    case PAUSE_COMES: {
        const uint32_t port = due.which / CLASSES;
        --m_pausesComing;
        m_ports[port].egress.Hold(due.which % CLASSES, due.at + due.what);
        ++m_ports[port].counters.pausesReceived;
        Wake(port, due.at);
        return;
    }
    case REFRESH_PAUSE: {
        const uint32_t port = due.which / CLASSES;
        const uint32_t trafficClass = due.which % CLASSES;
        if (m_ports[port].refresh[trafficClass] == due.at)
        {
            PausePeer(port, trafficClass, due.at);
        }
        return;
    }
    case FRAME_COMES:
        // with the other frames of this instant
        m_arrivals.push_front({due.at, static_cast<uint32_t>(due.what), due.which});
        return;
    case WIRE_MAY_BEGIN:
        if (m_ports[due.which].chance == due.at)
        {
            m_ports[due.which].chance = NEVER;
            Wake(due.which, due.at);
        }
        return;
    }
}

void
PacketSwitchCore::AdmitAnnounced(Picoseconds now)
{
    while (m_announced.GetNext() == now)
    {
        Forward(TakeAnnounced(m_announced.GetIngress()).number, now); // by ingress port
    }
}

void
PacketSwitchCore::Admit(Picoseconds now)
{
    while (m_announced.GetNext() == now)
    {
        m_arrivals.push_front(TakeAnnounced(m_announced.GetIngress()));
    }
    std::size_t count = 1;
    while (count < m_arrivals.size() && m_arrivals[count].at == now)
    {
        ++count;
    }
    if (count > 1)
    {
        std::sort(m_arrivals.begin(),
                  m_arrivals.begin() + count,
                  [](const Arrival& a, const Arrival& b) { return a.ingress < b.ingress; });
    }
    for (; count > 0; --count)
    {
        const uint32_t number = m_arrivals.front().number;
        m_arrivals.pop_front();
        Forward(number, now);
    }
}

void
PacketSwitchCore::BeginWires(Picoseconds now)
{
    while (!m_beginning.empty())
    {
        std::vector<uint32_t> ports;
        ports.swap(m_beginning);
        std::sort(ports.begin(), ports.end());
        for (const uint32_t port : ports)
        {
            m_ports[port].begins = false;
            Decide(port, now, true);
        }
        if (m_beginning.empty())
        {
            ports.clear();
            m_beginning.swap(ports); // keeps the memory
        }
    }
}

// ------------------------------------------------------------------- forwarding

void
PacketSwitchCore::Forward(uint32_t number, Picoseconds now)
{
    const FrameStore::Slot& slot = m_store[number];
    const WireFrame& frame = slot.frame;
    const uint64_t key = ToNumber(frame.destination);
    // an incomplete frame is forwarded only if it can leave at once
    const Picoseconds whole = frame.last + m_settings.switchingDelay;
    if (SizeOf(frame) > m_settings.largestFrame)
    {
        Drop(number, FrameDropReason::OVERSIZED);
        return;
    }
    if (ForwardingTable::IsGroup(key))
    {
        if (now < whole)
        {
            m_due.push({whole, FRAME_COMES, slot.ingress, number});
            return;
        }
        Flood(number, now);
        return;
    }
    const ForwardingTable::Route route = m_table.Find(key);
    if (route == ForwardingTable::NO_ROUTE)
    {
        Drop(number, FrameDropReason::NO_ROUTE);
        return;
    }
    const std::vector<PortId>& ports = m_table.GetPorts(route);
    const uint32_t path =
        ports.size() == 1 ? 0 : PathOf(FlowHash(frame, m_settings.hashSeed), ports.size());
    const uint32_t egress = ports[path].Get();
    if (egress == slot.ingress || !m_ports[egress].connected)
    {
        Drop(number, FrameDropReason::NO_ROUTE);
        return;
    }
    if (now < whole &&
        frame.last - frame.first > m_ports[egress].egress.GetLength(frame.wireBytes, now))
    {
        // it would leave faster than it arrives
        m_due.push({whole, FRAME_COMES, slot.ingress, number});
        return;
    }
    Store(number, egress, now);
}

void
PacketSwitchCore::Flood(uint32_t number, Picoseconds now)
{
    const uint32_t ingress = m_store[number].ingress;
    std::vector<uint32_t> targets;
    const auto consider = [&](uint32_t port) {
        if (port != ingress && m_ports[port].connected)
        {
            targets.push_back(port);
        }
    };
    for (uint32_t port = 0; m_floodsEverywhere && port < m_ports.size(); ++port)
    {
        consider(port);
    }
    for (const PortId port : m_floodPorts)
    {
        consider(port.Get());
    }
    if (targets.empty())
    {
        Drop(number, FrameDropReason::NO_ROUTE);
        return;
    }
    m_ports[ingress].counters.copied += targets.size() - 1;
    for (std::size_t i = 0; i + 1 < targets.size(); ++i)
    {
        WireFrame copy = m_store[number].frame;
        Store(m_store.Put(std::move(copy), ingress), targets[i], now);
    }
    Store(number, targets.back(), now);
}

void
PacketSwitchCore::Store(uint32_t number, uint32_t egress, Picoseconds now)
{
    FrameStore::Slot& slot = m_store[number];
    const uint32_t trafficClass = slot.frame.trafficClass;
    Port& port = m_ports[egress];
    const uint64_t found = m_buffer.GetQueue(egress, trafficClass);
    if (!m_buffer.Admit(slot.ingress, egress, trafficClass, SizeOf(slot.frame)))
    {
        Drop(number, FrameDropReason::BUFFER_FULL);
        return;
    }
    m_hasDrawnMarks = m_hasDrawnMarks || port.marking[trafficClass].IsDrawn(found);
    if (port.marking[trafficClass].IsMarked(port.markingKey, port.ordinal, found) &&
        MarkCongestion(slot.frame))
    {
        ++port.counters.marked;
        m_environment.NotifyMarked(egress, slot.frame);
    }
    ++port.ordinal;
    port.egress.Push(m_store, number);
    m_environment.NotifyQueue(egress, trafficClass);
    if (m_buffer.IsLossless(trafficClass) && !HasPaused(slot.ingress, trafficClass) &&
        m_buffer.MustPause(slot.ingress, trafficClass))
    {
        PausePeer(slot.ingress, trafficClass, now);
    }
    Wake(egress, now);
}

void
PacketSwitchCore::Drop(uint32_t number, FrameDropReason reason)
{
    FrameStore::Slot& slot = m_store[number];
    PacketSwitchCounters& counters = m_ports[slot.ingress].counters;
    ++counters.dropped;
    counters.droppedBytes += SizeOf(slot.frame);
    m_environment.NotifyDropped(slot.ingress, slot.frame, reason);
    m_store.Free(number);
}

// ----------------------------------------------------------------------- leaving

void
PacketSwitchCore::Wake(uint32_t number, Picoseconds now)
{
    Port& port = m_ports[number];
    if (port.watched || port.begins || !port.egress.HasWork())
    {
        return;
    }
    const Picoseconds busyUntil = port.egress.GetBusyUntil();
    if (busyUntil > now)
    {
        port.watched = true;
        m_due.push({busyUntil, WIRE_ENDS, number, 0});
        return;
    }
    port.begins = true;
    m_beginning.push_back(number);
}

void
PacketSwitchCore::Decide(uint32_t number, Picoseconds now, bool wireWasIdle)
{
    Port& port = m_ports[number];
    // part 1 decides by the state before the instant, part 3 by the present one
    const Picoseconds seen = wireWasIdle ? now : now - 1;
    const SwitchEgress::Choice choice = port.egress.Choose(seen, wireWasIdle);
    if (choice.kind == SwitchEgress::Choice::NOTHING)
    {
        const Picoseconds chance = port.egress.GetNextChance(seen);
        if (chance != NEVER && chance != port.chance)
        {
            port.chance = chance;
            m_due.push({chance, WIRE_MAY_BEGIN, number, 0});
        }
        return;
    }
    if (choice.kind == SwitchEgress::Choice::FRAME)
    {
        // the rate may have risen since an incomplete frame entered its queue
        const WireFrame& frame = m_store[port.egress.Peek(choice)].frame;
        const Picoseconds whole = frame.last + m_settings.switchingDelay;
        if (now < whole && now + port.egress.GetLength(frame.wireBytes, seen) < whole)
        {
            port.chance = whole - port.egress.GetLength(frame.wireBytes, seen);
            m_due.push({port.chance, WIRE_MAY_BEGIN, number, 0});
            return;
        }
    }
    if (wireWasIdle)
    {
        port.egress.ResetTurns();
    }
    if (choice.kind == SwitchEgress::Choice::PAUSE)
    {
        SendPause(number, now, wireWasIdle);
    }
    else
    {
        SendFrame(number, choice, now, wireWasIdle);
    }
    Wake(number, now);
}

void
PacketSwitchCore::SendPause(uint32_t number, Picoseconds now, bool wireWasIdle)
{
    Port& port = m_ports[number];
    const SwitchEgress::Pause pause = port.egress.TakePause();
    WireFrame frame = m_environment.MakePause(number, pause.trafficClass, pause.quanta);
    const FrameTimes times = port.egress.Occupy(now, wireWasIdle, frame.wireBytes);
    frame.first = times.first;
    frame.last = times.last;
    ++port.counters.pausesSent;
    m_environment.PutPause(number, std::move(frame));
}

void
PacketSwitchCore::SendFrame(uint32_t number,
                            const SwitchEgress::Choice& choice,
                            Picoseconds now,
                            bool wireWasIdle)
{
    Port& port = m_ports[number];
    const uint32_t chosen = port.egress.Take(choice, m_store);
    FrameStore::Slot& slot = m_store[chosen];
    const uint32_t ingress = slot.ingress;
    const uint32_t trafficClass = choice.trafficClass;
    const uint32_t size = SizeOf(slot.frame);
    const FrameTimes times = port.egress.Occupy(now, wireWasIdle, slot.frame.wireBytes);
    slot.frame.first = times.first;
    slot.frame.last = times.last;
    m_buffer.Release(ingress, number, trafficClass, size);
    ++port.counters.forwarded;
    port.counters.forwardedBytes += size;
    m_environment.PutFrame(number, ingress, std::move(slot.frame));
    m_store.Free(chosen);
    m_environment.NotifyQueue(number, trafficClass);
    if (HasPaused(ingress, trafficClass) && m_buffer.MayGoOn(ingress, trafficClass))
    {
        Port& peer = m_ports[ingress];
        peer.paused &= ~(1U << trafficClass);
        peer.refresh[trafficClass] = NEVER;
        peer.egress.PushPause(trafficClass, 0, now);
        Wake(ingress, now);
    }
}

// ------------------------------------------------------------------------ pauses

void
PacketSwitchCore::PausePeer(uint32_t number, uint32_t trafficClass, Picoseconds now)
{
    Port& port = m_ports[number];
    port.paused |= 1U << trafficClass;
    port.egress.PushPause(trafficClass, m_settings.pauseQuanta, now);
    // half of the time remains for the transmission of the frame
    port.refresh[trafficClass] =
        now + GetPauseSpan(m_settings.pauseQuanta, port.egress.GetRate()) / 2;
    m_due.push({port.refresh[trafficClass], REFRESH_PAUSE, number * CLASSES + trafficClass, 0});
    Wake(number, now);
}

} // namespace ns3
