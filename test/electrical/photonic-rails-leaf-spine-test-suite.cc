/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Electrical rails of several switches, and ordinary ns-3 traffic over electrical rails.

#include "../support/photonic-rails-wire-units.h"
#include "photonic-rails-electrical-bench.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

/** @return how many switches a frame passes between two hosts, with so many hosts on a leaf */
uint32_t
Switches(uint32_t a, uint32_t b, uint32_t hostsALeaf)
{
    return a / hostsALeaf == b / hostsALeaf ? 1 : 3;
}

Ptr<ElectricalRailSwitch>
SwitchOf(const Rail& rail, uint32_t i)
{
    return rail.GetSwitchNodes().Get(i)->GetObject<ElectricalRailSwitch>();
}

} // namespace

/** Leaves and spines: how many, and with which ports. */
class FabricShapeTest : public TestCase
{
  public:
    FabricShapeTest()
        : TestCase("a rail with more ports than a switch gets leaves and spines, never oversold")
    {
    }

  private:
    void DoRun() override
    {
        struct Shape
        {
            uint32_t hosts;
            uint32_t radix;
            uint32_t leaves;
            uint32_t spines;
        };

        for (const Shape& shape : {Shape{8, 8, 1, 0},
                                   Shape{9, 8, 3, 2},   // 12 uplinks, 2 fibers a pair at most
                                   Shape{16, 8, 4, 2},  // 16 uplinks
                                   Shape{20, 8, 5, 4},  // a spine has one port for each leaf
                                   Shape{32, 8, 8, 4},  // the most
                                   Shape{65, 64, 3, 2}, // 96 uplinks
                                   Shape{128, 64, 4, 2},
                                   Shape{100, 0, 1, 0}})
        {
            ElectricalBench bench(shape.hosts, RATE, FIBER, [&](ElectricalRailHelper& helper) {
                helper.SetRadix(shape.radix);
            });
            const Rail& rail = bench.rail;
            NS_TEST_EXPECT_MSG_EQ(rail.GetSwitchNodes().GetN(),
                                  shape.leaves + shape.spines,
                                  shape.hosts << " of " << shape.radix);
            for (uint32_t i = 0; i < rail.GetSwitchNodes().GetN(); ++i)
            {
                const Ptr<ElectricalRailSwitch> railSwitch = SwitchOf(rail, i);
                const uint32_t limit = shape.radix != 0 ? shape.radix : shape.hosts;
                NS_TEST_EXPECT_MSG_LT_OR_EQ(railSwitch->GetPorts(),
                                            limit,
                                            "no more ports than it has");
                NS_TEST_EXPECT_MSG_EQ(railSwitch->GetTable().GetSize(),
                                      shape.hosts,
                                      "knows everybody");
            }
            NS_TEST_EXPECT_MSG_EQ(rail.GetSwitchNode(), rail.GetSwitchNodes().Get(0), "the first");
            const uint32_t hostsALeaf = shape.leaves == 1 ? shape.hosts : shape.radix / 2;
            for (uint32_t h = 0; h < shape.hosts; ++h)
            {
                const Ptr<ElectricalSwitchPort> port = ElectricalRailHelper::GetSwitchPort(rail, h);
                NS_TEST_EXPECT_MSG_EQ(port->GetSwitch(), SwitchOf(rail, h / hostsALeaf), "leaf");
                NS_TEST_EXPECT_MSG_EQ(port->GetPortId(), PortId(h % hostsALeaf), "port");
            }
        }
    }
};

/** Every host reaches every other, in the time of the formula. */
class AllPairsTest : public TestCase
{
  public:
    AllPairsTest()
        : TestCase("every host of a fabric reaches every other in exact time")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t hosts : {8U, 7U, 5U})
        {
            ElectricalBench bench(hosts, RATE, FIBER, [](ElectricalRailHelper& helper) {
                helper.SetRadix(4);
            });
            // one at a time
            std::map<uint32_t, Picoseconds> expected;
            Picoseconds when = 1000;
            const Picoseconds length = RailBench::BytesToLastBit(1000) * BYTE;
            for (uint32_t a = 0; a < hosts; ++a)
            {
                for (uint32_t b = 0; b < hosts; ++b)
                {
                    if (a != b)
                    {
                        const uint32_t hops = Switches(a, b, 2) + 1;
                        bench.SendAt(when, a, b, a * 100 + b);
                        expected[a * 100 + b] = when + hops * (length + FIBER);
                        when += 1'000'000;
                    }
                }
            }
            // and to all at once
            bench.At(when, [&bench] { bench.SendTo(0, Mac48Address::GetBroadcast(), 9999, 1000); });
            Simulator::Run();
            std::multiset<uint32_t> reached;
            for (const RailBench::Arrival& arrival : bench.arrivals)
            {
                if (arrival.number == 9999)
                {
                    reached.insert(arrival.host);
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ(arrival.host, arrival.number % 100, "the right one");
                NS_TEST_EXPECT_MSG_EQ(arrival.at, expected[arrival.number], arrival.number);
                expected.erase(arrival.number);
            }
            NS_TEST_EXPECT_MSG_EQ(expected.size(), 0, "everybody");
            NS_TEST_EXPECT_MSG_EQ(reached.size(), hosts - 1, "all but the sender");
            NS_TEST_EXPECT_MSG_EQ((std::set<uint32_t>(reached.begin(), reached.end()).size()),
                                  hosts - 1,
                                  "once each");
        }
    }
};

