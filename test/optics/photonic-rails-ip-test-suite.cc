/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ordinary ns-3 traffic over circuits: routing, UDP, FlowMonitor, traffic classes, queue discs.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-wire-units.h"
#include "../support/time-units.h"

#include "ns3/config.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/queue-disc.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-client-server-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1'000'000'000;

/** Adds a static route to a node. */
void
AddRoute(Ptr<Node> node, const char* network, Ipv4Address via, uint32_t interface)
{
    Ipv4StaticRoutingHelper()
        .GetStaticRouting(node->GetObject<Ipv4>())
        ->AddNetworkRouteTo(Ipv4Address(network), Ipv4Mask("255.255.255.0"), via, interface);
}

/** A UDP echo takes twice the way, to the picosecond. */
class EchoRoundTripTest : public TestCase
{
  public:
    EchoRoundTripTest()
        : TestCase("UDP echo: the round-trip time is the closed form, to the picosecond")
    {
    }

  private:
    void DoRun() override
    {
        // 425 and 800 Gb/s: no whole number of picoseconds a frame, and the finest
        for (const uint64_t gigabits : {10, 100, 400, 425, 800})
        {
            // 10 bytes are padded to the shortest frame, 8972 fill a jumbo frame
            for (const uint32_t payload : {10, 18, 19, 1000, 8972})
            {
                HostBench bench(2, gigabits * GBPS, FIBER);
                bench.Join(0, 1);
                HostBench::Answer(bench.nodes.Get(1));
                const Picoseconds start = 3 * US + 1;
                std::vector<Picoseconds> back;
                HostBench::Ping(bench.nodes.Get(0),
                                bench.addresses.GetAddress(1),
                                payload,
                                start,
                                back);
                Simulator::Run();
                // each way: idle wire, so out at once; preamble to check sequence; two fibers
                const Picoseconds oneWay = bench.Unidirectional(HostBench::UdpDatagram(payload));
                const std::vector<Picoseconds> expected{start + 2 * oneWay};
                NS_TEST_EXPECT_MSG_EQ((back == expected),
                                      true,
                                      payload << " bytes at " << gigabits << " Gb/s");
            }
        }
    }
};

/**
 * Two rails that meet in one host, which forwards: 0 - 1 on rail 0, 1 - 2 on rail 1.
 *
 * Global routing fills the tables of neighbors only: to it, routers are adjacent if their devices
 * share a Channel, and on a rail each shares one with the switch alone. So every circuit network is
 * a stub, and the way through host 1 takes static routes.
 */
class TwoRailsTest : public TestCase
{
  public:
    TwoRailsTest()
        : TestCase("two rails that meet in a host: global routing, and static routes through it")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        NodeContainer nodes(3);
        PhotonicRailHelper helper;
        helper.SetPorts(1, DataRate(400 * GBPS));
        helper.SetFiberAttribute("Delay", TimeValue(ToTime(FIBER)));
        const Rail left = helper.Install(NodeContainer(nodes.Get(0), nodes.Get(1)), RailId(0));
        const Rail right = helper.Install(NodeContainer(nodes.Get(1), nodes.Get(2)), RailId(1));
        InternetStackHelper().Install(nodes);
        const auto leftIp = PhotonicRailHelper::AssignIpv4(left, "10.1.0.0", "255.255.255.0");
        const auto rightIp = PhotonicRailHelper::AssignIpv4(right, "10.2.0.0", "255.255.255.0");
        left.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
        right.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        Ipv4GlobalRoutingHelper::RecomputeRoutingTables();
        AddRoute(nodes.Get(0), "10.2.0.0", leftIp.GetAddress(1), 1);
        AddRoute(nodes.Get(2), "10.1.0.0", rightIp.GetAddress(0), 1);

        HostBench::Answer(nodes.Get(1));
        HostBench::Answer(nodes.Get(2));
        std::vector<Picoseconds> near;
        std::vector<Picoseconds> far;
        HostBench::Ping(nodes.Get(0), leftIp.GetAddress(1), 100, 1 * US, near);
        HostBench::Ping(nodes.Get(0), rightIp.GetAddress(1), 100, 100 * US, far);
        Simulator::Run();
        const uint64_t frame = HostBench::BytesToLastBit(HostBench::UdpDatagram(100));
        const Picoseconds hop = HostBench::Span(frame, 400 * GBPS) + 2 * FIBER;
        NS_TEST_EXPECT_MSG_EQ(near.size(), 1, "a neighbor answers");
        // a host that forwards adds a hop each way
        const std::vector<Picoseconds> expected{100 * US + 4 * hop};
        NS_TEST_EXPECT_MSG_EQ((far == expected), true, "the host beyond the neighbor answers");
    }
};

/** A rail beside an ordinary network: 0 - 1 on the rail, 1 and 2 on a SimpleChannel. */
class BesideOrdinaryNetworkTest : public TestCase
{
  public:
    BesideOrdinaryNetworkTest()
        : TestCase("a rail beside an ordinary network: global routing finds the rail from there")
    {
    }

