/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The time that a rank waited for circuits, and the time that was hidden from it.

#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

ShimNote
MakeNote(uint32_t rank, Picoseconds requested, Picoseconds answered, Picoseconds others = 0)
{
    ShimNote note;
    note.rank = RankId(rank);
    note.parallelism = "dp";
    note.requested = ToTime(requested);
    note.answered = ToTime(answered);
    note.others = ToTime(others);
    return note;
}

} // namespace

TEST(ShimStatistics, AWaitIsForOtherRanksOrForCircuits)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 100, 180, 30));
    const auto notes = statistics.TakeNotes();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].exposed, ToTime(180 - 100 - 30));
    EXPECT_TRUE(statistics.TakeNotes().empty());
}

TEST(ShimStatistics, AReconfigurationThatNoRankWaitsForIsHidden)
{
    for (const Picoseconds reconfiguration : {0, 50, 80, 200})
    {
        ShimStatistics statistics;
        ShimNote note = MakeNote(0, 100, 180);
        note.reconfiguration = ToTime(reconfiguration);
        statistics.Answer(note);
        const Picoseconds hidden = reconfiguration > 80 ? reconfiguration - 80 : 0;
        EXPECT_EQ(statistics.TakeNotes()[0].hidden, ToTime(hidden));
        EXPECT_EQ(statistics.GetCounters().parallelisms.at("dp").hidden, ToTime(hidden));
    }
}

TEST(ShimStatistics, ARankThatWaitsForTwoCallsAtOnceIsExposedOnce)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 100, 180));
    statistics.Answer(MakeNote(0, 120, 200));
    statistics.Answer(MakeNote(1, 120, 200));
    EXPECT_EQ(statistics.GetExposed(RankId(0)), ToTime(200 - 100));
    EXPECT_EQ(statistics.GetExposed(RankId(1)), ToTime(200 - 120));
    EXPECT_EQ(statistics.GetExposed(RankId(2)), ToTime(0));
    EXPECT_EQ(statistics.GetExposed(), ToTime(100 + 80)) << "ranks wait beside each other";
    const ParallelismTimes& times = statistics.GetCounters().parallelisms.at("dp");
    EXPECT_EQ(times.answers, 3U);
    EXPECT_EQ(times.summedWaits, ToTime(80 + 80 + 80)) << "each call by itself";
}

TEST(ShimStatistics, TheOrderOfAnswersMakesNoDifference)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 20, 30));
    statistics.Answer(MakeNote(0, 0, 10));
    statistics.Answer(MakeNote(0, 5, 12)); // two beside the first
    statistics.Answer(MakeNote(0, 6, 7));  // inside both
    EXPECT_EQ(statistics.GetExposed(RankId(0)), ToTime(12 + 10));
}

TEST(ShimStatistics, TheDifferenceOfTwoInstantsIsTheWaitBetweenThem)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 0, 10));
    const auto before = statistics.GetExposed();
    statistics.Answer(MakeNote(0, 5, 20)); // the part that it shares with the first is over
    EXPECT_EQ(statistics.GetExposed() - before, ToTime(20 - 10));
}

TEST(ShimStatistics, TheWaitForCircuitsIsTheLastPartOfAWait)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 100, 180, 30)); // from 130 on for circuits
    statistics.Answer(MakeNote(0, 100, 200, 80)); // from 180 on
    EXPECT_EQ(statistics.GetExposed(), ToTime(200 - 130));
}

TEST(ShimStatistics, WaitsThatCannotGrowAnyMoreStillCount)
{
    ShimStatistics statistics;
    statistics.Answer(MakeNote(0, 100, 180));
    statistics.WaitsAfter(RankId(0), 190);
    statistics.Answer(MakeNote(0, 190, 200));
    EXPECT_EQ(statistics.GetExposed(), ToTime((180 - 100) + (200 - 190)));
}
