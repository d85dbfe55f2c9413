/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The fabric inside a server in simulation, and the transport that goes over it.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-shuffled-simulator.h"
#include "photonic-rails-scale-up-bench.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::scaleup;

namespace
{

/** Records the deliveries of a domain. */
struct DomainWitness
{
    void Delivered(const ScaleUpMessage& message)
    {
        delivered.emplace_back(message.from.Get(),
                               message.to.Get(),
                               message.bytes,
                               NowPicoseconds());
    }

    void Settled(const ScaleUpMessage& message)
    {
        settled.emplace_back(message.from.Get(), message.to.Get(), message.bytes, NowPicoseconds());
    }

    void Sent(const ScaleUpMessage&)
    {
        ++sent;
    }

    typedef std::tuple<uint32_t, uint32_t, uint64_t, Picoseconds> Entry;
    std::vector<Entry> delivered;
    std::vector<Entry> settled;
    uint32_t sent{0};
};

/** One message in a domain. */
class DomainTest : public TestCase
{
  public:
    DomainTest()
        : TestCase("a message takes its bits and one latency, and the notice one more")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const auto domains = MakeHelper().Install(NodeContainer(4), 2);
        NS_TEST_ASSERT_MSG_EQ(domains.size(), 2, "a domain a server");
        const Ptr<ScaleUpDomain> domain = domains[1];
        DomainWitness witness;
        domain->TraceConnectWithoutContext("MessageSent",
                                           MakeCallback(&DomainWitness::Sent, &witness));
        domain->TraceConnectWithoutContext("MessageDelivered",
                                           MakeCallback(&DomainWitness::Delivered, &witness));
        domain->SetSettledCallback(MemberId(0), MakeCallback(&DomainWitness::Settled, &witness));
        NS_TEST_EXPECT_MSG_EQ(domain->GetNodeId(MemberId(1)), 3, "GPU 1 of server 1");
        NS_TEST_EXPECT_MSG_EQ(domain->GetPortRate().GetBitRate(), RATE, "of the generation");
        HostBench::At(1000, [domain] {
            domain->Send({MemberId(0), MemberId(1), 1'000'001, {}});
            domain->Send({MemberId(0), MemberId(1), 0, {}});
        });
        Simulator::Run();

        const Picoseconds there = 1000 + LATENCY + Span(1'000'001);
        const std::vector<DomainWitness::Entry> delivered{{0, 1, 1'000'001, there},
                                                          {0, 1, 0, there}};
        const std::vector<DomainWitness::Entry> settled{{0, 1, 1'000'001, there + LATENCY},
                                                        {0, 1, 0, there + LATENCY}};
        NS_TEST_EXPECT_MSG_EQ((witness.delivered == delivered), true, "when the last bit is in");
        NS_TEST_EXPECT_MSG_EQ((witness.settled == settled), true, "one latency later");
        NS_TEST_EXPECT_MSG_EQ(witness.sent, 2, "sent");
        NS_TEST_EXPECT_MSG_EQ(domain->GetCount(MemberId(0)).bytesSent, 1'000'001, "bytes out");
        NS_TEST_EXPECT_MSG_EQ(domain->GetCount(MemberId(0)).messagesSent, 2, "messages out");
        NS_TEST_EXPECT_MSG_EQ(domain->GetCount(MemberId(0)).messagesDelivered, 0, "none in");
        NS_TEST_EXPECT_MSG_EQ(domain->GetCount(MemberId(1)).bytesDelivered, 1'000'001, "bytes in");
        NS_TEST_EXPECT_MSG_EQ(domain->GetCount(MemberId(1)).messagesDelivered, 2, "messages in");
    }
};

/** Every member sends to every other at one instant, and the events of an instant are shuffled. */
class ShuffledTest : public TestCase
{
  public:
    ShuffledTest()
        : TestCase("no time and no order depends on the order of equal events")
    {
    }

  private:
    static constexpr uint32_t MEMBERS = 5;

