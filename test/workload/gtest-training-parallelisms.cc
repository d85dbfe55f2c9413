/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"
#include "training-expected-calls.h"
#include "training-reference-run.h"

#include "ns3/job-layout.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pipeline-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

using Random = std::mt19937;

constexpr uint32_t MOST_RANKS = 64;

uint32_t
OneOf(Random& random, const std::vector<uint32_t>& values)
{
    return values[random() % values.size()];
}

ParallelismPlan
DrawPlan(Random& random)
{
    ParallelismPlan plan;
    do
    {
        plan.tp = OneOf(random, {1, 1, 2, 4});
        plan.cp = OneOf(random, {1, 1, 2, 3});
        plan.pp = OneOf(random, {1, 2, 3, 4, 8});
        plan.ep = OneOf(random, {1, 1, 2, 4});
        plan.replicas = OneOf(random, {1, 1, 2, 3});
        plan.dp = OneOf(random, {1, 1, 2, 4}) * plan.ep * plan.replicas;
    } while (plan.GetRanks() > MOST_RANKS);
    plan.scaleUp = OneOf(random, {1, 2, 4, 8});
    plan.sequenceParallel = random() % 2 == 0;
    if (plan.replicas == 1 && random() % 3 == 0)
    {
        plan.sharding = ParameterSharding::NONE;
    }
    std::vector<std::string> parallelisms{"tp", "cp", "ep", "dp", "pp"};
    std::shuffle(parallelisms.begin(), parallelisms.end(), random);
    plan.order = parallelisms[0] + "-" + parallelisms[1] + "-" + parallelisms[2] + "-" +
                 parallelisms[3] + "-" + parallelisms[4];
    return plan;
}

