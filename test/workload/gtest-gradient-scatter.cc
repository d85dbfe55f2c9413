/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// When FSDP gathers parameters and scatters gradients under a pipeline schedule. The rules are
// those of PyTorch: torch/distributed/pipelining/stage.py switches the synchronisation of gradients
// and the freeing of parameters off for backward passes, schedules.py and runtime.py reduce after
// the last one.

#include "../support/training-job-bench.h"
#include "training-reference-run.h"

#include "ns3/pipeline-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Names = std::vector<std::string>;

constexpr uint32_t LAYERS = 24; // pipelines of 1 to 4 ranks with one or two stages each divide them

/** @return a sharded job of a schedule, whose units have different names */
TrainingTask
MakePipelined(const std::string& schedule, uint32_t ranks)
{
    TrainingTask task = MakeSmallTask();
    task.shape.layers = LAYERS;
    task.plan.pp = ranks;
    task.plan.dp = 2;
    task.recipe.schedule = schedule;
    task.recipe.chunks = schedule == "interleaved" ? 2 : 1;
    task.recipe.microBatches = 4;
    task.recipe.smallReductions = 0;
    return task;
}

/** @return the names of the units of a stage, in order of the model */
Names
ListUnits(uint32_t stage, uint32_t stages)
{
    Names names;
    if (stage == 0)
    {
        names.emplace_back("embedding");
    }
    for (uint32_t layer = stage * (LAYERS / stages); layer < (stage + 1) * (LAYERS / stages);
         ++layer)
    {
        names.push_back("layer " + std::to_string(layer));
    }
    if (stage + 1 == stages)
    {
        names.emplace_back("head");
    }
    return names;
}

/** Adds calls, a prefix before each name. */
void
Append(Names& calls, const std::string& prefix, const Names& names)
{
    for (const std::string& name : names)
    {
        calls.push_back(prefix + name);
    }
}

/** @return gathers, sends and scatters of a rank in an iteration, by the rules */
Names
ListDue(const TrainingTask& task, uint32_t place)
{
    const TrainingRecipe& recipe = task.recipe;
    const uint32_t stages = task.plan.pp * recipe.chunks;
    Names due;
    std::map<uint32_t, bool> whole;      // by chunk: the stage's parameters are gathered
    std::map<uint32_t, uint32_t> summed; // by chunk: micro-batches whose gradients are there
    for (const PipelineStep& step :
         MakePipelineSchedule({recipe.schedule, task.plan.pp, recipe.chunks, recipe.microBatches},
                              place))
    {
        const uint32_t stage = step.chunk * task.plan.pp + place;
        const Names units = ListUnits(stage, stages);
        const bool isForward = step.kind == PipelineStep::Kind::FORWARD;
        if (step.kind != PipelineStep::Kind::BACKWARD_WEIGHT)
        {
            Names inOrder = units;
            if (!isForward)
            {
                std::reverse(inOrder.begin(), inOrder.end());
            }
            Append(due, "gather ", whole[step.chunk] ? Names() : inOrder);
            // forward passes free what they used, backward passes keep it
            whole[step.chunk] = !isForward || !recipe.reshard;
            const bool isSent = isForward ? stage + 1 < stages : stage > 0;
            if (isSent && task.plan.pp > 1)
            {
                due.push_back((isForward ? "activations " : "gradients ") +
                              std::to_string(step.microBatch));
            }
        }
        const bool hasGradients = step.kind == PipelineStep::Kind::BACKWARD ||
                                  step.kind == PipelineStep::Kind::BACKWARD_WEIGHT;
        if (hasGradients && ++summed[step.chunk] == recipe.microBatches)
        {
            Append(due, "scatter ", units);
        }
    }
    return due;
}

/** @return what a rank calls of these in the first iteration */
Names
ListMade(const TrainingJob& job, uint32_t rank)
{
    Names made;
    for (const TrainingCall& call : ListCalls(job, rank))
    {
        if (call.what != "receive" && call.what != "all-reduce")
        {
            made.push_back(call.label);
        }
    }
    return made;
}

/** Runs a job. @param scatter the time of a scatter @param message that of a message */
TrainingReferenceRun
RunJob(const TrainingJob& job, Picoseconds scatter, Picoseconds message)
{
    TrainingReferenceRun run(job);
    run.SetDuration([=](const ReferenceExchange& exchange) {
        return exchange.message                                  ? message
               : exchange.kind == CollectiveKind::REDUCE_SCATTER ? scatter
                                                                 : Picoseconds{0};
    });
    EXPECT_EQ(run.Run(), "");
    return run;
}

/** @return whether a call of a rank is a scatter */
bool
IsScatter(const TrainingJob& job, uint32_t rank, const ReferenceCall& call)
{
    const RankOperation& what = job.GetProgram(rank)->GetOperations()[call.operation];
    return what.kind == RankOperation::Kind::COLLECTIVE &&
           what.collective == CollectiveKind::REDUCE_SCATTER;
}

/** @return the begin of each send of a rank, by operation */
std::map<uint32_t, Picoseconds>
ListSends(const TrainingJob& job, const TrainingReferenceRun& run, uint32_t rank)
{
    std::map<uint32_t, Picoseconds> sends;
    for (const ReferenceCall& call : run.GetExchanges(rank))
    {
        const RankOperation& what = job.GetProgram(rank)->GetOperations()[call.operation];
        if (what.kind == RankOperation::Kind::SEND)
        {
            sends[call.operation] = call.begin;
        }
    }
    return sends;
}

} // namespace

