/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The packet switch: when frames leave it and in which order, whatever the order of events that
// have equal times; their egress ports; its traces and counters.

#include "../support/photonic-rails-addresses.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-wire-units.h"
#include "photonic-rails-electrical-bench.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/mac48-address.h"
#include "ns3/mix-bits.h"
#include "ns3/node-container.h"
#include "ns3/node-list.h"
#include "ns3/nstime.h"
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** Time from a frame's first bit to the first bit of the next, at RATE. */
Picoseconds
Slot(uint32_t payload)
{
    return RailBench::BytesOnWire(payload) * BYTE;
}

/** From a frame's first bit at a host to its last at another, at RATE: whole at the switch. */
Picoseconds
Way(uint32_t payload)
{
    return 2 * (Length(payload) + FIBER);
}

} // namespace

/** One frame through an empty switch. */
class LatencyTest : public TestCase
{
  public:
    LatencyTest()
        : TestCase("one frame takes two transmissions, or with cut-through one and a header")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t rate : {100'000'000'000, 400'000'000'000, 425'000'000'000})
        {
            for (const Picoseconds delay : {0, 300'000})
            {
                for (const uint32_t payload : {46, 1000, 9000})
                {
                    const Picoseconds length =
                        RailBench::Span(RailBench::BytesToLastBit(payload), rate);
                    // preamble 8, Ethernet 14, IPv4 20, UDP 8
                    const Picoseconds header = RailBench::Span(8 + 14 + 20 + 8, rate);
                    for (const bool cutThrough : {false, true})
                    {
                        ElectricalBench bench(2, rate, FIBER, [&](ElectricalRailHelper& helper) {
                            helper.SetSwitchAttribute("SwitchingDelay", TimeValue(ToTime(delay)));
                            helper.SetSwitchAttribute(
                                "Forwarding",
                                StringValue(cutThrough ? "CutThrough" : "StoreAndForward"));
                        });
                        bench.SendAt(1000, 0, 1, 1, payload);
                        Simulator::Run();
                        const Picoseconds leaves =
                            1000 + FIBER + (cutThrough ? header : length) + delay;
                        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1),
                                              leaves + length + FIBER,
                                              rate << " b/s, " << payload << " bytes"
                                                   << (cutThrough ? ", cut-through" : ""));
                    }
                }
            }
        }
    }
};

/** Cut-through does not run dry: a fast egress waits for a slow ingress. */
class MixedRatesTest : public TestCase
{
  public:
    MixedRatesTest()
        : TestCase("cut-through only from a port that is at least as fast")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(2, RATE, FIBER, [](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("Forwarding", StringValue("CutThrough"));
        });
        // host 1 and its switch port are twice as fast
        bench.Nic(1)->SetAttribute("DataRate", DataRateValue(DataRate(2 * RATE)));
        bench.railSwitch->GetPort(PortId(1))->SetAttribute("DataRate",
                                                           DataRateValue(DataRate(2 * RATE)));
        bench.SendAt(1000, 0, 1, 1);
        const Picoseconds later = 10'000'000;
        bench.SendAt(later, 1, 0, 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1),
                              1000 + Length(1000) + FIBER + Length(1000) / 2 + FIBER,
                              "whole, then fast");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                              later + 50 * BYTE / 2 + FIBER + Length(1000) + FIBER,
                              "slow at once");
    }
};

/** A port that is set to another rate goes on at it with its next frame. */
class RateChangeTest : public TestCase
{
  public:
    RateChangeTest()
        : TestCase("a new rate of a switch port holds from the next frame on")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool observed : {true, false})
        {
            ElectricalBench bench(3, RATE, FIBER, nullptr, observed);
            bench.SendAt(1000, 0, 2, 1);
            bench.SendAt(1000, 1, 2, 2);
            const Picoseconds leaves = 1000 + Length(1000) + FIBER;
            bench.At(leaves + 1, [&bench] {
                bench.railSwitch->GetPort(PortId(2))->SetAttribute(
                    "DataRate",
                    DataRateValue(DataRate(RATE / 2)));
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), leaves + Length(1000) + FIBER, "had begun");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                                  leaves + Slot(1000) + 2 * Length(1000) + FIBER,
                                  "at half the rate");
        }
    }
};

