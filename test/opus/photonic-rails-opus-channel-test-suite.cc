/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The control plane's messages over a management network: real UDP, real packets.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/time-units.h"
#include "photonic-rails-opus-channel-bench.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/management-network-helper.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/packet.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint16_t PORT = OpusChannelBench::PORT;
constexpr Picoseconds LATENCY = 10 * US; // the helper's default

typedef OpusChannelBench Bench;

/** One link's time for a datagram: PPP 2, IPv4 20, UDP 8, the head 42 bytes, at 1 Gb/s. */
Picoseconds
LinkTime(uint64_t pieceBytes)
{
    return (2 + 20 + 8 + 42 + pieceBytes) * 8000;
}

/** One message. */
class LatencyTest : public TestCase
{
  public:
    LatencyTest()
        : TestCase("a message takes one latency and its bytes on two links; nothing is in its way")
    {
    }

  private:
    /** A message from node 0 to node 1, which sends it on in the same instant. */
    void Relay(Picoseconds latency, uint32_t to)
    {
        const HostBench::Case self;
        ManagementNetworkHelper helper;
        helper.SetLatency(ToTime(latency));
        Bench bench(3, helper);
        bench.answers = 1;
        bench.answersTo = to;
        bench.Send(0, 1, 7, 20);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.received[1].size(), 1, "there");
        NS_TEST_ASSERT_MSG_EQ(bench.received[to].size(), 1, "and sent on");
        const Picoseconds oneWay = latency + 2 * LinkTime(OpusEncoding::FIXED_BYTES + 4 * 20);
        // it leaves when its instant is over, and is taken, and answered, when that of its arrival
        // is
        NS_TEST_EXPECT_MSG_EQ(bench.received[1][0].at, 1 + oneWay + 1, "one way");
        NS_TEST_EXPECT_MSG_EQ(bench.received[to][0].at,
                              1 + oneWay + 1 + oneWay + 1,
                              "two, and no acknowledgement in the way");
        const uint32_t bare = to == 0 ? 0 : 1; // the answer is the acknowledgement
        NS_TEST_EXPECT_MSG_EQ(bench.channels[1]->GetCounters().bare, bare, "only if needed");
        NS_TEST_EXPECT_MSG_EQ(bench.acknowledged[0].size(), 1, "the first is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(bench.acknowledged[1].size(), 1, "and the second");
        // a timer may be left that has no work
        const Picoseconds timer = OpusChannelSettings().retransmitAfter.GetTimeStep();
        NS_TEST_EXPECT_MSG_LT(NowPicoseconds(),
                              4 * oneWay + timer,
                              "nothing waits when nothing is due");
        for (const auto& channel : bench.channels)
        {
            NS_TEST_EXPECT_MSG_EQ(channel->GetCounters().retransmitted, 0, "nothing twice");
            NS_TEST_EXPECT_MSG_EQ(channel->GetBusyPeers().size(), 0, "nothing left");
        }
    }

    void DoRun() override
    {
        for (Picoseconds latency : {2 * US, LATENCY, 100 * US})
        {
            Relay(latency, 0);
            Relay(latency, 2);
        }
    }
};

/** Messages of one instant. */
class BundleTest : public TestCase
{
  public:
    BundleTest()
        : TestCase("messages of one instant to one peer share datagrams, and arrive together")
    {
    }

