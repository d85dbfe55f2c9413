/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toy-wire.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

ToyTime::ToyTime(uint64_t seed)
    : m_random(seed)
{
}

bool
ToyTime::Run(uint64_t most)
{
    while (!m_events.empty())
    {
        if (most-- == 0)
        {
            return false;
        }
        auto first = m_events.begin();
        m_now = std::get<0>(first->first);
        const auto what = std::move(first->second);
        m_events.erase(first);
        what();
    }
    return true;
}

ToyEnd::ToyEnd(ToyTime& time, uint64_t rate, uint32_t number, bool runs)
    : port(*this, AddressOf(number), number),
      m_time(time),
      m_clock(rate),
      m_runs(runs)
{
}

Mac48Address
ToyEnd::AddressOf(uint32_t number)
{
    uint8_t bytes[6] = {2, 0, 0, 0, 0, static_cast<uint8_t>(number)};
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

uint32_t
ToyEnd::Join(RdmaPort& a,
             RdmaPort& b,
             const QueuePairSettings& settings,
             const Congestion& congestion)
{
    const auto make = [&] {
        return congestion ? congestion() : std::make_unique<CongestionState>();
    };
    const uint32_t id = a.Create(settings, make());
    b.Create(settings, make());
    a.Connect(id, {b.GetMac(), b.GetIp(), id});
    b.Connect(id, {a.GetMac(), a.GetIp(), id});
    return id;
}

void
ToyEnd::SetCarrier(bool carrier)
{
    m_carrier = carrier;
    port.NotifyCarrier(carrier);
    Kick();
}

void
ToyEnd::WakeAt(uint32_t queuePair, Picoseconds when)
{
    if (when != NEVER && m_wakes.insert({queuePair, when}).second)
    {
        m_time.At(when, [this, queuePair, when] {
            m_wakes.erase({queuePair, when});
            port.Wake(queuePair);
        });
    }
}

void
ToyEnd::NotifyArrived(uint32_t, const RdmaMessage& message)
{
    arrived.push_back(message);
    arrivedAt.push_back(m_time.Now());
}

void
ToyEnd::NotifyFailed(uint32_t, const std::vector<RdmaMessage>& open, const std::string& why)
{
    for (const RdmaMessage& message : open)
    {
        failed.push_back(message.id);
    }
    reason = why;
    failedAt = m_time.Now();
}

void
ToyEnd::Kick()
{
    if (m_pending || !m_carrier)
    {
        return;
    }
    m_pending = true;
    const Picoseconds now = m_time.Now();
    m_time.At(now < m_busyUntil ? m_busyUntil : now + 1, [this] { Decide(); });
}

void
ToyEnd::Decide()
{
    m_pending = false;
    const Picoseconds now = m_time.Now();
    const bool idle = now != m_busyUntil;
    FrameRun run;
    const uint32_t classes = port.GetReadyClasses();
    for (int c = 7; c >= 0 && m_carrier; --c)
    {
        if ((classes >> c & 1) != 0 && port.PeekRun(c, idle ? ~0U : m_served[c], now - 1, run))
        {
            m_served[c] = run.id;
            Put(run, c, now, idle);
            Kick();
            return;
        }
    }
    for (int c = 7; c >= 0; --c)
    {
        if (port.PeekRun(c, ~0U, now, run))
        {
            Kick();
            return;
        }
    }
}

void
ToyEnd::Put(const FrameRun& peeked, int c, Picoseconds now, bool idle)
{
    const FrameRun run = m_runs ? peeked : peeked.Head(1);
    if (idle)
    {
        m_clock.Start(now - 1);
        // an idle wire begins with the lowest number in every class
        std::fill(std::begin(m_served), std::end(m_served), ~0U);
        m_served[c] = run.id;
    }
    WireFrame head;
    RoceFrame tail;
    head.run = run;
    head.trafficClass = c;
    head.wireBytes = run.count == 1 ? run.lastWireBytes : run.wireBytes;
    const RunClock times(m_clock, run);
    const RunClock there(m_clock, run, delay);
    port.CommitRun(run, now - 1, times, head, run.count > 1 ? &tail : nullptr);
    const FrameTimes whole = m_clock.Append(run.GetWireBytes());
    m_busyUntil = whole.next;
    head.first = times.First(0) + delay;
    head.last = times.Last(0) + delay;
    for (uint64_t i = 0; i < run.count; ++i)
    {
        const RoceFrame& frame = i + 1 == run.count && i > 0 ? tail : head.roce;
        sent.emplace_back(times.First(i),
                          1,
                          (head.roce.psn + i) & RoceFrame::PSN_MASK,
                          i == 0 || i + 1 == run.count ? frame.opcode : head.roce.opcode,
                          i + 1 == run.count ? run.lastWireBytes : run.wireBytes);
    }
    if (lose && lose(head))
    {
        return;
    }
    m_time.At(whole.last + delay,
              [this, head, tail, there] { peer->port.ReceiveRun(head, tail, there); });
}

ToyPair::ToyPair(uint64_t seed, uint64_t rate, Picoseconds delay, bool runs)
    : time(seed),
      a(time, rate, 1, runs),
      b(time, rate, 2, runs)
{
    a.peer = &b;
    b.peer = &a;
    a.delay = b.delay = delay;
    a.SetCarrier(true);
    b.SetCarrier(true);
}

} // namespace ns3
