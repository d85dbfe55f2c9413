/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/time-units.h"

#include "ns3/collective-application.h"
#include "ns3/communication-window.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

/** A collective of a group at one rank, by when the rank called it and was through with it. */
FinishedOperation
MakePart(uint32_t rank,
         const std::string& group,
         uint64_t number,
         Picoseconds start,
         Picoseconds end,
         uint64_t bytes = 0)
{
    FinishedOperation part;
    part.rank = RankId(rank);
    part.group = group;
    part.parallelism = group.substr(0, group.find(' '));
    part.number = number;
    part.start = ToTime(start);
    part.end = ToTime(end);
    part.bytes = bytes;
    return part;
}

/** Either end of a send. */
FinishedOperation
MakeEnd(bool sends, uint32_t from, uint32_t to, Picoseconds start, Picoseconds end)
{
    FinishedOperation part = MakePart(sends ? from : to, "pp 0", 0, start, end, sends ? 7 : 0);
    part.kind = sends ? FinishedOperation::Kind::SEND : FinishedOperation::Kind::RECEIVE;
    part.from = RankId(from);
    part.to = RankId(to);
    return part;
}

std::vector<CommunicationWindow>
OfRank(const std::vector<CommunicationWindow>& windows, uint32_t rank)
{
    std::vector<CommunicationWindow> found;
    std::copy_if(windows.begin(),
                 windows.end(),
                 std::back_inserter(found),
                 [rank](const auto& one) { return one.rank == RankId(rank); });
    return found;
}

/** The order of calls of a stage-0 rank of a pipeline of two, as captured from a real job. */
std::vector<FinishedOperation>
MakeCapturedIteration(uint32_t iteration)
{
    // steady iterations with 17 FSDP units a stage and 2 micro-batches: 17 gathers, a send, 17
    // gathers, a send and a receive, 17 gathers, a receive, 17 scatters and 4 all-reduces
    const struct
    {
        const char* parallelism;
        uint32_t times;
    } runs[] = {{"dp", 17}, {"pp", 1}, {"dp", 17}, {"pp", 2}, {"dp", 17}, {"pp", 1}, {"dp", 21}};

    std::vector<FinishedOperation> operations;
    Picoseconds now = iteration * 1000 * MS;
    uint64_t number = iteration * 100;
    for (const auto& run : runs)
    {
        for (uint32_t i = 0; i < run.times; ++i, now += 2 * MS)
        {
            FinishedOperation part =
                MakePart(0, std::string(run.parallelism) + " 0", ++number, now, now + MS, 10);
            part.iteration = iteration;
            operations.push_back(part);
        }
    }
    return operations;
}

} // namespace

TEST(CommunicationWindow, IsFromTheLastEndToTheFirstStart)
{
    // two gathers side by side, then two sends side by side: the later end and the earlier start
    const std::vector<CommunicationWindow> windows =
        FindWindows({MakePart(0, "dp a", 0, 0, 50 * MS, 100),
                     MakePart(0, "dp b", 0, 1 * MS, 30 * MS, 200),
                     MakePart(0, "pp a", 0, 70 * MS, 75 * MS, 3),
                     MakePart(0, "pp b", 0, 80 * MS, 90 * MS, 4)});
    ASSERT_EQ(windows.size(), 1U);
    EXPECT_EQ(windows[0].rank, RankId(0));
    EXPECT_EQ(windows[0].start, ToTime(50 * MS));
    EXPECT_EQ(windows[0].length, ToTime(20 * MS));
    EXPECT_EQ(windows[0].from, "dp");
    EXPECT_EQ(windows[0].to, "pp");
    EXPECT_EQ(windows[0].nextBytes, 7U);
    EXPECT_EQ(windows[0].nextOperations, 2U);
}

TEST(CommunicationWindow, AnOperationStartsWithItsSlowestRankAndEndsWithItsLast)
{
    // rank 0 is through with dp at 10 and calls pp at 20; rank 1 is through at 12 and calls at 35
    const std::vector<CommunicationWindow> windows =
        FindWindows({MakePart(0, "dp 0", 0, 0, 10 * MS),
                     MakePart(1, "dp 0", 0, 5 * MS, 12 * MS),
                     MakePart(0, "pp 0", 0, 20 * MS, 40 * MS),
                     MakePart(1, "pp 0", 0, 35 * MS, 41 * MS)});
    ASSERT_EQ(windows.size(), 2U);
    for (const CommunicationWindow& window : windows)
    {
        EXPECT_EQ(window.start, ToTime(12 * MS));
        EXPECT_EQ(window.length, ToTime((35 - 12) * MS));
    }
}

