/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"
#include "training-reference-run.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** @return a small model with experts on 4 x 2 ranks @param words a skew */
TrainingTask
MakeRoutedTask(const std::string& words)
{
    TrainingTask task = MakeSmallTask(MakeSmallExperts());
    task.plan.tp = 2;
    task.plan.ep = 4;
    task.plan.dp = 4;
    task.plan.scaleUp = 2;
    task.recipe.microBatches = 2;
    task.recipe.router.skew = ParseExpertSkew(words).value;
    UnitTimes times = MakeUnitTimes(120'000, 40'000, 140'000, 100'000, 0);
    times.experts = ToTime(60'000);
    task.times = std::make_shared<EvenTimes>(times, ToTime(5));
    task.iterations = 2;
    return task;
}

/** An exchange of the expert-parallel group. */
struct ExpertCall
{
    uint32_t iteration{0};
    RankOperation operation;

    /** @return whether a label has a part */
    bool Has(const std::string& part) const
    {
        return operation.label.find(part) != std::string::npos;
    }

    /** @return the layer of the label "forward 0, layer 2: dispatch" */
    uint32_t GetLayer() const
    {
        return std::stoul(operation.label.substr(operation.label.find("layer ") + 6));
    }

    /** @return whether tokens or gradients go to experts */
    bool IsToExperts() const
    {
        // a recomputed forward pass is called "backward 0, layer 2, again"
        const bool isForward = operation.label.rfind("forward", 0) == 0 || Has("again");
        return isForward == Has("dispatch");
    }
};

std::vector<ExpertCall>
ListExpertCalls(const TrainingJob& job, uint32_t rank)
{
    std::vector<ExpertCall> calls;
    uint32_t begun = 0;
    for (const RankOperation& operation : job.GetProgram(rank)->GetOperations())
    {
        begun += operation.kind == RankOperation::Kind::ITERATION ? 1 : 0;
        if (operation.kind == RankOperation::Kind::COLLECTIVE &&
            operation.group == job.GetGroups().GetNumber(GroupRole::EXPERT))
        {
            calls.push_back({begun - 1, operation});
        }
    }
    return calls;
}

/** @return the computing of a rank in all iterations */
Picoseconds
SumBusy(const TrainingJob& job, uint32_t rank)
{
    Picoseconds sum = 0;
    for (const RankOperation& operation : job.GetProgram(rank)->GetOperations())
    {
        sum += operation.duration.GetTimeStep();
    }
    return sum;
}

} // namespace

TEST(TrainingExperts, EvenRoutersLeaveTheJobAsItIs)
{
    const TrainingJob plain(MakeRoutedTask("uniform"));
    TrainingTask task = MakeRoutedTask("uniform");
    task.recipe.router.capacityFactor = 1;
    const TrainingJob limited(task);
    EXPECT_EQ(plain.CountPrograms(), 1U);
    EXPECT_EQ(limited.CountPrograms(), 1U);
    for (const TrainingJob* job : {&plain, &limited})
    {
        for (const ExpertCall& call : ListExpertCalls(*job, 3))
        {
            ASSERT_EQ(call.operation.collective, CollectiveKind::ALL_TO_ALL);
            ASSERT_EQ(call.operation.demand, nullptr);
        }
        // 3 layers, 2 iterations, 2 micro-batches, 4 ranks of 2 x 1024 tokens, 3 visits each; of
        // the visits of an expert three in four come from other ranks
        const ExpertVisits visits = job->CountVisits();
        EXPECT_EQ(visits.routed, 3U * 2 * 2 * 4 * 2 * 1024 * 3);
        EXPECT_EQ(visits.dropped, 0U);
        EXPECT_EQ(visits.sent, visits.routed / 4 * 3);
        EXPECT_EQ(visits.local, visits.routed / 4);
    }
    EXPECT_EQ(TrainingJob(MakeSmallTask()).CountVisits().routed, 0U);
}

