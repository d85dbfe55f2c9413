/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Data-parallel pairs 0-1 and 2-3 give way to pipeline pairs 0-2 and 1-3, a port each: the second
// plan does not wait for the first, and the answers of an agent are true in whatever order.

#include "opus-controller-bench.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** The pairs 0-1 and 2-3 stand and are not in use; 0-2 and 1-3 have been requested. */
class StandingPairsBench : public OpusControllerBench
{
  public:
    explicit StandingPairsBench(const ControllerSettings& settings = {})
        : OpusControllerBench(7, 1, 1, settings)
    {
        for (const uint32_t one : {0, 2})
        {
            AnswerAll(RequestBoth(one, one + 1, Send(one, one + 1)));
            Release(one, Send(one, one + 1), Between(one, one + 1));
            Release(one + 1, Send(one, one + 1), Between(one, one + 1));
        }
        now = 1000;
        first = RequestBoth(0, 2, Send(0, 2));
        second = RequestBoth(1, 3, Send(1, 3));
    }

    /** @return whether the ledger has a circuit */
    bool Stands(uint32_t one, uint32_t other)
    {
        return !FindCircuits({R(one), R(other)}, Core().GetLedger().GetCircuits(), GetCabling())
                    .empty();
    }

    /** @return how many circuits the ledger has */
    std::size_t CountCircuits()
    {
        return Core().GetLedger().GetCircuits()[0].GetCircuits().size();
    }

    /** The switch made a change but for some circuits. */
    Outbox AnswerDark(const OpusMessage& program, const std::vector<SwitchCircuit>& dark)
    {
        FlatMessage<OpusAlarm> answer;
        answer.term = Core().GetTerm();
        answer.rail = program.rail;
        answer.plan = program.Get<OpusProgram>().plan;
        answer.reason = "no light";
        answer.isPartial = true;
        answer.dark = dark;
        return Core().Take(answer, now);
    }

    Outbox first;
    Outbox second;
};

} // namespace

TEST(OpusControllerDark, BothPairsReconfigureInTheSameDarkTime)
{
    StandingPairsBench bench;
    ASSERT_EQ(bench.first.size(), 1);
    ASSERT_EQ(bench.second.size(), 1) << "1 and 3 are free as soon as the first is sent";
    const OpusMessage& one = bench.first[0].message;
    const OpusMessage& other = bench.second[0].message;
    ASSERT_EQ(one.GetType(), PROGRAM);
    EXPECT_EQ(one.Get<OpusProgram>().down.size(), 2);
    EXPECT_EQ(one.Get<OpusProgram>().up.size(), 1);
    ASSERT_EQ(other.GetType(), PROGRAM);
    EXPECT_TRUE(other.Get<OpusProgram>().down.empty());
    ASSERT_EQ(other.Get<OpusProgram>().up.size(), 1);
    EXPECT_EQ(other.Get<OpusProgram>().up[0].one, PortId(1));
    EXPECT_EQ(other.Get<OpusProgram>().up[0].other, PortId(3));
    EXPECT_EQ(bench.Core().GetCounters().conflicts, 0);
    bench.now = 2000;
    for (const OpusMessage& program : {other, one}) // the later one may be done first
    {
        const auto grants = Bench::Select<OpusGrant>(bench.Answer(program));
        ASSERT_EQ(grants.size(), 2);
        EXPECT_EQ(grants[0].reconfiguration, 1000);
    }
    EXPECT_TRUE(bench.Stands(0, 2) && bench.Stands(1, 3));
    EXPECT_EQ(bench.CountCircuits(), 2);
}

TEST(OpusControllerDark, AWholeSwitchReconfiguresForTheSecondAfterTheFirst)
{
    ControllerSettings settings;
    settings.wholeSwitch = {RailId(0)};
    StandingPairsBench bench(settings);
    ASSERT_EQ(bench.first.size(), 1);
    EXPECT_EQ(Bench::Count(bench.second, PROGRAM), 0);
}

TEST(OpusControllerDark, WhatWasNotChangedStandsInWhateverOrderAnswersCome)
{
    for (const bool isFirstAnsweredFirst : {true, false})
    {
        StandingPairsBench bench;
        const OpusMessage& one = bench.first.at(0).message;
        const OpusMessage& other = bench.second.at(0).message;
        const auto refused = bench.Answer(isFirstAnsweredFirst ? one : other, "stuck");
        EXPECT_EQ(Bench::Count(refused, REFUSE), 2);
        EXPECT_EQ(bench.CountCircuits(), 0) << "it is not known which";
        if (isFirstAnsweredFirst)
        {
            // 0 and 2 got nothing, but 0-1 and 2-3 are not known to be gone
            EXPECT_TRUE(bench.RequestBoth(0, 4, Bench::Send(0, 4)).empty());
        }
        const auto outbox = bench.Answer(isFirstAnsweredFirst ? other : one, "stuck");
        EXPECT_EQ(Bench::Count(outbox, REFUSE), 2);
        if (isFirstAnsweredFirst)
        {
            // it was waiting for that
            const auto programs = Bench::Select<OpusProgram>(outbox);
            ASSERT_EQ(programs.size(), 1);
            ASSERT_EQ(programs[0].down.size(), 1) << "0-1 is there, and is taken down for 0-4";
            EXPECT_EQ(programs[0].down[0].other, PortId(1));
            EXPECT_TRUE(bench.Stands(2, 3));
        }
        else
        {
            EXPECT_TRUE(bench.Stands(0, 1) && bench.Stands(2, 3));
            EXPECT_EQ(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)).size(), 2) << "granted at once";
        }
    }
}