TEST(CommunicationWindow, BothEndsOfASendAreOneOperation)
{
    // the receiver waits from 11 on, and the sender comes at 30. Another send of that number, the
    // other way, at 1000, is another operation
    const std::vector<CommunicationWindow> windows =
        FindWindows({MakePart(0, "dp 0", 0, 0, 10 * MS),
                     MakePart(4, "dp 1", 0, 0, 10 * MS),
                     MakeEnd(false, 0, 4, 11 * MS, 33 * MS),
                     MakeEnd(true, 0, 4, 30 * MS, 34 * MS),
                     MakeEnd(true, 4, 0, 1000 * MS, 1003 * MS),
                     MakeEnd(false, 4, 0, 999 * MS, 1002 * MS)});
    ASSERT_EQ(windows.size(), 2U);
    EXPECT_EQ(windows[0].length, ToTime(20 * MS)) << "at the sender";
    EXPECT_EQ(windows[1].length, ToTime(20 * MS)) << "at the receiver";
    EXPECT_EQ(windows[0].nextBytes, 7U);
}

TEST(CommunicationWindow, SendsOfDifferentRanksAreDifferentOperations)
{
    // ranks 0 and 1 each send to rank 4 for the first time; rank 1's is long after
    std::vector<FinishedOperation> operations{MakePart(0, "dp 0", 0, 0, 10 * MS),
                                              MakeEnd(true, 0, 4, 12 * MS, 15 * MS),
                                              MakeEnd(true, 1, 4, 90 * MS, 95 * MS)};
    const std::vector<CommunicationWindow> windows = FindWindows(operations);
    ASSERT_EQ(windows.size(), 1U);
    EXPECT_EQ(windows[0].length, ToTime(2 * MS));
    // and rank 0's to rank 5 is another one still
    operations[2] = MakeEnd(true, 0, 5, 90 * MS, 95 * MS);
    EXPECT_EQ(FindWindows(operations)[0].length, ToTime(2 * MS));
}

TEST(CommunicationWindow, PhasesThatOverlapHaveANegativeOne)
{
    // the send is called while the gather goes on, 4 ms before its end
    const std::vector<CommunicationWindow> windows =
        FindWindows({MakePart(0, "dp 0", 0, 0, 10 * MS), MakePart(0, "pp 0", 0, 6 * MS, 20 * MS)});
    ASSERT_EQ(windows.size(), 1U);
    EXPECT_EQ(windows[0].length, ToTime(-4 * MS));
}

TEST(CommunicationWindow, WhatStaysInAServerDoesNotCount)
{
    FinishedOperation inside = MakePart(0, "tp 0", 0, 20 * MS, 21 * MS);
    inside.scaleOut = false;
    const std::vector<CommunicationWindow> windows = FindWindows(
        {MakePart(0, "dp 0", 0, 0, 10 * MS), inside, MakePart(0, "dp 0", 1, 30 * MS, 40 * MS)});
    EXPECT_TRUE(windows.empty()) << "dp and dp are one phase, whatever is done between them";
}

TEST(CommunicationWindow, CapturedIterationHasSixShifts)
{
    // dp pp dp pp dp pp dp: six windows; the next iteration begins with dp, as this one ends
    std::vector<FinishedOperation> operations;
    for (const uint32_t iteration : {0, 1, 2})
    {
        const auto more = MakeCapturedIteration(iteration);
        operations.insert(operations.end(), more.begin(), more.end());
    }
    const std::vector<CommunicationWindow> windows = FindWindows(operations);
    const auto counts = CountWindows(windows);
    EXPECT_EQ(counts, (std::map<uint32_t, std::size_t>{{0, 6}, {1, 6}, {2, 6}}));
    // operations begin every 2 ms and last 1 ms
    EXPECT_TRUE(std::all_of(windows.begin(), windows.end(), [](const auto& one) {
        return one.length == ToTime(MS);
    }));
    // the last phase of the first iteration goes on in the second: 21 operations and 17 more
    EXPECT_EQ(windows[5].nextOperations, 21U + 17U);
    EXPECT_EQ(windows[5].nextBytes, 10U * (21 + 17));
    EXPECT_EQ(windows[5].iteration, 0U);
    EXPECT_EQ(windows.back().nextOperations, 21U);
}

