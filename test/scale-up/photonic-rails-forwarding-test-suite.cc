/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages for other rails, which another GPU of the server forwards.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "photonic-rails-scale-up-bench.h"

#include "ns3/forwarding-transport.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::scaleup;

namespace
{

constexpr Picoseconds RAIL = 2'000'000; // one way over the fake rail

/** A rail that takes RAIL each way for a message of any size; some channels of it are cut. */
class FakeRail : public Transport
{
  public:
    static constexpr uint16_t CUT = 13; //!< the channel that fails

    void Send(const TransportMessage& message) override
    {
        sent.push_back(message);
        const Ptr<FakeRail> self(this);
        if (message.channel == CUT)
        {
            Simulator::Schedule(ToTime(RAIL), &FakeRail::GiveUp, self, message);
            return;
        }
        const Ptr<FakeRail> other = (*others)[message.GetLast().Get()];
        Simulator::ScheduleWithContext(message.GetLast().Get(),
                                       ToTime(RAIL),
                                       &FakeRail::Arrive,
                                       other,
                                       message);
        Simulator::Schedule(ToTime(2 * RAIL), &FakeRail::Settle, self, message);
    }

    std::string Describe(const TransportMessage&) const override
    {
        return "a fake rail";
    }

    std::vector<TransportMessage> sent;
    std::vector<Ptr<FakeRail>>* others{nullptr};

  private:
    void Arrive(const TransportMessage& message)
    {
        NotifyArrived(message);
    }

    void Settle(const TransportMessage& message)
    {
        NotifySettled(message);
    }

    void GiveUp(const TransportMessage& message)
    {
        NotifyFailed(message, "the rail is cut");
    }
};

/** @return a message with relays */
TransportMessage
Relay(TransportMessage message, const Relays& relays)
{
    message.relays = relays;
    return message;
}

/** @return the same message, which rank 1 sends on its rail */
TransportMessage
OverRank1(const TransportMessage& message)
{
    return Relay(message, {RankId(1), std::nullopt});
}

/** Two servers of two GPUs: ranks 0 and 2 are on rail 0, ranks 1 and 3 on rail 1. */
class ForwardingBench
{
  public:
    ForwardingBench()
    {
        scaleUp = ScaleUpHelper::MakeTransports(MakeHelper().Install(NodeContainer(4), 2));
        for (uint32_t r = 0; r < 4; ++r)
        {
            rails.push_back(CreateObject<FakeRail>());
            rails[r]->others = &rails;
            transports.push_back(CreateObject<ForwardingTransport>());
            transports[r]->Join(scaleUp[r], rails[r]);
            witness.Watch(RankId(r), transports[r]);
        }
    }

    /** A rank sends a message at the beginning, on its node. */
    void Send(uint32_t rank, const TransportMessage& message)
    {
        Simulator::ScheduleWithContext(rank,
                                       Time(0),
                                       &ForwardingTransport::Send,
                                       transports[rank],
                                       message);
    }

    HostBench::Case self;
    std::vector<Ptr<ScaleUpTransport>> scaleUp;
    std::vector<Ptr<FakeRail>> rails;
    std::vector<Ptr<ForwardingTransport>> transports;
    Witness witness;
};

/** A message to another rail. */
class ForwardingTest : public TestCase
{
  public:
    ForwardingTest()
        : TestCase("a message for another rail goes over the GPU here that is on it")
    {
    }

