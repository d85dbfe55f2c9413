/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages of whole jobs: their number and their length as a job grows, the timeouts in a burst of
// one instant, and the order of messages where many are lost.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"
#include "photonic-rails-opus-channel-bench.h"

#include "ns3/controller-note.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** @return datagrams that all applications of a control plane have sent again */
uint64_t
CountSentAgain(const OpusControlPlane& plane)
{
    uint64_t count = plane.controller->GetChannelCounters().retransmitted;
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        count += shim->GetChannelCounters().retransmitted;
    }
    for (const Ptr<OcsAgent>& agent : plane.agents)
    {
        count += agent->GetChannelCounters().retransmitted;
    }
    return count;
}

/** Messages grow with the ranks, and not with their square. */
class GrowthTestCase : public TestCase
{
  public:
    GrowthTestCase()
        : TestCase("Messages and bytes grow with the number of ranks in a ring, exactly")
    {
    }

  private:
    /** How many, and bytes of their encodings. */
    struct Sum
    {
        uint64_t messages{0};
        uint64_t bytes{0};
    };

    /** @return by type, the messages of shims and the controller in three iterations of a ring */
    static std::map<OpusMessage::Type, Sum> RunRing(uint32_t ranks, const std::string& policy)
    {
        OpusCase one;
        one.servers = ranks;
        one.policy = policy;
        OpusBench bench(one);
        std::vector<uint32_t> all;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            all.push_back(rank);
        }
        const auto group = bench.MakeGroup("dp 0", all);
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < 3; ++i)
        {
            program->BeginIteration();
            program->Collective(0, DP, CollectiveKind::ALL_GATHER, ranks * 4096, "ring");
            program->Compute(0, ToTime(5 * MS));
        }
        for (const uint32_t rank : all)
        {
            bench.SetProgram(rank, program, {group});
        }
        NS_ABORT_MSG_UNLESS(bench.Run().empty() && bench.IsOver(), "the job is not over");
        NS_ABORT_MSG_UNLESS(CountSentAgain(bench.plane) == 0, "nothing is lost");
        std::map<OpusMessage::Type, Sum> sums;
        for (const SentMessage& sent : bench.sent)
        {
            Sum& sum = sums[sent.message.GetType()];
            ++sum.messages;
            sum.bytes += OpusEncoding::Encode(sent.message).size();
        }
        return sums;
    }

    void DoRun() override
    {
        using Type = OpusMessage::Type;
        constexpr uint64_t FIXED = OpusEncoding::FIXED_BYTES;
        // a rank; and two pairs, or the circuits of two ports
        const std::map<Type, uint64_t> bytes{{Type::REGISTER_GROUP, FIXED + 4 + 4 /* "dp 0" */},
                                             {Type::REQUEST, FIXED + 4 + 2 * 8},
                                             {Type::GRANT, FIXED + 4 + 2 * 16},
                                             {Type::RELEASE, FIXED + 4},
                                             {Type::LEAVE, FIXED}};
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            auto few = RunRing(4, policy);
            for (const uint32_t ranks : {8, 16, 32})
            {
                auto many = RunRing(ranks, policy);
                for (const auto& [type, each] : bytes)
                {
                    const std::string what = policy + ", " + ToString(type);
                    NS_TEST_EXPECT_MSG_GT(few[type].messages, 0, what);
                    NS_TEST_EXPECT_MSG_EQ(many[type].messages * 4,
                                          few[type].messages * ranks,
                                          what << " of " << ranks << " ranks");
                    NS_TEST_EXPECT_MSG_EQ(many[type].bytes,
                                          many[type].messages * each,
                                          what << " of " << ranks << " ranks");
                }
                NS_TEST_EXPECT_MSG_EQ(many[Type::PROGRAM].messages,
                                      few[Type::PROGRAM].messages,
                                      "one for all");
                NS_TEST_EXPECT_MSG_EQ(many[Type::PROGRAM].bytes,
                                      many[Type::PROGRAM].messages * (FIXED + 8 * ranks),
                                      "a circuit for each rank");
            }
        }
    }
};

