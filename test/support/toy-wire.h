/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TOY_WIRE_H
#define PHOTONIC_RAILS_TOY_WIRE_H

#include "ns3/frame-clock.h"
#include "ns3/rdma-port.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Time without a simulator: events of one instant run in an order that is drawn at random, so
 * results that depend on it do not come out the same twice.
 */
class ToyTime
{
  public:
    explicit ToyTime(uint64_t seed);

    Picoseconds Now() const
    {
        return m_now;
    }

    void At(Picoseconds when, std::function<void()> what)
    {
        m_events.emplace(std::make_tuple(when, m_random(), m_count++), std::move(what));
    }

    /** Runs until nothing is left, or so many events have run. @return whether nothing is left */
    bool Run(uint64_t most = 10'000'000);

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
    /** The frames on the wire: first bit, frames, PSN, opcode, size. */
    using Sent = std::tuple<Picoseconds, uint64_t, uint32_t, RoceOpcode, uint64_t>;

    ToyEnd(ToyTime& time, uint64_t rate, uint32_t number, bool runs);
    static Mac48Address AddressOf(uint32_t number);

    /** Makes what congestion control a queue pair has; null: none. */
    using Congestion = std::function<std::unique_ptr<CongestionState>()>;

    /** Adds a queue pair between two ports. @return its number at both */
    static uint32_t Join(RdmaPort& a,
                         RdmaPort& b,
                         const QueuePairSettings& settings,
                         const Congestion& congestion);
    void SetCarrier(bool carrier);

    // RdmaPortOwner
    Picoseconds GetNow() const override
    {
        return m_time.Now();
    }

    void NotifyReady() override
    {
        Kick();
    }

    void WakeAt(uint32_t queuePair, Picoseconds when) override;

    void NotifySettled(uint32_t, const RdmaMessage& message) override
    {
        settled.emplace_back(message.id, m_time.Now());
    }

    void NotifyArrived(uint32_t, const RdmaMessage& message) override;
    void NotifyFailed(uint32_t,
                      const std::vector<RdmaMessage>& open,
                      const std::string& why) override;

    RdmaPort port;
    ToyEnd* peer{nullptr};
    Picoseconds delay{0};
    std::function<bool(const WireFrame&)> lose; //!< called for each frame that goes on the wire
    std::vector<Sent> sent;
    std::vector<std::pair<uint64_t, Picoseconds>> settled;
    std::vector<RdmaMessage> arrived;
    std::vector<Picoseconds> arrivedAt;
    std::vector<uint64_t> failed;
    std::string reason;
    Picoseconds failedAt{NEVER};

  private:
    void Kick();
    void Decide();
    void Put(const FrameRun& peeked, int c, Picoseconds now, bool idle);

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
    ToyPair(uint64_t seed, uint64_t rate, Picoseconds delay, bool runs);

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
