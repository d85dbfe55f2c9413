/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where a job that goes on gets its state from.

#include "../support/training-job-bench.h"

#include "ns3/checkpoint-plan.h"
#include "ns3/detour-reaction.h"
#include "ns3/move-reaction.h"
#include "ns3/reaction-names.h"
#include "ns3/shrink-reaction.h"
#include "ns3/splice-reaction.h"
#include "ns3/state-moves.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>

using namespace ns3;

namespace
{

/** @return a task on servers of two GPUs */
TrainingTask
MakeTask(uint32_t dp, uint32_t pp, ParameterSharding sharding)
{
    TrainingTask task = MakeSmallTask();
    task.plan.tp = task.plan.scaleUp = 2;
    task.plan.dp = dp;
    task.plan.pp = pp;
    task.plan.sharding = sharding;
    return task;
}

/** @return a case of servers 0, 1, ... of which some are lost */
FailureCase
MakeCase(const TrainingTask& task,
         const std::set<uint32_t>& lost,
         std::vector<uint32_t> spares = {})
{
    FailureCase failure;
    failure.plan = task.plan;
    failure.servers.resize(task.plan.GetRanks() / task.plan.scaleUp);
    std::iota(failure.servers.begin(), failure.servers.end(), 0);
    failure.lost = lost;
    failure.spares = std::move(spares);
    return failure;
}

/** @return what a reaction decides @param name of the reaction */
Recovery
Decide(const std::string& name, const FailureCase& failure)
{
    return GetReactionAliases().MakeFactory(name).Create<FailureReaction>()->Decide(failure);
}

} // namespace

TEST(CheckpointPlan, EachRankCopiesItsStateToTheNextServer)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::FULL);
    const CheckpointPlan plan(task);
    ASSERT_EQ(plan.GetServers(), 4);
    EXPECT_EQ(plan.GetHolder(3), 0);
    const std::vector<GroupedSend> sends = plan.GetSends();
    ASSERT_EQ(sends.size(), 4);
    for (uint32_t server = 0; server < 4; ++server)
    {
        EXPECT_EQ(sends[server].from, server);
        EXPECT_EQ(sends[server].to, (server + 1) % 4);
        EXPECT_EQ(sends[server].bytes, plan.GetBytes(server));
    }
    EXPECT_EQ(plan.GetBytes(0), plan.GetBytes(1)) << "data-parallel places of a stage";
    EXPECT_NE(plan.GetBytes(0), plan.GetBytes(2)) << "stages differ: embedding, head";
    const CheckpointPlan whole(MakeTask(2, 2, ParameterSharding::NONE));
    EXPECT_NEAR(whole.GetBytes(0), 2 * plan.GetBytes(0), 64) << "a shard is a half";
}

TEST(StateMoves, AReplicaHasTheStateOfTheLastIteration)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::NONE);
    const FailureCase failure = MakeCase(task, {1}, {4});
    const StatePlan plan = PlanStateMoves(task, failure, Decide("splice", failure), true);
    EXPECT_EQ(plan.from, StatePlan::From::LAST_ITERATION);
    const CheckpointPlan state(task);
    EXPECT_EQ(plan.moves, (std::vector<StateMove>{{0, 4, state.GetBytes(1)}}));
}

TEST(StateMoves, AShardThatIsLostIsInACheckpointOnly)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::FULL);
    const FailureCase failure = MakeCase(task, {1}, {4});
    const Recovery recovery = Decide("splice", failure);
    const StatePlan plan = PlanStateMoves(task, failure, recovery, true);
    EXPECT_EQ(plan.from, StatePlan::From::CHECKPOINT);
    EXPECT_EQ(plan.moves, (std::vector<StateMove>{{2, 4, CheckpointPlan(task).GetBytes(1)}}));
    const StatePlan none = PlanStateMoves(task, failure, recovery, false);
    EXPECT_EQ(none.from, StatePlan::From::BEGIN);
    EXPECT_TRUE(none.moves.empty());
}