TEST(CommunicationWindow, TheOrderIsThatOfCallsAndThenOfTheProgram)
{
    // all called at one instant, on streams of their own; the program has dp, pp, dp, and only that
    // shows that there are three phases
    std::vector<FinishedOperation> operations{MakePart(0, "dp 0", 0, 0, 10 * MS),
                                              MakePart(0, "pp 0", 0, 0, 20 * MS),
                                              MakePart(0, "dp 0", 1, 0, 30 * MS)};
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        operations[i].sequence = i;
    }
    const std::vector<CommunicationWindow> windows = FindWindows(operations);
    ASSERT_EQ(windows.size(), 2U);
    EXPECT_EQ(windows[0].length, ToTime(-10 * MS));
    EXPECT_EQ(windows[1].length, ToTime(-20 * MS));

    // a later call is later, whatever its number, and whichever started first
    operations[0].start = ToTime(1 * MS);
    const std::vector<CommunicationWindow> others = FindWindows(operations);
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].from, "pp");
    EXPECT_EQ(others[0].nextOperations, 2U);
}

TEST(CommunicationWindow, ItDoesNotMatterInWhatOrderTheyCome)
{
    std::mt19937 random(7);
    std::vector<FinishedOperation> operations;
    for (uint32_t i = 0; i < 300; ++i)
    {
        const uint32_t group = random() % 3;
        const Picoseconds start = random() % 40 * MS;
        operations.push_back(MakePart(random() % 4,
                                      (group == 0 ? "dp " : "pp ") + std::to_string(group),
                                      random() % 30,
                                      start,
                                      start + random() % 9 * MS,
                                      random() % 1000));
        operations.back().rail = RailId(operations.back().rank.Get() % 2);
        operations.back().sequence = i;
    }
    const auto describe = [](const std::vector<CommunicationWindow>& windows) {
        std::vector<int64_t> numbers;
        for (const CommunicationWindow& one : windows)
        {
            numbers.insert(numbers.end(),
                           {one.rank ? one.rank->Get() : -1,
                            one.rail.Get(),
                            one.start.GetTimeStep(),
                            one.length.GetTimeStep(),
                            static_cast<int64_t>(one.nextBytes),
                            one.from == "dp"});
        }
        return numbers;
    };
    const auto ofRanks = describe(FindWindows(operations));
    const auto ofRails = describe(FindRailWindows(operations));
    EXPECT_FALSE(ofRanks.empty());
    EXPECT_FALSE(ofRails.empty());
    for (uint32_t round = 0; round < 20; ++round)
    {
        std::shuffle(operations.begin(), operations.end(), random);
        EXPECT_EQ(describe(FindWindows(operations)), ofRanks);
        EXPECT_EQ(describe(FindRailWindows(operations)), ofRails);
    }
}

TEST(CommunicationWindow, ARailTakesAnOperationOfItsRanksOnce)
{
    // both ranks of rail 0 gather and then send to others; rail 1 only gathers
    std::vector<FinishedOperation> operations{MakePart(0, "dp 0", 0, 0, 10 * MS, 100),
                                              MakePart(2, "dp 0", 0, 0, 11 * MS, 100),
                                              MakePart(0, "pp 0", 0, 31 * MS, 40 * MS, 5),
                                              MakePart(2, "pp 1", 0, 36 * MS, 50 * MS, 6),
                                              MakePart(1, "dp 9", 0, 0, 90 * MS, 100)};
    operations[4].rail = RailId(1);
    const std::vector<CommunicationWindow> windows = FindRailWindows(operations);
    ASSERT_EQ(windows.size(), 1U);
    EXPECT_FALSE(windows[0].rank.has_value());
    EXPECT_EQ(windows[0].rail, RailId(0));
    EXPECT_EQ(windows[0].start, ToTime(11 * MS));
    EXPECT_EQ(windows[0].length, ToTime(20 * MS));
    EXPECT_EQ(windows[0].nextOperations, 2U);
    EXPECT_EQ(windows[0].nextBytes, 11U);
    EXPECT_EQ(FindWindows(operations).size(), 2U) << "a rank's windows are another matter";
}

TEST(CommunicationWindow, RanksThatDoDifferentThingsTakeTurnsOnARail)
{
    // stage 0 gathers from 0 to 30, stage 1 sends from 10 to 20 meanwhile, then stage 0 scatters
    const std::vector<CommunicationWindow> windows =
        FindRailWindows({MakePart(0, "dp 0", 0, 0, 30 * MS),
                         MakePart(1, "pp 0", 0, 10 * MS, 20 * MS),
                         MakePart(0, "dp 0", 1, 35 * MS, 40 * MS)});
    ASSERT_EQ(windows.size(), 2U);
    EXPECT_EQ(windows[0].length, ToTime((10 - 30) * MS));
    EXPECT_EQ(windows[1].length, ToTime((35 - 20) * MS));
}

TEST(CommunicationWindow, NothingHasNone)
{
    EXPECT_TRUE(FindWindows({}).empty());
    EXPECT_TRUE(FindRailWindows({}).empty());
    EXPECT_TRUE(FindWindows({MakePart(0, "dp 0", 0, 0, 1)}).empty());
}

