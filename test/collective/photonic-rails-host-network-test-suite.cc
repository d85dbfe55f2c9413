/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages over the network of the hosts: real TCP, real packets.

#include "../support/photonic-rails-mistakes.h"
#include "../support/time-units.h"
#include "photonic-rails-host-network-bench.h"

#include "ns3/error-model.h"
#include "ns3/host-record.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <map>
#include <random>
#include <string>
#include <sys/resource.h>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 100'000'000'000; // the helper's default
constexpr Picoseconds DELAY = 1 * US;      // of a link, the helper's default
constexpr Picoseconds HOST = 5 * US;       // HostLatency, the default

/** One message. */
class OneMessageTest : public TestCase
{
  public:
    OneMessageTest()
        : TestCase("a message: GPU, server, connection, server, GPU, and its receipt back")
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkBench bench(2);
        const uint64_t bytes = 5000;
        bench.Send(1, 2, 3'000'000'000, bytes, 0x8001);
        NS_TEST_EXPECT_MSG_EQ(bench.transports[1]->Describe(bench.Make(1, 2, 0, 0)),
                              "TCP to the server at 172.16.0.5, not connected",
                              "for people");
        Simulator::Run();

        NS_TEST_ASSERT_MSG_EQ(bench.arrived[2].size(), 1, "arrived");
        NS_TEST_ASSERT_MSG_EQ(bench.settled[1].size(), 1, "settled");
        const TransportMessage& got = bench.arrived[2][0].message;
        NS_TEST_EXPECT_MSG_EQ(got.from.Get(), 1, "from whom");
        NS_TEST_EXPECT_MSG_EQ(got.to.Get(), 2, "to whom");
        NS_TEST_EXPECT_MSG_EQ(got.group.Get(), 4'000'000'000, "group");
        NS_TEST_EXPECT_MSG_EQ(got.channel, 0x8001, "lane");
        NS_TEST_EXPECT_MSG_EQ(got.tag, 3'000'000'000, "tag");
        NS_TEST_EXPECT_MSG_EQ(got.bytes, bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ((got.link == RailLink{1, 2}), true, "link");
        NS_TEST_EXPECT_MSG_EQ(bench.arrived[2][0].node, bench.gpus.Get(2)->GetId(), "on its node");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[1][0].node, bench.gpus.Get(1)->GetId(), "on its node");

        // SYN, SYN with ACK, data: three times over two links. On each of those, PPP's 2 bytes,
        // IPv4's 20, TCP's 20 and up to 40 of options go with the payload.
        const Picoseconds least = 2 * HOST + 3 * 2 * DELAY;
        const uint64_t headers = 2 + 20 + 20 + 40;
        const uint64_t most = 2 * (3 * headers + HostMessageHeader::SIZE + bytes);
        const Picoseconds arrived = bench.arrived[2][0].at;
        NS_TEST_EXPECT_MSG_GT(arrived, least + 2 * HostBench::Span(bytes, RATE), "not before");
        NS_TEST_EXPECT_MSG_LT(arrived, least + HostBench::Span(most, RATE), "not later");
        // the receipt leaves when the GPU has it, and takes two links and a HostLatency
        const Picoseconds settled = bench.settled[1][0].at;
        NS_TEST_EXPECT_MSG_GT(settled, arrived + 2 * DELAY + HOST, "not before");
        NS_TEST_EXPECT_MSG_LT(settled,
                              arrived + 2 * DELAY + HOST +
                                  HostBench::Span(2 * (headers + HostReceipt::SIZE), RATE),
                              "not later");
        NS_TEST_EXPECT_MSG_EQ(bench.network.endpoints[0]->GetSettled(), 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(bench.network.endpoints[1]->GetArrived(), 1, "counted");
        NS_TEST_EXPECT_MSG_LT(NowPicoseconds(), 1 * S, "nothing waits when nothing is due");
    }
};

/** Messages between GPUs of one server. */
class SameServerTest : public TestCase
{
  public:
    SameServerTest()
        : TestCase("Between GPUs of one server a message goes through its memory")
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkBench bench(2);
        bench.Send(0, 1, 1, 100'000'000);
        bench.Send(0, 1, 2, 0, 7);
        bench.Send(1, 0, 3, 5);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrived[1].size(), 2, "both");
        NS_TEST_ASSERT_MSG_EQ(bench.arrived[0].size(), 1, "the other way");
        for (const auto& report : bench.arrived[1])
        {
            NS_TEST_EXPECT_MSG_EQ(report.at, 2 * HOST, "to the server, and to the GPU");
            NS_TEST_EXPECT_MSG_EQ(report.node, bench.gpus.Get(1)->GetId(), "on its node");
        }
        for (const auto& report : bench.settled[0])
        {
            NS_TEST_EXPECT_MSG_EQ(report.at, 3 * HOST, "and the receipt to the sender");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.settled[0].size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[1].size(), 1, "the other way");
        NS_TEST_EXPECT_MSG_EQ(bench.network.endpoints[0]->GetSettled(), 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(bench.network.endpoints[0]->GetArrived(), 3, "counted");
    }
};

/** The content of the connection, byte by byte. */
class WireFormatTest : public TestCase
{
  public:
    WireFormatTest()
        : TestCase("on the connection: a header in network byte order, and as many zeros as bytes")
    {
    }

  private:
    static constexpr uint16_t PORT = 999; //!< where this test listens in place of an endpoint

    void DoRun() override
    {
        HostNetworkBench bench(2);
        m_stream.clear();
        bench.network.endpoints[0]->SetAttribute("Port", UintegerValue(PORT));
        Ptr<Socket> listener =
            Socket::CreateSocket(bench.hosts.Get(1), TcpSocketFactory::GetTypeId());
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        listener->Listen();
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&WireFormatTest::Accept, this));
        bench.Send(0, 3, 0x01020304, 70'000, 0x8005);
        bench.Send(0, 2, 5, 0);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();

        std::vector<uint8_t> expected;
        for (const auto& [to, channel, tag, bytes] :
             std::vector<std::tuple<uint8_t, uint16_t, uint32_t, uint32_t>>{
                 {2, 0, 5, 0}, // of one instant, to the lower rank first
                 {3, 0x8005, 0x01020304, 70'000}})
        {
            Put(expected, "PRHM");
            Put(expected, 1, 2);
            Put(expected, channel, 2);
            Put(expected, 0, 4);
            Put(expected, to, 4);
            Put(expected, 4'000'000'000, 4);
            Put(expected, tag, 4);
            Put(expected, 1, 4);
            Put(expected, 2, 4);
            Put(expected, bytes, 8);
            expected.resize(expected.size() + bytes, 0);
        }
        NS_TEST_ASSERT_MSG_EQ(m_stream.size(), expected.size(), "every byte");
        NS_TEST_EXPECT_MSG_EQ((m_stream == expected), true, "as it should be");
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }

    static void Put(std::vector<uint8_t>& octets, const std::string& text)
    {
        octets.insert(octets.end(), text.begin(), text.end());
    }

    static void Put(std::vector<uint8_t>& octets, uint64_t number, int size)
    {
        for (int i = size - 1; i >= 0; --i)
        {
            octets.push_back(number >> 8 * i & 0xff);
        }
    }

    void Accept(Ptr<Socket> socket, const Address&)
    {
        m_socket = socket;
        socket->SetRecvCallback(MakeCallback(&WireFormatTest::Receive, this));
    }

    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            const std::size_t before = m_stream.size();
            m_stream.resize(before + packet->GetSize());
            packet->CopyData(m_stream.data() + before, packet->GetSize());
        }
    }

    Ptr<Socket> m_socket;
    std::vector<uint8_t> m_stream;
};

/** Many messages, perhaps with loss. */
class ManyMessagesTest : public TestCase
{
  public:
    /** @param loss share of the packets that each link loses */
    explicit ManyMessagesTest(double loss)
        : TestCase("every message once, in order, both ways, with a loss of " +
                   std::to_string(loss)),
          m_loss(loss)
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkHelper helper;
        helper.SetMtu(1500);
        helper.SetEndpointAttribute("BufferSize", UintegerValue(20'000)); // many partial sends
        const HostBench::Case self;
        HostNetworkBench bench(3, helper);
        SetLoss(bench);
        std::mt19937 random(1);
        std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> sent; // by from and to
        for (uint32_t i = 0; i < 300; ++i)
        {
            const uint32_t from = random() % 6;
            const uint32_t to = (from + 1 + random() % 5) % 6; // of the same server too
            const uint64_t sizes[] = {0, 1, 39, 40, 1448, random() % 3000, random() % 100'000};
            const uint64_t bytes = sizes[random() % std::size(sizes)];
            auto& mine = sent[{from, to}];
            const uint32_t tag = mine.size();
            mine.push_back(bytes);
            HostBench::At(i / 10 * 20 * US,
                          [&bench, from, to, tag, bytes] { bench.Send(from, to, tag, bytes); });
        }
        Simulator::Run();

        for (const auto& [ends, bytes] : sent)
        {
            Check(bench.arrived[ends.second], ends, bytes, "arrived");
            Check(bench.settled[ends.first], ends, bytes, "settled");
        }
        for (uint32_t r = 0; r < 6; ++r)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.failed[r].size(), 0, "none fails");
        }
        NS_TEST_EXPECT_MSG_EQ((m_dropped > 0), (m_loss > 0), m_dropped << " packets are lost");
    }

    void SetLoss(HostNetworkBench& bench)
    {
        for (uint32_t s = 0; m_loss > 0 && s < 3; ++s)
        {
            int64_t stream = 2 * s;
            for (const NetDeviceContainer& ends :
                 {bench.network.devices, bench.network.routerDevices})
            {
                Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
                loss->AssignStreams(stream++);
                loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                loss->SetRate(m_loss);
                ends.Get(s)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
                ends.Get(s)->TraceConnectWithoutContext(
                    "PhyRxDrop",
                    MakeCallback(&ManyMessagesTest::Dropped, this));
            }
        }
    }

    void Dropped(Ptr<const Packet>)
    {
        ++m_dropped;
    }

    /**
     * The reports on the messages between two ranks are those of the messages that were sent, in
     * order.
     */
    void Check(const std::vector<HostNetworkBench::Report>& reports,
               const std::pair<uint32_t, uint32_t>& ends,
               const std::vector<uint64_t>& bytes,
               const std::string& what)
    {
        uint32_t tag = 0;
        for (const auto& one : reports)
        {
            if (one.message.from != RankId(ends.first) || one.message.to != RankId(ends.second))
            {
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(one.message.tag, tag, what << " in order");
            NS_TEST_ASSERT_MSG_LT(tag, bytes.size(), what << " once");
            NS_TEST_EXPECT_MSG_EQ(one.message.bytes, bytes[tag], what << " whole");
            ++tag;
        }
        NS_TEST_EXPECT_MSG_EQ(tag, bytes.size(), what << ", all of them");
    }

    double m_loss;
    uint32_t m_dropped{0};
};

/** A message that is larger than the memory that a test may take. */
class LargeMessageTest : public TestCase
{
  public:
    LargeMessageTest()
        : TestCase("1 GB goes through without 1 GB of memory, near the rate of the link")
    {
    }

  private:
    static uint64_t PeakKilobytes()
    {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    }

    void DoRun() override
    {
        const HostBench::Case self;
        HostNetworkHelper helper;
        helper.SetMtu(65535); // fewer segments
        HostNetworkBench bench(2, helper);
        const uint64_t bytes = 1'000'000'000;
        bench.Send(0, 2, 1, bytes);
        const uint64_t before = PeakKilobytes();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrived[2].size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(bench.arrived[2][0].message.bytes, bytes, "whole");
        // the sanitizer keeps 256 MB that were freed
#ifdef __SANITIZE_ADDRESS__
        const uint64_t most = 700'000;
#else
        const uint64_t most = 50'000;
#endif
        NS_TEST_EXPECT_MSG_LT(PeakKilobytes() - before, most, "kilobytes more than before");
        const Picoseconds least = HostBench::Span(1'000'000, RATE) * (bytes / 1'000'000);
        NS_TEST_EXPECT_MSG_GT(bench.arrived[2][0].at, least, "no faster than the link");
        NS_TEST_EXPECT_MSG_LT(bench.arrived[2][0].at, 2 * least, "and not much slower");
    }
};

/** Servers that have a network of their own already. */
class RoutesTest : public TestCase
{
  public:
    RoutesTest()
        : TestCase("a server that has a stack keeps it and its routes")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        NodeContainer servers(2);
        InternetStackHelper().Install(servers.Get(0));
        const Ptr<Ipv4> stack = servers.Get(0)->GetObject<Ipv4>();
        const auto routes = [](Ptr<Node> node) {
            return Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
        };
        routes(servers.Get(0))->SetDefaultRoute("127.0.0.1", 0);
        const HostNetwork network = HostNetworkHelper().Install(servers);
        NS_TEST_EXPECT_MSG_EQ((servers.Get(0)->GetObject<Ipv4>() == stack), true, "the same");
        NS_TEST_EXPECT_MSG_EQ(routes(servers.Get(0))->GetDefaultRoute().GetInterface(),
                              0,
                              "the default route is as it was");
        const auto& other = routes(servers.Get(1));
        bool through = false;
        for (uint32_t i = 0; i < other->GetNRoutes(); ++i)
        {
            const Ipv4RoutingTableEntry route = other->GetRoute(i);
            through = through || (route.GetDest() == Ipv4Address("172.16.0.0") &&
                                  route.GetDestNetworkMask() == Ipv4Mask("255.255.0.0") &&
                                  route.GetGateway() == Ipv4Address("172.16.0.6"));
        }
        NS_TEST_EXPECT_MSG_EQ(through, true, "what is for the hosts' network goes by the router");
        NS_TEST_EXPECT_MSG_EQ(network.router->GetNDevices(), 3, "two links and loopback");
    }
};

std::vector<Mistake>
Mistakes()
{
    return {
        {"a rank that nobody placed",
         [] { HostNetworkBench(2).Send(0, 9, 0, 1); },
         {"rank 9", "4 ranks", "SetServerOf()"}},
        {"a server that is none",
         [] { HostNetworkBench(2).network.Join(RankId(7), 2, CreateObject<Node>()); },
         {"server 2", "2 servers"}},
        {"a rank twice",
         [] { HostNetworkBench(2).network.Join(RankId(1), 0, CreateObject<Node>()); },
         {"rank 1", "already"}},
        {"no latency",
         [] {
             HostNetworkHelper helper;
             helper.SetEndpointAttribute("HostLatency", TimeValue(Time(0)));
             HostNetworkBench(2, helper).Send(0, 2, 0, 1);
         },
         {"HostLatency of 0 ps", "1 ps or more"}},
        {"a transport without a server",
         [] { CreateObject<HostTransport>()->Send({}); },
         {"no server", "Join()"}},
        {"more servers than addresses",
         [] {
             HostNetworkHelper helper;
             helper.SetNetwork("10.9.0.0", "255.255.255.248");
             helper.Install(NodeContainer(3));
         },
         {"3 servers", "addresses for 2", "SetNetwork()"}},
        {"an MTU without room", [] { HostNetworkHelper().SetMtu(52); }, {"52 bytes", "give more"}},
    };
}

/** The suite. */
class HostNetworkTestSuite : public TestSuite
{
  public:
    HostNetworkTestSuite()
        : TestSuite("photonic-rails-host-network", TestSuite::Type::UNIT)
    {
        AddTestCase(new OneMessageTest);
        AddTestCase(new SameServerTest);
        AddTestCase(new WireFormatTest);
        AddTestCase(new ManyMessagesTest(0));
        AddTestCase(new ManyMessagesTest(0.01));
        AddTestCase(new LargeMessageTest);
        AddTestCase(new RoutesTest);
        AddTestCase(new MistakesTest("mistakes with the hosts' network", Mistakes()));
    }
};

HostNetworkTestSuite g_hostNetworkTestSuite;

} // namespace
