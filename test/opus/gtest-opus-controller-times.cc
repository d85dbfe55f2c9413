/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The times in grants and notes, to the picosecond.

#include "opus-controller-bench.h"

#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** @return the note on the only reconfiguration since the last call */
ControllerNote
FindReconfiguration(Bench& bench)
{
    ControllerNote found;
    uint32_t count = 0;
    for (const ControllerNote& note : bench.Core().TakeNotes())
    {
        if (note.kind == ControllerNote::Kind::RECONFIGURED)
        {
            found = note;
            ++count;
        }
    }
    EXPECT_EQ(count, 1);
    return found;
}

} // namespace

TEST(OpusControllerTimes, WhatOthersTookAndWhatCircuitsTook)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    bench.now = 100;
    bench.Request(0, Bench::Send(0, 1), pairs);
    bench.now = 350;
    const auto programs = bench.Request(1, Bench::Send(0, 1), pairs);
    bench.now = 1350;
    auto grants = Bench::Select<OpusGrant>(bench.Answer(programs.at(0).message));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].others, 250);
    EXPECT_EQ(grants[1].others, 0) << "it was the last";
    EXPECT_EQ(grants[0].reconfiguration, 1000);
    EXPECT_EQ(grants[1].reconfiguration, 1000);
    const ControllerNote note = FindReconfiguration(bench);
    EXPECT_EQ(note.when, ToTime(1350));
    EXPECT_EQ(note.dark, ToTime(1000));
    EXPECT_EQ(note.exposed, ToTime(1000));
    EXPECT_EQ(note.GetHidden(), ToTime(0));
    // once more: the circuit stands
    bench.now = 2000;
    bench.Request(0, Bench::Send(1, 0), pairs);
    bench.now = 2007;
    grants = Bench::Select<OpusGrant>(bench.Request(1, Bench::Send(1, 0), pairs));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].others, 7);
    EXPECT_EQ(grants[0].reconfiguration, 0);
}

TEST(OpusControllerTimes, WhatIsGrantedASecondTimeHasNotTurned)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    const auto programs = bench.RequestBoth(0, 1, Bench::Send(0, 1));
    bench.now = 100;
    EXPECT_EQ(Bench::Select<OpusGrant>(bench.Answer(programs.at(0).message)).at(0).reconfiguration,
              100);
    bench.ReleaseAfter(0, Bench::Send(0, 1), pairs, 0);
    bench.Release(1, Bench::Send(0, 1), pairs, true);
    const auto again =
        Bench::Select<OpusGrant>(bench.Request(1, Bench::Send(0, 1), pairs, false, 1));
    ASSERT_EQ(again.size(), 1);
    EXPECT_EQ(again[0].reconfiguration, 0);
}

TEST(OpusControllerTimes, RanksThatWaitedAlikeAreAnsweredInOneMessage)
{
    Bench bench(3, 2, 1);
    const auto pairs = bench.Between(0, 1);
    for (const uint32_t rail : {0, 1})
    {
        bench.now = 10 + 10 * rail;
        auto one = bench.Of<OpusRequest>(0, Bench::Send(0, 2), pairs);
        one.ranks = {bench.R(0, rail)};
        EXPECT_TRUE(bench.Core().Take(one, bench.now).empty());
    }
    bench.now = 50;
    const auto grants =
        Bench::Select<OpusGrant>(bench.AnswerAll(bench.Request(1, Bench::Send(0, 2), pairs)));
    ASSERT_EQ(grants.size(), 3);
    EXPECT_EQ(grants[0].ranks, std::vector<RankId>{bench.R(0, 1)});
    EXPECT_EQ(grants[0].others, 30);
    EXPECT_EQ(grants[1].ranks, std::vector<RankId>{bench.R(0, 0)});
    EXPECT_EQ(grants[1].others, 40);
    EXPECT_EQ(grants[2].ranks.size(), 2);
    EXPECT_EQ(grants[2].others, 0);
}

TEST(OpusControllerTimes, ReconfigurationForAGuessIsHidden)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    bench.Request(0, Bench::Send(0, 1), pairs, true);
    bench.now = 10;
    const auto programs = bench.Request(1, Bench::Send(0, 1), pairs, true);
    bench.now = 510;
    EXPECT_TRUE(bench.Answer(programs.at(0).message).empty());
    const ControllerNote note = FindReconfiguration(bench);
    EXPECT_EQ(note.dark, ToTime(500));
    EXPECT_EQ(note.GetHidden(), ToTime(500));
    bench.now = 600;
    bench.Request(0, Bench::Send(0, 1), pairs);
    bench.now = 900;
    const auto grants = Bench::Select<OpusGrant>(bench.Request(1, Bench::Send(0, 1), pairs));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].others, 300) << "from the real ask";
    EXPECT_EQ(grants[1].others, 0);
    EXPECT_EQ(grants[0].reconfiguration, 500) << "all of it in advance";
}

TEST(OpusControllerTimes, AGuessThatComesTrueTooEarlyHidesAPart)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    bench.Request(0, Bench::Send(0, 1), pairs, true);
    bench.now = 10;
    const auto programs = bench.Request(1, Bench::Send(0, 1), pairs, true);
    bench.now = 100;
    bench.Request(0, Bench::Send(0, 1), pairs);
    bench.now = 200;
    bench.Request(1, Bench::Send(0, 1), pairs);
    bench.now = 510;
    const auto grants = Bench::Select<OpusGrant>(bench.Answer(programs.at(0).message));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].others, 100);
    EXPECT_EQ(grants[1].others, 0);
    EXPECT_EQ(grants[0].reconfiguration, 500);
    const ControllerNote note = FindReconfiguration(bench);
    EXPECT_EQ(note.exposed, ToTime(310));
    EXPECT_EQ(note.GetHidden(), ToTime(190));
}

TEST(OpusControllerTimes, SeveralRailsReconfigureAsLongAsTheLast)
{
    Bench bench(3, 2, 1);
    const auto programs = bench.RequestBoth(0, 1, Bench::Send(0, 2));
    ASSERT_EQ(programs.size(), 2);
    bench.now = 70;
    EXPECT_TRUE(bench.Answer(programs[1].message).empty());
    bench.now = 120;
    const auto grants = Bench::Select<OpusGrant>(bench.Answer(programs[0].message));
    EXPECT_EQ(grants.at(0).reconfiguration, 120);
    EXPECT_EQ(FindReconfiguration(bench).dark, ToTime(120));
}

TEST(OpusControllerTimes, AGrantNamesTheRequestFromWhichItCounts)
{
    ControllerSettings settings;
    settings.speculation = SpeculationRule::GRANT;
    Bench bench(3, 1, 1, settings);
    const auto pairs = bench.Between(0, 1);
    bench.now = 100;
    bench.Request(0, Bench::Send(0, 1), pairs, true);
    bench.now = 150;
    const auto programs = bench.Request(1, Bench::Send(0, 1), pairs, true);
    bench.now = 170;
    bench.Request(1, Bench::Send(0, 1), pairs);
    bench.now = 500;
    const auto grants = Bench::Select<OpusGrant>(bench.Answer(programs.at(0).message));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_TRUE(grants[0].isAhead);
    EXPECT_EQ(grants[0].others, 50);
    EXPECT_FALSE(grants[1].isAhead);
    EXPECT_EQ(grants[1].others, 0);
}
