/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Changes in the course of a run: delays of fibers and switches, rates of ports. No frame and no
// light overtakes those that went in before it, and no bit leaves a switch before it has come.

#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"
#include "photonic-rails-electrical-bench.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

using namespace ns3;

namespace
{

void
SetDelay(const Ptr<OpticalFiber>& fiber, Picoseconds delay)
{
    fiber->SetAttribute("Delay", TimeValue(ToTime(delay)));
}

void
SetRate(const Ptr<NetDevice>& port, uint64_t rate)
{
    port->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
}

/** @return a mistake on an optical rail of two hosts with a circuit, at an instant of a frame */
Mistake
OnOpticalRail(const std::string& name,
              Picoseconds at,
              const std::function<void(RailBench&)>& make,
              const std::vector<std::string>& words)
{
    return {name,
            [=] {
                RailBench bench(2, RATE, FIBER);
                bench.Join(0, 1);
                bench.SendAt(1000, 0, 1, 1);
                bench.At(at, [&bench, make] { make(bench); });
                bench.Run();
            },
            words};
}

/** @return a mistake on an electrical rail of two hosts */
Mistake
OnElectricalRail(const std::string& name,
                 Picoseconds at,
                 const std::function<void(ElectricalBench&)>& make,
                 const std::vector<std::string>& words)
{
    return {name,
            [=] {
                ElectricalBench bench(2, RATE, FIBER);
                if (at < 0)
                {
                    make(bench);
                }
                else
                {
                    bench.At(at, [&bench, make] { make(bench); });
                }
                Simulator::Run();
            },
            words};
}

/** @return a mistake with a message in flight on a fiber of 1 ms, in trains or not */
Mistake
WithMessageInFlight(const std::string& fidelity)
{
    return {"a delay that is shortened under a message, " + fidelity,
            [fidelity] {
                Config::SetGlobal("PhotonicRailsFidelity", StringValue(fidelity));
                RailBench bench(2, RATE, 1'000'000'000);
                bench.Join(0, 1);
                RdmaHelper().Install(NodeContainer(bench.rail.GetGpu(0), bench.rail.GetGpu(1)));
                const auto ends = RdmaEngine::Connect(bench.rail.GetGpu(0), bench.rail.GetGpu(1));
                bench.At(1000, [&] { ends.first->Post(RdmaVerb::WRITE, 1'000'000); });
                // the message takes 82 us; a millisecond later its last bit goes into fiber 1
                bench.At(1'500'000'000, [&] { SetDelay(bench.rail.GetFiber(1), FIBER); });
                bench.Run();
            },
            {"OpticalFiber", "from 1000000000 to 50000 ps", "at 1500000000 ps", "on its way"}};
}

std::vector<Mistake>
MistakesWithChanges()
{
    // the frame is on the first fiber from 1 ns on, and out of it a delay and its length later
    const std::string out = std::to_string(1000 + Length(1000) + FIBER);
    return {
        OnOpticalRail("a delay that is shortened while a frame flies",
                      1000 + FIBER,
                      [](RailBench& bench) { SetDelay(bench.rail.GetFiber(0), FIBER / 10); },
                      {"OpticalFiber", "Delay", "from 50000 to 5000 ps", out, "empty"}),
        OnOpticalRail("a delay that grows while a frame flies",
                      1000 + FIBER,
                      [](RailBench& bench) { SetDelay(bench.rail.GetFiber(0), 10 * FIBER); },
                      {"OpticalFiber", "Delay", "from 50000 to 500000 ps", out, "empty"}),
        OnOpticalRail("a delay that changes while the dark of a circuit comes",
                      10'000'000,
                      [](RailBench& bench) {
                          bench.ocs->Disconnect(PortId(0), PortId(1));
                          bench.At(10'000'001, [&bench] { SetDelay(bench.rail.GetFiber(0), 0); });
                      },
                      {"OpticalFiber", "at 10000001 ps", "light", "10050000 ps"}),
        OnOpticalRail("a delay that changes while an end does not know of a cut yet",
                      10'000'000,
                      [](RailBench& bench) {
                          bench.rail.GetFiber(0)->Cut(1); // at the switch: the NIC sees it last
                          bench.At(10'000'001, [&bench] { SetDelay(bench.rail.GetFiber(0), 0); });
                      },
                      {"OpticalFiber", "at 10000001 ps", "light", "10050000 ps"}),
        OnOpticalRail(
            "a switch that becomes faster while a frame flies",
            1000 + FIBER,
            [](RailBench& bench) {
                bench.ocs->SetAttribute("PropagationDelay", TimeValue(PicoSeconds(7)));
            },
            {"OpticalCircuitSwitch", "PropagationDelay", "from 0 to 7 ps", "port 0", out}),
        WithMessageInFlight("PacketEvents"),
        WithMessageInFlight("PacketTrains"),
        OnElectricalRail("a fiber of a packet switch that becomes shorter",
                         10'000'000,
                         [](ElectricalBench& bench) { SetDelay(bench.rail.GetFiber(1), 10); },
                         {"ElectricalSwitchPort", "port 1", "from 50000 to 10 ps", "headroom"}),
        OnElectricalRail(
            "ends of a fiber with different rates",
            -1,
            [](ElectricalBench& bench) { SetRate(bench.Nic(1), RATE / 4); },
            {"ElectricalRailSwitch", "port 1", "DataRate of 100000000000", "25000000000", "same"}),
    };
}

} // namespace

/** A fiber that nothing is on gets another delay. */
class DelayChangeTest : public TestCase
{
  public:
    DelayChangeTest()
        : TestCase("the delay of a fiber and of a switch change between frames")
    {
    }

  private:
    void DoRun() override
    {
        for (const Picoseconds delay : {Picoseconds{0}, FIBER / 10, 10 * FIBER})
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            bench.SendAt(1000, 0, 1, 1);
            // at the very instant at which the frame is out of the first fiber
            const Picoseconds out = 1000 + Length(1000) + FIBER;
            bench.At(out, [&] { SetDelay(bench.rail.GetFiber(0), delay); });
            const Picoseconds later = 10'000'000;
            bench.At(later, [&] {
                bench.ocs->SetAttribute("PropagationDelay", TimeValue(PicoSeconds(7)));
            });
            bench.SendAt(later + 1000, 0, 1, 2);
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), out + FIBER, "not touched");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                                  later + 1000 + Length(1000) + delay + 7 + FIBER,
                                  "over the new delay of " << delay);
        }
    }
};