  private:
    /** @param count of messages to node 1, beside one to node 2 in their midst */
    void Send(uint32_t count)
    {
        Bench bench(3);
        for (uint64_t i = 0; i < count; ++i)
        {
            bench.Send(0, 1, i);
            if (i == count / 2)
            {
                bench.Send(0, 2, 0);
            }
        }
        Simulator::Run();
        const uint64_t bytes = count * OpusEncoding::FIXED_BYTES;
        NS_TEST_ASSERT_MSG_EQ(bench.received[1].size(), count, "all of them");
        NS_TEST_ASSERT_MSG_EQ(bench.received[2].size(), 1, "and that of node 2");
        for (uint64_t i = 0; i < count; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.received[1][i].message.Get<OpusRequest>().number,
                                  i,
                                  "in order");
            NS_TEST_EXPECT_MSG_EQ(bench.received[1][i].at,
                                  1 + LATENCY + 2 * LinkTime(bytes) + 1,
                                  "when their datagram is there");
        }
        // by peer, so behind the datagram for node 1 on the first link
        NS_TEST_EXPECT_MSG_EQ(bench.received[2][0].at,
                              1 + LATENCY + LinkTime(bytes) +
                                  2 * LinkTime(OpusEncoding::FIXED_BYTES) + 1,
                              "one behind the other");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().datagrams, 2, "one for each peer");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().sent, count + 1, "counted each");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().acknowledged, count + 1, "each");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[1]->GetCounters().datagrams, 1, "one acknowledgement");
    }

    void DoRun() override
    {
        for (uint32_t count : {1, 2, 8, 11}) // 11 of 124 bytes have room
        {
            Send(count);
        }
    }
};

/** Many messages on a bad network. */
class LossTest : public TestCase
{
  public:
    /** @param loss of each link @param ranks in a message, at most */
    LossTest(double loss, uint32_t ranks)
        : TestCase("each message once and in order, both ways, up to " + std::to_string(ranks) +
                   " ranks, where each link loses " + std::to_string(loss)),
          m_loss(loss),
          m_ranks(ranks)
    {
    }

  private:
    void DoRun() override
    {
        ManagementNetworkHelper helper;
        helper.SetLoss(m_loss);
        OpusChannelSettings settings;
        settings.mostAttempts = 20;
        Bench bench(3, helper, settings);
        std::mt19937 random(1);
        uint64_t sent[3][3] = {};
        Picoseconds when = 0;
        for (uint32_t i = 0; i < 300; ++i)
        {
            const uint32_t from = random() % 3;
            const uint32_t to = (from + 1 + random() % 2) % 3;
            const uint64_t plan = sent[from][to]++;
            const uint32_t ranks = random() % 10 == 0 ? m_ranks : random() % 20;
            when += random() % (200 * US);
            HostBench::At(when,
                          [&bench, from, to, plan, ranks] { bench.Send(from, to, plan, ranks); });
        }
        Simulator::Run();
        uint64_t retransmitted = 0;
        uint64_t duplicates = 0;
        for (uint32_t n = 0; n < 3; ++n)
        {
            uint64_t next[3] = {};
            for (const Bench::Report& report : bench.received[n])
            {
                const uint32_t from =
                    report.peer == bench.Peer((n + 1) % 3) ? (n + 1) % 3 : (n + 2) % 3;
                NS_TEST_ASSERT_MSG_EQ(report.message.Get<OpusRequest>().number,
                                      next[from]++,
                                      "in order and once");
                for (uint32_t r = 0; r < report.message.GetRanks().size(); ++r)
                {
                    NS_TEST_ASSERT_MSG_EQ(report.message.GetRanks()[r].Get(), r, "whole");
                }
            }
            for (uint32_t from = 0; from < 3; ++from)
            {
                NS_TEST_EXPECT_MSG_EQ(next[from], sent[from][n], "all of them");
            }
            NS_TEST_EXPECT_MSG_EQ(bench.failed[n].size(), 0, "none fails");
            NS_TEST_EXPECT_MSG_EQ(bench.refused[n].size(), 0, "none is refused");
            const OpusChannelCounters& counters = bench.channels[n]->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.acknowledged, counters.sent, "and that is known");
            NS_TEST_EXPECT_MSG_EQ(counters.received, bench.received[n].size(), "counted");
            retransmitted += counters.retransmitted;
            duplicates += counters.duplicates;
        }
        NS_TEST_EXPECT_MSG_EQ((retransmitted > 0), (m_loss > 0), retransmitted << " again");
        NS_TEST_EXPECT_MSG_EQ((duplicates > 0), (m_loss > 0), duplicates << " came twice");
    }

    double m_loss;
    uint32_t m_ranks;
};