/** Flows are spread over all ways, and each keeps its order. */
class EcmpTest : public TestCase
{
  public:
    EcmpTest()
        : TestCase("flows spread over all uplinks, and each keeps its order")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t flows = 40;
        const uint32_t frames = 50;
        ElectricalBench bench(32, RATE, FIBER, [](ElectricalRailHelper& helper) {
            helper.SetRadix(8); // 8 leaves of 4 hosts and 4 uplinks, 4 spines
        });
        bench.UseOffloads();
        for (uint32_t h = 0; h < 4; ++h)
        {
            for (uint32_t f = 0; f < flows; ++f)
            {
                // all leave the first leaf; some for the same host, so that queues build up
                bench.PostAt(1000 + f, h, 4 + (h * 7 + f) % 9, frames, 1082, 3, f);
            }
        }
        Simulator::Run();
        uint32_t came = 0;
        for (uint32_t h = 4; h < 13; ++h)
        {
            std::map<std::pair<uint32_t, uint16_t>, uint32_t> next;
            for (const LoadOffload::Arrival& arrival : bench.loads[h]->arrivals)
            {
                NS_TEST_ASSERT_MSG_EQ(arrival.number,
                                      (next[{arrival.from, arrival.flow}]++),
                                      "a flow's frames in order");
                ++came;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(came, 4 * flows * frames, "all came");
        // 160 flows over 4 uplinks: binomial, mean 40, standard deviation 5.5
        for (uint32_t u = 4; u < 8; ++u)
        {
            const uint64_t out = bench.railSwitch->GetCounters(PortId(u)).forwarded;
            NS_TEST_EXPECT_MSG_EQ(out % frames, 0, "whole flows");
            NS_TEST_EXPECT_MSG_EQ_TOL(out / frames, 40.0, 4 * 5.5, "uplink " << u);
        }
        for (uint32_t s = 0; s < 4; ++s)
        {
            const PacketSwitchCounters sum = ElectricalBench::Sum(SwitchOf(bench.rail, 8 + s));
            NS_TEST_EXPECT_MSG_GT(sum.forwarded, 0, "every spine");
            NS_TEST_EXPECT_MSG_EQ(sum.forwarded, sum.received, "passes on what it gets");
        }
    }
};

/** Pauses spread through a fabric, and nothing is lost on the way. */
class FabricIncastTest : public TestCase
{
  public:
    FabricIncastTest()
        : TestCase("an incast through leaves and spines loses nothing")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t frames = 400;
        ElectricalBench bench(
            16,
            RATE,
            FIBER,
            [](ElectricalRailHelper& helper) {
                helper.SetRadix(8);
                helper.SetSwitchAttribute("BufferSize", UintegerValue(700'000));
            },
            false);
        bench.UseOffloads();
        for (uint32_t h = 1; h < 16; ++h)
        {
            bench.PostAt(1000 + h, h, 0, frames, 4178, 3, h);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.loads[0]->arrivals.size(), 15 * frames, "every frame");
        uint64_t sent = 0;
        uint64_t received = 0;
        for (uint32_t i = 0; i < bench.rail.GetSwitchNodes().GetN(); ++i)
        {
            const PacketSwitchCounters sum = ElectricalBench::Sum(SwitchOf(bench.rail, i));
            NS_TEST_EXPECT_MSG_EQ(sum.dropped, 0, "no switch drops");
            sent += sum.pausesSent;
            received += sum.pausesReceived;
        }
        NS_TEST_EXPECT_MSG_GT(received, 0, "switches pause switches");
        NS_TEST_EXPECT_MSG_GT(sent, received, "and NICs");
    }
};

/** A large rail is there at once. */
class LargeRailTest : public TestCase
{
  public:
    LargeRailTest()
        : TestCase("1024 hosts: 48 switches, that know all addresses, and a frame across")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(1024, RATE, FIBER);
        // 32 leaves with 32 uplinks each; a spine has 2 ports for each leaf, so 16
        NS_TEST_EXPECT_MSG_EQ(bench.rail.GetSwitchNodes().GetN(), 32 + 16, "switches");
        bench.SendAt(1000, 0, 1023, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            bench.ArrivalOf(1),
            static_cast<Picoseconds>(1000 + 4 * (RailBench::BytesToLastBit(1000) * BYTE + FIBER)),
            "leaf, spine, leaf");
    }
};

/** A script that is the same for both kinds of rail, but for one line. */
template <typename Helper>
class SameScript
{
  public:
    /** @return the bytes that arrived over TCP, of 3 MB */
    static uint64_t Run()
    {
        UsePicoseconds();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));
        NodeContainer gpus(2);
        Helper rails; // the line
        rails.SetProfile("1x100");
        rails.SetFiberLength(50);
        Rail rail = rails.Install(gpus, RailId(3));
        if (Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch())
        {
            ocs->Connect(rail.GetSwitchPort(0), rail.GetSwitchPort(1));
        }
        InternetStackHelper().Install(gpus);
        const Ipv4InterfaceContainer addresses =
            Helper::AssignIpv4(rail, "10.1.0.0", "255.255.0.0");
        Helper::AssignStreams(rail, 100);
        const InetSocketAddress sinkAddress(addresses.GetAddress(1), 9);
        ApplicationContainer sinks =
            PacketSinkHelper("ns3::TcpSocketFactory", sinkAddress).Install(gpus.Get(1));
        BulkSendHelper source("ns3::TcpSocketFactory", sinkAddress);
        source.SetAttribute("MaxBytes", UintegerValue(3'000'000));
        source.Install(gpus.Get(0)).Start(MicroSeconds(10));
        Simulator::Run();
        const uint64_t bytes = DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx();
        Simulator::Destroy();
        Config::Reset();
        return bytes;
    }
};

