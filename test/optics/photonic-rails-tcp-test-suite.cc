/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// TCP over circuits that come and go.

#include "../support/photonic-rails-host-bench.h"
#include "../support/time-units.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;

namespace
{

// a jumbo frame lasts 7 us, so a cut finds one on its way
constexpr uint64_t RATE_10G = 10'000'000'000;
constexpr Picoseconds LONG_FIBER = 1 * US;

/** Jumbo segments, and timeouts to match a rail. */
void
SetUpTcp()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(ToTime(MS)));
}

/** Takes the circuit of two ports down and sets it up again. */
CircuitPlan
Again(uint32_t a, uint32_t b)
{
    return CircuitPlan().Disconnect(PortId(a), PortId(b)).Connect(PortId(a), PortId(b));
}

/** A transfer that is cut in the middle. */
class TcpCutTest : public TestCase
{
  public:
    /**
     * @param noCarrierAction Hold or Drop
     * @param notifyStack whether the stack sees the link go down, and clears its neighbors
     */
    TcpCutTest(const std::string& noCarrierAction, bool notifyStack)
        : TestCase("TCP stalls in the dark and then delivers every byte: " + noCarrierAction +
                   (notifyStack ? ", link down" : "")),
          m_noCarrierAction(noCarrierAction),
          m_notifyStack(notifyStack)
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self; // the defaults are set before there is a bench
        SetUpTcp();
        HostBench bench(2, RATE_10G, LONG_FIBER, [this](PhotonicRailHelper& helper) {
            helper.SetNicAttribute("NoCarrierAction", StringValue(m_noCarrierAction));
            helper.SetNicAttribute("NotifyStack", BooleanValue(m_notifyStack));
            helper.SetReconfigurationTime(MicroSeconds(500));
        });
        bench.Join(0, 1);
        bench.ListenTcp(1);
        const uint64_t bytes = 10'000'000;
        bench.SendTcp(0, 1, bytes, 0);
        const Picoseconds cut = 2 * MS;
        const Picoseconds up = cut + 500 * US;
        HostBench::At(cut, [&bench] { bench.ocs->Apply(Again(0, 1)); });
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(bench.BytesAt(1), bytes, "every byte once");
        NS_TEST_EXPECT_MSG_GT(bench.ArrivalsWithin(1, 0, cut), 0, "it had begun before the cut");
        NS_TEST_EXPECT_MSG_GT(bench.ArrivalsWithin(1, up, NEVER), 0, "and was not over");
        // The last frame to pass the switch does so at the cut and is in one fiber later. No bit
        // passes before the light is back, and that one is in one fiber later too.
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalsWithin(1, cut + LONG_FIBER, up + LONG_FIBER),
                              0,
                              "dark is dark");
        // 10 Gb/s are full: the switch cut the frames in the fiber, down to the frame that was
        // passing
        NS_TEST_EXPECT_MSG_GT(bench.switchDrops[FrameDropReason::CUT], 0, "a frame was cut");
        if (m_noCarrierAction == "Hold")
        {
            NS_TEST_EXPECT_MSG_EQ(bench.nicDrops.size(), 0, "the NICs hold what they have");
            return;
        }
        for (const auto& [where, count] : bench.nicDrops)
        {
            NS_TEST_EXPECT_MSG_EQ(where.second, FrameDropReason::NO_CARRIER, "dropped in the dark");
        }
        const uint32_t dropped = bench.nicDrops[{0, FrameDropReason::NO_CARRIER}];
        NS_TEST_EXPECT_MSG_GT(dropped, 0, "the sender's NIC dropped what it had");
    }

    std::string m_noCarrierAction;
    bool m_notifyStack;
};

