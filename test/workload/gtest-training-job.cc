/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"
#include "training-reference-run.h"

#include "ns3/pipeline-schedule.h"
#include "ns3/program-text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>

using namespace ns3;

namespace
{

using CallRun = std::pair<std::string, uint32_t>;

constexpr double MIB = 1024.0 * 1024.0;

/** The job whose calls were captured: Llama3-8B on 4 servers with 4 A100 each. */
TrainingTask
MakeCaptured()
{
    TrainingTask task;
    task.shape = *FindModelShape("Llama3-8B");
    task.plan.tp = 4;
    task.plan.dp = 2;
    task.plan.pp = 2;
    task.plan.scaleUp = 4;
    task.recipe.sequence = 8192;
    task.recipe.microBatchSize = 4;
    task.recipe.microBatches = 2;
    task.times = std::make_shared<EvenTimes>(MakeUnitTimes(12, 4, 14, 10, 12));
    return task;
}

/** @return a rank's calls over rails: "dp all-gather" and how often in a row */
std::vector<CallRun>
ListRuns(const TrainingJob& job, uint32_t rank, uint32_t iteration = 0)
{
    std::vector<CallRun> runs;
    for (const TrainingCall& call : ListCalls(job, rank, iteration))
    {
        if (call.role == GroupRole::TENSOR)
        {
            continue; // inside a server
        }
        const std::string name = (call.role == GroupRole::PIPELINE ? "" : "dp ") + call.what;
        if (runs.empty() || runs.back().first != name)
        {
            runs.emplace_back(name, 0);
        }
        ++runs.back().second;
    }
    return runs;
}

/** @return the sum of what calls of a kind have, by role and kind */
CallTable
SumCalls(const TrainingJob& job, uint32_t rank)
{
    CallTable table;
    for (const TrainingCall& call : ListCalls(job, rank))
    {
        table[{call.role, call.what}].Add(1, call.bytes);
    }
    return table;
}

/** @return changes of parallelism on a rank's rail in the first iteration */
uint32_t
CountChanges(const TrainingJob& job, uint32_t rank)
{
    std::vector<std::string> parallelisms;
    for (const uint32_t group : job.GetGroups().GetGroupsOf(rank))
    {
        parallelisms.push_back(ParallelismNameOf(job.GetGroups().GetGroups()[group].name));
    }
    std::vector<ProgramLine> lines = ListProgram(*job.GetProgram(rank), parallelisms);
    uint32_t begun = 0;
    const auto end = std::find_if(lines.begin(), lines.end(), [&](const ProgramLine& line) {
        return line.kind == "iteration" && ++begun == 2;
    });
    lines.erase(end, lines.end());
    return CountAlternations(lines, {"tp"});
}

} // namespace

// The order that was captured on a real rank of the first stage (steady iterations) is in the
// artifact of Ding et al., Photonic Rails in ML Datacenters with Opus, arXiv 2602.12521.
TEST(TrainingJob, TheFirstStageCallsAsCaptured)
{
    const TrainingJob job(MakeCaptured());
    const std::vector<CallRun> captured{{"dp all-gather", 17},
                                        {"send", 1},
                                        {"dp all-gather", 17},
                                        {"send", 1},
                                        {"receive", 1},
                                        {"dp all-gather", 17},
                                        {"receive", 1},
                                        {"dp reduce-scatter", 17},
                                        {"dp all-reduce", 1 + 3}};
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        EXPECT_EQ(ListRuns(job, rank, 0), captured);
        EXPECT_EQ(ListRuns(job, rank, 1), captured);
        // AG | PP | AG | PP | AG | PP | RS
        EXPECT_EQ(CountChanges(job, rank), 6U);
    }
    EXPECT_EQ(job.CountPrograms(), 2U);
    // the default order of parallelisms: the next stage is 8 ranks further, on the same rail
    EXPECT_EQ(job.GetLayout().GetPeer(0, Parallelism::PIPELINE, 1), 8U);
}

TEST(TrainingJob, TheSecondStageCallsAsItHasTo)
{
    // It takes forward and backward passes in turn. The second forward pass finds what the first
    // backward pass has kept, and frees it; so the last backward pass gathers. Its gradients are
    // sent, then those of parameters are scattered.
    const std::vector<CallRun> due{{"receive", 1},
                                   {"dp all-gather", 17 + 17},
                                   {"send", 1},
                                   {"receive", 1},
                                   {"dp all-gather", 17},
                                   {"send", 1},
                                   {"dp reduce-scatter", 17},
                                   {"dp all-reduce", 4}};
    const TrainingJob job(MakeCaptured());
    EXPECT_EQ(ListRuns(job, 8), due);
    EXPECT_EQ(CountChanges(job, 8), 5U);
}

