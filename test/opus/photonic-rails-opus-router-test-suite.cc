/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The router of the management network: what it sends on, byte for byte and when, and what it does
// not.

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/management-network-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t ROUTER_LATENCY = 10'000'000; // ps
constexpr int64_t LINK_BYTE = 8'000;           // ps, at 1 Gb/s
constexpr std::size_t PPP_BYTES = 2;           // bytes
constexpr std::size_t TTL_AT = PPP_BYTES + 8;  // offset in a frame
constexpr std::size_t PROTOCOL_AT = PPP_BYTES + 9;
constexpr uint8_t ICMP_PROTOCOL = 1;
constexpr uint16_t ROUTER_PORT = 99;

/** A frame on a link. */
struct OnLink
{
    Picoseconds at;
    std::vector<uint8_t> bytes;
};

/** A network of three nodes, with captures of the first two links. */
class RouterBench
{
  public:
    RouterBench()
    {
        UsePicoseconds();
        ManagementNetworkHelper helper;
        helper.SetLatency(ToTime(ROUTER_LATENCY));
        network = helper.Install(NodeContainer(3));
        for (uint32_t n = 0; n < 2; ++n)
        {
            network.devices.Get(n)->TraceConnectWithoutContext(
                "PromiscSniffer",
                MakeBoundCallback(&RouterBench::Keep, &links[n]));
        }
        sink = Socket::CreateSocket(network.nodes.Get(1), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), ROUTER_PORT));
    }

    ~RouterBench()
    {
        Simulator::Destroy();
        Config::Reset();
    }

    /** The first node sends a datagram. @param ttl 0: that of the stack */
    void Send(Ipv4Address to, uint32_t bytes, uint8_t ttl = 0)
    {
        const Ptr<Socket> socket =
            Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        if (ttl > 0)
        {
            socket->SetIpTtl(ttl);
        }
        std::vector<uint8_t> payload(bytes);
        for (uint32_t i = 0; i < bytes; ++i)
        {
            payload[i] = i * 7 + bytes;
        }
        socket->SendTo(Create<Packet>(payload.data(), bytes),
                       0,
                       InetSocketAddress(to, ROUTER_PORT));
    }

    /** The same in the course of the simulation. */
    void SendAt(int64_t when, Ipv4Address to, uint32_t bytes, uint8_t ttl = 0)
    {
        Simulator::Schedule(ToTime(when), &RouterBench::Send, this, to, bytes, ttl);
    }

    ManagementNetwork network;
    std::vector<OnLink> links[2]; //!< of the first node, and of the second
    Ptr<Socket> sink;

  private:
    static void Keep(std::vector<OnLink>* link, Ptr<const Packet> packet)
    {
        OnLink frame{NowPicoseconds(), std::vector<uint8_t>(packet->GetSize())};
        packet->CopyData(frame.bytes.data(), frame.bytes.size());
        link->push_back(std::move(frame));
    }
};

/** What it sends on. */
class RouterSendsOnTest : public TestCase
{
  public:
    RouterSendsOnTest()
        : TestCase("a router sends on each byte but the time to live, after the latency")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool checksums :
             {false, true}) // with them packets go through the router's stack
        {
            if (checksums)
            {
                Config::SetGlobal("ChecksumEnabled", BooleanValue(true));
            }
            RouterBench bench;
            int64_t when = 1'000'000;
            for (const uint32_t bytes : {0, 1, 46, 700, 1472, 3'000, 60'000}) // some in fragments
            {
                bench.SendAt(when, bench.network.addresses[1], bytes);
                bench.SendAt(when, bench.network.addresses[1], bytes, 2);
                when += 1'000'000'000;
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(bench.links[0].size(), 2 * (5 + 3 + 41), "all are sent");
            NS_TEST_ASSERT_MSG_EQ(bench.links[1].size(), bench.links[0].size(), "none is lost");
            for (std::size_t i = 0; i < bench.links[0].size(); ++i)
            {
                OnLink sent = bench.links[0][i];
                const OnLink& came = bench.links[1][i];
                NS_TEST_ASSERT_MSG_EQ(came.bytes.size(), sent.bytes.size(), "whole");
                NS_TEST_EXPECT_MSG_EQ(came.bytes[TTL_AT] + 1, sent.bytes[TTL_AT], "a hop");
                sent.bytes[TTL_AT] = came.bytes[TTL_AT];
                for (const std::size_t sum : {PPP_BYTES + 10, PPP_BYTES + 11}) // of the header
                {
                    sent.bytes[sum] = checksums ? came.bytes[sum] : sent.bytes[sum];
                }
                NS_TEST_EXPECT_MSG_EQ((came.bytes == sent.bytes), true, "byte for byte: " << i);
                CheckInstant(bench, i);
            }
        }
    }

    /** A frame waits at the router for no other, or for the longer one before it. */
    void CheckInstant(const RouterBench& bench, std::size_t i)
    {
        const OnLink& sent = bench.links[0][i];
        const auto length = static_cast<int64_t>(sent.bytes.size()) * LINK_BYTE;
        Picoseconds comes = sent.at + 2 * length + ROUTER_LATENCY;
        if (i > 0 && bench.links[0][i - 1].bytes.size() > sent.bytes.size())
        {
            comes = std::max(comes, bench.links[1][i - 1].at + length);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.links[1][i].at, comes, "when it comes: " << i);
    }
};

/** What it does not send on. */
class RouterStopsTest : public TestCase
{
  public:
    RouterStopsTest()
        : TestCase("a router keeps what it may not send on, and answers it as any router does")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench;
        const Ipv4Address there = bench.network.addresses[1];
        const Ptr<Ipv4> router = bench.network.router->GetObject<Ipv4>();
        bench.SendAt(1'000'000, there, 10, 1);                                 // its last hop
        bench.SendAt(2'000'000'000, router->GetAddress(1, 0).GetLocal(), 10);  // to the router
        bench.SendAt(3'000'000'000, Ipv4Address(there.Get() + 4 * 100), 10);   // no such link
        Simulator::Schedule(ToTime(4'000'000'000), &Ipv4::SetDown, router, 2); // link 1
        bench.SendAt(5'000'000'000, there, 10);
        Simulator::Schedule(ToTime(6'000'000'000), &Ipv4::SetUp, router, 2);
        bench.SendAt(9'000'000'000, there, 10);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.links[1].size(), 1, "the last one alone");
        NS_TEST_EXPECT_MSG_EQ(bench.links[1][0].at,
                              9'000'000'000 + 2 * 40 * LINK_BYTE + ROUTER_LATENCY,
                              "as before");
        std::vector<Picoseconds> answers;
        for (const OnLink& frame : bench.links[0])
        {
            if (frame.bytes[PROTOCOL_AT] == ICMP_PROTOCOL)
            {
                answers.push_back(frame.at / 1'000'000'000);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(answers.size(), 2, "time exceeded, and no such port");
        NS_TEST_EXPECT_MSG_EQ(answers[0], 0, "to the first");
        NS_TEST_EXPECT_MSG_EQ(answers[1], 2, "to the second");
    }
};

/** The suite. */
class RouterTestSuite : public TestSuite
{
  public:
    RouterTestSuite()
        : TestSuite("photonic-rails-opus-router", TestSuite::Type::UNIT)
    {
        AddTestCase(new RouterSendsOnTest);
        AddTestCase(new RouterStopsTest);
    }
};

static RouterTestSuite g_routerTestSuite;

} // namespace
