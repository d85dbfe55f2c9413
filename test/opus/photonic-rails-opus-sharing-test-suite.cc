/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Groups, parallelisms and jobs on one switch: which ports reconfigure at the same time, and which
// are left alone.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"
#include "opus-flat-message.h"
#include "photonic-rails-opus-other-controller.h"

#include "ns3/controller-core.h"
#include "ns3/controller-note.h"
#include "ns3/opus-channel.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

/** Nothing to change. */
class NoOpTestCase : public TestCase
{
  public:
    NoOpTestCase()
        : TestCase("Circuits that stand are not turned again")
    {
    }

  private:
    void DoRun() override
    {
        // two groups of the same ranks, in turns: after the first all stand
        OpusCase one;
        OpusBench bench(one);
        const auto dp = bench.MakeGroup("dp 0", {0, 1});
        const auto tp = bench.MakeGroup("tp 0", {0, 1});
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < 4; ++i)
        {
            program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
            program->Compute(0, ToTime(50 * US));
            program->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1 << 18, "ring");
            program->Compute(0, ToTime(50 * US));
        }
        bench.SetProgram(0, program, {dp, tp});
        bench.SetProgram(1, program, {dp, tp});
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        const ControllerCounters counters = bench.plane.controller->GetCore().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "all is done");
        NS_TEST_EXPECT_MSG_EQ(counters.grants, 8, "each is granted");
        NS_TEST_EXPECT_MSG_EQ(counters.noOpGrants, 7, "all but the first for nothing");
        NS_TEST_EXPECT_MSG_EQ(counters.programs, 1, "one plan");
        NS_TEST_EXPECT_MSG_EQ(bench.plane.agents[0]->GetCounters().programs,
                              1,
                              "as the agent says");
        NS_TEST_EXPECT_MSG_EQ(bench.plans, 1, "and the switch");
        NS_TEST_EXPECT_MSG_EQ(bench.changes.size(), 2, "two circuits come up, and stay");
        for (const ShimNote& note : bench.answers)
        {
            NS_TEST_EXPECT_MSG_EQ(note.reconfiguration.IsStrictlyPositive(),
                                  (note.phase.operation == 0 && note.parallelism == "dp"),
                                  "nobody else is told of turning");
        }
    }
};

/** Groups that have nothing in common. */
class DisjointTestCase : public TestCase
{
  public:
    DisjointTestCase()
        : TestCase("Disjoint groups turn at the same time")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.servers = 4;
        OpusBench bench(one);
        const SquareJob job(bench);
        const auto program = FourShifts(1, 500 * US);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank, program, job.GroupsOf(rank));
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        const Picoseconds shift = bench.BeginOf(0, 3); // the first pp was called
        const Picoseconds over = bench.EndOf(0, 3);
        std::vector<Picoseconds> down;
        std::vector<Picoseconds> up;
        for (const LightChange& change : bench.changes)
        {
            if (change.when > shift && change.when < over)
            {
                (change.up ? up : down).push_back(change.when);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(down.size(), 4, "dp has two circuits in each half");
        NS_TEST_ASSERT_MSG_EQ(up.size(), 4, "pp has two for each pair");
        // a plan for each pair. The first takes down all, for each of its ranks was joined to one
        // of the other pair. Messages of both are alike and leave together, but queue for the
        // controller's link: so plans are a few outgoing messages' bits apart, and not the time of
        // a reconfiguration
        std::sort(up.begin(), up.end());
        NS_TEST_EXPECT_MSG_EQ(down[3], down[0], "all at once");
        NS_TEST_EXPECT_MSG_EQ(up[0], down[0] + one.reconfiguration.GetTimeStep(), "one turning");
        NS_TEST_EXPECT_MSG_EQ(up[1], up[0], "of both ports");
        NS_TEST_EXPECT_MSG_EQ(up[3], up[2], "in the other pair, too");
        NS_TEST_EXPECT_MSG_LT(up[3] - up[0], 8 * US, "both pairs in one dark time");
        std::map<int64_t, std::vector<Time>> dark;
        for (const ControllerNote& note : bench.decisions)
        {
            if (note.kind == ControllerNote::Kind::RECONFIGURED)
            {
                dark[note.when.GetTimeStep() / (200 * US)].push_back(note.dark);
            }
        }
        for (const auto& [when, darks] : dark)
        {
            NS_TEST_ASSERT_MSG_EQ(darks.size(), 2, "a pair of groups each time");
            // the second outgoing message to the agent, and its answer, queue behind the first
            NS_TEST_EXPECT_MSG_LT(Abs(darks[0] - darks[1]), ToTime(4 * US), "equally long");
        }
        NS_TEST_EXPECT_MSG_EQ(dark.size(), 4, "four shifts");
    }
};