/** TCP over both. */
class SameScriptTest : public TestCase
{
  public:
    SameScriptTest()
        : TestCase("TCP delivers every byte over either kind of rail, by the same script")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SameScript<PhotonicRailHelper>::Run(), 3'000'000, "optical");
        NS_TEST_EXPECT_MSG_EQ(SameScript<ElectricalRailHelper>::Run(), 3'000'000, "electrical");
    }
};

/** Fibers between switches are fibers: they can be cut, and lose frames by streams of their own. */
class InnerFiberTest : public TestCase
{
  public:
    InnerFiberTest()
        : TestCase("a cut fiber between switches loses what takes it, and nothing else")
    {
    }

  private:
    void DoRun() override
    {
        ElectricalBench bench(8, RATE, FIBER, [](ElectricalRailHelper& helper) {
            helper.SetRadix(4);
        });
        const int64_t streams = RailHelper::AssignStreams(bench.rail, 0);
        // NICs 1, their fibers 2; 4 leaves and 2 spines of 4 ports; 8 fibers between them
        NS_TEST_EXPECT_MSG_EQ(streams, 8 * 1 + 8 * 2 + 6 * 4 + 8 * 2, "each its own");
        bench.UseOffloads();
        const Ptr<OpticalFiber> uplink = bench.railSwitch->GetPort(PortId(2))->GetFiber();
        bench.At(500, [uplink] { uplink->Cut(); });
        for (uint16_t flow = 0; flow < 20; ++flow)
        {
            bench.PostAt(1000, 0, 7, 10, 1082, 3, flow);
        }
        bench.PostAt(1000, 1, 0, 10, 1082, 3);
        Simulator::Run();
        const uint64_t lost = bench.railSwitch->GetCounters(PortId(2)).forwarded;
        NS_TEST_EXPECT_MSG_GT(lost, 0, "some took it");
        NS_TEST_EXPECT_MSG_EQ(bench.loads[7]->arrivals.size(), 200 - lost, "the others came");
        NS_TEST_EXPECT_MSG_EQ(bench.loads[0]->arrivals.size(), 10, "and those beside");
    }
};

/** The suite. */
class LeafSpineTestSuite : public TestSuite
{
  public:
    LeafSpineTestSuite()
        : TestSuite("photonic-rails-leaf-spine", TestSuite::Type::UNIT)
    {
        AddTestCase(new FabricShapeTest);
        AddTestCase(new AllPairsTest);
        AddTestCase(new EcmpTest);
        AddTestCase(new FabricIncastTest);
        AddTestCase(new LargeRailTest);
        AddTestCase(new SameScriptTest);
        AddTestCase(new InnerFiberTest);
    }
};

static LeafSpineTestSuite g_leafSpineTestSuite;