/** Frames of several hosts for one leave back to back, at the instants of one clock. */
class SerialiseTest : public TestCase
{
  public:
    SerialiseTest()
        : TestCase("two flows to one port leave at the instants of one clock, in turn")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 425'000'000'000; // a byte lasts 18.82 ps
        const uint32_t wireBytes = 1082;
        const uint32_t frames = 500;
        ElectricalBench bench(3, rate, FIBER);
        bench.UseOffloads();
        bench.PostAt(1000, 0, 2, frames, wireBytes, 3);
        bench.PostAt(1000, 1, 2, frames, wireBytes, 3);
        Simulator::Run();
        const auto& arrivals = bench.loads[2]->arrivals;
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 2 * frames, "all came");
        // the wire turns busy when the first is whole at the switch, and never idle after that
        const Picoseconds anchor = 1000 + RailBench::Span(wireBytes - 12, rate) + FIBER;
        for (uint32_t i = 0; i < 2 * frames; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(arrivals[i].at,
                                  anchor + RailBench::Span(uint64_t{i + 1} * wireBytes - 12, rate) +
                                      FIBER,
                                  "frame " << i);
            NS_TEST_ASSERT_MSG_EQ(arrivals[i].from, i % 2, "in turn, from the lowest port");
            NS_TEST_ASSERT_MSG_EQ(arrivals[i].number, i / 2, "in order");
        }
    }
};

/** Frames that come at one instant: by class, then by ingress port, however events are ordered. */
class EqualTimesTest : public TestCase
{
  public:
    EqualTimesTest()
        : TestCase("frames of one instant leave by class and ingress port, not by event order")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint32_t> hosts{0, 1, 2, 3};
        do
        {
            ElectricalBench bench(5, RATE, FIBER);
            for (const uint32_t h : hosts)
            {
                // each sends two; those of hosts 1 and 3 are of a higher class
                const uint8_t priority = h % 2 == 1 ? 5 : 2;
                bench.SendAt(1000, h, 4, h, 1000, priority);
                bench.SendAt(1000, h, 4, 10 + h, 1000, priority);
            }
            Simulator::Run();
            // The second frames are there when the second frame out is on the wire.
            const std::vector<uint32_t> expected{1, 3, 11, 13, 0, 2, 10, 12};
            NS_TEST_ASSERT_MSG_EQ((bench.Order() == expected), true, "by class, then in turn");
            for (std::size_t i = 0; i < expected.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(bench.arrivals[i].at,
                                      static_cast<Picoseconds>(1000 + Way(1000) + i * Slot(1000)),
                                      "back to back");
            }
        } while (std::next_permutation(hosts.begin(), hosts.end()));
    }
};

/** At a frame boundary only what was queued before it is eligible. */
class SwitchBoundaryTest : public TestCase
{
  public:
    SwitchBoundaryTest()
        : TestCase("a busy port: what is whole at the very boundary comes after what was there")
    {
    }

  private:
    void DoRun() override
    {
        for (const Picoseconds early : {0, 1})
        {
            ElectricalBench bench(4, RATE, FIBER);
            bench.SendAt(1000, 0, 3, 1);
            bench.SendAt(1001, 1, 3, 2);
            bench.SendAt(1000 + Slot(1000) - early, 2, 3, 9, 1000, 7);
            Simulator::Run();
            const std::vector<uint32_t> expected =
                early == 0 ? std::vector<uint32_t>{1, 2, 9} : std::vector<uint32_t>{1, 9, 2};
            NS_TEST_EXPECT_MSG_EQ((bench.Order() == expected), true, early << " ps early");
        }
    }
};