/** Many send to one at once, and nothing is lost. */
class BurstTestCase : public TestCase
{
  public:
    BurstTestCase()
        : TestCase("Bursts are neither dropped nor sent again, once round trips are known")
    {
    }

  private:
    static constexpr uint32_t NODES = 200;
    static constexpr uint32_t RANKS = 4; //!< in a message
    static constexpr uint32_t BURSTS = 6;
    static constexpr Picoseconds APART = 1000 * MS;

    /**
     * The results of bursts: datagrams sent again before each burst, and messages that are there.
     */
    struct Outcome
    {
        std::vector<uint64_t> sentAgain;
        uint64_t received{0};
    };

    static ManagementNetworkHelper MakeNetwork()
    {
        ManagementNetworkHelper network;
        network.SetRate(DataRate(10'000'000));
        return network;
    }

    /** @return bytes of a message on a link: PPP 2, IPv4 20, UDP 8 */
    static uint64_t OnLink()
    {
        return 30 + OpusHeader::SIZE + OpusEncoding::FIXED_BYTES + 4 * RANKS;
    }

    /** @param each messages of each node in a burst */
    static Outcome RunBursts(Time after, uint32_t each)
    {
        OpusChannelSettings settings;
        settings.retransmitAfter = after;
        OpusChannelBench bench(NODES + 1, MakeNetwork(), settings);
        Outcome outcome;
        const auto count = [&bench, &outcome] {
            outcome.sentAgain.push_back(0);
            for (const auto& channel : bench.channels)
            {
                outcome.sentAgain.back() += channel->GetCounters().retransmitted;
            }
        };
        for (uint32_t burst = 0; burst < BURSTS; ++burst)
        {
            HostBench::At(burst * APART, [&bench, &count, each] {
                count();
                for (uint32_t i = 0; i < NODES * each; ++i)
                {
                    bench.Send(1 + i % NODES, 0, i, RANKS);
                }
            });
        }
        Simulator::Run();
        count();
        outcome.received = bench.received[0].size();
        return outcome;
    }

    void DoRun() override
    {
        // as long as a burst takes, and the acknowledgements
        const uint64_t bare = NODES * (30 + OpusHeader::SIZE);
        const Time roundTrip = MakeNetwork().GetRoundTrip(3 * NODES * OnLink(), 3 * bare);
        const Outcome known = RunBursts(roundTrip, 3);
        NS_TEST_EXPECT_MSG_EQ(known.received, BURSTS * 3 * NODES, "all are there");
        NS_TEST_EXPECT_MSG_EQ(known.sentAgain.back(), 0, "and none was sent again");

        // The last of a burst is there after 34 ms. With 1 ms at first, it is sent again after 1,
        // 3, 7, 15 and 31 ms: five times. Its acknowledgement shows that the first copy took so
        // long, and the timeout exceeds that from then on.
        const Outcome learned = RunBursts(MilliSeconds(1), 1);
        NS_TEST_EXPECT_MSG_EQ(learned.received, BURSTS * NODES, "all are there");
        NS_TEST_EXPECT_MSG_GT(learned.sentAgain[1], NODES, "1 ms is too short");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(learned.sentAgain[1], 5 * NODES, "at intervals that double");
        NS_TEST_EXPECT_MSG_EQ(learned.sentAgain.back(), learned.sentAgain[1], "and then no more");
    }
};

/**
 * Servers of a job send requests at one instant, on the network and with the timeouts that
 * OpusHelper has.
 */
class ManyServersTestCase : public TestCase
{
  public:
    ManyServersTestCase()
        : TestCase("Requests of 128 servers at one instant are not sent again")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.servers = 128;
        OpusBench bench(one);
        std::vector<uint32_t> all;
        for (uint32_t rank = 0; rank < one.servers; ++rank)
        {
            all.push_back(rank);
        }
        const auto group = bench.MakeGroup("dp 0", all);
        const auto program = OneCollective(CollectiveKind::ALL_GATHER, one.servers * 1024);
        for (const uint32_t rank : all)
        {
            bench.SetProgram(rank, program, {group});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "the job is over");
        NS_TEST_EXPECT_MSG_EQ(CountSentAgain(bench.plane), 0, "nothing is lost");
    }
};