TrainingRecipe
DrawRecipe(Random& random, uint32_t stages)
{
    TrainingRecipe recipe;
    recipe.schedule = GetPipelineSchedules()[random() % GetPipelineSchedules().size()];
    const bool interleaved = recipe.schedule == "interleaved";
    recipe.chunks = interleaved ? 1 + random() % 3 : 1;
    recipe.microBatches = interleaved ? stages * (1 + random() % 2) : 1 + random() % 6;
    recipe.microBatchSize = 1 + random() % 2;
    recipe.sequence = 192;
    recipe.reshard = random() % 2 == 0;
    recipe.prefetch = random() % 2 == 0;
    recipe.recompute = static_cast<Recomputation>(random() % 3);
    recipe.context = static_cast<ContextExchange>(random() % 2);
    recipe.reduction = static_cast<GradientReduction>(random() % 2);
    recipe.bucketBytes = OneOf(random, {0, 100'000, 100'000'000});
    recipe.overlap = random() % 2 == 0;
    recipe.gradientBytes = OneOf(random, {2, 4});
    recipe.pipelineNorm = random() % 2 == 0;
    recipe.smallReductions = random() % 3;
    recipe.reduceScatter = static_cast<GradientScatter>(random() % 3);
    return recipe;
}

TrainingTask
DrawTask(Random& random)
{
    TrainingTask task;
    task.plan = DrawPlan(random);
    task.recipe = DrawRecipe(random, task.plan.pp);
    const bool experts = task.plan.ep > 1 || random() % 3 == 0;
    task.shape = experts ? MakeSmallExperts() : MakeSmallShape();
    const uint32_t stages = task.plan.pp * task.recipe.chunks;
    task.shape.layers = stages + random() % (stages + 1);
    UnitTimes times = MakeUnitTimes(12, 4, 14, 10, 0);
    times.recompute = task.recipe.recompute == Recomputation::FULL        ? times.forward
                      : task.recipe.recompute == Recomputation::SELECTIVE ? times.attention
                                                                          : Time(0);
    task.times = std::make_shared<EvenTimes>(times, ToTime(5));
    return task;
}

std::string
Describe(const TrainingTask& task)
{
    const ParallelismPlan& plan = task.plan;
    std::ostringstream text;
    text << "tp " << plan.tp << " cp " << plan.cp << " dp " << plan.dp << " pp " << plan.pp
         << " ep " << plan.ep << " replicas " << plan.replicas << " " << plan.order << ", "
         << task.recipe.schedule << " of " << task.recipe.microBatches << " with "
         << task.recipe.chunks << " stages a rank, sharding " << static_cast<int>(plan.sharding)
         << " context " << static_cast<int>(task.recipe.context);
    return text.str();
}

/** Fails unless each program has the calls of its role, in each iteration. */
void
ExpectCalls(const TrainingTask& task, const TrainingJob& job, const TrainingReferenceRun& run)
{
    std::set<const RankProgram*> seen;
    for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
    {
        if (!seen.insert(job.GetProgram(rank).get()).second)
        {
            continue; // it does what another rank does
        }
        const ExpectedCalls expected(task, job.GetLayout().GetPlace(rank, Parallelism::PIPELINE));
        ASSERT_EQ(run.GetBusy(rank), expected.GetBusy() * task.iterations);
        CallTable table;
        const std::vector<TrainingCall> first = ListCalls(job, rank, 0);
        const std::vector<TrainingCall> second = ListCalls(job, rank, 1);
        ASSERT_EQ(first.size(), second.size());
        ASSERT_EQ(first.size() * 2, run.GetExchanges(rank).size());
        for (std::size_t i = 0; i < first.size(); ++i)
        {
            table[{first[i].role, first[i].what}].Add(1, first[i].bytes);
            ASSERT_EQ(first[i].role, second[i].role);
            ASSERT_EQ(first[i].what, second[i].what);
            ASSERT_EQ(first[i].bytes, second[i].bytes);
            ASSERT_EQ(first[i].label, second[i].label);
        }
        // buckets are fewer than units: another test has their number
        const bool buckets = task.plan.sharding == ParameterSharding::NONE;
        ASSERT_EQ(table.size(), expected.GetTable().size());
        for (const auto& [call, sum] : expected.GetTable())
        {
            if (buckets && call.second == "all-reduce")
            {
                table[call].count = sum.count;
            }
            ASSERT_EQ(table[call], sum) << "rank " << rank << " " << call.second << " of role "
                                        << static_cast<int>(call.first);
        }
    }
}

/** Fails unless each role's groups divide all ranks. */
void
ExpectGroups(const TrainingTask& task, const TrainingJob& job)
{
    std::map<GroupRole, std::set<uint32_t>> ranks;
    for (const JobGroup& group : job.GetGroups().GetGroups())
    {
        ASSERT_EQ(group.ranks.size(), ExpectedCalls(task, 0).GetSize(group.role));
        ASSERT_TRUE(std::is_sorted(group.ranks.begin(), group.ranks.end()));
        ASSERT_EQ(group.inScaleUp,
                  group.ranks.front() / task.plan.scaleUp ==
                      group.ranks.back() / task.plan.scaleUp);
        std::map<uint32_t, uint32_t> ofServer;
        for (const uint32_t rank : group.ranks)
        {
            ++ofServer[rank / task.plan.scaleUp];
        }
        const bool even = std::all_of(ofServer.begin(), ofServer.end(), [&](const auto& one) {
            return one.second == ofServer.begin()->second;
        });
        ASSERT_EQ(CountRanksPerServer(group.ranks, task.plan.scaleUp),
                  even ? ofServer.begin()->second : 1);
        for (const uint32_t rank : group.ranks)
        {
            ASSERT_TRUE(ranks[group.role].insert(rank).second) << group.name;
        }
    }
    for (const auto& [role, members] : ranks)
    {
        ASSERT_EQ(members.size(), task.plan.GetRanks());
    }
}

/** A group of ranks 0 to n - 1 over a rail. */
JobGroup
MakeGroup(const std::string& name, uint32_t ranks)
{
    JobGroup group;
    group.name = name;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        group.ranks.push_back(rank);
    }
    return group;
}

/** A call of a rank: its group, and its bytes. */
using Calls = std::vector<std::pair<uint32_t, uint64_t>>;

/**
 * Two ranks compute for 5 and then sum over rails, one call after another, each taking 3.
 * @return the error, or the instant when all was over
 */
std::string
RunTwo(const Calls& one, const Calls& other)
{
    TrainingReferenceRun run(std::vector<JobGroup>{MakeGroup("dp 0", 2), MakeGroup("cp 0", 2)});
    for (const Calls& calls : {one, other})
    {
        auto program = std::make_shared<RankProgram>();
        program->BeginIteration();
        program->Compute(0, ToTime(5));
        for (const auto& [group, bytes] : calls)
        {
            program->Collective(0, group, CollectiveKind::ALL_REDUCE, bytes);
        }
        run.AddRank(program, {0, 1});
    }
    run.SetDuration([](const ReferenceExchange&) { return Picoseconds{3}; });
    const std::string error = run.Run();
    return error.empty() ? std::to_string(run.GetEnds().back()) : error;
}

/** @return when four streams' calls are over, two of each of two dimensions, of 3 each */
Picoseconds
RunSideBySide(bool oneParallelism)
{
    TrainingReferenceRun run(std::vector<JobGroup>{MakeGroup("dp 0", 2),
                                                   MakeGroup("cp 0", 2),
                                                   MakeGroup("dp-experts 0", 2),
                                                   MakeGroup("cp 0", 2)});
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        auto program = std::make_shared<RankProgram>();
        program->BeginIteration();
        for (uint32_t group = 0; group < 4; ++group)
        {
            program->Collective(group, group, CollectiveKind::ALL_REDUCE, 8);
        }
        run.AddRank(program, {0, 1, 2, 3});
    }
    run.SetDuration([](const ReferenceExchange&) { return Picoseconds{3}; });
    if (oneParallelism)
    {
        run.ServeOneParallelismAtATime();
    }
    EXPECT_EQ(run.Run(), "");
    return run.GetEnds().back();
}

} // namespace

