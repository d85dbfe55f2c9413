/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Frames that a fiber announces to the circuit switch when they go in: they have no event there,
// and nothing else differs from frames that have one. A callback of FramePassed brings the events.

#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/double.h"
#include "ns3/optical-fiber.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <random>
#include <sstream>

using namespace ns3;

namespace
{

/** Takes part in no result. */
void
Ignore(PortId, PortId, const WireFrame&)
{
}

/** Connects a callback for every frame of the switch, so that each has an event there. */
void
Observe(RailBench& bench)
{
    bench.ocs->TraceConnectWithoutContext("FramePassed", MakeCallback(&Ignore));
}

/** The number of events of a frame. */
class FrameEventsTest : public TestCase
{
  public:
    FrameEventsTest()
        : TestCase("a frame over a circuit has an event at each NIC, and none at the switch")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountEvents(false), 2 * FRAMES, "it goes on the wire, and arrives");
        NS_TEST_EXPECT_MSG_EQ(CountEvents(true), 3 * FRAMES, "with a callback at the switch");
    }

    static constexpr uint64_t FRAMES = 100;

    /** @return the events of frames that are sent back to back */
    static uint64_t CountEvents(bool isObserved)
    {
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        if (isObserved)
        {
            Observe(bench);
        }
        uint64_t before = 0;
        bench.Nic(0)->SetAttribute("QueueSize", StringValue("1000p"));
        bench.At(1000, [&] {
            for (uint32_t f = 0; f < FRAMES; ++f)
            {
                bench.Send(0, 1, f);
            }
            before = Simulator::GetEventCount();
        });
        bench.Run();
        return Simulator::GetEventCount() - before;
    }
};

/** A circuit that goes while frames are on their way to the switch. */
class TakenBackTest : public TestCase
{
  public:
    TakenBackTest()
        : TestCase("frames that were announced and find no circuit any more are lost at the switch")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        const Picoseconds last = 1000 + Span(1000) + FIBER; // the last bit of frame 0 at the switch
        const Picoseconds next = last + Slot(1000);
        bench.SendAt(1000, 0, 1, 0);
        bench.SendAt(1000, 0, 1, 1);
        bench.SendAt(1000, 0, 1, 2);
        bench.At(last, [&] { bench.ocs->Disconnect(PortId(0), PortId(1)); });
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(0), last + FIBER, "whole at the instant of the cut");
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 2, "the others");
        NS_TEST_EXPECT_MSG_EQ((bench.losses[0].reason == FrameDropReason::NO_CIRCUIT),
                              true,
                              "dark");
        NS_TEST_EXPECT_MSG_EQ(bench.losses[0].at, next, "when it comes to the switch");
        NS_TEST_EXPECT_MSG_EQ(bench.losses[1].at, next + Slot(1000), "and so the third");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetCounters().passed, 1, "the first");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetCounters().dropped, 2, "the others");
    }

    static Picoseconds Span(uint32_t payload)
    {
        return RailBench::Span(RailBench::BytesToLastBit(payload), RATE);
    }

    static Picoseconds Slot(uint32_t payload)
    {
        return RailBench::Span(RailBench::BytesOnWire(payload), RATE);
    }
};

/** Random frames, and whatever may happen to them on their way. */
class RandomTest : public TestCase
{
  public:
    RandomTest()
        : TestCase("random frames and disturbances: the same with and without events at the switch")
    {
    }