TEST(CommunicationWindow, EachRankHasItsOwn)
{
    const std::vector<CommunicationWindow> windows =
        FindWindows({MakePart(3, "dp 3", 0, 0, 10 * MS),
                     MakePart(3, "pp 3", 0, 15 * MS, 16 * MS),
                     MakePart(1, "dp 1", 0, 0, 10 * MS),
                     MakePart(1, "pp 1", 0, 12 * MS, 16 * MS)});
    ASSERT_EQ(OfRank(windows, 1).size(), 1U);
    EXPECT_EQ(OfRank(windows, 1)[0].length, ToTime(2 * MS));
    ASSERT_EQ(OfRank(windows, 3).size(), 1U);
    EXPECT_EQ(OfRank(windows, 3)[0].length, ToTime(5 * MS));
}

TEST(FinishedOperation, IsMadeOfWhatAnApplicationReports)
{
    // servers of 4: rank 9 is GPU 1 of server 2, and sends to place 1 of its group, rank 13 on
    // another server
    OperationRecord record;
    record.rank = RankId(9);
    record.operation = 5;
    record.call.kind = RankOperation::Kind::SEND;
    record.call.place = 1;
    record.group = "pp 3";
    record.number = 8;
    record.start = ToTime(2 * MS);
    record.end = ToTime(3 * MS);
    record.bytesSent = 77;
    const std::vector<RankId> ranks{RankId(9), RankId(13)};
    const FinishedOperation made = MakeFinishedOperation(record, ranks, 4, 6);
    EXPECT_EQ(made.rank, RankId(9));
    EXPECT_EQ(made.rail, RailId(1));
    EXPECT_EQ(made.server, 2U);
    EXPECT_EQ(made.iteration, 6U);
    EXPECT_EQ(made.sequence, 5U);
    EXPECT_EQ(made.parallelism, "pp");
    EXPECT_EQ(made.group, "pp 3");
    EXPECT_EQ(made.number, 8U);
    EXPECT_EQ(made.kind, FinishedOperation::Kind::SEND);
    EXPECT_EQ(made.from, RankId(9));
    EXPECT_EQ(made.to, RankId(13));
    EXPECT_EQ(made.start, ToTime(2 * MS));
    EXPECT_EQ(made.end, ToTime(3 * MS));
    EXPECT_EQ(made.bytes, 77U);
    EXPECT_TRUE(made.scaleOut);

    record.rank = RankId(13);
    record.call.kind = RankOperation::Kind::RECEIVE;
    record.call.place = 0;
    const FinishedOperation other = MakeFinishedOperation(record, ranks, 4, 6);
    EXPECT_EQ(other.kind, FinishedOperation::Kind::RECEIVE);
    EXPECT_EQ(other.from, RankId(9));
    EXPECT_EQ(other.to, RankId(13));
}

TEST(FinishedOperation, KnowsWhatTakesTheRail)
{
    OperationRecord record;
    record.rank = RankId(0);
    record.call.kind = RankOperation::Kind::COLLECTIVE;
    record.group = "tp 0";
    const std::vector<RankId> inside{RankId(0), RankId(1), RankId(2), RankId(3)};
    EXPECT_FALSE(MakeFinishedOperation(record, inside, 4, 0).scaleOut) << "one server";
    EXPECT_TRUE(MakeFinishedOperation(record, inside, 2, 0).scaleOut) << "two servers";
    record.host = true;
    EXPECT_FALSE(MakeFinishedOperation(record, inside, 2, 0).scaleOut) << "the hosts' network";

    // a group of two servers, and a send to the neighbour inside
    record.host = false;
    record.call.kind = RankOperation::Kind::SEND;
    record.call.place = 1;
    EXPECT_FALSE(MakeFinishedOperation(record, inside, 2, 0).scaleOut);
    record.call.place = 2;
    EXPECT_TRUE(MakeFinishedOperation(record, inside, 2, 0).scaleOut);
}

TEST(FinishedOperationDeathTest, MistakesAreNamed)
{
    OperationRecord record;
    record.rank = RankId(3);
    EXPECT_DEATH(MakeFinishedOperation(record, {}, 4, 0), "operation 0 of rank 3 is no collective");
    record.call.kind = RankOperation::Kind::SEND;
    record.call.place = 2;
    EXPECT_DEATH(MakeFinishedOperation(record, {RankId(3)}, 4, 0), "given with 1 ranks.*place 2");
    EXPECT_DEATH(MakeFinishedOperation(record, {RankId(3)}, 0, 0), "give 1 or more");
}