TEST(OpusControllerDark, TheSecondThatWasMadeShowsThatNothingWasInItsWay)
{
    for (const bool isFirstAnsweredFirst : {true, false})
    {
        StandingPairsBench bench;
        const OpusMessage& one = bench.first.at(0).message;
        const OpusMessage& other = bench.second.at(0).message;
        if (isFirstAnsweredFirst)
        {
            bench.Answer(one, "stuck");
        }
        EXPECT_EQ(Bench::Count(bench.Answer(other), GRANT), 2);
        if (!isFirstAnsweredFirst)
        {
            bench.Answer(one, "stuck");
        }
        EXPECT_TRUE(bench.Stands(1, 3));
        EXPECT_EQ(bench.CountCircuits(), 1);
    }
}

TEST(OpusControllerDark, WhatGetsNoLightIsNotInTheLedger)
{
    StandingPairsBench bench;
    const OpusMessage& one = bench.first.at(0).message;
    EXPECT_EQ(Bench::Count(bench.Answer(bench.second.at(0).message), GRANT), 2);
    // as the answer to the plan reports; the state of other ports is unknown
    const auto outbox =
        bench.AnswerDark(one,
                         {{PortId(2), PortId(0)}, {PortId(1), PortId(3)}, {PortId(5), PortId(5)}});
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 2);
    EXPECT_FALSE(bench.Stands(0, 2) || bench.Stands(0, 1) || bench.Stands(2, 3));
    EXPECT_TRUE(bench.Stands(1, 3)) << "it has traffic";
    EXPECT_EQ(bench.CountCircuits(), 1);
    const auto again = bench.RequestBoth(0, 2, Bench::Send(0, 2, 1));
    ASSERT_EQ(again.size(), 1) << "both ports are free";
    EXPECT_TRUE(again[0].message.Get<OpusProgram>().down.empty());
}

TEST(OpusControllerDark, AnUncertainPlanKeepsItsPortsButThoseOfTheSecond)
{
    StandingPairsBench bench;
    const OpusMessage& one = bench.first.at(0).message;
    bench.now = 1500;
    EXPECT_EQ(Bench::Count(bench.Answer(bench.second.at(0).message), GRANT), 2);
    bench.now = bench.Core().GetNextDeadline();
    EXPECT_EQ(Bench::Count(bench.Core().TimePassed(bench.now), REFUSE), 2);
    EXPECT_TRUE(bench.RequestBoth(0, 4, Bench::Send(0, 4)).empty());
    bench.Release(1, Bench::Send(1, 3), bench.Between(1, 3));
    bench.Release(3, Bench::Send(1, 3), bench.Between(1, 3));
    const auto free = bench.RequestBoth(1, 5, Bench::Send(1, 5));
    EXPECT_EQ(Bench::Count(free, PROGRAM), 1) << "1 has been turned since";
    EXPECT_EQ(Bench::Count(bench.AnswerAll(free), GRANT), 2);
    // 3 is dark for certain too: it was joined to 1
    EXPECT_FALSE(bench.Core().GetLedger().IsReconfiguring({RailId(0), PortId(3)}));
    EXPECT_EQ(Bench::Count(bench.Answer(one), PROGRAM), 1) << "0-2 may give way to 0-4 now";
}

TEST(OpusControllerDark, WhatIsKnownLateToGetNoLightMakesWayForOthers)
{
    StandingPairsBench bench;
    bench.Answer(bench.second.at(0).message);
    bench.now = bench.Core().GetNextDeadline();
    bench.Core().TimePassed(bench.now);
    EXPECT_TRUE(bench.RequestBoth(2, 4, Bench::Send(2, 4)).empty());
    const auto outbox = bench.AnswerDark(bench.first.at(0).message, {{PortId(0), PortId(2)}});
    const auto programs = Bench::Select<OpusProgram>(outbox);
    ASSERT_EQ(programs.size(), 1);
    EXPECT_TRUE(programs[0].down.empty());
}

TEST(OpusControllerDark, ASecondPlanThatFailsLeavesItsPortsToTheUncertainOne)
{
    StandingPairsBench bench;
    const OpusMessage& one = bench.first.at(0).message;
    bench.now = bench.Core().GetNextDeadline();
    bench.Core().TimePassed(bench.now); // the state of both is unknown
    bench.Answer(bench.second.at(0).message, "stuck");
    EXPECT_TRUE(bench.RequestBoth(1, 4, Bench::Send(1, 4)).empty()) << "1 may be joined to 0";
    const auto outbox = Bench::Select<OpusProgram>(bench.Answer(one, "stuck"));
    ASSERT_EQ(outbox.size(), 1);
    EXPECT_EQ(outbox[0].down.size(), 1);
    EXPECT_TRUE(bench.Stands(2, 3));
}