/** A wire that falls idle begins anew, from a new anchor, with the lowest port. */
class IdleEgressTest : public TestCase
{
  public:
    IdleEgressTest()
        : TestCase("a frame that is whole as the wire falls idle leaves then, from a new anchor")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 425'000'000'000;
        const Picoseconds slot = RailBench::Span(RailBench::BytesOnWire(46), rate);
        const Picoseconds last = RailBench::Span(RailBench::BytesToLastBit(46), rate);
        const Picoseconds backToBack =
            RailBench::Span(RailBench::BytesOnWire(46) + RailBench::BytesToLastBit(46), rate);
        NS_TEST_ASSERT_MSG_NE(slot + last, backToBack, "so it can be seen");
        for (const Picoseconds second : {slot - 1, slot})
        {
            ElectricalBench bench(3, rate, FIBER);
            bench.SendAt(1000, 0, 2, 1, 46);
            bench.SendAt(1000 + second, 1, 2, 2, 46);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                                  1000 + last + FIBER +
                                      (second == slot ? slot + last : backToBack) + FIBER,
                                  second);
        }
    }
};

/** Unknown, own and group addresses. */
class DestinationsTest : public TestCase
{
  public:
    DestinationsTest()
        : TestCase("unknown addresses have no route, group addresses go to everybody else")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(4, RATE, FIBER);
        bench.railSwitch->SetAttribute("Mtu", UintegerValue(2000)); // less than that of the NICs
        bench.At(1000, [&] {
            bench.SendTo(0, Mac48Address("00:00:00:ff:ff:fe"), 1, 1000); // no host
            bench.SendTo(0, bench.Nic(0)->GetAddress(), 2, 1000);        // where it comes from
            bench.SendTo(0, Mac48Address::GetBroadcast(), 3, 1000);
            bench.SendTo(0, Mac48Address("01:00:5e:00:00:05"), 4, 1000);
            bench.SendTo(0, bench.Nic(1)->GetAddress(), 5, 2001);
        });
        Simulator::Run();
        const std::vector<uint32_t> order = bench.Order();
        for (const uint32_t number : {1, 2, 5})
        {
            NS_TEST_EXPECT_MSG_EQ(std::count(order.begin(), order.end(), number), 0, number);
        }
        for (const uint32_t number : {3, 4})
        {
            NS_TEST_EXPECT_MSG_EQ(std::count(order.begin(), order.end(), number), 3, number);
        }
        for (const RailBench::Arrival& arrival : bench.arrivals)
        {
            NS_TEST_EXPECT_MSG_NE(arrival.host, 0, "not back");
            NS_TEST_EXPECT_MSG_EQ(arrival.at,
                                  1000 + (arrival.number - 1) * Slot(1000) + Way(1000),
                                  "no copy waits for another");
        }
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 3, "each said");
        NS_TEST_EXPECT_MSG_EQ(bench.losses[0].reason, FrameDropReason::NO_ROUTE, "unknown");
        NS_TEST_EXPECT_MSG_EQ(bench.losses[1].reason, FrameDropReason::NO_ROUTE, "its own");
        NS_TEST_EXPECT_MSG_EQ(bench.losses[2].reason, FrameDropReason::OVERSIZED, "too large");
        // a trace fires when its instant is over
        NS_TEST_EXPECT_MSG_EQ(bench.losses[0].at, 1000 + Length(1000) + FIBER + 1, "when it came");
        const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
        NS_TEST_EXPECT_MSG_EQ(sum.received, 5, "frames");
        NS_TEST_EXPECT_MSG_EQ(sum.copied, 4, "two of each group frame beyond the first");
        NS_TEST_EXPECT_MSG_EQ(sum.received + sum.copied, sum.forwarded + sum.dropped, "all told");
        NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetFrames(), 0, "none left");
        NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetBufferUsed(), 0, "none left");
    }
};

/** Random traffic of hosts: it only has to be the same each time. */
class RandomTraffic
{
  public:
    /** @param seed which traffic */
    explicit RandomTraffic(uint32_t seed)
        : m_state(seed),
          m_equal(seed % 2 == 0)
    {
    }

