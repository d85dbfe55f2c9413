/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A year of a cluster by its closed rule, with given times: where each picosecond of each server
// goes, and which spares are used.

#include "given-fleet-times.h"

#include "ns3/fleet-progress.h"
#include "ns3/fleet-replay.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr FaultKind LOST = FaultKind::SERVER_LOSS;

/** @return a job of 4 servers, in replicas of 2, and spares */
FleetPlan
OneJob(uint32_t spares)
{
    FleetPlan plan;
    plan.servers = 4 + spares;
    plan.serversPerRack = 4;
    plan.jobs = {4};
    plan.spares = spares;
    return plan;
}

/** @return iterations of 10, checkpoints of 2 after each second one; transitions of 3 and 4 */
GivenFleetTimes
TensOfTimes()
{
    GivenFleetTimes times;
    times.iteration = {10, 2, 5, 1};
    times.transition = {3, 4, false, 7};
    return times;
}

FleetTally
ReplayOf(const FleetPlan& plan,
         FleetReaction reaction,
         const std::vector<FleetFault>& faults,
         FleetTime horizon,
         GivenFleetTimes times = TensOfTimes())
{
    FleetReplay replay(plan, reaction, 2, times);
    const FleetTally tally = replay.Run(FleetFaults(faults, plan.servers), horizon);
    EXPECT_TRUE(tally.GetTotal() == horizon * plan.servers) << "each picosecond has one cause";
    return tally;
}

/** The test prints no 128 bits. */
int64_t
ToWhole(FleetTime time)
{
    return static_cast<int64_t>(time);
}

TEST(FleetProgress, CountsWholeIterationsAndCheckpoints)
{
    const FleetIteration times{10, 3, 0, 0};

    struct Case
    {
        int64_t elapsed, iterations, checkpoints, toNext, toCheckpoint;
    };

    // two iterations and a checkpoint take 23
    for (const Case& one : std::vector<Case>{{0, 0, 0, 0, 0},
                                             {9, 0, 0, 1, 14},
                                             {10, 1, 0, 0, 13},
                                             {11, 1, 0, 12, 12},
                                             {20, 2, 0, 3, 3},
                                             {22, 2, 0, 1, 1},
                                             {23, 2, 1, 0, 0},
                                             {33, 3, 1, 0, 13}})
    {
        const FleetProgress progress = FleetProgress::Count(one.elapsed, times, 2);
        EXPECT_EQ(progress.iterations, one.iterations) << one.elapsed;
        EXPECT_EQ(progress.checkpoints, one.checkpoints) << one.elapsed;
        EXPECT_EQ(ToWhole(progress.toNext), one.toNext) << one.elapsed;
        EXPECT_EQ(ToWhole(progress.toCheckpoint), one.toCheckpoint) << one.elapsed;
    }
}

TEST(FleetReplay, AYearWithoutFaultsIsIterationsAndCheckpoints)
{
    const FleetTally tally = ReplayOf(OneJob(1), FleetReaction::SPLICE, {}, 2 * 22 + 15);
    EXPECT_EQ(ToWhole(tally.useful), 5 * 10 * 4);
    EXPECT_EQ(ToWhole(tally.checkpoints), 2 * 2 * 4);
    EXPECT_EQ(ToWhole(tally.lostWork), 5 * 4) << "of the iteration that has not ended";
    EXPECT_EQ(ToWhole(tally.reserve), 59);
    EXPECT_EQ(tally.iterations, 5);
    EXPECT_EQ(tally.reconfigurations, 5 * 5 + 2 * 1);
    EXPECT_DOUBLE_EQ(tally.GetGoodput(), 200.0 / (59 * 5));
    EXPECT_DOUBLE_EQ(tally.GetGoodputOfJobs(), 200.0 / (59 * 4));
    EXPECT_EQ(tally.mostInUse, 0);
}