  private:
    void DoRun() override
    {
        ForwardingBench bench;
        const std::vector<uint64_t> sizes{1'000'000, 1, 0, 70'000};
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            bench.Send(0, OverRank1(MakeMessage(0, 3, i, sizes[i])));
        }
        bench.Send(0, MakeMessage(0, 2, 100, 5)); // its own rail
        bench.Send(0, MakeMessage(0, 1, 101, 0)); // its own server
        Simulator::Run();

        const std::vector<Report> arrived = bench.witness.Get('a', 3);
        const std::vector<Report> settled = bench.witness.Get('s', 0);
        NS_TEST_ASSERT_MSG_EQ(arrived.size(), sizes.size(), "all arrive");
        NS_TEST_ASSERT_MSG_EQ(settled.size(), sizes.size() + 2, "all are settled");
        std::map<uint32_t, Picoseconds> settledAt;
        for (const Report& one : settled)
        {
            settledAt[one.tag] = one.at;
            NS_TEST_EXPECT_MSG_EQ(one.node, 0, "on the origin's node");
        }
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            bytes += sizes[i];
            const Picoseconds atRelay = LATENCY + Span(bytes) + 1; // when the instant is over
            NS_TEST_EXPECT_MSG_EQ(arrived[i].tag, i, "in order");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].from, 0, "the receiver sees the origin");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].at, atRelay + RAIL, "the fabric, then the rail");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].node, 3, "on the receiver's node");
            NS_TEST_EXPECT_MSG_EQ(settledAt[i],
                                  atRelay + 2 * RAIL + LATENCY,
                                  "once the rail has settled it and the notice is back");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.transports[1]->GetForwarded(), sizes.size(), "by rank 1");
        NS_TEST_EXPECT_MSG_EQ(bench.witness.Get('a', 1).size(), 1, "the relay sees only its own");
        NS_TEST_EXPECT_MSG_EQ(bench.witness.Get('s', 1).size(),
                              0,
                              "and settles nothing of its own");
        NS_TEST_EXPECT_MSG_EQ(settledAt[100], 2 * RAIL, "its own rail: straight");
        NS_TEST_EXPECT_MSG_EQ(bench.witness.Get('a', 2).at(0).at, RAIL, "its own rail: straight");
        // of one instant, those that stay in the server leave first
        NS_TEST_EXPECT_MSG_EQ(settledAt[101], 2 * LATENCY, "the fabric only");
        for (const TransportMessage& message : bench.rails[1]->sent)
        {
            NS_TEST_EXPECT_MSG_EQ((message.group == GroupId(7)), true, "the group goes along");
            NS_TEST_EXPECT_MSG_EQ(message.channel, 3, "the lane goes along");
        }
        NS_TEST_EXPECT_MSG_EQ(
            bench.transports[0]->Describe(OverRank1(MakeMessage(0, 3, 0, 0))),
            "the fabric inside the server, member 0 to 1, and the rail of rank 1, "
            "which forwards it",
            "for people");
        NS_TEST_EXPECT_MSG_EQ(bench.transports[0]->Describe(MakeMessage(0, 2, 0, 0)),
                              "a fake rail",
                              "for people");
    }
};

/** Messages that a GPU of the receiver's server forwards. */
class ForwardingAtReceiverTest : public TestCase
{
  public:
    ForwardingAtReceiverTest()
        : TestCase("a message that comes on another rail goes on inside the receiver's server")
    {
    }

  private:
    void DoRun() override
    {
        ForwardingBench bench;
        const std::vector<uint64_t> sizes{1'000'000, 1, 0, 70'000};
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            bench.Send(0, Relay(MakeMessage(0, 3, i, sizes[i]), {std::nullopt, RankId(2)}));
        }
        // rank 0 to rank 2, over rail 1: a relay at each end
        bench.Send(0, Relay(MakeMessage(0, 2, 100, 9000), {RankId(1), RankId(3)}));
        Simulator::Run();

        const std::vector<Report> arrived = bench.witness.Get('a', 3);
        const std::vector<Report> settled = bench.witness.Get('s', 0);
        NS_TEST_ASSERT_MSG_EQ(arrived.size(), sizes.size(), "all arrive");
        NS_TEST_ASSERT_MSG_EQ(settled.size(), sizes.size() + 1, "all are settled");
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            bytes += sizes[i];
            NS_TEST_EXPECT_MSG_EQ(arrived[i].tag, i, "in order");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].from, 0, "the receiver sees the origin");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].at,
                                  RAIL + 1 + LATENCY + Span(bytes),
                                  "the rail, then the fabric when the instant is over");
            NS_TEST_EXPECT_MSG_EQ(arrived[i].node, 3, "on the receiver's node");
            NS_TEST_EXPECT_MSG_EQ(settled[i].at, 2 * RAIL, "when the rail has settled it");
        }
        const Picoseconds inside = LATENCY + Span(9000);
        const std::vector<Report> both = bench.witness.Get('a', 2);
        NS_TEST_ASSERT_MSG_EQ(both.size(), 1, "rank 2 sees its own message only");
        NS_TEST_EXPECT_MSG_EQ(both[0].at, inside + 1 + RAIL + 1 + inside, "fabric, rail, fabric");
        NS_TEST_EXPECT_MSG_EQ(settled.back().at,
                              inside + 1 + 2 * RAIL + LATENCY,
                              "the notice of its first relay");
        NS_TEST_EXPECT_MSG_EQ(bench.transports[2]->GetForwarded(), sizes.size(), "by rank 2");
        NS_TEST_EXPECT_MSG_EQ(bench.transports[2]->GetForwardedBytes(), bytes, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.transports[1]->GetForwardedBytes() +
                                  bench.transports[3]->GetForwardedBytes(),
                              2 * 9000,
                              "counted at each relay");
    }
};

