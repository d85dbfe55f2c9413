/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-wires.h"

#include "ns3/assert.h"
#include "ns3/roce-frame.h"

#include <algorithm>

namespace ns3
{

CircuitWires::CircuitWires(Owner& owner)
    : m_owner(owner),
      m_answerBytes(RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0))
{
}

uint32_t
CircuitWires::AddQueuePair(const WayOnCircuit& way)
{
    const auto [circuit, isNew] = m_circuits.try_emplace(way.circuit, m_wires.size());
    const uint32_t first = circuit->second;
    if (isNew)
    {
        m_wires.resize(first + 2);
        const auto add = [](Wire& wire, const CircuitDirection& direction) {
            wire.clock = FrameClock(direction.rate);
            wire.way = direction.way;
        };
        add(m_wires[first + way.end], way.there);
        add(m_wires[first + 1 - way.end], way.back);
    }
    const uint32_t number = m_queuePairs.size();
    QueuePair& pair = m_queuePairs.emplace_back();
    pair.wire = first + way.end;
    pair.ackEvery = way.ackEvery;
    pair.place = m_wires[first].queuePairs.size();
    m_wires[first].queuePairs.push_back(number);
    m_wires[first + 1].queuePairs.push_back(number);
    return number;
}

void
CircuitWires::Send(uint32_t queuePair, const Message& message)
{
    QueuePair& pair = m_queuePairs[queuePair];
    NS_ASSERT(pair.messages.empty() || pair.messages.back().ready <= message.ready);
    const bool isFirst = pair.messages.empty();
    pair.messages.push_back(message);
    ++pair.progress.messages;
    ++pair.progress.wireMessages;
    pair.progress.bytes += message.bytes;
    pair.progress.frames += message.size->frames;
    if (message.ready > m_now)
    {
        m_events.push({message.ready, What::READY, false, queuePair, 0});
    }
    else if (isFirst)
    {
        BecomesReady(pair.wire, queuePair);
    }
}

void
CircuitWires::Run()
{
    while (!m_events.empty())
    {
        const Event event = m_events.top();
        m_events.pop();
        m_now = event.at;
        Happen(event);
    }
}

std::array<Picoseconds, 2>
CircuitWires::GetQuiet(uint32_t queuePair) const
{
    const uint32_t first = m_queuePairs[queuePair].wire & ~1U;
    const auto get = [](const Wire& wire) {
        return wire.isUsed ? wire.clock.GetNext() : ALWAYS_BEFORE;
    };
    return {get(m_wires[first]), get(m_wires[first + 1])};
}

void
CircuitWires::Happen(const Event& event)
{
    if (event.what == What::ARRIVES)
    {
        QueuePair& pair = m_queuePairs[event.number];
        if (!pair.owes)
        {
            pair.owes = true;
            BecomesReady(pair.wire ^ 1, NONE);
        }
        if (event.isEnd)
        {
            const Message message = pair.underWay.front();
            pair.underWay.pop_front();
            pair.unanswered.push_back(message);
            m_owner.MessageArrived(event.number, message, event.at);
        }
        return;
    }
    if (event.what == What::READY)
    {
        const QueuePair& pair = m_queuePairs[event.number];
        if (HasData(pair, m_now + 1) && !HasData(pair, m_now))
        {
            BecomesReady(pair.wire, event.number);
        }
        return;
    }
    Wire& wire = m_wires[event.number];
    if (event.version != wire.version)
    {
        return;
    }
    if (event.what == What::BEGINS)
    {
        QueuePair& pair = m_queuePairs[wire.current];
        const uint64_t request = GetRequest(pair);
        wire.clock.Skip(GetBytesBefore(pair, request));
        pair.frame = request;
        BeginFrame(event.number, wire.current);
        GoOn(event.number);
        return;
    }
    wire.isDeciding = false;
    if (event.what == What::STARTS)
    {
        wire.clock.Start(m_now);
        wire.servedData = 0;
        wire.servedAnswers = 0;
    }
    Decide(event.number, event.what == What::STARTS ? m_now + 1 : m_now);
}

// ---------------------------------------------------------------------- decisions

void
CircuitWires::Schedule(uint32_t wire, What what, Picoseconds at)
{
    m_events.push({at, what, false, wire, ++m_wires[wire].version});
}

void
CircuitWires::BecomesReady(uint32_t number, uint32_t queuePair)
{
    Wire& wire = m_wires[number];
    if (wire.current != NONE)
    {
        if (wire.current != queuePair)
        {
            Interrupt(number);
        }
        return;
    }
    if (wire.isDeciding)
    {
        return;
    }
    wire.isDeciding = true;
    const bool isBusy = wire.isUsed && wire.clock.GetNext() > m_now;
    Schedule(number, isBusy ? What::DECIDES : What::STARTS, isBusy ? wire.clock.GetNext() : m_now);
}

void
CircuitWires::Interrupt(uint32_t number)
{
    Wire& wire = m_wires[number];
    QueuePair& pair = m_queuePairs[wire.current];
    const FramedSize& size = *pair.messages.front().size;
    const uint64_t request = GetRequest(pair);
    const uint64_t before = pair.frame;
    if (pair.frame == 0 && request > 0 && wire.clock.GetNext() <= m_now)
    {
        wire.clock.Skip(size.firstBytes);
        pair.frame = 1;
    }
    const int64_t bytes = pair.frame > 0 ? wire.clock.BytesBy(m_now) : -1;
    if (bytes >= 0)
    {
        const uint64_t begun = std::min<uint64_t>(bytes / size.bytes + 1, request - pair.frame);
        wire.clock.Skip(begun * size.bytes);
        pair.frame += begun;
    }
    if (pair.frame > before)
    {
        wire.isUsed = true;
        wire.servedData = pair.place + 1;
    }
    wire.current = NONE;
    wire.isDeciding = true;
    Schedule(number, What::DECIDES, wire.clock.GetNext());
}