    void DoRun() override
    {
        const std::vector<std::vector<Report>> once = RunWith("ns3::DefaultSimulatorImpl", 0);
        for (uint32_t salt = 1; salt <= 20; ++salt)
        {
            const auto again = RunWith("ns3::ShuffledSimulatorImpl", salt);
            for (uint32_t r = 0; r < MEMBERS; ++r)
            {
                NS_TEST_ASSERT_MSG_EQ(again[r].size(), once[r].size(), "as many things");
                for (std::size_t i = 0; i < once[r].size(); ++i)
                {
                    const Report& a = once[r][i];
                    const Report& b = again[r][i];
                    NS_TEST_ASSERT_MSG_EQ((std::tie(a.what, a.tag, a.from, a.at) ==
                                           std::tie(b.what, b.tag, b.from, b.at)),
                                          true,
                                          "rank " << r << ", thing " << i << ", salt " << salt);
                }
            }
        }
    }

    /** @return the reports to each rank of arrivals, and then of its own messages */
    std::vector<std::vector<Report>> RunWith(const std::string& simulator, uint32_t salt)
    {
        const HostBench::Case self;
        Config::SetDefault("ns3::ShuffledSimulatorImpl::Salt", UintegerValue(salt));
        GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
        Witness witness;
        const auto transports =
            ScaleUpHelper::MakeTransports(MakeHelper().Install(NodeContainer(MEMBERS), MEMBERS));
        for (uint32_t r = 0; r < MEMBERS; ++r)
        {
            witness.Watch(RankId(r), transports[r]);
            for (const Picoseconds at : {1000, 2000})
            {
                for (uint32_t other = 0; other < MEMBERS; ++other)
                {
                    // an event for each receiver: those of one instant run in any order
                    Simulator::ScheduleWithContext(r,
                                                   ToTime(at),
                                                   &ShuffledTest::SendTwo,
                                                   transports[r],
                                                   r,
                                                   other,
                                                   static_cast<uint32_t>(at));
                }
            }
        }
        Simulator::Run();
        std::vector<std::vector<Report>> reports(MEMBERS);
        for (uint32_t r = 0; r < MEMBERS; ++r)
        {
            reports[r] = witness.Get('a', r);
            const std::vector<Report> settled = witness.Get('s', r);
            NS_TEST_EXPECT_MSG_EQ(reports[r].size(), 2 * 2 * (MEMBERS - 1), "each message once");
            NS_TEST_EXPECT_MSG_EQ(settled.size(), 2 * 2 * (MEMBERS - 1), "each is settled");
            reports[r].insert(reports[r].end(), settled.begin(), settled.end());
        }
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        return reports;
    }

    /** Sends two messages to another rank. */
    static void SendTwo(Ptr<ScaleUpTransport> transport,
                        uint32_t rank,
                        uint32_t other,
                        uint32_t tag)
    {
        if (other != rank)
        {
            transport->Send(MakeMessage(rank, other, tag + 2 * other, 900));
            transport->Send(MakeMessage(rank, other, tag + 2 * other + 1, 0));
        }
    }
};

/** The transport over a domain. */
class TransportTest : public TestCase
{
  public:
    TransportTest()
        : TestCase(
              "a rank's messages arrive at delivery, in order, and are settled a latency later")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        Witness witness;
        const auto transports =
            ScaleUpHelper::MakeTransports(MakeHelper().Install(NodeContainer(4), 2));
        NS_TEST_ASSERT_MSG_EQ(transports.size(), 4, "one a rank");
        NS_TEST_EXPECT_MSG_EQ(transports[3]->Reaches(RankId(2)), true, "the same server");
        NS_TEST_EXPECT_MSG_EQ(transports[3]->Reaches(RankId(0)), false, "another server");
        for (uint32_t r = 0; r < 4; ++r)
        {
            witness.Watch(RankId(r), transports[r]);
        }
        const std::vector<uint64_t> sizes{4096, 0, 1, 1'000'000};
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            transports[2]->Send(MakeMessage(2, 3, i, sizes[i]));
        }
        Simulator::Run();

        const std::vector<Report> arrived = witness.Get('a', 3);
        const std::vector<Report> settled = witness.Get('s', 2);
        NS_TEST_ASSERT_MSG_EQ(arrived.size(), sizes.size(), "all arrive");
        NS_TEST_ASSERT_MSG_EQ(settled.size(), sizes.size(), "all are settled");
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            bytes += sizes[i];
            NS_TEST_EXPECT_MSG_EQ(arrived[i].tag, i, "in order");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].from, 2, "by whom");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].at, LATENCY + Span(bytes), "back to back");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].node, 3, "on the receiver's node");
            NS_TEST_EXPECT_MSG_EQ(settled[i].tag, i, "settled in order");
            NS_TEST_EXPECT_MSG_EQ(settled[i].at, arrived[i].at + LATENCY, "a latency later");
            NS_TEST_EXPECT_MSG_EQ(settled[i].node, 2, "on the sender's node");
        }
        NS_TEST_EXPECT_MSG_EQ(transports[2]->Describe(MakeMessage(2, 3, 0, 0)),
                              "the fabric inside the server, member 0 to 1",
                              "for people");
    }
};