/** A message that needs many datagrams. */
class LargeMessageTest : public TestCase
{
  public:
    LargeMessageTest()
        : TestCase("2,048 ranks take six datagrams, one behind the other; 16 MiB go through too")
    {
    }

  private:
    void DoRun() override
    {
        {
            Bench bench(2);
            bench.Send(0, 1, 1, 2048);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(bench.received[1].size(), 1, "there");
            NS_TEST_EXPECT_MSG_EQ(bench.received[1][0].message.GetRanks().size(), 2048, "whole");
            const uint64_t bytes = OpusEncoding::FIXED_BYTES + 4 * 2048;
            const uint64_t most = 1472 - 42;
            NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().datagrams,
                                  (bytes + most - 1) / most,
                                  "in as few datagrams as it needs");
            // five full ones on the first link, and the rest as soon as they are through; each is
            // sent on when it is there, and the last, which is short, waits for the one before it
            const Picoseconds last = LinkTime(bytes - 5 * most);
            NS_TEST_EXPECT_MSG_EQ(bench.received[1][0].at,
                                  1 + LATENCY + 6 * LinkTime(most) + last + 1,
                                  "as fast as the links are");
        }
        Bench bench(2);
        constexpr uint32_t LIST = OpusEncoding::MOST_BYTES - OpusEncoding::FIXED_BYTES;
        OpusRequest request;
        request.ranks.resize(LIST / 4, RankId(5));
        bench.channels[0]->Send({0, ServerId(), RailId(), request}, bench.Peer(1));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.received[1].size(), 1, "there");
        NS_TEST_EXPECT_MSG_EQ((bench.received[1][0].message.GetRanks() == request.ranks),
                              true,
                              "whole");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().retransmitted, 0, "nothing twice");
    }
};

/** A peer that nothing reaches. */
class DeadPeerTest : public TestCase
{
  public:
    DeadPeerTest()
        : TestCase("the owner is told of what a dead peer does not get; others are not held up")
    {
    }

  private:
    static constexpr Picoseconds APART = 300 * US; //!< messages; between two repeats of others

    void DoRun() override
    {
        OpusChannelSettings settings;
        settings.mostAttempts = 4; // 1 + 2 + 4 + 8 ms
        Bench bench(3, {}, settings);
        bench.network.Cut(bench.nodes.Get(1));
        for (uint32_t i = 0; i < 3; ++i)
        {
            HostBench::At(i * APART, [&bench, i] {
                bench.Send(0, 1, i);
                bench.Send(0, 2, i);
                bench.Send(1, 2, i); // nothing leaves it either
            });
        }
        HostBench::At(30 * MS, [&bench] {
            bench.network.Restore(bench.nodes.Get(1));
            bench.Send(0, 1, 3);
            bench.Send(1, 0, 3);
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.received[2].size(), 3, "of those from node 0, all");
        NS_TEST_ASSERT_MSG_EQ(bench.failed[0].size(), 3, "of those to node 1, none");
        NS_TEST_ASSERT_MSG_EQ(bench.failed[1].size(), 3, "of those from node 1, none");
        for (uint32_t i = 0; i < 3; ++i)
        {
            // behind the one for node 1, which is as long, on the first link
            NS_TEST_EXPECT_MSG_EQ(bench.received[2][i].at,
                                  1 + i * APART + LATENCY +
                                      3 * LinkTime(OpusEncoding::FIXED_BYTES) + 1,
                                  "on time");
            NS_TEST_EXPECT_MSG_EQ(bench.failed[0][i].message.Get<OpusRequest>().number,
                                  i,
                                  "told which");
            NS_TEST_EXPECT_MSG_EQ((bench.failed[0][i].peer == bench.Peer(1)), true, "whose");
            NS_TEST_EXPECT_MSG_EQ(bench.failed[0][i].why,
                                  "10.255.0.5 port 4791 did not acknowledge it in 4 attempts",
                                  "why");
            // each of four attempts, and the end, is when an instant is over
            NS_TEST_EXPECT_MSG_EQ(bench.failed[0][i].at, 15 * MS + 5, "when the first of them is");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().failed, 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->GetCounters().retransmitted, 9, "3 times each");
        NS_TEST_ASSERT_MSG_EQ(bench.received[1].size(), 1, "what came after the repair");
        NS_TEST_EXPECT_MSG_EQ(bench.received[1][0].message.Get<OpusRequest>().number,
                              3,
                              "and nothing that was given up");
        NS_TEST_ASSERT_MSG_EQ(bench.received[0].size(), 1, "the other way too");
        NS_TEST_EXPECT_MSG_LT(NowPicoseconds(), 32 * MS, "and that is all, but for a timer");
    }
};

/** Bytes that are no message. */
class GarbageTest : public TestCase
{
  public:
    GarbageTest()
        : TestCase("what is no message is refused and counted, by reason")
    {
    }