/** A message over a circuit whose fiber got another delay before: the same in both fidelities. */
class DelayChangeFidelityTest : public TestCase
{
  public:
    DelayChangeFidelityTest()
        : TestCase("a message over a fiber whose delay was changed, in trains and in events")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string fidelity : {"PacketEvents", "PacketTrains"})
        {
            Config::SetGlobal("PhotonicRailsFidelity", StringValue(fidelity));
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            RdmaHelper().Install(NodeContainer(bench.rail.GetGpu(0), bench.rail.GetGpu(1)));
            const auto ends = RdmaEngine::Connect(bench.rail.GetGpu(0), bench.rail.GetGpu(1));
            ends.second->SetArrivedCallback(MakeCallback(&DelayChangeFidelityTest::Arrived, this));
            m_arrived.clear();
            for (const Picoseconds at : {1000, 500'000'000})
            {
                bench.At(at, [&] { ends.first->Post(RdmaVerb::WRITE, 100 * 4096); });
            }
            bench.At(400'000'000, [&] { SetDelay(bench.rail.GetFiber(0), FIBER / 10); });
            bench.Run();
            // 100 frames of 4178 bytes and a header of 16 in the first, without the last gap
            const Picoseconds message = (100 * 4178 + 16 - 12) * BYTE;
            NS_TEST_ASSERT_MSG_EQ(m_arrived.size(), 2, "both came");
            NS_TEST_EXPECT_MSG_EQ(m_arrived[0], 1000 + message + 2 * FIBER, fidelity);
            NS_TEST_EXPECT_MSG_EQ(m_arrived[1],
                                  500'000'000 + message + FIBER + FIBER / 10,
                                  fidelity);
        }
    }

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        m_arrived.push_back(NowPicoseconds());
    }

    std::vector<Picoseconds> m_arrived;
};

/**
 * Cut-through follows the time that a frame takes to come in, whatever the rate of the port that it
 * enters.
 */
