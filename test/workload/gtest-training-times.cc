/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"
#include "training-reference-run.h"

#include "ns3/pipeline-schedule.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return how long each iteration takes, all the same */
Picoseconds
GetIterationTime(const TrainingTask& task,
                 const std::function<Picoseconds(const ReferenceExchange&)>& duration = {})
{
    const TrainingJob job(task);
    TrainingReferenceRun run(job);
    run.SetDuration(duration);
    EXPECT_EQ(run.Run(), "");
    Picoseconds before = 0;
    for (const Picoseconds end : run.GetEnds())
    {
        EXPECT_EQ(end - before, run.GetEnds().front());
        before = end;
    }
    EXPECT_EQ(run.GetEnds().size(), task.iterations);
    return run.GetEnds().front();
}

} // namespace

TEST(TrainingJob, PrefetchingHidesGathersBehindComputing)
{
    // 6 units; layers take 12 forward and 24 backward; a gather 5, scattering nothing
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 2;
    task.iterations = 3;
    const auto gathersTake5 = [](const ReferenceExchange& exchange) {
        return Picoseconds{exchange.kind == CollectiveKind::ALL_GATHER ? 5 : 0};
    };
    const Picoseconds work = 4 * (12 + 24) + 5;
    task.recipe.prefetch = false;
    EXPECT_EQ(GetIterationTime(task, gathersTake5), work + 2 * 6 * 5);
    // The embedding and the head take no time, so nothing hides the gather after them: two of the
    // six are seen in each pass, and in the backward pass ends with no layer before the embedding.
    // In each pass only the first layer's gather and that of the unit before it, which takes no
    // time, are not hidden.
    task.recipe.prefetch = true;
    EXPECT_EQ(GetIterationTime(task, gathersTake5), work + 2 * 2 * 5);
}

TEST(TrainingJob, SumsBesideComputingAreHidden)
{
    // an AllReduce takes 3; the head, 4 layers of 12 forward and 24 backward, the embedding
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 2;
    task.plan.sharding = ParameterSharding::NONE;
    task.recipe.smallReductions = 0;
    task.iterations = 2;
    const auto sumsTake3 = [](const ReferenceExchange& exchange) {
        return Picoseconds{exchange.kind == CollectiveKind::ALL_REDUCE ? 3 : 0};
    };
    const Picoseconds work = 4 * (12 + 24) + 5;
    // those of the last layer and of the embedding are seen, and the gradient norm's
    EXPECT_EQ(GetIterationTime(task, sumsTake3), work + 3 * 3);
    task.recipe.overlap = false;
    EXPECT_EQ(GetIterationTime(task, sumsTake3), work + (6 + 1) * 3);
    task.recipe.overlap = true;
    task.recipe.reduction = GradientReduction::PER_MODEL;
    EXPECT_EQ(GetIterationTime(task, sumsTake3), work + (1 + 1) * 3);
    // scattering is hidden in the same way, and nothing is scattered before it is computed
    task.plan.sharding = ParameterSharding::FULL;
    EXPECT_EQ(GetIterationTime(task,
                               [](const ReferenceExchange& exchange) {
                                   return Picoseconds{
                                       exchange.kind == CollectiveKind::REDUCE_SCATTER ? 3 : 0};
                               }),
              work + 2 * 3);
}

TEST(TrainingJob, AttentionWaitsForKeysAndValuesOnTheirWayAroundTheRing)
{
    TrainingTask task = MakeSmallTask();
    task.plan.cp = 2;
    task.recipe.context = ContextExchange::RING;
    task.iterations = 2;
    const Picoseconds message = 10;
    // Two steps of 2 each, the second when the other's keys and values are there; the rest takes 8.
    const Picoseconds forward = message + 2 + 8;
    // The rest takes 6; then two steps of 4. Gradients follow keys and values: once after these
    // came, once more to come home; only then gradients of parameters are computed, in 10.
    const Picoseconds backward = 6 + message + message + message + 10;
    EXPECT_EQ(GetIterationTime(task,
                               [](const ReferenceExchange& exchange) {
                                   return exchange.message ? message : Picoseconds{0};
                               }),
              4 * (forward + backward) + 5);
}

TEST(TrainingJob, BubblesAreThoseOfTheSchedule)
{
    // closed forms as in gtest-pipeline-schedule.cc; 12 layers, no time for communication
    const Picoseconds forward = 12;
    const Picoseconds backwardInput = 14;
    const Picoseconds backwardWeight = 10;
    for (const ParameterSharding sharding : {ParameterSharding::NONE, ParameterSharding::FULL})
    {
        for (const std::string& schedule : GetPipelineSchedules())
        {
            for (const uint32_t ranks : {1, 2, 4})
            {
                TrainingTask task = MakeSmallTask();
                task.shape.layers = 12;
                task.plan.pp = ranks;
                task.plan.dp = 2;
                task.plan.sharding = sharding;
                task.recipe.schedule = schedule;
                task.recipe.chunks = schedule == "interleaved" ? 3 : 1;
                task.recipe.microBatches = 8;
                task.iterations = 2;
                const Picoseconds ofRank = 12 / ranks;
                const Picoseconds passes = forward + backwardInput;
                Picoseconds bubble = ofRank * (ranks - 1) * (passes + backwardWeight);
                bubble /= task.recipe.chunks;
                if (schedule == "zb-h1")
                {
                    bubble = ofRank * (ranks - 1) * (passes - backwardWeight);
                }
                EXPECT_EQ(GetIterationTime(task),
                          8 * ofRank * (passes + backwardWeight) + bubble + 5)
                    << schedule << " of " << ranks;
            }
        }
    }
}