/** A rail that fails behind the relay. */
class ForwardingFailureTest : public TestCase
{
  public:
    ForwardingFailureTest()
        : TestCase("what fails behind the relay fails at its origin, with the reason")
    {
    }

  private:
    void DoRun() override
    {
        ForwardingBench bench;
        TransportMessage lost = OverRank1(MakeMessage(0, 3, 1, 1000));
        lost.channel = FakeRail::CUT;
        bench.Send(0, lost);
        bench.Send(0, OverRank1(MakeMessage(0, 3, 2, 1000)));
        TransportMessage own = MakeMessage(1, 3, 3, 1000);
        own.channel = FakeRail::CUT;
        bench.Send(1, own);
        Simulator::Run();

        const std::vector<Report> failed = bench.witness.Get('f', 0);
        NS_TEST_ASSERT_MSG_EQ(failed.size(), 1, "one is lost");
        NS_TEST_EXPECT_MSG_EQ(failed[0].tag, 1, "that one");
        // its channel is the higher one, so it leaves behind the other
        NS_TEST_EXPECT_MSG_EQ(failed[0].at,
                              LATENCY + Span(2000) + 1 + RAIL + LATENCY,
                              "the notice");
        NS_TEST_EXPECT_MSG_EQ(failed[0].why,
                              "rank 1, which forwards it: the rail is cut",
                              "with the reason");
        NS_TEST_EXPECT_MSG_EQ(bench.witness.Get('s', 0).size(), 1, "the other is settled");
        NS_TEST_EXPECT_MSG_EQ(bench.witness.Get('a', 3).size(), 1, "and has arrived");
        const std::vector<Report> relays = bench.witness.Get('f', 1);
        NS_TEST_ASSERT_MSG_EQ(relays.size(), 1, "the relay's own stays with it");
        NS_TEST_EXPECT_MSG_EQ(relays[0].tag, 3, "that one");
        NS_TEST_EXPECT_MSG_EQ(relays[0].at, RAIL, "at once");
        NS_TEST_EXPECT_MSG_EQ(relays[0].why, "the rail is cut", "with the reason");
    }
};

std::vector<Mistake>
ForwardingMistakes()
{
    return {
        {"a relay that does not forward",
         [] {
             const auto transports =
                 ScaleUpHelper::MakeTransports(MakeHelper().Install(NodeContainer(4), 2));
             Ptr<ForwardingTransport> only = CreateObject<ForwardingTransport>();
             only->Join(transports[0], CreateObject<FakeRail>());
             only->Send(OverRank1(MakeMessage(0, 3, 0, 1)));
             Simulator::Run();
         },
         {"rank 1 is to forward a message of rank 0", "give each rank"}},
    };
}

/** The suite. */
class ForwardingTestSuite : public TestSuite
{
  public:
    ForwardingTestSuite()
        : TestSuite("photonic-rails-forwarding", TestSuite::Type::UNIT)
    {
        AddTestCase(new ForwardingTest);
        AddTestCase(new ForwardingAtReceiverTest);
        AddTestCase(new ForwardingFailureTest);
        AddTestCase(new MistakesTest("mistakes with forwarding", ForwardingMistakes()));
    }
};

ForwardingTestSuite g_forwardingTestSuite;

} // namespace