/** Exactly as long, if no outgoing messages queue. */
class EqualDarkTestCase : public TestCase
{
  public:
    EqualDarkTestCase()
        : TestCase("Two groups turn as if they were alone")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.servers = 4;
        OpusBench bench(one);
        const SquareJob job(bench);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            // the second group requests 40 us after the first, while it reconfigures
            auto program = std::make_shared<RankProgram>();
            program->Compute(0, ToTime(100 * US + rank / 2 * 40 * US));
            program->Collective(0, DP, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
            bench.SetProgram(rank, program, {job.dp[rank / 2]});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        std::vector<ControllerNote> notes;
        for (const ControllerNote& note : bench.decisions)
        {
            if (note.kind == ControllerNote::Kind::RECONFIGURED)
            {
                notes.push_back(note);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(notes.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(notes[0].dark, notes[1].dark, "equal dark intervals");
        NS_TEST_EXPECT_MSG_EQ(notes[1].when - notes[0].when, ToTime(40 * US), "that overlap");
        NS_TEST_EXPECT_MSG_GT(notes[0].dark, ToTime(120 * US), "two ways and a turning");
    }
};

/** Jobs on one switch. */
class JobsTestCase : public TestCase
{
  public:
    JobsTestCase()
        : TestCase("Jobs on one switch do not feel each other")
    {
    }

  private:
    /** The observations of the other job. */
    struct Outcome
    {
        std::vector<Picoseconds> times; //!< of job 1: ends, and light
        uint32_t foreign{0};
        std::vector<std::string> failures;
        std::vector<Picoseconds> job0;
    };

    enum class First
    {
        ABSENT,
        USUAL,
        GREEDY, //!< rank 0 names rank 2, of the other job
        LYING,  //!< and its server requests it, whatever the shim sends
    };

    Outcome RunWith(First first)
    {
        OpusCase one;
        one.servers = 4;
        one.abort = false;
        one.jobs = {{0, 1}, {2, 3}};
        OpusBench bench(one);
        const auto dp0 = bench.MakeGroup("dp 0", {0, 1});
        const auto dp1 = bench.MakeGroup("dp 1", {2, 3});
        const auto greedy = bench.MakeGroup("pp 0", {0, 2});
        if (first != First::ABSENT)
        {
            RankProgram program;
            program.Compute(
                0,
                ToTime(205 * US)); // no outgoing message of one meets one of the other on a link
            for (uint32_t i = 0; i < 3; ++i)
            {
                program.Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20, "ring");
                program.Compute(0, ToTime(37 * US));
            }
            bench.SetProgram(1, std::make_shared<RankProgram>(program), {dp0});
            if (first == First::GREEDY)
            {
                program.Send(0, 1, 1, 1 << 20);
                bench.SetProgram(0, std::make_shared<RankProgram>(program), {dp0, greedy});
            }
            else
            {
                bench.SetProgram(0, std::make_shared<RankProgram>(program), {dp0});
            }
        }
        for (const uint32_t rank : {2, 3})
        {
            auto program = std::make_shared<RankProgram>();
            program->Compute(0, ToTime(100 * US));
            for (uint32_t i = 0; i < 3; ++i)
            {
                program->Collective(0, DP, CollectiveKind::ALL_GATHER, 8 << 20, "ring");
                program->Compute(0, ToTime(500 * US));
            }
            bench.SetProgram(rank, program, {dp1});
        }
        OtherController otherController(bench.plane.servers.Get(0));
        if (first == First::LYING)
        {
            FlatMessage<OpusRequest> message;
            message.phase.group = greedy->GetId();
            message.ranks = {RankId(0)};
            message.pairs = {{RankId(0), RankId(2)}};
            const OpusPeer to{bench.plane.network.GetAddress(bench.plane.controller->GetNode()),
                              OPUS_PORT};
            Simulator::Schedule(MicroSeconds(650),
                                &OtherController::Send,
                                &otherController,
                                MakeDatagram(message, 1),
                                to);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        Outcome outcome;
        for (const OperationRecord& record : bench.ended)
        {
            (record.rank.Get() > 1 ? outcome.times : outcome.job0)
                .push_back(record.end.GetTimeStep());
        }
        for (const LightChange& change : bench.changes)
        {
            const bool lowIsFirst = change.low.Get() < 4;
            const bool highIsFirst = change.high.Get() < 4;
            NS_TEST_EXPECT_MSG_EQ(lowIsFirst, highIsFirst, "no circuit joins two jobs");
            if (!lowIsFirst)
            {
                outcome.times.push_back(change.when);
            }
        }
        outcome.foreign = bench.Count(ControllerNote::Kind::FOREIGN);
        for (const OperationRecord& record : bench.failed)
        {
            NS_TEST_EXPECT_MSG_EQ(record.rank, RankId(0), record.why);
            outcome.failures.push_back(record.why);
        }
        NS_TEST_EXPECT_MSG_EQ(
            (bench.collectives->Get(2)->IsOver() && bench.collectives->Get(3)->IsOver()),
            true,
            "job 1 is through");
        return outcome;
    }

    void DoRun() override
    {
        const Outcome alone = RunWith(First::ABSENT);
        const Outcome usual = RunWith(First::USUAL);
        const Outcome greedy = RunWith(First::GREEDY);
        const Outcome lying = RunWith(First::LYING);
        NS_TEST_ASSERT_MSG_EQ(alone.times.size(),
                              2 * 7 + 2,
                              "operations, and light of two circuits");
        NS_TEST_EXPECT_MSG_EQ((usual.times == alone.times),
                              true,
                              "to the picosecond, beside another");
        NS_TEST_EXPECT_MSG_EQ((greedy.times == alone.times), true, "that is greedy, too");
        NS_TEST_EXPECT_MSG_EQ((lying.times == alone.times), true, "and one that lies");
        NS_TEST_EXPECT_MSG_EQ(usual.foreign + alone.foreign, 0, "nobody asks for others' ports");
        NS_TEST_EXPECT_MSG_EQ(greedy.foreign, 0, "the broker knows better than to ask");
        NS_TEST_EXPECT_MSG_EQ(lying.foreign, 1, "but who asks all the same is told of");
        NS_TEST_EXPECT_MSG_EQ(lying.failures.size(), 0, "to no harm of the program's");
        NS_TEST_EXPECT_MSG_EQ((lying.job0 == usual.job0), true, "or its times");
        NS_TEST_ASSERT_MSG_EQ(greedy.failures.size(), 1, "a program is refused");
        NS_TEST_EXPECT_MSG_NE(greedy.failures[0].find("job"),
                              std::string::npos,
                              greedy.failures[0]);
        NS_TEST_EXPECT_MSG_EQ(greedy.job0.size(), usual.job0.size(), "what it may, it does");
    }
};

/** A switch that goes dark as a whole. */
class WholeSwitchTestCase : public TestCase
{
  public:
    WholeSwitchTestCase()
        : TestCase("On a whole-switch technology nobody's traffic is cut")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (const bool whole : {false, true})
            {
                OpusCase one;
                one.servers = 6;
                one.policy = policy;
                one.wholeSwitch = whole;
                one.jobs = {{0, 1, 2, 3}, {4, 5}};
                OpusBench bench(one);
                const SquareJob job(bench);
                const auto other = bench.MakeGroup("dp 2", {4, 5});
                const auto program = FourShifts(4, 70 * US, 4 << 20);
                for (uint32_t rank = 0; rank < 4; ++rank)
                {
                    bench.SetProgram(rank, program, job.GroupsOf(rank));
                }
                auto steady = std::make_shared<RankProgram>();
                for (uint32_t i = 0; i < 12;
                     ++i) // in other steps, so that it is cut if any rank is
                {
                    steady->Collective(0, DP, CollectiveKind::ALL_REDUCE, 6 << 20, "ring");
                    steady->Compute(0, ToTime(31 * US));
                }
                bench.SetProgram(4, steady, {other});
                bench.SetProgram(5, steady, {other});
                const std::string name = policy + (whole ? ", whole" : ", by port");
                NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", name << ": the audit is clean");
                NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, name << ": all is done");
                NS_TEST_EXPECT_MSG_EQ(bench.audit.GetTotals().framesDropped, 0, name << ": no cut");
                // 12 reductions of 2 x 6 MiB / 2 in a ring of two
                NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(4).second, 12 * (6 << 20), name);
                if (whole)
                {
                    CheckDark(bench, name);
                }
            }
        }
    }

    /** No operation has circuits while a switch reconfigures. */
    void CheckDark(const OpusBench& bench, const std::string& name)
    {
        uint32_t seen = 0;
        for (const ControllerNote& note : bench.decisions)
        {
            if (note.kind != ControllerNote::Kind::RECONFIGURED)
            {
                continue;
            }
            ++seen;
            for (const OperationRecord& record : bench.ended)
            {
                // it had circuits from the end of its wait; the switch was reconfiguring at least
                // in the last 100 us before its agent's answer left, 10 us ago
                const bool isExchange = record.call.IsExchange();
                const Picoseconds lit = record.start.GetTimeStep() + record.waited.GetTimeStep();
                const Picoseconds dark = note.when.GetTimeStep() - 110 * US;
                NS_TEST_EXPECT_MSG_EQ(
                    (isExchange && lit < dark && record.end.GetTimeStep() > dark + 5 * US),
                    false,
                    name << ": operation " << record.operation << " of rank " << record.rank
                         << " while all is dark");
            }
        }
        NS_TEST_EXPECT_MSG_GT(seen, 20, name << ": it turns often");
    }
};

/** The suite. */
class OpusSharingTestSuite : public TestSuite
{
  public:
    OpusSharingTestSuite()
        : TestSuite("photonic-rails-opus-sharing", TestSuite::Type::UNIT)
    {
        AddTestCase(new NoOpTestCase);
        AddTestCase(new DisjointTestCase);
        AddTestCase(new EqualDarkTestCase);
        AddTestCase(new JobsTestCase);
        AddTestCase(new WholeSwitchTestCase);
    }
};

static OpusSharingTestSuite g_opusSharingTestSuite;

} // namespace