TEST(TrainingJob, ScattersOfEachLayerAlternateWithGathers)
{
    // It takes forward and backward passes in turn. The second forward pass finds what the first
    // backward pass has kept, and frees it; so the last backward pass gathers, one unit ahead, and
    // scatters: two gathers, then each unit's gradients before the unit after the next is gathered.
    std::vector<CallRun> due{{"receive", 1},
                             {"dp all-gather", 17 + 17},
                             {"send", 1},
                             {"receive", 1},
                             {"dp all-gather", 2}};
    for (uint32_t unit = 0; unit < 15; ++unit)
    {
        due.emplace_back("dp reduce-scatter", 1);
        due.emplace_back("dp all-gather", 1);
    }
    due.emplace_back("dp reduce-scatter", 2);
    due.emplace_back("send", 1);
    due.emplace_back("dp all-reduce", 4);
    TrainingTask task = MakeCaptured();
    task.recipe.reduceScatter = GradientScatter::PER_LAYER;
    const TrainingJob job(task);
    EXPECT_EQ(ListRuns(job, 8), due);
    EXPECT_EQ(CountChanges(job, 8), 5U);
}

TEST(TrainingJob, ParallelismsTakeTurnsHoweverLongTheyTake)
{
    // Not only are calls written in this order: gathers wait for the receives before them, and
    // receives wait for the step before. Sends go beside the operations after them, one after
    // another of each stream; and the last stage's last gradients are sent beside scattering.
    const TrainingJob job(MakeCaptured());
    const uint32_t inside = *job.GetGroups().GetNumber(GroupRole::TENSOR);
    for (const Picoseconds message : {1, 1000})
    {
        TrainingReferenceRun run(job);
        run.SetDuration([&](const ReferenceExchange& exchange) {
            // gradients take twice as long as activations
            return exchange.message                              ? message * (exchange.from + 1)
                   : exchange.kind == CollectiveKind::ALL_GATHER ? Picoseconds{100}
                                                                 : Picoseconds{150};
        });
        ASSERT_EQ(run.Run(), "");
        for (const uint32_t rank : {0, 8})
        {
            uint32_t parallelism = inside;
            Picoseconds end = 0;
            Picoseconds sent = 0;
            Picoseconds gathered = 0;
            for (const ReferenceCall& call : run.GetExchanges(rank))
            {
                const RankOperation& what = job.GetProgram(rank)->GetOperations()[call.operation];
                if (what.group == inside)
                {
                    continue;
                }
                if (what.kind == RankOperation::Kind::SEND)
                {
                    EXPECT_GE(call.begin, sent) << "a send is waited for before the next one";
                    EXPECT_GE(call.begin, gathered) << "what it sends is computed from that";
                    sent = call.end;
                    continue;
                }
                if (rank == 8 && what.collective == CollectiveKind::REDUCE_SCATTER)
                {
                    break;
                }
                EXPECT_TRUE(what.group == parallelism || call.begin >= end)
                    << "rank " << rank << " calls " << what.label << " at " << call.begin
                    << ", before another parallelism ends at " << end;
                end = what.group == parallelism ? std::max(end, call.end) : call.end;
                parallelism = what.group;
                gathered = what.kind == RankOperation::Kind::COLLECTIVE ? call.end : gathered;
            }
        }
    }
}

TEST(TrainingJob, GathersDoNotWaitForSends)
{
    // PyTorch's pipeline schedules wait for a send before the next one, and not before a pass. So
    // with messages that take for ever the first stage gathers for its second forward pass while
    // the activations of its first one are on their way.
    const TrainingJob job(MakeCaptured());
    TrainingReferenceRun run(job);
    constexpr Picoseconds LONG = 1'000'000;
    run.SetDuration([&](const ReferenceExchange& exchange) {
        return exchange.message ? LONG : Picoseconds{100};
    });
    ASSERT_EQ(run.Run(), "");
    const auto& operations = job.GetProgram(0)->GetOperations();
    std::optional<ReferenceCall> sent;
    uint32_t beside = 0;
    for (const ReferenceCall& call : run.GetExchanges(0))
    {
        const RankOperation& what = operations[call.operation];
        if (what.kind == RankOperation::Kind::SEND && !sent)
        {
            sent = call;
        }
        else if (sent && what.kind == RankOperation::Kind::COLLECTIVE &&
                 what.group == *job.GetGroups().GetNumber(GroupRole::DATA) && call.end < sent->end)
        {
            EXPECT_GT(call.operation, sent->operation) << "called after it";
            ++beside;
        }
    }
    EXPECT_EQ(beside, 17U) << "all of a pass";
}

