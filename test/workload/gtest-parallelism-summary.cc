/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Table 2 of "Photonic Rails in ML Datacenters" (arXiv 2507.08119) for jobs at hand: what each
// parallelism divides, and its calls.

#include "../support/training-job-bench.h"

#include "ns3/model-work.h"
#include "ns3/parallelism-summary.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double MEBIBYTE = 1024.0 * 1024.0;

/** @return the papers' job: Llama3-8B on 16 A100, micro-batches of 4 sequences of 8,192 tokens */
TrainingTask
MakePapersTask()
{
    TrainingTask task = MakeSmallTask(*FindModelShape("Llama3-8B"));
    task.plan.tp = task.plan.scaleUp = 4;
    task.plan.dp = task.plan.pp = 2;
    task.recipe = TrainingRecipe();
    task.recipe.microBatchSize = 4;
    return task;
}

/** @return a row of the table */
ParallelismSummary
FindRow(const TrainingTask& task, const std::string& parallelism, uint32_t rank = 0)
{
    for (const ParallelismSummary& row : Summarize(TrainingJob(task), rank))
    {
        if (row.parallelism == parallelism)
        {
            return row;
        }
    }
    ADD_FAILURE() << "no row of " << parallelism;
    return {};
}

/** @return by how much a quantity is divided; 1 if it is not in the row */
double
FindFactor(const ParallelismSummary& row, const std::string& what)
{
    for (const ParallelismSummary::Division& one : row.memory)
    {
        if (one.what == what)
        {
            return one.factor;
        }
    }
    return 1;
}

/** @return the calls of a kind in a pass; none if there are none */
ParallelismSummary::Exchange
FindExchange(const ParallelismSummary& row, const std::string& pass, const std::string& kind)
{
    for (const ParallelismSummary::Exchange& one : row.exchanges)
    {
        if (one.pass == pass && one.kind == kind)
        {
            return one;
        }
    }
    return {};
}

} // namespace

// Order of calls and bytes: the capture in arXiv 2602.12521 and the workshop paper, as the bytes of
// a stage's parameters in bf16 and of its gradients in fp32.
TEST(ParallelismSummary, ThePapersJob)
{
    const TrainingTask task = MakePapersTask();
    const ParallelismSummary dp = FindRow(task, "dp");
    EXPECT_EQ(dp.name, "FSDP");
    EXPECT_EQ(dp.degree, 2U);
    EXPECT_EQ(dp.path, "rail");
    EXPECT_DOUBLE_EQ(dp.work, 2);
    EXPECT_DOUBLE_EQ(FindFactor(dp, "sequences"), 2);
    EXPECT_DOUBLE_EQ(FindFactor(dp, "parameters"), 2);
    EXPECT_DOUBLE_EQ(FindFactor(dp, "optimizer"), 2);
    EXPECT_DOUBLE_EQ(FindFactor(dp, "gradients"), 1) << "whole, over two micro-batches";
    const auto gathers = FindExchange(dp, "forward", "all-gather");
    EXPECT_EQ(gathers.calls, 2U * 17) << "the units of a stage, for each micro-batch";
    EXPECT_NEAR(gathers.bytes / MEBIBYTE, 2 * 1914.75, 0.1);
    EXPECT_DOUBLE_EQ(gathers.often, 2);
    EXPECT_EQ(gathers.frequency, "layer");
    EXPECT_EQ(FindExchange(dp, "backward", "all-gather").calls, 17U);
    const auto scatters = FindExchange(dp, "backward", "reduce-scatter");
    EXPECT_EQ(scatters.calls, 17U);
    EXPECT_NEAR(scatters.bytes / MEBIBYTE, 3829.5, 0.1);
    EXPECT_EQ(FindExchange(dp, "end", "all-reduce").calls, 1U + 3);
    EXPECT_EQ(FindExchange(dp, "end", "all-reduce").frequency, "iteration");

    const ParallelismSummary pp = FindRow(task, "pp");
    EXPECT_EQ(pp.name, "PP");
    const auto sends = FindExchange(pp, "forward", "send");
    EXPECT_EQ(sends.calls, 2U);
    EXPECT_DOUBLE_EQ(sends.bytes / MEBIBYTE, 2 * 64);
    EXPECT_EQ(sends.frequency, "micro-batch");
    EXPECT_EQ(FindExchange(pp, "backward", "receive").calls, 2U);
    // stage 0 has half of the layers, and not the head
    const auto count = [&task](ModelUnit::Kind kind) {
        const UnitWork work = CountWork(task.shape, task.plan, task.recipe, {kind, 0});
        return work.forward + work.backwardInput + work.backwardWeight + work.recompute;
    };
    EXPECT_NEAR(pp.work,
                2 + count(ModelUnit::Kind::HEAD) / (16 * count(ModelUnit::Kind::LAYER)),
                1e-9);

    const ParallelismSummary tp = FindRow(task, "tp");
    EXPECT_EQ(tp.name, "TP & SP");
    EXPECT_EQ(tp.path, "server");
    EXPECT_DOUBLE_EQ(tp.work, 4);
    EXPECT_DOUBLE_EQ(FindFactor(tp, "activations"), 4);
    EXPECT_NEAR(FindFactor(tp, "parameters"), 4, 0.01) << "all but the norms";
    // before attention and the feed-forward part, of each of 16 layers and 2 micro-batches
    EXPECT_EQ(FindExchange(tp, "forward", "all-gather").calls, 2U * 16 * 2);
    EXPECT_GE(FindExchange(tp, "forward", "reduce-scatter").calls, 2U * 16 * 2);
}