TEST(GradientScatter, CallsOfAllStagesFollowTheRules)
{
    for (const std::string& schedule : GetPipelineSchedules())
    {
        for (const uint32_t ranks : {1, 2, 3, 4})
        {
            for (const bool reshard : {true, false})
            {
                TrainingTask task = MakePipelined(schedule, ranks);
                task.recipe.microBatches = schedule == "interleaved" ? 2 * ranks : 5;
                task.recipe.reshard = reshard;
                task.recipe.reduceScatter = GradientScatter::AFTER_BACKWARD;
                const TrainingJob job(task);
                for (uint32_t place = 0; place < ranks; ++place)
                {
                    const uint32_t rank = job.GetLayout().GetPeer(0, Parallelism::PIPELINE, place);
                    EXPECT_EQ(ListMade(job, rank), ListDue(task, place))
                        << schedule << " of " << ranks << ", place " << place;
                }
            }
        }
    }
}

TEST(GradientScatter, ByDefaultAPipelineOfSeveralStagesScattersAfterBackward)
{
    for (const uint32_t ranks : {1, 2})
    {
        for (const char* schedule : {"1f1b", "interleaved"})
        {
            TrainingTask task = MakePipelined(schedule, ranks);
            const bool isPipeline = ranks * task.recipe.chunks > 1;
            const auto list = [&task](GradientScatter scatter) {
                task.recipe.reduceScatter = scatter;
                return ListMade(TrainingJob(task), 0);
            };
            const Names byDefault = list(GradientScatter::BY_STAGES);
            const Names after = list(GradientScatter::AFTER_BACKWARD);
            const Names perLayer = list(GradientScatter::PER_LAYER);
            EXPECT_NE(after, perLayer);
            EXPECT_EQ(byDefault, isPipeline ? after : perLayer) << schedule << " of " << ranks;
        }
    }
}

TEST(GradientScatter, PlainDataParallelismSumsInTheLastBackwardPass)
{
    // PyTorch's DDP prepares its reducer for the last backward pass of a stage
    TrainingTask task = MakePipelined("1f1b", 2);
    task.plan.sharding = ParameterSharding::NONE;
    task.recipe.reduceScatter = GradientScatter::PER_LAYER;
    const auto during = ListCalls(TrainingJob(task), 0);
    task.recipe.reduceScatter = GradientScatter::AFTER_BACKWARD;
    const auto after = ListCalls(TrainingJob(task), 0);
    ASSERT_EQ(during.size(), after.size());
    for (std::size_t i = 0; i < during.size(); ++i)
    {
        EXPECT_EQ(during[i].label, after[i].label);
    }
}

TEST(GradientScatter, NoSendIsHeldBack)
{
    // scatters that take for ever change the time of no send whose pass is computed before them
    constexpr Picoseconds LONG = 1'000'000;
    for (const char* schedule : {"1f1b", "gpipe", "zb-h1"})
    {
        const TrainingJob job(MakePipelined(schedule, 4));
        const TrainingReferenceRun atOnce = RunJob(job, 0, 7);
        const TrainingReferenceRun longer = RunJob(job, LONG, 7);
        for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
        {
            EXPECT_EQ(ListSends(job, atOnce, rank), ListSends(job, longer, rank)) << schedule;
        }
    }
}

TEST(GradientScatter, PassesOfAnotherStageOfTheRankWait)
{
    // PyTorch's callback after a backward pass makes the stream of computing wait for the scatters
    // of the stage. Receives do not wait: a sender that is ready is not held back.
    constexpr Picoseconds LONG = 1'000;
    const TrainingJob job(MakePipelined("interleaved", 2));
    const TrainingReferenceRun run = RunJob(job, LONG, 1);
    uint32_t received = 0; // during scatters, for later passes
    for (const uint32_t rank : {0, 2})
    {
        Picoseconds scattered = 0; // end of the scatters of the rank's last stage
        uint32_t last = 0;         // the last of them
        uint32_t units = 0;
        for (const ReferenceCall& call : run.GetExchanges(rank))
        {
            if (IsScatter(job, rank, call) && units < (rank == 0 ? 6U : 7U))
            {
                ++units; // six layers, and the head
                scattered = call.end;
                last = call.operation;
            }
        }
        for (const ReferenceCall& call : run.GetExchanges(rank))
        {
            const RankOperation& what = job.GetProgram(rank)->GetOperations()[call.operation];
            if (call.operation > last && what.kind == RankOperation::Kind::SEND)
            {
                EXPECT_GE(call.begin, scattered) << "rank " << rank << " sends " << what.label;
            }
            received += call.operation > last && what.kind == RankOperation::Kind::RECEIVE &&
                                call.end < scattered
                            ? 1
                            : 0;
        }
    }
    EXPECT_GT(received, 0U);
}

TEST(GradientScatter, GpipeAnd1f1bWaitForTheLastGradientsToBeSent)
{
    // Their schedules wait for what is sent and then reduce; the runtime of the others sends, and
    // waits at the end.
    constexpr Picoseconds LONG = 1'000;
    for (const std::string& schedule : GetPipelineSchedules())
    {
        const bool waits = schedule == "gpipe" || schedule == "1f1b";
        const TrainingJob job(MakePipelined(schedule, 2));
        const uint32_t rank = 2; // of the last place: it sends gradients
        const TrainingReferenceRun run = RunJob(job, 1, LONG);
        Picoseconds scatter = 0;
        Picoseconds sent = 0;
        for (const ReferenceCall& call : run.GetExchanges(rank))
        {
            const RankOperation& what = job.GetProgram(rank)->GetOperations()[call.operation];
            const bool isFirst = IsScatter(job, rank, call) && scatter == 0;
            scatter = isFirst ? call.begin : scatter;
            sent = what.kind == RankOperation::Kind::SEND ? std::max(sent, call.end) : sent;
        }
        EXPECT_EQ(scatter == sent, waits) << schedule;
        EXPECT_EQ(scatter < sent, !waits) << schedule;
    }
}