/**
 * A third of all messages is lost, and messages that are given up are sent again in their order.
 */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("Plans come to the agent in order where two attempts in three are too few")
    {
    }

  private:
    void Received(const OpusMessage& message, const OpusPeer&)
    {
        if (const OpusProgram* program = message.Find<OpusProgram>())
        {
            const bool isNew = m_seen.insert(program->plan).second;
            m_late += isNew && program->plan < *m_seen.rbegin() ? 1 : 0;
        }
    }

    void Failed(const OpusMessage& message, const OpusPeer&, const std::string&)
    {
        m_failed += message.Is<OpusProgram>() ? 1 : 0;
    }

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 5; ++seed)
        {
            m_seen.clear();
            OpusCase one;
            one.servers = 8; // two squares, whose plans leave together
            one.loss = 0.2;  // on each of two links: 36 % of the datagrams
            one.adjust = [](OpusHelper& opus) {
                for (const auto& set : {&OpusHelper::SetShimAttribute,
                                        &OpusHelper::SetControllerAttribute,
                                        &OpusHelper::SetAgentAttribute})
                {
                    (opus.*set)("RetransmitAfter", TimeValue(MicroSeconds(100)));
                    (opus.*set)("MostAttempts", UintegerValue(2));
                }
            };
            OpusBench bench(one);
            bench.plane.AssignStreams(100 * seed);
            bench.plane.agents[0]->TraceConnectWithoutContext(
                "MessageReceived",
                MakeCallback(&OrderTestCase::Received, this));
            bench.plane.controller->TraceConnectWithoutContext(
                "MessageFailed",
                MakeCallback(&OrderTestCase::Failed, this));
            const auto program = FourShifts(6, 200 * US);
            for (const uint32_t first : {0, 4})
            {
                for (const uint32_t rank : {0, 1, 2, 3})
                {
                    const uint32_t low = first + (rank & 2U);
                    const uint32_t left = first + (rank & 1U);
                    bench.SetProgram(
                        first + rank,
                        program,
                        {GroupOf(bench, "dp", low, low + 1), GroupOf(bench, "pp", left, left + 2)});
                }
            }
            m_groups.clear();
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "the job is over");
            NS_TEST_EXPECT_MSG_EQ(bench.plane.agents[0]->GetCounters().alarms, 0, "none refused");
            NS_TEST_EXPECT_MSG_EQ(bench.Count(ControllerNote::Kind::REFUSED), 0, "nor elsewhere");
        }
        NS_TEST_EXPECT_MSG_EQ(m_late, 0, "no plan comes after its successor");
        NS_TEST_EXPECT_MSG_GT(m_failed, 10, "many are given up");
    }

    /** @return a group of two ranks, the same for both */
    std::shared_ptr<const CommunicationGroup> GroupOf(OpusBench& bench,
                                                      const std::string& name,
                                                      uint32_t one,
                                                      uint32_t other)
    {
        auto& group = m_groups[{one, other}];
        if (!group)
        {
            group = bench.MakeGroup(name + " " + std::to_string(one), {one, other});
        }
        return group;
    }

    std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<const CommunicationGroup>> m_groups;
    std::set<uint64_t> m_seen;
    uint32_t m_late{0};
    uint32_t m_failed{0};
};

/** The suite. */
class OpusMessagesTestSuite : public TestSuite
{
  public:
    OpusMessagesTestSuite()
        : TestSuite("photonic-rails-opus-messages", TestSuite::Type::UNIT)
    {
        AddTestCase(new GrowthTestCase);
        AddTestCase(new BurstTestCase);
        AddTestCase(new ManyServersTestCase);
        AddTestCase(new OrderTestCase);
    }
};

OpusMessagesTestSuite g_opusMessagesTestSuite;

} // namespace
