/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TOY_WIRE_H
#define PHOTONIC_RAILS_TOY_WIRE_H

#include "ns3/frame-clock.h"
#include "ns3/rdma-port.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * Time without a simulator: events of one instant run in an order that is drawn at random, so what
 * depends on it does not come out the same twice.
 */
class ToyTime
{
  public:
    explicit ToyTime(uint64_t seed)
        : m_random(seed)
    {
    }

    Picoseconds Now() const
    {
        return m_now;
    }

    void At(Picoseconds when, std::function<void()> what)
    {
        m_events.emplace(std::make_tuple(when, m_random(), m_count++), std::move(what));
    }

    /** Runs until nothing is left, or so many events have run. @return whether nothing is left */
    bool Run(uint64_t most = 10'000'000)
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

  private:
    std::mt19937_64 m_random;
    uint64_t m_count{0};
    Picoseconds m_now{0};
    std::map<std::tuple<Picoseconds, uint64_t, uint64_t>, std::function<void()>> m_events;
};

/** One end: an RdmaPort behind the simplest NIC there can be. */
class ToyEnd : public RdmaPortOwner
{
  public:
    /** What went on the wire: first bit, frames, PSN, opcode, size. */
    using Sent = std::tuple<Picoseconds, uint64_t, uint32_t, RoceOpcode, uint64_t>;

    ToyEnd(ToyTime& time, uint64_t rate, uint32_t number, bool runs)
        : port(*this, AddressOf(number), number),
          m_time(time),
          m_clock(rate),
          m_runs(runs)
    {
    }

    static Mac48Address AddressOf(uint32_t number)
    {
        uint8_t bytes[6] = {2, 0, 0, 0, 0, static_cast<uint8_t>(number)};
        Mac48Address address;
        address.CopyFrom(bytes);
        return address;
    }

    /** Makes what congestion control a queue pair has; null: none. */
    using Congestion = std::function<std::unique_ptr<CongestionState>()>;

    /** Adds a queue pair between two ports. @return its number at both */
    static uint32_t Join(RdmaPort& a,
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

    void SetCarrier(bool carrier)
    {
        m_carrier = carrier;
        port.NotifyCarrier(carrier);
        Kick();
    }

    // RdmaPortOwner
    Picoseconds GetNow() const override
    {
        return m_time.Now();
    }

    void NotifyReady() override
    {
        Kick();
    }

    void WakeAt(uint32_t queuePair, Picoseconds when) override
    {
        if (when != NEVER && m_wakes.insert({queuePair, when}).second)
        {
            m_time.At(when, [this, queuePair, when] {
                m_wakes.erase({queuePair, when});
                port.Wake(queuePair);
            });
        }
    }

    void NotifySettled(uint32_t, const RdmaMessage& message) override
    {
        settled.emplace_back(message.id, m_time.Now());
    }

    void NotifyArrived(uint32_t, const RdmaMessage& message) override
    {
        arrived.push_back(message);
        arrivedAt.push_back(m_time.Now());
    }

    void NotifyFailed(uint32_t,
                      const std::vector<RdmaMessage>& open,
                      const std::string& why) override
    {
        for (const RdmaMessage& message : open)
        {
            failed.push_back(message.id);
        }
        reason = why;
        failedAt = m_time.Now();
    }

    RdmaPort port;
    ToyEnd* peer{nullptr};
    Picoseconds delay{0};
    std::function<bool(const WireFrame&)> lose; //!< asked for each frame that goes on the wire
    std::vector<Sent> sent;
    std::vector<std::pair<uint64_t, Picoseconds>> settled;
    std::vector<RdmaMessage> arrived;
    std::vector<Picoseconds> arrivedAt;
    std::vector<uint64_t> failed;
    std::string reason;
    Picoseconds failedAt{NEVER};

  private:
    void Kick()
    {
        if (m_pending || !m_carrier)
        {
            return;
        }
        m_pending = true;
        const Picoseconds now = m_time.Now();
        m_time.At(now < m_busyUntil ? m_busyUntil : now + 1, [this] { Decide(); });
    }

    void Decide()
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

    void Put(const FrameRun& peeked, int c, Picoseconds now, bool idle)
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

    ToyTime& m_time;
    FrameClock m_clock;
    bool m_runs;
    bool m_carrier{false};
    bool m_pending{false};
    Picoseconds m_busyUntil{ALWAYS_BEFORE};
    uint32_t m_served[8]{};
    std::set<std::pair<uint32_t, Picoseconds>> m_wakes;
};

/** Two ends, joined since before time began. */
class ToyPair
{
  public:
    ToyPair(uint64_t seed, uint64_t rate, Picoseconds delay, bool runs)
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

    /** Adds a queue pair. @return its number at both ends */
    uint32_t Join(const QueuePairSettings& settings, const ToyEnd::Congestion& congestion = nullptr)
    {
        return ToyEnd::Join(a.port, b.port, settings, congestion);
    }

    ToyTime time;
    ToyEnd a;
    ToyEnd b;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TOY_WIRE_H */
