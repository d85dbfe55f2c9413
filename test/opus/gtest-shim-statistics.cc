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

TEST(ShimStatistics, AWaitForTheLinkIsExposedAndApart)
{
    ShimStatistics statistics;
    EXPECT_EQ(statistics.Answer(MakeNote(0, 100, 180, 30)), ToTime(50));
    LinkUpNote note;
    note.rank = RankId(0);
    note.parallelism = "dp";
    note.answered = ToTime(180);
    note.waited = ToTime(60);
    note.exposedFrom = ToTime(170); // light comes before the answer
    note.exposedTo = ToTime(240);
    statistics.AddLinkUp(note);
    EXPECT_EQ(statistics.GetExposed(), ToTime(50 + 60));
    EXPECT_EQ(statistics.GetExposedLinkUp(), ToTime(240 - 170));
    EXPECT_EQ(statistics.GetCounters().parallelisms.at("dp").summedWaits, ToTime(50 + 60));
    EXPECT_EQ(statistics.TakeLinkUps().size(), 1U);
    EXPECT_TRUE(statistics.TakeLinkUps().empty());
}

TEST(ShimStatistics, AHiddenLinkUpIsPartOfWhatIsHidden)
{
    ShimStatistics statistics;
    ShimNote answer = MakeNote(0, 100, 100);
    answer.reconfiguration = ToTime(70);
    statistics.Answer(answer);
    LinkUpNote note;
    note.rank = RankId(0);
    note.parallelism = "dp";
    note.answered = ToTime(100);
    note.exposedFrom = note.exposedTo = ToTime(100);
    note.hidden = ToTime(45);
    statistics.AddLinkUp(note);
    EXPECT_EQ(statistics.GetCounters().parallelisms.at("dp").hidden, ToTime(70 + 45));
    EXPECT_EQ(statistics.GetCounters().parallelisms.at("dp").hiddenLinkUp, ToTime(45));
    EXPECT_EQ(statistics.GetExposed(), ToTime(0));
    EXPECT_EQ(statistics.GetExposedLinkUp(), ToTime(0));
}

TEST(ShimStatistics, WaitsOfTwoCallsForOneLinkCountOnce)
{
    ShimStatistics statistics;
    for (const Picoseconds answered : {180, 200})
    {
        LinkUpNote note;
        note.rank = RankId(0);
        note.answered = note.exposedFrom = ToTime(answered);
        note.exposedTo = ToTime(240);
        note.waited = ToTime(240 - answered);
        statistics.AddLinkUp(note);
        statistics.WaitsAfter(RankId(0), 180); // the first call is not over
    }
    EXPECT_EQ(statistics.GetExposed(), ToTime(240 - 180));
    EXPECT_EQ(statistics.GetExposedLinkUp(), ToTime(240 - 180));
}