  private:
    static std::vector<uint8_t> Octets(const OpusDatagram& head, const std::vector<uint8_t>& piece)
    {
        const Ptr<Packet> packet = Create<Packet>(piece.data(), piece.size());
        packet->AddHeader(OpusHeader(head));
        std::vector<uint8_t> octets(packet->GetSize());
        packet->CopyData(octets.data(), octets.size());
        return octets;
    }

    void DoRun() override
    {
        Bench bench(3);
        const std::vector<uint8_t> piece = OpusEncoding::Encode(Bench::Make(1, 0));
        OpusDatagram head;
        head.sequence = 1;
        head.bundleBytes = piece.size();
        head.pieceBytes = piece.size();
        const std::vector<uint8_t> sound = Octets(head, piece);
        std::vector<uint8_t> version = sound;
        version[4] = OpusHeader::VERSION + 1;
        std::vector<uint8_t> type = sound;
        type[OpusHeader::SIZE] = 255;
        std::vector<uint8_t> longer = sound;
        longer.push_back(0);
        OpusDatagram acknowledgement; // of datagrams that were never sent
        acknowledgement.acknowledged = 1;
        bench.SendOctets(0, 1, {});
        bench.SendOctets(0, 1, {'h', 'e', 'l', 'l', 'o'});
        bench.SendOctets(0, 1, version);
        bench.SendOctets(0, 1, {sound.begin(), sound.end() - 1});
        bench.SendOctets(0, 1, longer);
        bench.SendOctets(0, 1, Octets(acknowledgement, {}));
        bench.SendOctets(0, 1, type);
        bench.SendOctets(0, 1, sound);
        bench.Send(2, 1, 2); // goes on all the while
        Simulator::Run();
        const OpusChannelCounters& counters = bench.channels[1]->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::NOT_OPUS), 2, "empty, and hello");
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::UNKNOWN_VERSION),
                              1,
                              "another version");
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::TRUNCATED), 1, "a byte less");
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::TRAILING), 1, "a byte more");
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::CONTRADICTION), 1, "a stranger's");
        NS_TEST_EXPECT_MSG_EQ(counters.GetRefused(OpusRefusal::UNKNOWN_TYPE), 1, "type 255");
        NS_TEST_EXPECT_MSG_EQ(bench.refused[1].size(), 7, "and the owner is told");
        NS_TEST_EXPECT_MSG_EQ(counters.received, 2, "what is sound is taken");
        // of the message of unknown type, the sound one, and node 2's; nothing else is answered
        NS_TEST_EXPECT_MSG_EQ(counters.bare, 3, "acknowledged");
    }
};

/** Ends in the middle. */
class CloseTest : public TestCase
{
  public:
    CloseTest()
        : TestCase("a channel may be closed by whoever gets its message, and with much on its way")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(2);
        bench.closesWhenReceiving = true;
        for (uint32_t i = 0; i < 100; ++i)
        {
            bench.Send(0, 1, i);
            bench.Send(1, 0, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.received[0].size(), 1, "no more than the first");
        NS_TEST_EXPECT_MSG_EQ(bench.received[1].size(), 1, "no more than the first");
        NS_TEST_EXPECT_MSG_EQ(bench.failed[0].size() + bench.failed[1].size(), 0, "not a word");
        NS_TEST_EXPECT_MSG_EQ(bench.channels[0]->IsOpen(), false, "closed");
    }
};