TEST(TrainingJob, MessagesHaveThePublishedSizes)
{
    // Llama3-8B: 32 layers, 4096 wide, 32 heads of 128 and 8 of keys, 14336 in feed-forward parts,
    // 128256 tokens (Grattafiori et al., The Llama 3 Herd of Models, 2024, table 3)
    const uint64_t attention = 2 * 4096 * 4096 + 2 * 4096 * 8 * 128;
    const uint64_t layer = (attention + 3 * 4096 * 14336) / 4 + 2 * 4096; // norms are not split
    const uint64_t stage = 16 * layer + 128256 * 4096 / 4;
    const TrainingJob job(MakeCaptured());
    CallTable table = SumCalls(job, 0);
    const CallSum gathers = table[{GroupRole::DATA, "all-gather"}];
    EXPECT_EQ(gathers.count, 3 * 17U);
    EXPECT_EQ(gathers.bytes, 3 * stage * 2);
    // what a rank of two sends in each phase: the half of the buffer that is its own
    EXPECT_NEAR(gathers.bytes / 3 / 2 / MIB, 957.4, 0.05);
    const CallSum scatters = table[{GroupRole::DATA, "reduce-scatter"}];
    EXPECT_EQ(scatters.bytes, stage * 4);
    EXPECT_NEAR(scatters.bytes / MIB, 3829.5, 0.05);
    // tokens x width x 2 bytes, of which each of 4 tensor-parallel ranks sends its part
    const CallSum sends = table[{GroupRole::PIPELINE, "send"}];
    EXPECT_EQ(sends.bytes / sends.count, 4ULL * 8192 * 4096 * 2 / 4);
    EXPECT_EQ(sends.bytes / sends.count, 64ULL << 20);
    const CallSum small = table[{GroupRole::DATA, "all-reduce"}];
    EXPECT_LT(small.bytes, 1U << 20);
}

TEST(TrainingJob, WithoutReshardingParametersAreGatheredOnce)
{
    TrainingTask task = MakeCaptured();
    task.recipe.reshard = false;
    const TrainingJob job(task);
    const std::vector<CallRun> due{{"dp all-gather", 17},
                                   {"send", 2},
                                   {"receive", 2},
                                   {"dp reduce-scatter", 17},
                                   {"dp all-reduce", 4}};
    EXPECT_EQ(ListRuns(job, 0), due);
    EXPECT_EQ(ListRuns(job, 0, 1), due); // the optimizer made new ones
}

TEST(TrainingJob, SmallAllReducesEndAnIteration)
{
    TrainingTask task = MakeCaptured();
    task.recipe.pipelineNorm = true;
    task.recipe.smallReductions = 5;
    task.recipe.smallBytes = 8;
    const TrainingJob job(task);
    for (const uint32_t rank : {0, 15})
    {
        const std::vector<TrainingCall> calls = ListCalls(job, rank);
        ASSERT_GT(calls.size(), 7U);
        for (std::size_t i = calls.size() - 7; i < calls.size(); ++i)
        {
            EXPECT_EQ(calls[i].what, "all-reduce");
            EXPECT_EQ(calls[i].bytes, 8U);
            // the norm of the stage, the norm of all stages, then others
            EXPECT_EQ(calls[i].role == GroupRole::PIPELINE, i == calls.size() - 6);
        }
        EXPECT_NE(calls[calls.size() - 8].what, "all-reduce");
    }
}

TEST(TrainingJob, StagesSendEachMicroBatchOnceEachWay)
{
    for (const std::string& schedule : GetPipelineSchedules())
    {
        for (const uint32_t ranks : {1, 2, 4})
        {
            TrainingTask task = MakeSmallTask();
            task.shape.layers = 12;
            task.plan.pp = ranks;
            task.plan.tp = 2;
            task.recipe.schedule = schedule;
            task.recipe.chunks = schedule == "interleaved" ? 3 : 1;
            task.recipe.microBatches = 8;
            const uint64_t bytes = 2 * 1024 * 512 * 2; // tokens x width x 2 bytes
            for (const bool split : {true, false})
            {
                task.plan.sequenceParallel = split;
                const TrainingJob job(task);
                for (uint32_t place = 0; place < ranks; ++place)
                {
                    // activations leave all stages but the last, gradients all but the first; a
                    // pipeline of one rank sends nothing
                    uint64_t leaving = 2 * task.recipe.chunks;
                    leaving -= (place == 0 ? 1 : 0) + (place + 1 == ranks ? 1 : 0);
                    CallSum due;
                    due.Add(ranks == 1 ? 0 : 8 * leaving, split ? bytes / 2 : bytes);
                    CallTable table =
                        SumCalls(job, job.GetLayout().GetPeer(0, Parallelism::PIPELINE, place));
                    const CallSum sent = table[{GroupRole::PIPELINE, "send"}];
                    const CallSum come = table[{GroupRole::PIPELINE, "receive"}];
                    EXPECT_EQ(sent, due) << schedule << " " << ranks << " place " << place;
                    EXPECT_EQ(come, due) << schedule << " " << ranks << " place " << place;
                }
            }
        }
    }
}