/** Three hosts with a port each: the circuit goes round. */
class TcpMovedCircuitTest : public TestCase
{
  public:
    TcpMovedCircuitTest()
        : TestCase("TCP of three hosts: a circuit moves from 0-1 to 0-2 and back")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self; // the defaults are set before there is a bench
        SetUpTcp();
        HostBench bench(3, RATE_10G, LONG_FIBER);
        bench.Join(0, 1);
        bench.ListenTcp(1);
        bench.ListenTcp(2);
        const uint64_t toOne = 10'000'000; // 8 ms and more
        const uint64_t toTwo = 2'000'000;  // 1.6 ms and more
        const Picoseconds away = 2 * MS;
        const Picoseconds back = 20 * MS;
        bench.SendTcp(0, 1, toOne, 0);
        bench.SendTcp(0, 2, toTwo, away + 100 * US);
        HostBench::At(away, [&bench] {
            bench.ocs->Apply(
                CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2)));
        });
        HostBench::At(back, [&bench] {
            bench.ocs->Apply(
                CircuitPlan().Disconnect(PortId(0), PortId(2)).Connect(PortId(0), PortId(1)));
        });
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(bench.BytesAt(1), toOne, "every byte for host 1");
        NS_TEST_EXPECT_MSG_EQ(bench.BytesAt(2), toTwo, "every byte for host 2");
        const Picoseconds optics = HostBench::RECONFIGURATION;
        NS_TEST_EXPECT_MSG_EQ(
            bench.ArrivalsWithin(1, away + LONG_FIBER, back + optics + LONG_FIBER),
            0,
            "nothing for host 1 while the circuit is elsewhere");
        NS_TEST_EXPECT_MSG_GT(bench.ArrivalsWithin(1, back + optics + LONG_FIBER, NEVER),
                              0,
                              "the rest when it is back");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalsWithin(2, 0, away + optics + LONG_FIBER),
                              0,
                              "nothing for host 2 before it has the circuit");
        // frames that host 0 held for host 1 go out on the new circuit
        const uint32_t otherCircuit = bench.nicDrops[{2, FrameDropReason::WRONG_DESTINATION}];
        NS_TEST_EXPECT_MSG_GT(otherCircuit, 0, "light that went astray is dropped by who gets it");
    }
};

/** Two equal runs, and one with other random numbers. */
class RepeatTest : public TestCase
{
  public:
    RepeatTest()
        : TestCase("equal runs give equal receive times, another run number gives others")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t once = Digest(1);
        NS_TEST_EXPECT_MSG_EQ(Digest(1), once, "the same run");
        NS_TEST_EXPECT_MSG_NE(Digest(2), once, "another run");
    }

    /** @return FNV-1a over the arrivals with place and time, with random reconfiguration times */
    uint64_t Digest(uint64_t run)
    {
        const HostBench::Case self; // the defaults are set before there is a bench
        SetUpTcp();
        HostBench bench(3, RATE_10G, LONG_FIBER, [](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute(
                "ReconfigurationTime",
                StringValue("ns3::UniformRandomVariable[Min=20e-6|Max=100e-6]"));
            helper.SetNicAttribute("LinkUpTime",
                                   StringValue("ns3::ExponentialRandomVariable[Mean=5e-6]"));
        });
        RngSeedManager::SetRun(run);
        PhotonicRailHelper::AssignStreams(bench.rail, 0);
        bench.Join(0, 1);
        for (uint32_t h = 0; h < 3; ++h)
        {
            bench.ListenTcp(h);
        }
        bench.SendTcp(0, 1, 2'000'000, 0);
        bench.SendTcp(1, 0, 1'000'000, 0);
        for (uint32_t i = 1; i <= 3; ++i)
        {
            HostBench::At(i * 300 * US, [&bench] { bench.ocs->Apply(Again(0, 1)); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.BytesAt(1), 2'000'000, "every byte");
        NS_TEST_EXPECT_MSG_EQ(bench.BytesAt(0), 1'000'000, "every byte, the other way");
        uint64_t digest = 14695981039346656037ULL;
        for (const HostBench::Arrival& arrival : bench.arrivals)
        {
            for (const uint64_t part :
                 {uint64_t{arrival.host}, uint64_t(arrival.at), uint64_t{arrival.bytes}})
            {
                digest = (digest ^ part) * 1099511628211ULL;
            }
        }
        return digest;
    }
};

/** The suite. */
class TcpTestSuite : public TestSuite
{
  public:
    TcpTestSuite()
        : TestSuite("photonic-rails-tcp", TestSuite::Type::UNIT)
    {
        for (const bool notifyStack : {false, true})
        {
            AddTestCase(new TcpCutTest("Hold", notifyStack));
            AddTestCase(new TcpCutTest("Drop", notifyStack));
        }
        AddTestCase(new TcpMovedCircuitTest);
        AddTestCase(new RepeatTest);
    }
};

TcpTestSuite g_tcpTestSuite;

} // namespace