/** Objects that are released early. */
class DisposeTest : public TestCase
{
  public:
    DisposeTest()
        : TestCase("a transport that is gone, or a domain, is told nothing")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        Witness witness;
        auto domains = MakeHelper().Install(NodeContainer(4), 2);
        auto transports = ScaleUpHelper::MakeTransports(domains);
        for (uint32_t r = 0; r < 4; ++r)
        {
            witness.Watch(RankId(r), transports[r]);
        }
        transports[0]->Send(MakeMessage(0, 1, 1, 1000));
        transports[1]->Send(MakeMessage(1, 0, 2, 1000));
        transports[2]->Send(MakeMessage(2, 3, 3, 1000));
        transports[0] = nullptr; // no other pointer holds it
        domains[1]->Dispose();
        domains.clear();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(witness.reports.size(),
                              2,
                              "rank 1 has its message, and knows of its own");
        NS_TEST_EXPECT_MSG_EQ(witness.Get('a', 1).size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(witness.Get('s', 1).size(), 1, "settled");
    }
};

std::vector<Mistake>
ScaleUpMistakes()
{
    return {
        {"a ninth GPU of NVLink 4",
         [] { MakeHelper().Install(NodeContainer(9), 9); },
         {"member 9", "nvlink4 joins 8", "another Generation, or a PortRate"}},
        {"a generation that is none",
         [] {
             ScaleUpHelper helper;
             helper.SetAttribute("Generation", StringValue("copper"));
             helper.Install(NodeContainer(2), 2);
         },
         {"copper: no such generation", "nvlink3"}},
        {"no latency",
         [] {
             ScaleUpHelper helper;
             helper.SetAttribute("Latency", TimeValue(Time(0)));
             helper.Install(NodeContainer(2), 2);
         },
         {"Latency of 0 ps", "1 ps or more"}},
        {"half a server",
         [] { MakeHelper().Install(NodeContainer(9), 4); },
         {"9 GPUs", "servers of 4", "multiple"}},
        {"a member that is none",
         [] {
             MakeHelper().Install(NodeContainer(2), 2)[0]->Send({MemberId(0), MemberId(2), 1, {}});
         },
         {"no member 2", "2 members", "AddMember()"}},
        {"a message to oneself",
         [] {
             MakeHelper().Install(NodeContainer(2), 2)[0]->Send({MemberId(1), MemberId(1), 1, {}});
         },
         {"member 1 sends to itself"}},
        {"a rank of another server",
         [] {
             ScaleUpHelper::MakeTransports(MakeHelper().Install(NodeContainer(4), 2))[0]->Send(
                 MakeMessage(0, 3, 0, 1));
         },
         {"rank 0 sends to rank 3", "AddPeer()"}},
        {"a transport without a fabric",
         [] { CreateObject<ScaleUpTransport>()->Send(MakeMessage(0, 3, 0, 1)); },
         {"on no fabric", "Join()"}},
    };
}

/** The suite. */
class ScaleUpTestSuite : public TestSuite
{
  public:
    ScaleUpTestSuite()
        : TestSuite("photonic-rails-scale-up", TestSuite::Type::UNIT)
    {
        AddTestCase(new DomainTest);
        AddTestCase(new ShuffledTest);
        AddTestCase(new TransportTest);
        AddTestCase(new DisposeTest);
        AddTestCase(
            new MistakesTest("mistakes with the fabric inside a server", ScaleUpMistakes()));
    }
};

ScaleUpTestSuite g_scaleUpTestSuite;

} // namespace