TEST(TrainingJob, ParametersAreGatheredForEachStageOfARank)
{
    // Interleaved, two stages a rank: with resharding each forward pass frees what it used, so a
    // pass gathers its stage unless the pass before through that stage was a backward one.
    TrainingTask task = MakeSmallTask();
    task.plan.pp = 2;
    task.plan.dp = 2;
    task.recipe.schedule = "interleaved";
    task.recipe.chunks = 2;
    task.recipe.microBatches = 4;
    const TrainingJob job(task);
    for (uint32_t place = 0; place < 2; ++place)
    {
        std::vector<bool> held(2);
        std::vector<std::string> due;
        for (const PipelineStep& step : MakePipelineSchedule({"interleaved", 2, 2, 4}, place))
        {
            const bool forward = step.kind == PipelineStep::Kind::FORWARD;
            std::vector<std::string> units{"gather layer " +
                                           std::to_string(2 * step.chunk + place)};
            if (place == 0 && step.chunk == 0)
            {
                units.insert(units.begin(), "gather embedding");
            }
            if (place == 1 && step.chunk == 1)
            {
                units.emplace_back("gather head");
            }
            if (!forward)
            {
                std::reverse(units.begin(), units.end());
            }
            if (!held[step.chunk])
            {
                due.insert(due.end(), units.begin(), units.end());
            }
            held[step.chunk] = !forward;
        }
        std::vector<std::string> gathers;
        for (const TrainingCall& call :
             ListCalls(job, job.GetLayout().GetPeer(0, Parallelism::PIPELINE, place)))
        {
            if (call.what == "all-gather")
            {
                gathers.push_back(call.label);
            }
        }
        EXPECT_EQ(gathers, due);
    }
}

TEST(TrainingJob, MistakesAreNamed)
{
    const auto has = [](const TrainingTask& task, const std::string& words) {
        return FindMistake(task).find(words) != std::string::npos;
    };
    TrainingTask task = MakeSmallTask();
    EXPECT_EQ(FindMistake(task), "");
    task.iterations = 0;
    EXPECT_TRUE(has(task, "0 iterations"));
    task = MakeSmallTask();
    task.times.reset();
    EXPECT_TRUE(has(task, "no compute times"));
    task = MakeSmallTask();
    task.plan.pp = 5;
    EXPECT_TRUE(has(task, "4 layers over 5 stages"));
    task = MakeSmallTask();
    task.plan.pp = 3;
    task.recipe.schedule = "interleaved";
    EXPECT_TRUE(has(task, "give a multiple of 3"));
}

TEST(TrainingJob, ProgramsCanBeRead)
{
    const TrainingJob job(MakeCaptured());
    std::vector<std::string> parallelisms;
    for (const uint32_t group : job.GetGroups().GetGroupsOf(0))
    {
        parallelisms.push_back(ParallelismNameOf(job.GetGroups().GetGroups()[group].name));
    }
    EXPECT_EQ(parallelisms, (std::vector<std::string>{"tp", "dp", "pp"}));
    const auto lines = ListProgram(*job.GetProgram(0), parallelisms);
    ASSERT_EQ(lines.size(), job.GetProgram(0)->GetOperations().size());
    std::ostringstream text;
    PrintProgram(text, {lines.begin() + 1, lines.begin() + 3}); // after the iteration's beginning
    // two gathers are two lines, as a layer is larger or smaller than the embedding
    EXPECT_NE(text.str().find("gather embedding\n"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("gather layer 0\n"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("all-gather      dp     262668288"), std::string::npos) << text.str();
    EXPECT_EQ(ParallelismNameOf("dp-experts 3"), "dp");
}

TEST(TrainingJob, EqualLinesBecomeOne)
{
    ProgramLine line;
    line.kind = "collective";
    line.collective = "all-gather";
    line.parallelism = "dp";
    line.bytes = 77;
    line.label = "first";
    ProgramLine other = line;
    other.bytes = 78;
    std::ostringstream text;
    PrintProgram(text, {line, line, line, other, line});
    const std::string table = text.str();
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3);
    EXPECT_NE(table.find("        0      3       0  all-gather"), std::string::npos) << table;
    EXPECT_NE(table.find("first, and so on\n"), std::string::npos) << table;
}