class SlowedSenderTest : public TestCase
{
  public:
    SlowedSenderTest()
        : TestCase("a frame that comes in slower than it leaves goes on when it is whole")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(3, RATE, FIBER, [](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("Forwarding", StringValue("CutThrough"));
        });
        bench.At(1000, [&bench] {
            SetRate(bench.Nic(0), RATE / 4);
            SetRate(bench.Nic(1), RATE * 4);
        });
        const Picoseconds slow = 1'000'000;
        const Picoseconds fast = 10'000'000;
        bench.SendAt(slow, 0, 2, 1);
        bench.SendAt(fast, 1, 2, 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1),
                              slow + 4 * Length(1000) + FIBER + Length(1000) + FIBER,
                              "whole");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                              fast + 50 * BYTE / 4 + FIBER + Length(1000) + FIBER,
                              "when its header is in, at the rate of its sender");
    }
};

/** A rate that rises while a frame waits of which bits are still to come. */
class RaisedRateTest : public TestCase
{
  public:
    RaisedRateTest()
        : TestCase("the last bit leaves when it comes, though the rate has risen meanwhile")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(3, RATE, FIBER, [](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("Forwarding", StringValue("CutThrough"));
        });
        // the frame of host 0 waits for that of host 1, which is out before it is whole
        bench.SendAt(1000, 1, 2, 1, 1000);
        bench.SendAt(2000, 0, 2, 2, 9000);
        bench.At(100'000, [&bench] {
            SetRate(bench.railSwitch->GetPort(PortId(2)), 4 * RATE);
            SetRate(bench.Nic(2), 4 * RATE);
        });
        Simulator::Run();
        const Picoseconds begins = 1000 + 50 * BYTE + FIBER;
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), begins + Length(1000) + FIBER, "had begun");
        const Picoseconds whole = 2000 + Length(9000) + FIBER;
        NS_TEST_ASSERT_MSG_LT(begins + Length(1000) + Length(9000) / 4, whole, "it would run dry");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2), whole + FIBER, "its last bit at once");
    }
};

/** Below 1 Gb/s a queue marks by its length, as above. */
class SlowMarksTest : public TestCase
{
  public:
    SlowMarksTest()
        : TestCase("a queue of a slow port marks nothing below its threshold, and all beyond")
    {
    }

  private:
    void DoRun() override
    {
        // 32 us at 100 Mb/s are 400 bytes, less than the largest frame, which has 9018: that holds,
        // and four times that. Two hosts send to a third, so each slot leaves one frame behind.
        constexpr uint64_t rate = 100'000'000;
        for (const uint64_t frames : {9, 80})
        {
            ElectricalBench bench(3, rate, FIBER);
            bench.UseOffloads();
            bench.PostAt(1000, 0, 2, frames, 1020, 3);
            bench.PostAt(1000, 1, 2, frames, 1020, 3);
            Simulator::Run();
            const auto counters = bench.railSwitch->GetCounters(PortId(2));
            NS_TEST_ASSERT_MSG_EQ(counters.forwarded, 2 * frames, "all came");
            // at slot n, counted from 1, two more frames of 1000 bytes come, and the n-th has left
            // but for the very first, which leaves only then
            uint64_t beyond = 0;
            uint64_t above = 0;
            for (uint64_t n = 1; n <= frames; ++n)
            {
                const uint64_t waiting = n == 1 ? 0 : 2 * (n - 1) - n;
                for (const uint64_t found : {waiting * 1000, waiting * 1000 + 1000})
                {
                    above += found > 9018;
                    beyond += found > 4 * 9018;
                }
            }
            NS_TEST_EXPECT_MSG_GT_OR_EQ(counters.marked, beyond, "all beyond Kmax");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.marked, above, "none up to Kmin");
            NS_TEST_EXPECT_MSG_EQ(((frames == 9 ? above : beyond) > 0), (frames != 9), "both");
        }
    }
};

/** The suite. */
class ChangesTestSuite : public TestSuite
{
  public:
    ChangesTestSuite()
        : TestSuite("photonic-rails-changes", TestSuite::Type::UNIT)
    {
        AddTestCase(new DelayChangeTest);
        AddTestCase(new DelayChangeFidelityTest);
        AddTestCase(new SlowedSenderTest);
        AddTestCase(new RaisedRateTest);
        AddTestCase(new SlowMarksTest);
        AddTestCase(new MistakesTest("changes that cannot be", MistakesWithChanges()));
    }
};

static ChangesTestSuite g_changesTestSuite;