TEST(FleetReplay, ASpareTakesThePlaceAndTheRepairedServerIsASpare)
{
    // 35: a cycle of 22, an iteration, and 3 of the next; 7 of transition; then 58 to 100
    const FleetTally tally = ReplayOf(OneJob(1), FleetReaction::SPLICE, {{35, 60, 2, LOST}}, 100);
    EXPECT_EQ(ToWhole(tally.useful), (2 + 4 + 1) * 10 * 4) << "58 are 2 cycles of 22, and 10 of 14";
    EXPECT_EQ(ToWhole(tally.lostWork), (13 + 4) * 4);
    EXPECT_EQ(ToWhole(tally.checkpoints), (1 + 2) * 2 * 4);
    EXPECT_EQ(ToWhole(tally.transitions), 7 * 4);
    EXPECT_EQ(ToWhole(tally.waiting), 0);
    EXPECT_EQ(ToWhole(tally.repair), 25) << "the spare stands in until the repair";
    EXPECT_EQ(ToWhole(tally.reserve), 75);
    EXPECT_EQ(ToWhole(tally.inUse), 25);
    EXPECT_EQ(tally.mostInUse, 1);
    EXPECT_EQ(tally.placed, 1);
    EXPECT_EQ(tally.faultsOfJobs, 1);
    EXPECT_EQ(tally.reconfigurations, (3 + 5) * 5 + 3 * 1 + 7);
}

TEST(FleetReplay, ReplicasKeepTheIterationsThatHaveEnded)
{
    GivenFleetTimes times = TensOfTimes();
    times.transition.keepsIterations = true;
    const FleetTally tally =
        ReplayOf(OneJob(1), FleetReaction::SPLICE, {{35, 60, 2, LOST}}, 42, times);
    EXPECT_EQ(ToWhole(tally.useful), 3 * 10 * 4);
    EXPECT_EQ(ToWhole(tally.lostWork), 3 * 4);
}

TEST(FleetReplay, WithoutASpareTheJobWaitsForTheRepair)
{
    for (const FleetReaction reaction :
         {FleetReaction::SPLICE, FleetReaction::DETOUR, FleetReaction::MOVE, FleetReaction::STOP})
    {
        const FleetTally tally = ReplayOf(OneJob(0), reaction, {{22, 72, 0, LOST}}, 86);
        EXPECT_EQ(ToWhole(tally.useful), (2 + 1) * 10 * 4);
        EXPECT_EQ(ToWhole(tally.transitions), (3 + 4) * 4);
        EXPECT_EQ(ToWhole(tally.waiting), (72 - 22 - 3) * 4);
        EXPECT_EQ(ToWhole(tally.lostWork), 0);
        EXPECT_EQ(tally.waits, 1);
        EXPECT_EQ(ToWhole(tally.reserve + tally.repair), 0) << "there are no spares";
    }
}

TEST(FleetReplay, ARepairBeforeTheCircuitsAreDownCostsNoWaiting)
{
    const FleetTally tally = ReplayOf(OneJob(0), FleetReaction::STOP, {{22, 24, 0, LOST}}, 29);
    EXPECT_EQ(ToWhole(tally.transitions), 7 * 4);
    EXPECT_EQ(tally.waits, 0);
}

TEST(FleetReplay, OfTwoLossesAtOnceTheFirstGetsTheSpare)
{
    FleetPlan plan = OneJob(1);
    plan.servers = 9;
    plan.jobs = {4, 4};
    // server 5 is of the second job
    const FleetTally tally =
        ReplayOf(plan, FleetReaction::SPLICE, {{22, 122, 5, LOST}, {22, 62, 1, LOST}}, 100);
    EXPECT_EQ(ToWhole(tally.transitions), 2 * 7 * 4);
    EXPECT_EQ(ToWhole(tally.waiting), (62 - 25) * 4) << "the second gets the server of the first";
    EXPECT_EQ(tally.placed, 2);
    EXPECT_EQ(tally.waits, 1);
    EXPECT_EQ(tally.mostInUse, 1);
}