    /** Schedules the traffic. @param order a seed for the order in which it is scheduled */
    void Schedule(ElectricalBench& bench, uint32_t order)
    {
        struct Send
        {
            Picoseconds when;
            uint32_t from;
            uint32_t to;
            uint32_t number;
            uint32_t payload;
            uint8_t trafficClass;
        };

        const uint32_t hosts = bench.rail.GetGpus();
        std::vector<Send> sends;
        for (uint32_t i = 0; i < 300; ++i)
        {
            Send send;
            // few instants, so that many are equal, and few destinations, so that queues build up
            send.when = 1000 + static_cast<Picoseconds>(Draw(20)) * 40'000;
            send.from = Draw(hosts);
            send.to = Draw(3);
            send.number = i;
            // where all are equal, they come at equal instants all along
            send.payload = 46 + (m_equal ? 2 : Draw(4)) * 500;
            send.trafficClass = Draw(3) == 0 ? 0 : 3;
            if (send.from != send.to)
            {
                sends.push_back(send);
            }
        }
        // frames that one host sends at one instant keep their order, all else is shuffled
        std::stable_sort(sends.begin(), sends.end(), [order](const Send& a, const Send& b) {
            const auto place = [order](const Send& send) {
                return order == 0 ? 0 : MixBits(MixBits(order + send.from) ^ send.when);
            };
            return place(a) < place(b);
        });
        for (const Send& send : sends)
        {
            if (send.number % 3 == 0)
            {
                bench.SendAt(send.when,
                             send.from,
                             send.to,
                             send.number,
                             send.payload,
                             send.trafficClass);
            }
            else
            {
                bench.PostAt(send.when,
                             send.from,
                             send.to,
                             1 + send.number % 20,
                             send.payload + 38,
                             send.trafficClass,
                             send.number);
            }
        }
    }

  private:
    uint32_t Draw(uint32_t below)
    {
        m_state = m_state * 1664525 + 1013904223;
        return (m_state >> 8) % below;
    }

    uint32_t m_state;
    bool m_equal;
};

/** Whether the switch lets its decisions wait makes no difference, nor does the order of events. */
class SameResultsTest : public TestCase
{
  public:
    SameResultsTest()
        : TestCase("results depend neither on who listens nor on the order of equal events")
    {
    }