/** The network itself. */
class NetworkTest : public TestCase
{
  public:
    NetworkTest()
        : TestCase("a node has one link however often it is given, and keeps its stack and routes")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        NodeContainer servers(2);
        InternetStackHelper().Install(servers.Get(0));
        const Ptr<Ipv4> stack = servers.Get(0)->GetObject<Ipv4>();
        const Ptr<Ipv4StaticRouting> routing = Ipv4StaticRoutingHelper().GetStaticRouting(stack);
        routing->SetDefaultRoute("127.0.0.1", 0);
        const ManagementNetwork network =
            ManagementNetworkHelper().Install(NodeContainer(servers, servers.Get(0)));
        NS_TEST_EXPECT_MSG_EQ((servers.Get(0)->GetObject<Ipv4>() == stack), true, "the same");
        NS_TEST_EXPECT_MSG_EQ(routing->GetDefaultRoute().GetInterface(), 0, "as it was");
        NS_TEST_EXPECT_MSG_EQ(network.router->GetNDevices(), 3, "two links and loopback");
        NS_TEST_EXPECT_MSG_EQ(network.GetAddress(servers.Get(1)),
                              Ipv4Address("10.255.0.5"),
                              "four addresses a link");
    }
};

std::vector<Mistake>
Mistakes()
{
    return {
        {"a node that is not on the network",
         [] { Bench(2).network.GetAddress(CreateObject<Node>()); },
         {"none of the 2", "Install()"}},
        {"more nodes than addresses",
         [] {
             ManagementNetworkHelper helper;
             helper.SetNetwork("10.9.0.0", "255.255.255.248");
             helper.Install(NodeContainer(3));
         },
         {"3 nodes", "addresses for 2", "SetNetwork()"}},
        {"no latency",
         [] { ManagementNetworkHelper().SetLatency(Time(0)); },
         {"latency of 0 ps", "3 ps or more"}},
        {"a loss above all", [] { ManagementNetworkHelper().SetLoss(1.5); }, {"1.5", "0 to 1"}},
        {"a port that is taken",
         [] {
             Bench bench(2);
             OpusChannel().Open(bench.nodes.Get(0), PORT, {});
         },
         {"port 4791", "taken"}},
        {"a channel that is not open",
         [] {
             OpusChannel().Send({}, {Ipv4Address("10.255.0.5"), PORT});
         },
         {"heartbeat", "10.255.0.5 port 4791", "not open"}},
        {"too many attempts",
         [] {
             OpusChannelSettings settings;
             settings.mostAttempts = 21;
             Bench(2, {}, settings);
         },
         {"21 attempts", "1 to 20"}},
        {"datagrams without room",
         [] {
             OpusChannelSettings settings;
             settings.datagramBytes = 127;
             Bench(2, {}, settings);
         },
         {"127 bytes", "128 to 65507"}},
        {"no interval",
         [] {
             OpusChannelSettings settings;
             settings.retransmitAfter = Time(0);
             Bench(2, {}, settings);
         },
         {"after 0 ps", "more than 0 s"}},
    };
}

/** The suite. */
class OpusChannelTestSuite : public TestSuite
{
  public:
    OpusChannelTestSuite()
        : TestSuite("photonic-rails-opus-channel", TestSuite::Type::UNIT)
    {
        AddTestCase(new LatencyTest);
        AddTestCase(new BundleTest);
        AddTestCase(new LossTest(0, 100));
        AddTestCase(new LossTest(0.16, 100)); // 30 % from end to end
        AddTestCase(new LossTest(0.3, 5000));
        AddTestCase(new LargeMessageTest);
        AddTestCase(new DeadPeerTest);
        AddTestCase(new GarbageTest);
        AddTestCase(new CloseTest);
        AddTestCase(new NetworkTest);
        AddTestCase(new MistakesTest("mistakes with channels and their network", Mistakes()));
    }
};

OpusChannelTestSuite g_opusChannelTestSuite;

} // namespace