TEST(TrainingExperts, ExchangesHaveTheDemandOfTheirLayerAndIteration)
{
    TrainingTask task = MakeRoutedTask("dirichlet:0.3:5");
    task.recipe.recompute = Recomputation::FULL;
    const TrainingJob job(task);
    const TrainingJob even(MakeRoutedTask("uniform"));
    EXPECT_EQ(job.CountPrograms(), 4U) << "one of each place in the expert-parallel group";
    ExpertRouting routing(task.shape, task.plan, task.recipe);
    const std::vector<ExpertCall> calls = ListExpertCalls(job, 0);
    // 3 layers with experts, 2 micro-batches, 2 iterations, there and back in three passes
    ASSERT_EQ(calls.size(), 3U * 2 * 2 * 2 * 3);
    std::set<std::string> keys;
    for (const ExpertCall& call : calls)
    {
        ASSERT_EQ(call.operation.collective, CollectiveKind::ALL_TO_ALL_V);
        ASSERT_EQ(call.operation.bytes, ListExpertCalls(even, 0).front().operation.bytes);
        const RoutedLayer& routed = routing.Get(call.GetLayer(), call.iteration);
        ASSERT_EQ(call.operation.demand->GetKey(),
                  (call.IsToExperts() ? routed.dispatch : routed.combine)->GetKey())
            << call.operation.label;
        keys.insert(call.operation.demand->GetKey());
    }
    EXPECT_EQ(keys.size(), 3U * 2 * 2) << "another for each layer and iteration, there and back";
    for (uint32_t rank = 1; rank < 8; ++rank)
    {
        const std::vector<ExpertCall> others = ListExpertCalls(job, rank);
        ASSERT_EQ(others.size(), calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i)
        {
            ASSERT_EQ(others[i].operation.demand->GetKey(), calls[i].operation.demand->GetKey());
            ASSERT_EQ(others[i].operation.label, calls[i].operation.label);
        }
    }
}

TEST(TrainingExperts, TheVisitsOfAJobAreThoseOfItsForwardPasses)
{
    TrainingTask task = MakeRoutedTask("zipf:1.4");
    task.plan.dp = 8; // two expert-parallel groups
    for (const bool sequenceParallel : {true, false})
    {
        task.plan.sequenceParallel = sequenceParallel;
        for (const double factor : {0.0, 1.0})
        {
            task.recipe.router.capacityFactor = factor;
            const TrainingJob job(task);
            uint64_t bytes = 0;
            for (uint32_t rank = 0; rank < 16; ++rank)
            {
                for (const ExpertCall& call : ListExpertCalls(job, rank))
                {
                    const uint32_t place = job.GetLayout().GetPlace(rank, Parallelism::EXPERT);
                    for (uint32_t to = 0; to < 4 && call.Has("forward") && call.Has("dispatch");
                         ++to)
                    {
                        bytes += call.operation.demand->Get(place, to);
                    }
                }
            }
            // without sequence parallelism both tensor-parallel ranks send a token
            const uint64_t copies = sequenceParallel ? 1 : 2;
            const uint64_t tokenBytes = task.shape.hidden * task.recipe.parameterBytes;
            const ExpertVisits visits = job.CountVisits();
            EXPECT_EQ(bytes, visits.sent * tokenBytes * copies);
            EXPECT_EQ(visits.routed, 3U * 2 * 2 * 8 * 2 * 1024 * 3);
            EXPECT_EQ(visits.routed, visits.sent + visits.local + visits.dropped);
            EXPECT_EQ(visits.dropped > 0, factor > 0);
        }
    }
}