TEST(StateMoves, AServerAndTheOneWithItsCheckpointAreTooMany)
{
    const TrainingTask task = MakeTask(4, 1, ParameterSharding::FULL);
    const FailureCase failure = MakeCase(task, {1, 2}, {4, 5});
    const Recovery recovery = Decide("splice", failure);
    EXPECT_EQ(PlanStateMoves(task, failure, recovery, true).from, StatePlan::From::BEGIN);
    const FailureCase apart = MakeCase(task, {1, 3}, {4, 5});
    const StatePlan plan = PlanStateMoves(task, apart, Decide("splice", apart), true);
    EXPECT_EQ(plan.from, StatePlan::From::CHECKPOINT);
    EXPECT_EQ(plan.moves.size(), 2);
}

TEST(StateMoves, AMoveTakesAllStateAlong)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::FULL);
    FailureCase failure = MakeCase(task, {1}, {4, 5, 6, 7});
    failure.serversPerRack = 4;
    const StatePlan plan = PlanStateMoves(task, failure, Decide("move", failure), true);
    const CheckpointPlan state(task);
    EXPECT_EQ(plan.moves,
              (std::vector<StateMove>{{0, 4, state.GetBytes(0)},
                                      {2, 5, state.GetBytes(1)}, // server 2 has its copy
                                      {2, 6, state.GetBytes(2)},
                                      {3, 7, state.GetBytes(3)}}));
}

TEST(StateMoves, ShardsThatAreDividedAnewAreWholeAgain)
{
    for (uint32_t dp = 2; dp <= 6; ++dp)
    {
        const TrainingTask task = MakeTask(dp, 2, ParameterSharding::FULL);
        for (uint32_t lost = 0; lost < 2 * dp; ++lost)
        {
            const FailureCase failure = MakeCase(task, {lost});
            const Recovery recovery = Decide("shrink", failure);
            ASSERT_TRUE(recovery.goesOn) << recovery.why;
            ASSERT_EQ(recovery.servers.size(), 2 * (dp - 1));
            const StatePlan plan = PlanStateMoves(task, failure, recovery, true);
            ASSERT_EQ(plan.from, StatePlan::From::CHECKPOINT);
            // what each server gets and what it has of its new shard are the whole new shard
            std::map<uint32_t, uint64_t> gets;
            for (const StateMove& move : plan.moves)
            {
                EXPECT_NE(move.from, lost);
                EXPECT_NE(move.to, lost);
                gets[move.to] += move.bytes;
            }
            const CheckpointPlan state(task);
            for (std::size_t s = 0; s < recovery.servers.size(); ++s)
            {
                const uint64_t shard = state.GetBytes(recovery.formerPlace[s]);
                const uint64_t fresh = shard * dp / (dp - 1);
                EXPECT_LE(gets[recovery.servers[s]], fresh);
                EXPECT_GE(gets[recovery.servers[s]] + 2 * shard + 2 * dp, fresh)
                    << "its own shard, and the copy of the one before";
            }
        }
    }
}

TEST(FailureReactions, ASpareOfTheSameRackIsFirst)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::FULL);
    FailureCase failure = MakeCase(task, {3}, {6, 9});
    failure.servers = {0, 1, 2, 8};
    failure.lost = {8};
    failure.serversPerRack = 4; // racks 0 to 3, 4 to 7, 8 to 11
    EXPECT_EQ(Decide("splice", failure).servers, (std::vector<uint32_t>{0, 1, 2, 9}));
    EXPECT_EQ(Decide("detour", failure).servers, (std::vector<uint32_t>{0, 1, 2, 6}));
    EXPECT_EQ(Decide("detour", failure).policy, "giant-ring");
}

TEST(FailureReactions, WhatIsMissingIsTheReason)
{
    const TrainingTask task = MakeTask(2, 2, ParameterSharding::FULL);
    const FailureCase failure = MakeCase(task, {0, 1}, {4});
    EXPECT_EQ(Decide("splice", failure).why, "2 servers are lost, and there is 1 spare for it");
    EXPECT_EQ(Decide("move", failure).why, "no rack has 4 servers in reserve");
    EXPECT_EQ(Decide("shrink", failure).why, "every data-parallel replica has lost a server");
    EXPECT_FALSE(Decide("stop", failure).goesOn);
    TrainingTask inside = MakeTask(2, 2, ParameterSharding::FULL);
    inside.plan.scaleUp = 4;
    const FailureCase two = MakeCase(inside, {0});
    EXPECT_EQ(Decide("shrink", two).why,
              "a server holds more than one data-parallel place of the plan");
}