template <typename Condition>
uint32_t
CircuitWires::FindNext(const Wire& wire, uint32_t served, Condition condition)
{
    const auto from = wire.queuePairs.begin() + served;
    auto found = std::find_if(from, wire.queuePairs.end(), condition);
    if (found == wire.queuePairs.end())
    {
        found = std::find_if(wire.queuePairs.begin(), from, condition);
        return found == from ? NONE : *found;
    }
    return *found;
}

bool
CircuitWires::HasDataOn(uint32_t wire, uint32_t queuePair, Picoseconds before) const
{
    const QueuePair& pair = m_queuePairs[queuePair];
    return pair.wire == wire && HasData(pair, before);
}

bool
CircuitWires::OwesOn(uint32_t wire, uint32_t queuePair) const
{
    return m_queuePairs[queuePair].owes && m_queuePairs[queuePair].wire == (wire ^ 1);
}

CircuitWires::Waiting
CircuitWires::Look(uint32_t wire, Picoseconds before) const
{
    Waiting waiting;
    for (const uint32_t id : m_wires[wire].queuePairs)
    {
        const QueuePair& pair = m_queuePairs[id];
        if (pair.wire != wire)
        {
            waiting.areAnswers = waiting.areAnswers || pair.owes;
        }
        else if (HasData(pair, before))
        {
            ++waiting.data;
            waiting.one = id;
        }
    }
    return waiting;
}

void
CircuitWires::Decide(uint32_t number, Picoseconds before)
{
    Wire& wire = m_wires[number];
    const Waiting waiting = Look(number, before);
    if (waiting.areAnswers)
    {
        Answer(number,
               FindNext(wire, wire.servedAnswers, [&](uint32_t id) { return OwesOn(number, id); }));
        GoOn(number);
    }
    else if (waiting.data == 1)
    {
        BeginRun(number, waiting.one);
    }
    else if (waiting.data > 1)
    {
        BeginFrame(number, FindNext(wire, wire.servedData, [&](uint32_t id) {
                       return HasDataOn(number, id, before);
                   }));
        GoOn(number);
    }
}

void
CircuitWires::GoOn(uint32_t number)
{
    Wire& wire = m_wires[number];
    wire.current = NONE;
    const Picoseconds next = wire.clock.GetNext();
    const Waiting waiting = Look(number, next);
    if (!waiting.areAnswers && waiting.data == 1)
    {
        BeginRun(number, waiting.one); // unless something is ready before that boundary
    }
    else if (waiting.areAnswers || waiting.data > 0)
    {
        wire.isDeciding = true;
        Schedule(number, What::DECIDES, next);
    }
}

// ------------------------------------------------------------------------- frames

uint64_t
CircuitWires::GetRequest(const QueuePair& pair)
{
    return std::min((pair.frame / pair.ackEvery + 1) * pair.ackEvery,
                    pair.messages.front().size->frames) -
           1;
}

uint64_t
CircuitWires::GetBytesBefore(const QueuePair& pair, uint64_t request)
{
    const FramedSize& size = *pair.messages.front().size;
    const uint64_t frames = request - pair.frame;
    return pair.frame > 0 || frames == 0 ? frames * size.bytes
                                         : size.firstBytes + (frames - 1) * size.bytes;
}

void
CircuitWires::BeginRun(uint32_t number, uint32_t queuePair)
{
    Wire& wire = m_wires[number];
    const QueuePair& pair = m_queuePairs[queuePair];
    wire.current = queuePair;
    Schedule(number, What::BEGINS, wire.clock.After(GetBytesBefore(pair, GetRequest(pair))));
}

void
CircuitWires::BeginFrame(uint32_t number, uint32_t queuePair)
{
    Wire& wire = m_wires[number];
    QueuePair& pair = m_queuePairs[queuePair];
    const FramedSize& size = *pair.messages.front().size;
    const bool isRequest = pair.frame == GetRequest(pair);
    const bool isEnd = pair.frame + 1 == size.frames;
    wire.clock.Skip(size.GetBytesOf(pair.frame));
    wire.isUsed = true;
    wire.servedData = pair.place + 1;
    ++pair.frame;
    if (isRequest)
    {
        m_events.push({wire.clock.GetLast() + wire.way, What::ARRIVES, isEnd, queuePair, 0});
    }
    if (isEnd)
    {
        pair.underWay.push_back(pair.messages.front());
        pair.messages.pop_front();
        pair.frame = 0;
    }
}

void
CircuitWires::Answer(uint32_t number, uint32_t queuePair)
{
    Wire& wire = m_wires[number];
    QueuePair& pair = m_queuePairs[queuePair];
    wire.clock.Skip(m_answerBytes);
    wire.isUsed = true;
    wire.servedAnswers = pair.place + 1;
    pair.owes = false;
    ++pair.progress.acknowledgements;
    for (const Message& message : pair.unanswered)
    {
        m_owner.MessageSettled(message, wire.clock.GetLast() + wire.way);
    }
    pair.unanswered.clear();
}

} // namespace ns3