  private:
    void DoRun() override
    {
        HostBench bench(2, 100 * GBPS, FIBER);
        bench.Join(0, 1);
        Ptr<Node> outside = CreateObject<Node>();
        InternetStackHelper().Install(outside);
        const NodeContainer simple(bench.nodes.Get(1), outside);
        const NetDeviceContainer devices = SimpleNetDeviceHelper().Install(simple);
        Ipv4AddressHelper ipv4("10.2.0.0", "255.255.255.0");
        ipv4.Assign(devices);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        // the rail is a stub network: its host has one way out
        AddRoute(bench.nodes.Get(0), "10.2.0.0", bench.addresses.GetAddress(1), 1);
        HostBench::Answer(bench.nodes.Get(0));
        std::vector<Picoseconds> back;
        HostBench::Ping(outside, bench.addresses.GetAddress(0), 100, US, back);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(back.size(), 1, "the host on the rail answers");
    }
};

/** FlowMonitor's count and delay of a UDP flow. */
class FlowMonitorTest : public TestCase
{
  public:
    FlowMonitorTest()
        : TestCase("FlowMonitor: counts, delays and losses of a flow over a reconfiguration")
    {
    }

  private:
    void DoRun() override
    {
        Check(false);
        Check(true);
    }

    /** @param reconfigure whether the circuit is reconfigured in the middle */
    void Check(bool reconfigure)
    {
        // 100 Gb/s: a byte is 80 ps, so all times below are whole
        const uint64_t rate = 100 * GBPS;
        const Picoseconds fiber = 5 * US;
        const Picoseconds start = 1000 * US;
        const Picoseconds cut = start + 20'300'000;
        const uint32_t packets = 100;
        const uint32_t payload = 1000;
        HostBench bench(2, rate, fiber);
        bench.Join(0, 1);
        UdpServerHelper(HostBench::PORT).Install(bench.nodes.Get(1));
        UdpClientHelper client(bench.addresses.GetAddress(1), HostBench::PORT);
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("Interval", TimeValue(ToTime(US)));
        client.SetAttribute("PacketSize", UintegerValue(payload));
        client.Install(bench.nodes.Get(0)).Start(ToTime(start));
        FlowMonitorHelper flows;
        Ptr<FlowMonitor> monitor = flows.Install(bench.nodes);
        if (reconfigure)
        {
            HostBench::At(cut, [&bench] {
                bench.ocs->Apply(
                    CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1)));
            });
        }
        Simulator::Stop(MilliSeconds(3));
        Simulator::Run();
        monitor->CheckForLostPackets(Time(0));

        // The sender sees the dark one fiber later, and the light too. Meanwhile it sends in vain;
        // a frame that it sent before is lost if its last bit comes to the switch after the cut.
        const uint64_t bytes = HostBench::BytesToLastBit(HostBench::UdpDatagram(payload));
        const Picoseconds toLastBit = HostBench::Span(bytes, rate);
        const Picoseconds onWire = HostBench::Span(bytes + 12, rate);
        const Picoseconds darkFrom = cut + fiber;
        const Picoseconds lightFrom = cut + HostBench::RECONFIGURATION + fiber;
        Picoseconds wireFree = 0;
        Picoseconds delays = 0;
        uint32_t lost = 0;
        for (uint32_t k = 0; k < packets; ++k)
        {
            const Picoseconds sent = start + k * US;
            const bool waits = reconfigure && sent > darkFrom && sent < lightFrom;
            const Picoseconds first = std::max(waits ? lightFrom : sent, wireFree);
            wireFree = first + onWire;
            if (reconfigure && first < darkFrom && first + toLastBit + fiber > cut)
            {
                ++lost;
                continue;
            }
            delays += first + toLastBit + 2 * fiber - sent;
        }
        NS_TEST_EXPECT_MSG_EQ(lost, (reconfigure ? 10 : 0), "the case is what it is meant to be");

        const auto stats = monitor->GetFlowStats();
        NS_TEST_EXPECT_MSG_EQ(stats.size(), 1, "one flow");
        for (const auto& [id, flow] : stats)
        {
            const uint32_t received = packets - lost;
            NS_TEST_EXPECT_MSG_EQ(flow.txPackets, packets, "sent");
            NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, received, "received");
            NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, lost, "lost");
            NS_TEST_EXPECT_MSG_EQ(flow.rxBytes,
                                  uint64_t{received} * HostBench::UdpDatagram(payload),
                                  "bytes");
            NS_TEST_EXPECT_MSG_EQ(flow.delaySum, ToTime(delays), "sum of the delays");
        }
        uint32_t dropped = 0;
        for (const auto& [reason, count] : bench.switchDrops)
        {
            dropped += count;
        }
        NS_TEST_EXPECT_MSG_EQ(dropped, lost, "the switch dropped what was lost");
        NS_TEST_EXPECT_MSG_EQ(bench.nicDrops.size(), 0, "the NICs dropped nothing");
    }
};

