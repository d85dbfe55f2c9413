/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The inputs of one instant are handled in an order of their own, not in that of events: the queue
// that orders them, and the classes that have one.

#include "../support/photonic-rails-shuffled-simulator.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/instant-queue.h"
#include "ns3/management-network-helper.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The queue itself. */
class InstantQueueTestCase : public TestCase
{
  public:
    InstantQueueTestCase()
        : TestCase("What comes at an instant is done when it is over, by key")
    {
    }

  private:
    void Put(uint64_t key, std::string name)
    {
        m_queue.Add({key, 0, 0}, [this, name]() { Log(name); });
    }

    void PutAgain(uint64_t key)
    {
        m_queue.Add({key, 0, 0}, [this]() {
            Log("again");
            Put(0, "later");
        });
    }

    void Log(const std::string& name)
    {
        m_log << NowPicoseconds() << " " << name << "; ";
    }

    void ClearWhileRunning()
    {
        m_queue.Add({0, 0, 0}, [this]() {
            Log("the last");
            m_queue.Clear();
        });
        Put(1, "never");
    }

    void DoRun() override
    {
        UsePicoseconds();
        m_queue.SetOver([this]() { Log("over"); });
        const auto put = [this](int64_t when, uint64_t key, const char* name) {
            Simulator::Schedule(ToTime(when),
                                &InstantQueueTestCase::Put,
                                this,
                                key,
                                std::string(name));
        };
        put(5, 2, "b");
        put(5, 1, "a");
        put(5, 2, "c");
        put(6, 0, "d"); // at the very instant at which the others are done
        Simulator::Schedule(ToTime(9), &InstantQueueTestCase::PutAgain, this, 7);
        Simulator::Schedule(ToTime(20), &InstantQueueTestCase::ClearWhileRunning, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log.str(),
                              "6 a; 6 b; 6 c; 6 over; 7 d; 7 over; 10 again; 10 over; 11 later; "
                              "11 over; 21 the last; ",
                              "in the order of keys, each instant for itself");
        NS_TEST_EXPECT_MSG_EQ(NowPicoseconds(), 21, "nothing is left in the simulator");
        Simulator::Destroy();
        Config::Reset();
    }

    InstantQueue m_queue;
    std::ostringstream m_log;
};

/** Packets that come to the router of a star at one instant. */
class RouterTestCase : public TestCase
{
  public:
    RouterTestCase()
        : TestCase("A router sends on by link what comes at one instant")
    {
    }

  private:
    static constexpr uint16_t PORT = 99;

    void Send(Ptr<Node> from, Ipv4Address to)
    {
        const Ptr<Socket> socket = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        socket->SendTo(Create<Packet>(10), 0, InetSocketAddress(to, PORT));
    }

    void Receive(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            m_came.push_back(InetSocketAddress::ConvertFrom(from).GetIpv4());
            m_when.push_back(NowPicoseconds());
        }
    }

    /** Nodes 1 to 3 send to node 0 at one instant. @param order in which their events run */
    void Run(const std::vector<uint32_t>& order, int64_t latency)
    {
        m_came.clear();
        m_when.clear();
        UsePicoseconds();
        ManagementNetworkHelper helper;
        helper.SetLatency(ToTime(latency));
        const ManagementNetwork network = helper.Install(NodeContainer(4));
        const Ptr<Socket> socket =
            Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        socket->SetRecvCallback(MakeCallback(&RouterTestCase::Receive, this));
        for (const uint32_t node : order)
        {
            Simulator::Schedule(MicroSeconds(1),
                                &RouterTestCase::Send,
                                this,
                                network.nodes.Get(node),
                                network.addresses[0]);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_came.size(), 3, "all are there");
        // 10 bytes and 30 of headers at 1 Gb/s, on each of two links; they queue on the second
        const int64_t bits = 40 * 8 * 1000;
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_came[i], network.addresses[i + 1], "by link");
            NS_TEST_EXPECT_MSG_EQ(m_when[i],
                                  1'000'000 + latency + bits + (i + 1) * bits,
                                  "the latency is kept to the picosecond");
        }
        Simulator::Destroy();
        Config::Reset();
    }

    void DoRun() override
    {
        for (const int64_t latency : {3, 4, 10'000'000, 10'000'001})
        {
            Run({1, 2, 3}, latency);
            Run({3, 1, 2}, latency);
            Run({3, 2, 1}, latency);
        }
    }

    std::vector<Ipv4Address> m_came;
    std::vector<int64_t> m_when;
};

/** A circuit that goes and comes at one instant, in every order of events. */
class LightTestCase : public TestCase
{
  public:
    LightTestCase()
        : TestCase("Light that goes and comes at one instant is there afterwards")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t salt = 1; salt <= 64; ++salt)
        {
            UsePicoseconds();
            GlobalValue::Bind("SimulatorImplementationType",
                              StringValue("ns3::ShuffledSimulatorImpl"));
            Simulator::GetImplementation()->SetAttribute("Salt", UintegerValue(salt));
            PhotonicRailHelper helper;
            helper.SetReconfigurationTime(Time(0));
            const Rail rail = helper.Install(NodeContainer(3));
            const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
            ocs->Connect(PortId(0), PortId(1));
            // takes no time, and each port has light before and after
            CircuitPlan plan;
            plan.Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2));
            const OpticalCircuitSwitch::PlanEnded none;
            Simulator::Schedule(MicroSeconds(1), &OpticalCircuitSwitch::Apply, ocs, plan, none);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(rail.GetNic(0, 0)->HasCarrier(), true, "salt " << salt);
            NS_TEST_EXPECT_MSG_EQ(rail.GetNic(1, 0)->HasCarrier(), false, "salt " << salt);
            NS_TEST_EXPECT_MSG_EQ(rail.GetNic(2, 0)->HasCarrier(), true, "salt " << salt);
            Simulator::Destroy();
            Config::Reset();
        }
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    }
};

/** The suite. */
class InstantsTestSuite : public TestSuite
{
  public:
    InstantsTestSuite()
        : TestSuite("photonic-rails-instants", TestSuite::Type::UNIT)
    {
        AddTestCase(new InstantQueueTestCase);
        AddTestCase(new RouterTestCase);
        AddTestCase(new LightTestCase);
    }
};

static InstantsTestSuite g_instantsTestSuite;

} // namespace