  private:
    /** @return the digest of one run */
    uint64_t Digest(uint32_t seed, bool observed, uint32_t order)
    {
        ElectricalBench bench(
            8,
            RATE,
            seed % 6 == 0 ? 0 : FIBER + 1000 * seed,
            [seed](ElectricalRailHelper& helper) {
                helper.SetSwitchAttribute(
                    "Forwarding",
                    StringValue(seed % 4 < 2 ? "StoreAndForward" : "CutThrough"));
                helper.SetSwitchAttribute("SwitchingDelay", TimeValue(ToTime(seed % 3 * 123'457)));
                // so little memory that there are pauses and drops
                helper.SetSwitchAttribute("Mtu", UintegerValue(1600));
                helper.SetSwitchAttribute("BufferSize", UintegerValue(400'000));
                helper.SetSwitchAttribute("EcnKmin", UintegerValue(5'000));
                helper.SetSwitchAttribute("EcnKmax", UintegerValue(50'000));
                helper.SetRadix(seed % 5 == 4 ? 4 : 64); // one in five is a fabric
            },
            observed);
        bench.UseOffloads();
        // in some runs every other host is twice as fast
        for (uint32_t h = 0; h < 8 && seed % 8 > 4; h += 2)
        {
            const DataRateValue fast(DataRate(2 * RATE));
            bench.Nic(h)->SetAttribute("DataRate", fast);
            ElectricalRailHelper::GetSwitchPort(bench.rail, h)->SetAttribute("DataRate", fast);
        }
        RandomTraffic(seed).Schedule(bench, order);
        Simulator::Run();
        const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
        m_marked += sum.marked;
        m_dropped += sum.dropped;
        m_paused += sum.pausesSent;
        return bench.Digest() ^ sum.marked ^ sum.dropped << 20 ^ sum.pausesSent << 40;
    }

    void DoRun() override
    {
        const bool sameAddresses = AddressesBeginAnew();
        for (uint32_t seed = 1; seed <= 24; ++seed)
        {
            if (seed % 5 == 4 && !sameAddresses)
            {
                continue; // which spine a frame takes depends on addresses
            }
            const uint64_t digest = Digest(seed, true, 0);
            NS_TEST_EXPECT_MSG_EQ(Digest(seed, true, 0), digest, "the same again " << seed);
            NS_TEST_EXPECT_MSG_EQ(Digest(seed, false, 0), digest, "unobserved " << seed);
            NS_TEST_EXPECT_MSG_EQ(Digest(seed, true, 77 + seed), digest, "shuffled " << seed);
            NS_TEST_EXPECT_MSG_EQ(Digest(seed, false, 99 + seed), digest, "both " << seed);
        }
        NS_TEST_EXPECT_MSG_GT(m_marked, 1000, "there was something to mark");
        NS_TEST_EXPECT_MSG_GT(m_dropped, 1000, "and to drop");
        NS_TEST_EXPECT_MSG_GT(m_paused, 1000, "and to pause");
    }

    uint64_t m_marked{0};
    uint64_t m_dropped{0};
    uint64_t m_paused{0};
};

/** In the midst of it, counters and gauges are those of the instant. */
class MidwayTest : public TestCase
{
  public:
    MidwayTest()
        : TestCase("frames in are frames out, dropped or still inside, at any instant")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(4, RATE, FIBER, nullptr, false);
        bench.UseOffloads();
        for (uint32_t h = 0; h < 3; ++h)
        {
            bench.PostAt(1000, h, 3, 100, 1082, 3);
        }
        // Three frames come in while one goes out. Just before frame k leaves, k have left.
        const Picoseconds slot = 1082 * BYTE;
        const Picoseconds leaves = 1000 + (1082 - 12) * BYTE + FIBER;
        for (uint32_t k = 1; k < 90; k += 7)
        {
            bench.At(leaves + k * slot - 1, [&bench, k, this] {
                const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
                NS_TEST_EXPECT_MSG_EQ(sum.received, 3 * k, "in");
                NS_TEST_EXPECT_MSG_EQ(sum.forwarded, k, "out");
                NS_TEST_EXPECT_MSG_EQ(sum.received,
                                      sum.forwarded + bench.railSwitch->GetFrames(),
                                      "all");
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetQueue(PortId(3), 3),
                                      2 * k * (1082 - 20),
                                      "without preamble and gap");
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetBufferUsed(),
                                      2 * k * (1082 - 20),
                                      "so too");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.loads[3]->arrivals.size(), 300, "all came");
        NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetFrames(), 0, "none left");
    }
};

/** A switch with nothing to do costs nothing. */
class SilentSwitchTest : public TestCase
{
  public:
    SilentSwitchTest()
        : TestCase("a silent electrical rail has no events")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(64, RATE, FIBER);
        const auto count = [] { return Simulator::GetEventCount(); };
        uint64_t before = 0;
        bench.At(2, [&] { before = count(); });
        bench.At(1'000'000'000'000, [&] {
            NS_TEST_EXPECT_MSG_EQ(count() - before, 1, "this event alone, in a second");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Nic(0)->HasCarrier(), true, "a switch port sends light");
    }
};

/** The number of events of a frame. */
class EventsTest : public TestCase
{
  public:
    EventsTest()
        : TestCase("a frame costs an event at each NIC, and next to none at the switch")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(8, RATE, FIBER, nullptr, false);
        bench.UseOffloads();
        const uint64_t frames = 1000;
        for (uint32_t h = 0; h < 8; ++h)
        {
            bench.PostAt(1000 + h * 1234, h, (h + 1) % 8, frames, 1082, 3);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 8 * frames * 22 / 10, "about two");
    }
};

/** Frames that are announced to a switch, and whatever may happen to them on their way. */
class AnnouncedFramesTest : public TestCase
{
  public:
    AnnouncedFramesTest()
        : TestCase("random frames and disturbances: the same with and without events at the switch")
    {
    }

  private:
    static constexpr uint32_t HOSTS = 6;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 100; ++seed)
        {
            // a callback of a trace source of the switch brings events
            NS_TEST_ASSERT_MSG_EQ(Simulate(seed, false), Simulate(seed, true), "seed " << seed);
        }
    }

    /** @return all that can be observed */
    static std::string Simulate(uint32_t seed, bool isObserved)
    {
        constexpr Picoseconds END = 10'000'000;
        std::mt19937_64 random(seed);
        const auto draw = [&random](uint64_t below) { return random() % below; };
        const bool cutThrough = draw(2) == 0;
        const Picoseconds delay = draw(2) == 0 ? 0 : 123'456;
        const auto prepare = [cutThrough, delay](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("Forwarding",
                                      StringValue(cutThrough ? "CutThrough" : "StoreAndForward"));
            helper.SetSwitchAttribute("SwitchingDelay", TimeValue(ToTime(delay)));
        };
        ElectricalBench bench(HOSTS, RATE, FIBER, prepare, isObserved);
        bench.audited = false; // frames may wait for light at the end
        for (uint32_t number = 0; number < 300; ++number)
        {
            const uint32_t from = draw(HOSTS);
            const uint32_t to = (from + 1 + draw(HOSTS - 1)) % HOSTS;
            bench.SendAt(1000 + draw(END), from, to, number, 46 + draw(1400), draw(8));
        }
        std::ostringstream seen;
        for (uint64_t d = draw(10); d > 0; --d)
        {
            const uint64_t kind = draw(4);
            const uint64_t share = draw(100);
            const Ptr<OpticalFiber> fiber = bench.rail.GetFiber(draw(HOSTS));
            ElectricalBench::At(1000 + draw(END), [&bench, &seen, fiber, kind, share] {
                if (kind == 0)
                {
                    fiber->Cut(share / 100.0);
                }
                else if (kind == 1)
                {
                    fiber->Splice();
                }
                else if (kind == 2)
                {
                    fiber->SetAttribute("FrameLossRate", DoubleValue(share / 300.0));
                }
                else
                {
                    WriteCounts(bench, seen);
                }
            });
        }
        Simulator::Run();
        WriteCounts(bench, seen);
        std::vector<std::pair<Picoseconds, uint32_t>> arrivals;
        for (const RailBench::Arrival& arrival : bench.arrivals)
        {
            arrivals.emplace_back(arrival.at, arrival.number);
        }
        std::sort(arrivals.begin(), arrivals.end()); // those of one instant come in any order
        for (const auto& [at, number] : arrivals)
        {
            seen << number << " at " << at << "\n";
        }
        return seen.str();
    }

    /** Writes the counts of switch and fibers, now. */
    static void WriteCounts(const ElectricalBench& bench, std::ostringstream& seen)
    {
        const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
        seen << NowPicoseconds() << " " << sum.received << " " << sum.receivedBytes << " "
             << sum.forwarded << " " << sum.dropped << " " << bench.railSwitch->GetFrames();
        for (uint32_t h = 0; h < HOSTS; ++h)
        {
            const OpticalFiber::Counters& up =
                bench.rail.GetFiber(h)->GetCounters(PeekPointer(bench.Nic(h)));
            seen << " " << up.sent << " " << up.delivered << " " << up.lost;
        }
        seen << "\n";
    }
};

/** The number of events of a message. */
class MessageEventsTest : public TestCase
{
  public:
    MessageEventsTest()
        : TestCase("a message has no more events if many wait at all NICs than if few do")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t FEW = 10;
        constexpr uint64_t MANY = 200; // with an answer to each at one instant the switch is full
        const double few = static_cast<double>(CountEvents(FEW)) / FEW;
        const double many = static_cast<double>(CountEvents(MANY)) / MANY;
        NS_TEST_EXPECT_MSG_LT(many, 1.02 * few, "but for begin and end");
    }

    /** @return the events in which each host sends messages to the next */
    static uint64_t CountEvents(uint64_t messages)
    {
        constexpr uint32_t HOSTS = 16;
        ElectricalBench bench(HOSTS, RATE, FIBER, nullptr, false);
        NodeContainer gpus;
        for (uint32_t h = 0; h < HOSTS; ++h)
        {
            gpus.Add(bench.rail.GetGpu(h));
        }
        RdmaHelper().Install(gpus);
        for (uint32_t h = 0; h < HOSTS; ++h)
        {
            const auto ends = RdmaEngine::Connect(gpus.Get(h), gpus.Get((h + 1) % HOSTS));
            const auto post = [from = ends.first, messages] {
                for (uint64_t m = 0; m < messages; ++m)
                {
                    from->Post(RdmaVerb::WRITE, 1 << 20);
                }
            };
            bench.At(1000 + h * 1'234'567, post); // so that few events have the same instant
        }
        Simulator::Run();
        return Simulator::GetEventCount();
    }
};

/** How often a congested switch is looked at. */
class RefusedTrainsTest : public TestCase
{
  public:
    RefusedTrainsTest()
        : TestCase("a switch with many ports that may not go in trains is not asked at each try")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOSTS = 64; // as many ports take two tries to look at
        ElectricalBench bench(HOSTS, RATE, FIBER, nullptr, false);
        NodeContainer gpus;
        for (uint32_t h = 0; h < HOSTS; ++h)
        {
            gpus.Add(bench.rail.GetGpu(h));
        }
        RdmaHelper().Install(gpus);
        for (uint32_t h = 1; h <= 8; ++h) // all to one: frames wait for as long as they send
        {
            const auto ends = RdmaEngine::Connect(gpus.Get(h), gpus.Get(0));
            bench.At(1000, [from = ends.first] { from->Post(RdmaVerb::WRITE, 16 << 20); });
        }
        bool isSpared = false;
        bench.At(100'000'000, [&] {
            for (uint32_t h = 1; h <= 8; ++h)
            {
                const RailNetDevice::Trains& trains = bench.Nic(h)->GetTrains();
                isSpared = isSpared || (trains.refused > 0 &&
                                        trains.why == "an attempt shortly before was refused");
            }
            Simulator::Stop();
        });
        bench.audited = false;
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(isSpared, true, "some tries have not looked at it");
    }
};

/** The trace sources by Config path. */
class ElectricalTracesTest : public TestCase
{
  public:
    ElectricalTracesTest()
        : TestCase("trace sources: by path, at the right instant, with what they promise")
    {
    }

  private:
    void Passed(PortId in, PortId out, const WireFrame& frame)
    {
        ++m_passed;
        m_in = in;
        m_out = out;
        m_first = frame.first;
        m_firedAt = NowPicoseconds();
    }

    void Depth(PortId port, uint32_t trafficClass, uint64_t bytes)
    {
        m_depths.push_back(bytes);
        NS_TEST_EXPECT_MSG_EQ(port, PortId(1), "port");
        NS_TEST_EXPECT_MSG_EQ(trafficClass, 2, "class");
    }

    void Used(uint64_t bytes)
    {
        m_used.push_back(bytes);
    }

    void DoRun() override
    {
        ElectricalBench bench(2, RATE, FIBER, nullptr, false);
        const std::string path = "/NodeList/*/$ns3::ElectricalRailSwitch/";
        Config::ConnectWithoutContext(path + "FramePassed",
                                      MakeCallback(&ElectricalTracesTest::Passed, this));
        Config::ConnectWithoutContext(path + "QueueDepth",
                                      MakeCallback(&ElectricalTracesTest::Depth, this));
        Config::ConnectWithoutContext(path + "BufferUsed",
                                      MakeCallback(&ElectricalTracesTest::Used, this));
        bench.SendAt(1000, 0, 1, 1, 1000, 2);
        Simulator::Run();
        const Picoseconds leaves = 1000 + Length(1000) + FIBER;
        NS_TEST_EXPECT_MSG_EQ(m_passed, 1, "one frame");
        NS_TEST_EXPECT_MSG_EQ(m_in, PortId(0), "by the one");
        NS_TEST_EXPECT_MSG_EQ(m_out, PortId(1), "by the other");
        NS_TEST_EXPECT_MSG_EQ(m_first, leaves, "its first bit");
        NS_TEST_EXPECT_MSG_EQ(m_firedAt, leaves + 1, "when the instant is over");
        const std::vector<uint64_t> expected{14 + 1000 + 4, 0};
        NS_TEST_EXPECT_MSG_EQ((m_depths == expected), true, "in and out");
        NS_TEST_EXPECT_MSG_EQ((m_used == expected), true, "in and out");
    }

    uint32_t m_passed{0};
    PortId m_in;
    PortId m_out;
    Picoseconds m_first{0};
    Picoseconds m_firedAt{0};
    std::vector<uint64_t> m_depths;
    std::vector<uint64_t> m_used;
};

/** Mistakes of users. */
std::vector<Mistake>
Mistakes()
{
    const auto install = [](uint32_t gpus, const std::function<void(ElectricalRailHelper&)>& set) {
        return [=] {
            ElectricalRailHelper helper;
            set(helper);
            const Rail rail = helper.Install(NodeContainer(gpus));
            Simulator::Run();
        };
    };
    return {
        {"an odd radix",
         install(2, [](ElectricalRailHelper& helper) { helper.SetRadix(7); }),
         {"ElectricalRailHelper", "7", "even"}},
        {"more than two levels",
         install(9, [](ElectricalRailHelper& helper) { helper.SetRadix(4); }),
         {"ElectricalRailHelper", "9 ports", "at most 8", "SetRadix"}},
        {"too little memory",
         install(16,
                 [](ElectricalRailHelper& helper) {
                     helper.SetSwitchAttribute("BufferSize", UintegerValue(100'000));
                 }),
         {"16 ports", "headroom", "100000", "BufferSize"}},
        {"no alpha",
         install(2,
                 [](ElectricalRailHelper& helper) {
                     helper.SetSwitchAttribute("Alpha", StringValue("0"));
                 }),
         {"alpha of 0", "1/65536"}},
        {"pauses that are over at once",
         install(2,
                 [](ElectricalRailHelper& helper) {
                     helper.SetSwitchAttribute("PauseQuanta", UintegerValue(100));
                 }),
         {"PauseQuanta of 100", "9018", "at least"}},
        {"Kmin beyond Kmax",
         install(2,
                 [](ElectricalRailHelper& helper) {
                     helper.SetSwitchAttribute("EcnKmin", UintegerValue(1'000'000'000));
                 }),
         {"Kmin of 1000000000", "Kmax"}},
        {"a switch on no node",
         [] { CreateObject<ElectricalRailSwitch>()->AddPort(); },
         {"ElectricalRailSwitch", "aggregate", "Node"}},
        {"a port that is not there",
         [] {
             ElectricalRailHelper helper;
             helper.Install(NodeContainer(2))
                 .GetSwitchNode()
                 ->GetObject<ElectricalRailSwitch>()
                 ->GetCounters(PortId(2));
         },
         {"GetCounters", "no port 2", "2 ports"}},
    };
}

/** The suite. */
class ElectricalTestSuite : public TestSuite
{
  public:
    ElectricalTestSuite()
        : TestSuite("photonic-rails-electrical", TestSuite::Type::UNIT)
    {
        AddTestCase(new LatencyTest);
        AddTestCase(new MixedRatesTest);
        AddTestCase(new RateChangeTest);
        AddTestCase(new SerialiseTest);
        AddTestCase(new EqualTimesTest);
        AddTestCase(new SwitchBoundaryTest);
        AddTestCase(new IdleEgressTest);
        AddTestCase(new DestinationsTest);
        AddTestCase(new SameResultsTest);
        AddTestCase(new MidwayTest);
        AddTestCase(new SilentSwitchTest);
        AddTestCase(new EventsTest);
        AddTestCase(new AnnouncedFramesTest);
        AddTestCase(new MessageEventsTest);
        AddTestCase(new RefusedTrainsTest);
        AddTestCase(new ElectricalTracesTest);
        AddTestCase(new MistakesTest("mistakes stop with what to do about them", Mistakes()));
    }
};

static ElectricalTestSuite g_electricalTestSuite;