TEST(ParallelismSummary, EachDividesWhatItsRowOfTheTableHas)
{
    TrainingTask task = MakeSmallTask(MakeSmallExperts());
    task.plan.dp = 4;
    task.plan.ep = 2;
    task.plan.cp = 2;
    task.plan.scaleUp = 1;
    task.recipe.microBatches = 1;
    const ParallelismSummary cp = FindRow(task, "cp");
    EXPECT_DOUBLE_EQ(FindFactor(cp, "tokens of a sequence"), 2);
    EXPECT_DOUBLE_EQ(FindFactor(cp, "sequences"), 1);
    EXPECT_DOUBLE_EQ(cp.work, 2);
    EXPECT_GT(FindExchange(cp, "forward", "all-gather").calls, 0U);
    EXPECT_GT(FindExchange(cp, "backward", "reduce-scatter").calls, 0U);
    const ParallelismSummary ep = FindRow(task, "ep");
    EXPECT_DOUBLE_EQ(FindFactor(ep, "experts"), 2);
    EXPECT_DOUBLE_EQ(ep.work, 1) << "tokens of both come to half of the experts";
    // dispatch and combine, of each of three layers with experts
    EXPECT_EQ(FindExchange(ep, "forward", "all-to-all").calls, 2U * 3);
    EXPECT_DOUBLE_EQ(FindExchange(ep, "forward", "all-to-all").often, 2);
    EXPECT_EQ(FindExchange(ep, "forward", "all-to-all").frequency, "layer and micro-batch");
    const ParallelismSummary dp = FindRow(task, "dp");
    EXPECT_DOUBLE_EQ(FindFactor(dp, "sequences"), 4);
    EXPECT_DOUBLE_EQ(dp.work, 4);

    task.plan.ep = 1;
    task.plan.sharding = ParameterSharding::NONE;
    const ParallelismSummary plain = FindRow(task, "dp");
    EXPECT_EQ(plain.name, "DP");
    EXPECT_DOUBLE_EQ(FindFactor(plain, "parameters"), 1);
    EXPECT_DOUBLE_EQ(FindFactor(plain, "sequences"), 4);
    EXPECT_GT(FindExchange(plain, "backward", "all-reduce").calls, 0U);
    EXPECT_EQ(FindExchange(plain, "forward", "all-gather").calls, 0U);
}

TEST(ParallelismSummary, NoCallIsLeftOutOrCountedTwice)
{
    for (const uint32_t rank : {0U, 5U, 15U})
    {
        const TrainingJob job(MakePapersTask());
        uint64_t calls = 0;
        uint64_t bytes = 0;
        for (const ParallelismSummary& row : Summarize(job, rank))
        {
            for (const ParallelismSummary::Exchange& one : row.exchanges)
            {
                EXPECT_NE(one.pass, "") << row.name << " " << one.kind;
                calls += one.calls;
                bytes += one.bytes;
            }
        }
        uint64_t expected = 0;
        uint64_t expectedBytes = 0;
        for (const TrainingCall& call : ListCalls(job, rank))
        {
            ++expected;
            expectedBytes += call.bytes;
        }
        EXPECT_EQ(calls, expected);
        EXPECT_EQ(bytes, expectedBytes);
    }
}

TEST(ParallelismSummary, IsPrintedRowByRow)
{
    std::ostringstream os;
    PrintSummary(os, Summarize(TrainingJob(MakePapersTask()), 0));
    const std::string text = os.str();
    EXPECT_NE(text.find("\nFSDP 2, over rails\n  divides work by 2; memory: sequences by 2"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\nTP & SP 4, over the fabric of a server\n"), std::string::npos) << text;
}