TEST(TrainingExperts, ComputingFollowsTheLoadOfTheExpertsOfARank)
{
    for (const Recomputation recompute : {Recomputation::NONE, Recomputation::FULL})
    {
        TrainingTask task = MakeRoutedTask("dirichlet:0.3:8");
        task.recipe.recompute = recompute;
        const Picoseconds again = recompute == Recomputation::FULL ? 120'000 : 0;
        UnitTimes times = MakeUnitTimes(120'000, 40'000, 140'000, 100'000, again);
        times.experts = ToTime(60'000);
        task.times = std::make_shared<EvenTimes>(times, ToTime(5));
        const TrainingJob job(task);
        ExpertRouting routing(task.shape, task.plan, task.recipe);
        const uint32_t passes = recompute == Recomputation::FULL ? 4 : 3; // with experts
        Picoseconds all = 0;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const uint32_t place = job.GetLayout().GetPlace(rank, Parallelism::EXPERT);
            // a dense layer, and three with experts
            Picoseconds expected = 0;
            for (uint32_t iteration = 0; iteration < 2; ++iteration)
            {
                expected += 5 + 2 * (360'000 + again);
                for (uint32_t layer = 1; layer < 4; ++layer)
                {
                    const uint64_t load = routing.Get(layer, iteration).load[place];
                    const Picoseconds experts = 60'000 * load / (2 * 1024 / 2 * 3);
                    expected += 2 * (360'000 + again + passes * (experts - 60'000));
                }
            }
            EXPECT_EQ(SumBusy(job, rank), expected) << rank;
            all += expected;
        }
        // what one rank computes more, others compute less, but for the rounding of each pass
        const Picoseconds even = 8 * 2 * (5 + 2 * 4 * (360'000 + again));
        EXPECT_LE(all, even);
        EXPECT_GT(all, even - 8 * 2 * 2 * 3 * passes);
    }
}

TEST(TrainingExperts, CountedExpertsAreTheirMatricesForTheTokensOfARank)
{
    UsePicoseconds();
    TrainingTask task = MakeRoutedTask("uniform");
    GpuGeneration gpu;
    gpu.flopsPerSecond = 4e12;
    gpu.memoryBytesPerSecond = 1e12;
    const auto times = MakeComputeTimes(task.shape, task.plan, task.recipe, gpu, 0.25);
    ModelUnit unit;
    unit.layer = 2;
    // at 10^12 operations a second each takes a picosecond: 2 x 1024 tokens visit 3 experts of
    // three matrices, which two tensor-parallel ranks divide
    EXPECT_EQ(times->GetUnit(unit).experts.GetTimeStep(),
              Picoseconds{2} * 2048 * 3 * (3 * 512 * 192) / 2);
    unit.layer = 0;
    EXPECT_EQ(times->GetUnit(unit).experts.GetTimeStep(), 0) << "a dense layer";
}

TEST(TrainingExperts, SharedExpertsComputeAndSendNothing)
{
    UsePicoseconds();
    TrainingTask task = MakeRoutedTask("dirichlet:0.5:2");
    GpuGeneration gpu;
    gpu.flopsPerSecond = 4e12;
    gpu.memoryBytesPerSecond = 1e12;
    task.times = MakeComputeTimes(task.shape, task.plan, task.recipe, gpu, 0.25);
    TrainingTask shared = task;
    shared.shape.sharedExperts = 2;
    shared.times = MakeComputeTimes(shared.shape, shared.plan, shared.recipe, gpu, 0.25);
    const TrainingJob without(task);
    const TrainingJob with(shared);
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        const std::vector<ExpertCall> calls = ListExpertCalls(without, rank);
        const std::vector<ExpertCall> same = ListExpertCalls(with, rank);
        ASSERT_EQ(calls.size(), same.size());
        for (std::size_t i = 0; i < calls.size(); ++i)
        {
            ASSERT_EQ(calls[i].operation.demand->GetKey(), same[i].operation.demand->GetKey());
            ASSERT_EQ(calls[i].operation.bytes, same[i].operation.bytes);
        }
        // every token visits both: at 10^12 operations a second, 2 x 2048 tokens of two experts of
        // three matrices over two tensor-parallel ranks, in three passes, each of 3 layers, 2
        // micro-batches and 2 iterations; the optimizer has more parameters too
        const Picoseconds more = Picoseconds{2} * 2048 * 2 * (3 * 512 * 192) / 2 * 3 * 3 * 2 * 2;
        const auto optimizer = [rank](const TrainingJob& job) {
            Picoseconds sum = 0;
            for (const RankOperation& operation : job.GetProgram(rank)->GetOperations())
            {
                sum += operation.label == "optimizer" ? operation.duration.GetTimeStep() : 0;
            }
            return sum;
        };
        EXPECT_EQ(SumBusy(with, rank) - optimizer(with),
                  SumBusy(without, rank) - optimizer(without) + more);
    }
}

TEST(TrainingExperts, NoRoutedPlanLocksUp)
{
    std::mt19937 random(21);
    for (uint32_t trial = 0; trial < 60; ++trial)
    {
        TrainingTask task = MakeRoutedTask("dirichlet:0.2:" + std::to_string(trial));
        task.plan.tp = 1 + random() % 2;
        task.plan.pp = 1 + random() % 3;
        task.plan.cp = 1 + random() % 2;
        task.plan.ep = 1U << random() % 4;
        task.plan.dp = task.plan.ep * (1 + random() % 2);
        task.recipe.context =
            random() % 2 == 0 ? ContextExchange::RING : ContextExchange::ALL_GATHER;
        task.recipe.schedule = random() % 2 == 0 ? "1f1b" : "zb-h1";
        task.recipe.microBatches = 1 + random() % 4;
        task.recipe.router.capacityFactor = random() % 2 == 0 ? 0 : 1.5;
        const TrainingJob job(task);
        TrainingReferenceRun run(job);
        run.SetDuration([&random](const ReferenceExchange&) { return Picoseconds(random() % 60); });
        run.ServeOneParallelismAtATime();
        ASSERT_EQ(run.Run(), "") << trial;
        ASSERT_EQ(run.GetEnds().size(), task.iterations);
    }
}

TEST(TrainingExperts, TasksThatCanNotBeRoutedAreRefused)
{
    TrainingTask task = MakeRoutedTask("zipf:1");
    EXPECT_EQ(FindMistake(task), "");
    task.recipe.sequence = 1023;
    task.recipe.microBatchSize = 1;
    EXPECT_EQ(
        FindMistake(task),
        "a micro-batch has 1023 tokens, which 2 ranks can't divide, and tokens are routed one "
        "by one; take a sequence that tp x cp divides");
    task = MakeRoutedTask("zipf:1");
    task.shape.experts = 18;
    EXPECT_EQ(FindMistake(task),
              "experts is 18, not a multiple of ep = 4; take an ep that divides it");
}