  private:
    static constexpr uint32_t HOSTS = 4;
    static constexpr Picoseconds END = 20'000'000;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 200; ++seed)
        {
            const std::string with = Simulate(seed, true);
            const std::string without = Simulate(seed, false);
            NS_TEST_ASSERT_MSG_EQ(without, with, "seed " << seed);
        }
    }

    /** @return all that can be observed */
    static std::string Simulate(uint32_t seed, bool isObserved)
    {
        std::ostringstream seen;
        std::mt19937_64 random(seed);
        const auto draw = [&random](uint64_t below) { return random() % below; };
        RailBench bench(HOSTS, RATE, draw(2) == 0 ? FIBER : 30 * FIBER);
        bench.Join(0, 1);
        bench.Join(2, 3);
        if (isObserved)
        {
            Observe(bench);
        }
        for (uint32_t number = 0; number < 100; ++number)
        {
            bench.SendAt(1000 + draw(END), draw(HOSTS), draw(HOSTS), number, 46 + draw(1400));
        }
        bench.audited = false; // frames may wait for light at the end
        const uint64_t disturbances = draw(12);
        for (uint64_t d = 0; d < disturbances; ++d)
        {
            Disturb(bench, 1000 + draw(END), draw(7), draw(HOSTS), draw(100), seen);
        }
        bench.Run();
        WriteCounts(bench, seen);
        return Describe(bench) + seen.str();
    }

    /** Something happens to a host's fiber, its port or the switch. */
    static void Disturb(RailBench& bench,
                        Picoseconds when,
                        uint64_t kind,
                        uint32_t host,
                        uint64_t share,
                        std::ostringstream& seen)
    {
        bench.At(when, [&bench, kind, host, share, &seen] {
            const Ptr<OpticalFiber> fiber = bench.rail.GetFiber(host);
            switch (kind)
            {
            case 0:
                fiber->Cut(share / 100.0);
                break;
            case 1:
                fiber->Splice();
                break;
            case 2:
                fiber->SetAttribute("FrameLossRate", DoubleValue(share / 200.0));
                break;
            case 3:
                bench.Nic(host)->SetPower(share % 2 == 0);
                break;
            case 4:
                bench.ocs->SetPower(share % 2 == 0);
                break;
            case 5:
                WriteCounts(bench, seen);
                break;
            default:
                Turn(bench, host, (host + 1 + share % (HOSTS - 1)) % HOSTS);
            }
        });
    }

    /** Joins two hosts in place of the circuits that they have. */
    static void Turn(RailBench& bench, uint32_t one, uint32_t other)
    {
        CircuitPlan plan;
        const CircuitMap& map = bench.ocs->GetMap();
        for (const Circuit& circuit : map.GetCircuits())
        {
            const auto touches = [&circuit](uint32_t host) {
                return circuit.low == PortId(host) || circuit.high == PortId(host);
            };
            if (touches(one) || touches(other))
            {
                plan.Disconnect(circuit.low, circuit.high);
            }
        }
        bench.ocs->Apply(plan.Connect(PortId(one), PortId(other)));
    }

    /** Writes all counts, now. */
    static void WriteCounts(const RailBench& bench, std::ostringstream& seen)
    {
        const OpticalCircuitSwitch::Counters& inside = bench.ocs->GetCounters();
        seen << "switch " << inside.received << " " << inside.passed << " " << inside.dropped
             << "\n";
        for (uint32_t h = 0; h < HOSTS; ++h)
        {
            const Ptr<OpticalFiber> fiber = bench.rail.GetFiber(h);
            const Ptr<RailNetDevice> nic = bench.Nic(h);
            for (const FiberEnd* end :
                 {static_cast<FiberEnd*>(PeekPointer(nic)), fiber->PeekPeer(PeekPointer(nic))})
            {
                const OpticalFiber::Counters& counts = fiber->GetCounters(end);
                seen << counts.sent << " " << counts.delivered << " " << counts.lost << " ";
            }
            seen << nic->GetCounters().sent << " " << nic->GetCounters().received << "\n";
        }
    }

    /** @return the arrivals and losses, in an order that does not depend on that of events */
    static std::string Describe(const RailBench& bench)
    {
        std::vector<std::string> lines;
        for (const RailBench::Arrival& arrival : bench.arrivals)
        {
            std::ostringstream line;
            line << arrival.at << " " << arrival.number << " at host " << arrival.host << "\n";
            lines.push_back(line.str());
        }
        for (const RailBench::Loss& loss : bench.losses)
        {
            std::ostringstream line;
            line << loss.at << " lost in " << loss.where << ": " << ToString(loss.reason) << "\n";
            lines.push_back(line.str());
        }
        std::sort(lines.begin(), lines.end());
        std::string all;
        for (const std::string& line : lines)
        {
            all += line;
        }
        return all;
    }
};

/** The suite of announced frames. */
class AnnounceTestSuite : public TestSuite
{
  public:
    AnnounceTestSuite()
        : TestSuite("photonic-rails-announce", TestSuite::Type::UNIT)
    {
        AddTestCase(new FrameEventsTest);
        AddTestCase(new TakenBackTest);
        AddTestCase(new RandomTest);
    }
};

AnnounceTestSuite g_announceTestSuite;

} // namespace