/** A socket's priority is the NIC's traffic class. */
class TrafficClassTest : public TestCase
{
  public:
    TrafficClassTest()
        : TestCase(
              "a socket's priority is the traffic class: its queue, and first come the highest")
    {
    }

  private:
    void DoRun() override
    {
        HostBench bench(2, 100 * GBPS, FIBER);
        bench.Listen(1);
        const uint32_t classes = RailNetDevice::CLASSES;
        HostBench::At(US, [&bench] {
            for (uint32_t c = 0; c < RailNetDevice::CLASSES; ++c)
            {
                for (uint32_t i = 0; i <= c; ++i)
                {
                    bench.SendUdp(0, 1, 1000 + c, c);
                }
            }
        });
        std::vector<uint32_t> queued;
        HostBench::At(2 * US, [&] {
            for (uint32_t c = 0; c < classes; ++c)
            {
                const auto found = Config::LookupMatches(
                    "/NodeList/0/DeviceList/0/$ns3::RailNetDevice/QueueList/" + std::to_string(c));
                NS_TEST_EXPECT_MSG_EQ(found.GetN(), 1, "the queue of a class has a Config path");
                for (std::size_t i = 0; i < found.GetN(); ++i)
                {
                    queued.push_back(DynamicCast<Queue<Packet>>(found.Get(i))->GetNPackets());
                }
            }
            bench.Join(0, 1);
        });
        Simulator::Run();
        const std::vector<uint32_t> expectedQueued{1, 2, 3, 4, 5, 6, 7, 8};
        NS_TEST_EXPECT_MSG_EQ((queued == expectedQueued),
                              true,
                              "each waits in the queue of its class");
        std::vector<uint32_t> arrived;
        for (const HostBench::Arrival& arrival : bench.arrivals)
        {
            arrived.push_back(arrival.bytes - 1000);
        }
        std::vector<uint32_t> expectedArrived;
        for (uint32_t c = classes; c-- > 0;)
        {
            expectedArrived.insert(expectedArrived.end(), c + 1, c);
        }
        NS_TEST_EXPECT_MSG_EQ((arrived == expectedArrived), true, "higher classes come first");
    }
};

/** In the dark, a queue disc holds the packets that the NIC's queue has no room for. */
class QueueDiscTest : public TestCase
{
  public:
    QueueDiscTest()
        : TestCase(
              "in the dark a full NIC stops its queue disc, which holds the rest; light wakes it")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* size : {"1p", "10p", "27200B"})
        {
            Check(size, true);
            Check(size, false); // AssignIpv4() adds them
        }
    }

    void Check(const std::string& size, bool hasInterfaces)
    {
        HostBench bench(2, 100 * GBPS, FIBER, [&](PhotonicRailHelper& helper) {
            helper.SetNicAttribute("QueueSize", StringValue(size));
            helper.SetQueueInterfaces(hasInterfaces);
        });
        bench.Listen(1);
        const uint32_t packets = 50;
        HostBench::At(US, [&] {
            for (uint32_t i = 0; i < packets; ++i)
            {
                bench.SendUdp(0, 1, 1000 + i);
            }
        });
        Ptr<RailNetDevice> nic = bench.rail.GetNic(0);
        HostBench::At(2 * US, [&] {
            Ptr<Queue<Packet>> queue = nic->GetQueue(0);
            Ptr<QueueDisc> root =
                bench.nodes.Get(0)->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(nic);
            NS_TEST_EXPECT_MSG_NE(root, nullptr, "AssignIpv4() gives the NIC queue discs");
            if (!root)
            {
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(root->GetNQueueDiscClasses(), 8, "one for each class");
            // a queue disc does not count the packet that it took back from a queue that was full
            const uint32_t held = root->GetNPackets() + 1;
            NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), 0, "the NIC's queue drops none");
            NS_TEST_EXPECT_MSG_EQ(queue->GetNPackets() + held, packets, "all wait");
            NS_TEST_EXPECT_MSG_EQ(
                nic->GetObject<NetDeviceQueueInterface>()->GetTxQueue(0)->IsStopped(),
                true,
                "the NIC's queue is full, and the queue disc is told so");
            bench.Join(0, 1);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), packets, "all arrive, " << size);
        uint32_t next = 1000;
        for (const HostBench::Arrival& arrival : bench.arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(arrival.bytes, next++, "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(nic->GetQueue(0)->GetTotalDroppedPackets(), 0, "still none dropped");
        NS_TEST_EXPECT_MSG_EQ(bench.nicDrops.size(), 0, "and none lost in a NIC");
    }
};

/** The suite. */
class IpTestSuite : public TestSuite
{
  public:
    IpTestSuite()
        : TestSuite("photonic-rails-ip", TestSuite::Type::UNIT)
    {
        AddTestCase(new EchoRoundTripTest);
        AddTestCase(new TwoRailsTest);
        AddTestCase(new BesideOrdinaryNetworkTest);
        AddTestCase(new FlowMonitorTest);
        AddTestCase(new TrafficClassTest);
        AddTestCase(new QueueDiscTest);
    }
};

IpTestSuite g_ipTestSuite;

} // namespace
