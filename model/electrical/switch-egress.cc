/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-egress.h"

#include <algorithm>

namespace ns3
{

SwitchEgress::SwitchEgress(uint64_t bitsPerSecond)
    : m_rate(bitsPerSecond),
      m_clock(bitsPerSecond)
{
    m_heldUntil.fill(ALWAYS_BEFORE);
}

void
SwitchEgress::SetRate(uint64_t bitsPerSecond, Picoseconds now)
{
    if (now == ALWAYS_BEFORE)
    {
        m_rate = AsOf<uint64_t>(bitsPerSecond);
        return;
    }
    m_rate.Set(now, bitsPerSecond);
}

uint64_t
SwitchEgress::GetRate() const
{
    return m_rate.Get();
}

Picoseconds
SwitchEgress::GetLength(uint32_t wireBytes, Picoseconds seen) const
{
    const uint64_t rate = m_rate.At(seen);
    const uint64_t bytes = wireBytes - FrameClock::GAP;
    return rate == m_clock.GetRate() ? m_clock.Span(bytes) : FrameClock(rate).Span(bytes);
}

void
SwitchEgress::Push(FrameStore& store, uint32_t number)
{
    const FrameStore::Slot& slot = store[number];
    const uint32_t trafficClass = slot.frame.trafficClass;
    std::vector<IngressQueue>& queues = m_ingressQueues[trafficClass];
    const auto place = std::lower_bound(
        queues.begin(),
        queues.end(),
        slot.ingress,
        [](const IngressQueue& queue, uint32_t ingress) { return queue.ingress < ingress; });
    if (place != queues.end() && place->ingress == slot.ingress)
    {
        store[place->tail].next = number;
        place->tail = number;
        return;
    }
    queues.insert(place, {slot.ingress, number, number});
    m_waiting |= 1U << trafficClass;
}

void
SwitchEgress::PushPause(uint32_t trafficClass, uint16_t quanta, Picoseconds now)
{
    for (Pause& pause : m_pauses)
    {
        if (pause.trafficClass == trafficClass)
        {
            pause.quanta = quanta; // an outdated pause need not be sent
            return;
        }
    }
    m_pauses.push_back({trafficClass, quanta, now});
}

SwitchEgress::Choice
SwitchEgress::Choose(Picoseconds seen, bool wireWasIdle) const
{
    Choice choice;
    if (!m_pauses.empty() && m_pauses.front().since <= seen)
    {
        choice.kind = Choice::PAUSE;
        return choice;
    }
    EgressTurns::FindClass(m_waiting, [&](uint32_t c) {
        if (m_heldUntil[c] > seen)
        {
            return false;
        }
        choice.kind = Choice::FRAME;
        choice.trafficClass = c;
        const std::vector<IngressQueue>& queues = m_ingressQueues[c];
        if (queues.size() > 1 && !wireWasIdle)
        {
            const auto next = std::upper_bound(queues.begin(),
                                               queues.end(),
                                               m_turns.After(c, false),
                                               [](uint32_t ingress, const IngressQueue& queue) {
                                                   return ingress < queue.ingress;
                                               });
            choice.queue = next == queues.end() ? 0 : next - queues.begin();
        }
        return true;
    });
    return choice;
}

Picoseconds
SwitchEgress::GetNextChance(Picoseconds seen) const
{
    Picoseconds chance = m_pauses.empty() ? NEVER : m_pauses.front().since;
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        if ((m_waiting >> c & 1U) != 0)
        {
            chance = std::min(chance, m_heldUntil[c]);
        }
    }
    return chance == NEVER ? NEVER : std::max(chance, seen + 1);
}

SwitchEgress::Pause
SwitchEgress::TakePause()
{
    const Pause pause = m_pauses.front();
    m_pauses.pop_front();
    return pause;
}

uint32_t
SwitchEgress::Take(const Choice& choice, FrameStore& store)
{
    std::vector<IngressQueue>& queues = m_ingressQueues[choice.trafficClass];
    IngressQueue& queue = queues[choice.queue];
    const uint32_t number = queue.head;
    m_turns.Serve(choice.trafficClass, queue.ingress);
    queue.head = store[number].next;
    if (queue.head == FrameStore::NONE)
    {
        queues.erase(queues.begin() + choice.queue);
        if (queues.empty())
        {
            m_waiting &= ~(1U << choice.trafficClass);
        }
    }
    return number;
}

bool
SwitchEgress::IsPlain(Picoseconds now) const
{
    const bool held = std::any_of(m_heldUntil.begin(), m_heldUntil.end(), [now](Picoseconds until) {
        return until >= now;
    });
    return !held && m_pauses.empty() && m_rate.Get() == m_rate.At(now - 1) &&
           (m_rate.Get() == m_clock.GetRate() || m_busyUntil < now);
}

TransmitterState
SwitchEgress::GetState() const
{
    TransmitterState state;
    state.clock = m_clock;
    state.busyUntil = m_busyUntil;
    state.turns = m_turns;
    return state;
}

void
SwitchEgress::PutState(const TransmitterState& state)
{
    m_clock = state.clock;
    m_busyUntil = state.busyUntil;
    m_turns = state.turns;
}

void
SwitchEgress::Visit(FrameStore& store, const std::function<void(uint32_t)>& visit) const
{
    for (const std::vector<IngressQueue>& queues : m_ingressQueues)
    {
        for (const IngressQueue& queue : queues)
        {
            for (uint32_t number = queue.head; number != FrameStore::NONE;)
            {
                const uint32_t next = store[number].next;
                visit(number);
                number = next;
            }
        }
    }
}

void
SwitchEgress::RemoveAll()
{
    for (std::vector<IngressQueue>& queues : m_ingressQueues)
    {
        queues.clear();
    }
    m_waiting = 0;
}

FrameTimes
SwitchEgress::Occupy(Picoseconds start, bool wireWasIdle, uint32_t wireBytes)
{
    // a rate that was set at this instant does not apply yet on a busy wire
    const uint64_t rate = m_rate.At(wireWasIdle ? start : start - 1);
    if (rate != m_clock.GetRate())
    {
        m_clock = FrameClock(rate);
        m_clock.Start(start);
    }
    else if (wireWasIdle)
    {
        m_clock.Start(start);
    }
    const FrameTimes times = m_clock.Append(wireBytes);
    m_busyUntil = times.next;
    return times;
}

} // namespace ns3