TEST(TrainingParallelisms, TheReferenceFindsWhatDoesNotMatch)
{
    EXPECT_EQ(RunTwo({{0, 8}, {1, 8}}, {{0, 8}, {1, 8}}), "11");
    const std::string crossed = RunTwo({{0, 8}, {1, 8}}, {{1, 8}, {0, 8}});
    EXPECT_NE(crossed.find("deadlock at 5 ps"), std::string::npos) << crossed;
    EXPECT_NE(crossed.find("rank 0 in operation 2 (dp 0, ) waits for 1"), std::string::npos);
    EXPECT_NE(crossed.find("rank 1 in operation 2 (cp 0, ) waits for 0"), std::string::npos);
    const std::string left = RunTwo({{0, 8}, {1, 8}}, {{0, 8}});
    EXPECT_NE(left.find("deadlock at 8 ps"), std::string::npos) << left;
    const std::string unlike = RunTwo({{0, 8}}, {{0, 9}});
    EXPECT_NE(unlike.find("all-reduce of 9 bytes, rank 0 all-reduce of 8"), std::string::npos);
}

TEST(TrainingParallelisms, TheReferenceServesOneParallelismAtATime)
{
    EXPECT_EQ(RunSideBySide(false), 3);
    // dp, then cp, then the other dp, which came after cp, then the other cp
    EXPECT_EQ(RunSideBySide(true), 4 * 3);
}

TEST(TrainingParallelisms, EveryPlanCallsWhatItHasToAndEnds)
{
    Random random(1);
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        const TrainingTask task = DrawTask(random);
        SCOPED_TRACE(Describe(task));
        ASSERT_EQ(FindMistake(task), "");
        const TrainingJob job(task);
        const bool ring = task.recipe.context == ContextExchange::RING;
        ASSERT_LE(job.CountPrograms(), task.plan.pp * (ring ? task.plan.cp : 1));
        ExpectGroups(task, job);
        TrainingReferenceRun run(job);
        ASSERT_EQ(run.Run(), "");
        ASSERT_EQ(run.GetEnds().size(), task.iterations);
        ExpectCalls(task, job, run);
    }
}

TEST(TrainingParallelisms, NoPlanLocksUpHoweverLongCommunicationTakes)
{
    Random random(2);
    for (uint32_t trial = 0; trial < 100; ++trial)
    {
        const TrainingTask task = DrawTask(random);
        SCOPED_TRACE(Describe(task));
        const TrainingJob job(task);
        for (const bool oneParallelism : {false, true})
        {
            TrainingReferenceRun run(job);
            run.SetDuration(
                [&random](const ReferenceExchange&) { return Picoseconds(random() % 60); });
            if (oneParallelism)
            {
                run.ServeOneParallelismAtATime();
            }
            ASSERT_EQ(run.Run(), "") << (oneParallelism ? "one parallelism at a time" : "");
        }
    }
}
