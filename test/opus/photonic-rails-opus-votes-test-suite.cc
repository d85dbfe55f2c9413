/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Waits of ranks for each other: votes, limits, agents that do not answer and ports that are stuck.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/boolean.h"
#include "ns3/controller-note.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;

namespace
{

/** @return a program that computes, and then calls one collective of the group DP */
std::shared_ptr<RankProgram>
Late(Picoseconds compute, uint64_t bytes = 1 << 18)
{
    auto program = std::make_shared<RankProgram>();
    program->Compute(0, ToTime(compute));
    program->Collective(0, DP, CollectiveKind::ALL_GATHER, bytes, "ring");
    return program;
}

/** No rank gets a grant before the last rank's request. */
class LastVoteTestCase : public TestCase
{
  public:
    LastVoteTestCase()
        : TestCase("A grant comes after the last vote, and at once then")
    {
    }

  private:
    void DoRun() override
    {
        // three ranks in a ring of two ports; the request of the last is 500 us after the first. By
        // then groups are registered, and no outgoing message queues behind another
        OpusCase one;
        one.servers = 3;
        OpusBench bench(one);
        const auto group = bench.MakeGroup("dp 0", {0, 1, 2});
        const Picoseconds lates[] = {100 * US, 300 * US, 600 * US};
        for (uint32_t rank = 0; rank < 3; ++rank)
        {
            bench.SetProgram(rank, Late(lates[rank]), {group});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_ASSERT_MSG_EQ(bench.answers.size(), 3, "one each");
        // the last one's request is 1 us to its shim, and its outgoing message 10 us and twice its
        // bits to the controller
        const Picoseconds complete =
            bench.FindLast(ControllerNote::Kind::VOTES_COMPLETE).when.GetTimeStep();
        const auto outgoing =
            std::find_if(bench.sent.begin(), bench.sent.end(), [](const SentMessage& message) {
                return message.message.Is<OpusRequest>() && message.message.server == ServerId(2);
            });
        NS_TEST_ASSERT_MSG_EQ((outgoing != bench.sent.end()), true, "it has asked");
        NS_TEST_EXPECT_MSG_EQ(outgoing->when, 601 * US, "after the call and the way to the shim");
        NS_TEST_EXPECT_MSG_EQ(complete,
                              outgoing->when + 10 * US + 2 * OpusBench::BitsOf(outgoing->message) +
                                  1, // it is taken when its instant is over
                              "then all have voted");
        for (const ShimNote& note : bench.answers)
        {
            NS_TEST_EXPECT_MSG_GT(note.answered.GetTimeStep(),
                                  complete + one.reconfiguration.GetTimeStep(),
                                  "rank " << note.rank << " waits for the last, and the mirrors");
            // the time that a rank waits for others is no wait for circuits: all see the same
            // reconfiguration, and at most two more outgoing messages in the controller's queue
            const Picoseconds apart = (note.exposed - bench.answers[0].exposed).GetTimeStep();
            NS_TEST_EXPECT_MSG_LT(apart, 5 * US, "the rest is the same for all");
            NS_TEST_EXPECT_MSG_EQ(note.others.GetTimeStep(),
                                  600 * US - lates[note.rank.Get()],
                                  "rank " << note.rank << " waited for the last");
        }
    }
};

/** Both ends of a send vote. */
class BothEndsTestCase : public TestCase
{
  public:
    BothEndsTestCase()
        : TestCase("A send has circuits when both ends have asked")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool senderIsLate : {false, true})
        {
            OpusCase one;
            OpusBench bench(one);
            const auto group = bench.MakeGroup("pp 0", {0, 1});
            RankProgram sender;
            RankProgram receiver;
            (senderIsLate ? sender : receiver).Compute(0, ToTime(700 * US));
            sender.Send(0, 0, 1, 1 << 18);
            receiver.Receive(0, 0, 0, 1 << 18);
            bench.SetProgram(0, std::make_shared<RankProgram>(sender), {group});
            bench.SetProgram(1, std::make_shared<RankProgram>(receiver), {group});
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            NS_TEST_ASSERT_MSG_EQ(bench.answers.size(), 2, "both are answered");
            NS_TEST_EXPECT_MSG_EQ(bench.Count(ControllerNote::Kind::GRANTED), 1, "at once");
            NS_TEST_ASSERT_MSG_EQ(bench.changes.size(), 2, "both ports have turned");
            // 1 us to the shim, 10 us to the controller, 10 us to the agent, and bits
            const Picoseconds known = 721 * US + one.reconfiguration.GetTimeStep();
            NS_TEST_EXPECT_MSG_GT(bench.changes[0].when, known, "no light before that");
            NS_TEST_EXPECT_MSG_LT(bench.changes[0].when, known + 8 * US, "and soon after");
        }
    }
};