TEST(FleetReplay, AFaultOfASpareTakesItOutOfTheReserve)
{
    const FleetTally tally =
        ReplayOf(OneJob(1), FleetReaction::SPLICE, {{10, 50, 4, LOST}, {22, 200, 0, LOST}}, 57);
    EXPECT_EQ(tally.faultsOfSpares, 1);
    EXPECT_EQ(ToWhole(tally.waiting), (50 - 25) * 4);
    EXPECT_EQ(ToWhole(tally.repair), 57 - 10) << "first the spare, then the lost server";
    EXPECT_EQ(ToWhole(tally.reserve), 10);
    EXPECT_EQ(tally.mostInUse, 1);
}

TEST(FleetReplay, ASecondFaultOfALostServerHasItOutForLonger)
{
    const FleetTally tally = ReplayOf(OneJob(0),
                                      FleetReaction::STOP,
                                      {{22, 40, 0, LOST}, {30, 60, 0, LOST}, {60, 65, 0, LOST}},
                                      80);
    EXPECT_EQ(ToWhole(tally.waiting), (65 - 25) * 4) << "one begins when the other ends";
    EXPECT_EQ(tally.faultsOfLost, 2);
    EXPECT_EQ(tally.faultsOfJobs, 1);
}

TEST(FleetReplay, AFaultInATransitionHasItBeginAnew)
{
    const FleetTally tally =
        ReplayOf(OneJob(2), FleetReaction::SPLICE, {{22, 200, 0, LOST}, {26, 200, 1, LOST}}, 43);
    EXPECT_EQ(ToWhole(tally.transitions), (4 + 7) * 4);
    EXPECT_EQ(ToWhole(tally.useful), 3 * 10 * 4) << "from 33 to 43";
    EXPECT_EQ(tally.steps, 2);
    EXPECT_EQ(tally.placed, 2);
}

TEST(FleetReplay, AJobWithoutAReplicaTrainsItsShareAndGrowsAgain)
{
    GivenFleetTimes times = TensOfTimes();
    times.iterations[{1, false}] = {8, 2, 0, 0};
    times.transitions[FleetStep::GROW] = {1, 2, false, 0};
    // one replica from 29 on: cycles of 18; the repair at 50 is followed by the end of a cycle at
    // 65; both train from 68 on
    const FleetTally tally =
        ReplayOf(OneJob(0), FleetReaction::SHRINK, {{22, 50, 3, LOST}}, 90, times);
    EXPECT_EQ(ToWhole(tally.useful), 2 * 10 * 4 + 4 * 10 * 2 + 2 * 10 * 4);
    EXPECT_EQ(ToWhole(tally.smaller), 4 * (8 * 4 - 10 * 2));
    EXPECT_EQ(ToWhole(tally.transitions), (7 + 3) * 4);
    EXPECT_EQ(ToWhole(tally.checkpoints), (1 + 2 + 1) * 2 * 4);
    EXPECT_EQ(ToWhole(tally.lostWork), 0) << "a job grows at the end of a cycle";
    EXPECT_EQ(tally.shrunk, 1);
    EXPECT_EQ(tally.grown, 1);
    EXPECT_EQ(tally.placed, 2) << "the server that was left, and the repaired one";
}

TEST(FleetReplay, AFaultOfAServerThatWaitsToGrowIsThatOfASpare)
{
    GivenFleetTimes times = TensOfTimes();
    // the replica of servers 2 and 3 ended; it is to begin again at the end of the cycle at 51
    const FleetTally tally = ReplayOf(OneJob(0),
                                      FleetReaction::SHRINK,
                                      {{22, 40, 3, LOST}, {45, 200, 2, LOST}},
                                      51,
                                      times);
    EXPECT_EQ(tally.faultsOfSpares, 1);
    EXPECT_EQ(tally.grown, 0);
    EXPECT_EQ(ToWhole(tally.useful), 2 * 10 * 4 + 2 * 10 * 2);
}

TEST(FleetReplay, TheLastReplicaWaits)
{
    const FleetTally tally =
        ReplayOf(OneJob(0),
                 FleetReaction::SHRINK,
                 {{22, 500, 0, LOST}, {22, 500, 1, LOST}, {22, 500, 2, LOST}, {22, 300, 3, LOST}},
                 100);
    // the replica of servers 0 and 1 ends; server 1 was free, and fails; of the other one both fail
    EXPECT_EQ(tally.shrunk, 1);
    EXPECT_EQ(tally.waits, 1);
    EXPECT_EQ(ToWhole(tally.waiting), (100 - 25) * 4);
}

TEST(FleetReplay, AJobMovesToARackOfSpares)
{
    GivenFleetTimes times = TensOfTimes();
    times.transitions[FleetStep::MOVE] = {3, 6, false, 0};
    const FleetTally tally = ReplayOf(OneJob(4),
                                      FleetReaction::MOVE,
                                      {{22, 200, 0, LOST}, {53, 200, 4, LOST}},
                                      153,
                                      times);
    // after the second fault the rack of servers 0 to 3 has only three that work
    EXPECT_EQ(tally.moved, 1);
    EXPECT_EQ(tally.placed, 4);
    EXPECT_EQ(ToWhole(tally.transitions), (9 + 3) * 4);
    EXPECT_EQ(ToWhole(tally.waiting), (153 - 56) * 4);
    EXPECT_EQ(ToWhole(tally.useful), (2 + 2) * 10 * 4);
    EXPECT_EQ(ToWhole(tally.repair), 131) << "server 0; server 4 is still of the job";
}

TEST(FleetReplay, ADetourStaysAndItsIterationsCountAsThoseOfTheWholeJob)
{
    GivenFleetTimes times = TensOfTimes();
    times.iterations[{2, true}] = {15, 2, 0, 0};
    const FleetTally tally =
        ReplayOf(OneJob(1), FleetReaction::DETOUR, {{22, 25, 0, LOST}}, 29 + 2 * 32, times);
    EXPECT_EQ(ToWhole(tally.useful), (2 + 4) * 10 * 4);
    EXPECT_EQ(ToWhole(tally.smaller), 4 * 5 * 4);
}

TEST(FleetReplay, ASpareOfTheSameRackComesFirst)
{
    FleetPlan plan;
    plan.servers = 12;
    plan.serversPerRack = 4;
    plan.jobs = {4, 2, 2};
    plan.spares = 4;
    GivenFleetTimes times = TensOfTimes();
    // server 8 takes the place of 7, which is repaired; of the free servers 7, 9, 10 and 11, number
    // 9 is of the rack of 8, and takes its place
    const std::vector<FleetFault> faults{{10, 20, 7, LOST}, {30, 400, 8, LOST}, {40, 400, 9, LOST}};
    const FleetTally tally = ReplayOf(plan, FleetReaction::SPLICE, faults, 100, times);
    EXPECT_EQ(tally.faultsOfJobs, 3);
    EXPECT_EQ(tally.faultsOfSpares, 0);
    EXPECT_EQ(tally.placed, 3);
    EXPECT_EQ(ToWhole(tally.transitions), 3 * 7 * 2);
}

TEST(FleetReplayDeathTest, NamesMistakes)
{
    GivenFleetTimes times = TensOfTimes();
    FleetPlan plan = OneJob(1);
    EXPECT_DEATH(FleetReplay(plan, FleetReaction::STOP, 0, times), "give 1 or more");
    plan.jobs = {3};
    EXPECT_DEATH(FleetReplay(plan, FleetReaction::STOP, 1, times), "give a multiple of that");
    EXPECT_DEATH(FleetFaults({{0, 5, 9, LOST}}, 9), "give 0 to 8");
    EXPECT_DEATH(FleetFaults({{5, 5, 0, LOST}}, 9), "a later end");
}

} // namespace