/** A late rank delays its group, and no other. */
class LateRankTestCase : public TestCase
{
  public:
    LateRankTestCase()
        : TestCase("A late rank delays its group only")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Picoseconds> ends[2];
        for (const Picoseconds late : {Picoseconds{0}, 3'000 * US})
        {
            OpusCase one;
            one.servers = 4;
            OpusBench bench(one);
            const SquareJob job(bench);
            // the other group calls 300 us later, when no other outgoing messages stand in its
            // outgoing messages' way
            bench.SetProgram(0, Late(100 * US + late), job.GroupsOf(0));
            bench.SetProgram(1, Late(100 * US), job.GroupsOf(1));
            bench.SetProgram(2, Late(400 * US), job.GroupsOf(2));
            bench.SetProgram(3, Late(450 * US), job.GroupsOf(3));
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                ends[late > 0].push_back(bench.EndOf(rank, 1));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ends[1][2], ends[0][2], "the other group, to the picosecond");
        NS_TEST_EXPECT_MSG_EQ(ends[1][3], ends[0][3], "both of it");
        for (const uint32_t rank : {0, 1})
        {
            // when both send requests at once, one outgoing message queues behind the other for its
            // bits
            const Picoseconds delay = ends[1][rank] - ends[0][rank];
            NS_TEST_EXPECT_MSG_GT(delay, 3'000 * US - 3 * US, "rank " << rank);
            NS_TEST_EXPECT_MSG_LT(delay, 3'000 * US + 1, "rank " << rank);
        }
    }
};

/** A vote that never comes. */
class VoteLimitTestCase : public TestCase
{
  public:
    VoteLimitTestCase()
        : TestCase("A vote that does not come is refused at the limit, by name")
    {
    }

  private:
    void DoRun() override
    {
        const Time limit = MilliSeconds(2);
        OpusCase one;
        one.servers = 3;
        one.abort = false;
        one.adjust = [limit](OpusHelper& opus) {
            opus.SetControllerAttribute("VoteLimit", TimeValue(limit));
        };
        OpusBench bench(one);
        const auto group = bench.MakeGroup("dp 0", {0, 1, 2});
        bench.SetProgram(0, Late(0), {group});
        bench.SetProgram(1, Late(1'000 * US), {group});
        auto idle = std::make_shared<RankProgram>();
        idle->Compute(0, ToTime(10'000 * US)); // and never calls it
        bench.SetProgram(2, idle, {});
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_ASSERT_MSG_EQ(bench.failed.size(), 2, "both that called it are told");
        for (const OperationRecord& record : bench.failed)
        {
            NS_TEST_EXPECT_MSG_NE(record.why.find("rank 2"), std::string::npos, record.why);
            NS_TEST_EXPECT_MSG_EQ(record.why.find("rank 1"), std::string::npos, record.why);
        }
        const auto first =
            std::find_if(bench.sent.begin(), bench.sent.end(), [](const SentMessage& message) {
                return message.message.Is<OpusRequest>();
            });
        // registrations of the servers queue ahead of the outgoing message
        const ControllerNote& refused = bench.FindLast(ControllerNote::Kind::REFUSED);
        const SentMessage& registration = bench.sent.front();
        NS_TEST_ASSERT_MSG_EQ((registration.message.Is<OpusRegisterGroup>()),
                              true,
                              "it comes first");
        NS_TEST_EXPECT_MSG_GT((refused.when - limit).GetTimeStep(),
                              first->when + 10 * US + 2 * OpusBench::BitsOf(first->message) - 1,
                              "from the arrival of the first vote");
        NS_TEST_EXPECT_MSG_LT((refused.when - limit).GetTimeStep(),
                              first->when + 10 * US + 2 * OpusBench::BitsOf(first->message) +
                                  4 * OpusBench::BitsOf(registration.message),
                              "with registrations before it in the queues");
        NS_TEST_EXPECT_MSG_EQ(bench.changes.size(), 0, "nothing has turned");
    }
};

/** The limit counts, to the picosecond. */
class ExactLimitTestCase : public TestCase
{
  public:
    ExactLimitTestCase()
        : TestCase("VoteLimit is exact")
    {
    }

  private:
    static Picoseconds RefusedAt(Picoseconds limit)
    {
        OpusCase one;
        one.abort = false;
        one.adjust = [limit](OpusHelper& opus) {
            opus.SetControllerAttribute("VoteLimit", TimeValue(PicoSeconds(limit)));
        };
        OpusBench bench(one);
        const auto group = bench.MakeGroup("dp 0", {0, 1});
        bench.SetProgram(0, Late(50 * US), {group});
        bench.Run();
        const auto request =
            std::find_if(bench.sent.begin(), bench.sent.end(), [](const SentMessage& message) {
                return message.message.Is<OpusRequest>();
            });
        // no other message is on the network then: 10 us and its bits, twice
        return bench.FindLast(ControllerNote::Kind::REFUSED).when.GetTimeStep() -
               (request->when + 10 * US + 2 * OpusBench::BitsOf(request->message));
    }

    void DoRun() override
    {
        for (const Picoseconds limit : {Picoseconds{1}, 77 * US + 3, 5'000 * US})
        {
            // it is taken, and refused, when the instants of that are over
            NS_TEST_EXPECT_MSG_EQ(RefusedAt(limit), 1 + limit + 1, "from the arrival of the vote");
        }
    }
};

/** An agent that does not answer. */
class DeadAgentTestCase : public TestCase
{
  public:
    DeadAgentTestCase()
        : TestCase("An agent that does not answer")
    {
    }

  private:
    void DoRun() override
    {
        const Time program = MilliSeconds(3);
        const Time ports = MilliSeconds(7);
        OpusCase one;
        one.rails = 2;
        one.hosts = true; // refused operations go over it, so that all can go on to the next ones
        one.adjust = [program, ports](OpusHelper& opus) {
            opus.SetShimAttribute("HostNetwork", BooleanValue(true));
            opus.SetControllerAttribute("ProgramLimit", TimeValue(program));
            opus.SetControllerAttribute("PortLimit", TimeValue(ports));
        };
        OpusBench bench(one);
        // server 0 has ranks 0 and 1, server 1 has 2 and 3; even ones are on rail 0
        const auto even = bench.MakeGroup("dp 0", {0, 2});
        const auto odd = bench.MakeGroup("dp 1", {1, 3});
        const auto again = bench.MakeGroup("ep 0", {0, 2});
        auto onDead = std::make_shared<RankProgram>();
        onDead->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
        onDead->Collective(0, 1, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
        const auto onOther = Late(0);
        onOther->Compute(0, ToTime(4'000 * US)); // until the dead one's silence is known
        onOther->Collective(0, DP, CollectiveKind::ALL_REDUCE, 1 << 18, "ring");
        for (const uint32_t rank : {0, 2})
        {
            bench.SetProgram(rank, onDead, {even, again});
        }
        for (const uint32_t rank : {1, 3})
        {
            bench.SetProgram(rank, onOther, {odd});
        }
        Simulator::Schedule(NanoSeconds(1), &OpusEndpoint::Crash, bench.plane.agents[0]);
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_ASSERT_MSG_EQ(bench.Count(ControllerNote::Kind::PROGRAM), 2, "a plan each");
        Time sent(-1);
        for (const ControllerNote& note : bench.decisions)
        {
            sent = note.kind == ControllerNote::Kind::PROGRAM && note.rail == RailId(0) ? note.when
                                                                                        : sent;
        }
        std::vector<Time> refused;
        for (const ControllerNote& note : bench.decisions)
        {
            if (note.kind == ControllerNote::Kind::REFUSED)
            {
                refused.push_back(note.when);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(refused.size(), 2, "the phase, and the one that waits for its ports");
        NS_TEST_EXPECT_MSG_EQ(refused[0],
                              sent + program + ToTime(1), // when that instant is over
                              "ProgramLimit, exactly");
        // the second phase has its ports as soon as their state is known: never
        const Time complete = bench.FindLast(ControllerNote::Kind::CONFLICT).when;
        NS_TEST_EXPECT_MSG_GT(complete, refused[0], "it is asked for after that");
        NS_TEST_EXPECT_MSG_EQ(refused[1], complete + ports + ToTime(1), "PortLimit, exactly");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "all is done");
        for (const ShimNote& note : bench.answers)
        {
            NS_TEST_EXPECT_MSG_EQ((note.network == CircuitAnswer::Network::HOST),
                                  (note.rank.Get() % 2 == 0),
                                  "rank " << note.rank << ": the other rail goes on");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(0).second,
                              2 << 17,
                              "two halves of 256 KiB came over the hosts");
        for (const LightChange& change : bench.changes)
        {
            NS_TEST_EXPECT_MSG_EQ(change.rail, 1, "nothing turns on the dead one's rail");
        }
    }
};

/** A port that is stuck. */
class StuckPortTestCase : public TestCase
{
  public:
    StuckPortTestCase()
        : TestCase("A stuck port: the switch's words, and others go on")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Picoseconds> ends[2];
        for (const bool stuck : {false, true})
        {
            OpusCase one;
            one.servers = 4;
            one.abort = false;
            OpusBench bench(one);
            const SquareJob job(bench);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                // 2 and 3 gather for some 100 us around the time at which 0 and 1 reconfigure
                bench.SetProgram(rank, Late(rank < 2 ? 200 * US : 0, 16 << 20), job.GroupsOf(rank));
            }
            const Ptr<OpticalCircuitSwitch> railSwitch = bench.rails[0].GetOpticalSwitch();
            if (stuck)
            {
                railSwitch->SetFault(PortId(3), PortFault::STUCK_DARK); // rank 1's second
            }
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            for (const uint32_t rank : {2, 3})
            {
                ends[stuck].push_back(bench.EndOf(rank, 1));
                NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(rank).first, 8 << 20, "half of 16 MiB");
            }
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), (stuck ? 2 : 0), "0 and 1 are refused");
            for (const OperationRecord& record : bench.failed)
            {
                NS_TEST_EXPECT_MSG_LT(record.rank.Get(), 2, record.why);
                NS_TEST_EXPECT_MSG_NE(record.why.find("port 3"), std::string::npos, record.why);
                NS_TEST_EXPECT_MSG_NE(record.why.find("stuck"), std::string::npos, record.why);
            }
            for (const LightChange& change : bench.changes)
            {
                const bool isOurs = change.low.Get() < 4;
                NS_TEST_EXPECT_MSG_EQ((isOurs || (change.up && change.when < 200 * US)),
                                      true,
                                      "the others' circuits are not touched");
            }
        }
        NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "to the picosecond");
    }
};

/** The suite. */
class OpusVotesTestSuite : public TestSuite
{
  public:
    OpusVotesTestSuite()
        : TestSuite("photonic-rails-opus-votes", TestSuite::Type::UNIT)
    {
        AddTestCase(new LastVoteTestCase);
        AddTestCase(new BothEndsTestCase);
        AddTestCase(new LateRankTestCase);
        AddTestCase(new VoteLimitTestCase);
        AddTestCase(new ExactLimitTestCase);
        AddTestCase(new DeadAgentTestCase);
        AddTestCase(new StuckPortTestCase);
    }
};

static OpusVotesTestSuite g_opusVotesTestSuite;

} // namespace
