/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-job-bench.h"

#include "ns3/training-options.h"
#include "ns3/training-report.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

// What is told of a training job before it runs, and what its command line takes.

using namespace ns3;

namespace
{

/** @return four layers, tp 2 in servers of two, dp 2 and pp 2 over rails, three iterations */
TrainingTask
MakeTask()
{
    TrainingTask task = MakeSmallTask();
    task.plan.tp = 2;
    task.plan.dp = 2;
    task.plan.pp = 2;
    task.plan.scaleUp = 2;
    task.recipe.microBatches = 2;
    task.iterations = 3;
    return task;
}

/** @return what options are told to be wrong */
template <typename Change>
std::string
Complete(Change change)
{
    TrainingOptions options;
    change(options);
    return options.Complete();
}

/** @return whether all of these are in a text */
bool
Has(const std::string& text, const std::vector<std::string>& words)
{
    for (const std::string& word : words)
    {
        if (text.find(word) == std::string::npos)
        {
            return false;
        }
    }
    return true;
}

} // namespace

TEST(TrainingReport, TheLastIterationIsOneOfEqualOnes)
{
    const TrainingJob job(MakeTask());
    for (const uint32_t rank : {0, 1, 2, 4, 7})
    {
        const std::vector<ProgramLine> lines = ListLastIteration(job, rank);
        // all iterations are alike, and each has a line that begins it
        EXPECT_EQ(3 * (lines.size() + 1), job.GetProgram(rank)->GetOperations().size());
        std::vector<std::string> called;
        for (const ProgramLine& line : lines)
        {
            EXPECT_NE(line.kind, "iteration");
            if (!line.dimension.empty())
            {
                called.push_back(line.collective.empty() ? line.kind : line.collective);
            }
        }
        std::vector<std::string> expected;
        for (const TrainingCall& call : ListCalls(job, rank, 2))
        {
            expected.push_back(call.what);
        }
        EXPECT_EQ(called, expected) << rank;
    }
}

TEST(TrainingReport, ShiftsOfAPipelineOfTwoStages)
{
    const TrainingJob job(MakeTask());
    const std::vector<std::string> inside = ListInScaleUp(job);
    EXPECT_EQ(inside, std::vector<std::string>{"tp"});
    // stage 0: gather, send, gather, send and receive, gather, receive, scatter
    EXPECT_EQ(CountAlternations(ListLastIteration(job, 0), inside), 6U);
    // stage 1: receive, gather, send and receive, gather, send, scatter
    EXPECT_EQ(CountAlternations(ListLastIteration(job, 4), inside), 5U);
}

TEST(TrainingReport, ADimensionOfWhichAPartLeavesServersUsesRails)
{
    TrainingTask task = MakeTask();
    EXPECT_EQ(ListInScaleUp(TrainingJob(task)), std::vector<std::string>{"tp"});
    task.plan.scaleUp = 4;
    EXPECT_EQ(ListInScaleUp(TrainingJob(task)), (std::vector<std::string>{"dp", "tp"}));
    task.plan.scaleUp = 1;
    EXPECT_EQ(ListInScaleUp(TrainingJob(task)), std::vector<std::string>{});
    // servers of four, tp 2, dp 4: two of four data-parallel ranks are in a server
    task.plan.scaleUp = 4;
    task.plan.dp = 4;
    EXPECT_EQ(ListInScaleUp(TrainingJob(task)), std::vector<std::string>{"tp"});
}

TEST(TrainingReport, ProgramsAsJson)
{
    ProgramLine line;
    line.stream = 3;
    line.kind = "collective";
    line.collective = "all-gather";
    line.dimension = "dp";
    line.bytes = uint64_t{5} << 40;
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginObject();
    WriteProgram(json, {line, line});
    json.EndObject();
    const std::string one = "    {\n      \"stream\": 3,\n      \"kind\": \"collective\",\n"
                            "      \"collective\": \"all-gather\",\n      \"dimension\": \"dp\",\n"
                            "      \"bytes\": 5497558138880\n    }";
    EXPECT_EQ(os.str(), "{\n  \"program\": [\n" + one + ",\n" + one + "\n  ]\n}\n");
}

TEST(TrainingOptions, AreFineAsTheyAre)
{
    EXPECT_EQ(TrainingOptions().Complete(), "");
}

TEST(TrainingOptions, WordsBecomeWhatTheyMean)
{
    TrainingOptions options;
    options.sharding = "none";
    options.recompute = "selective";
    options.context = "ring";
    options.reduction = "per-model";
    options.straggler = "15:1.5";
    EXPECT_EQ(options.Complete(), "");
    EXPECT_EQ(options.plan.sharding, ParameterSharding::NONE);
    EXPECT_EQ(options.recipe.recompute, Recomputation::SELECTIVE);
    EXPECT_EQ(options.recipe.context, ContextExchange::RING);
    EXPECT_EQ(options.recipe.reduction, GradientReduction::PER_MODEL);
}

TEST(TrainingOptions, MistakesNameTheOptionTheValueAndTheRemedy)
{
    using O = TrainingOptions;
    EXPECT_TRUE(
        Has(Complete([](O& o) { o.sharding = "zero"; }), {"--sharding=zero", "fsdp, none"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.recompute = "some"; }), {"--recompute=some", "full"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.context = ""; }), {"--context=", "ring"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.reduction = "x"; }), {"--reduction=x", "per-layer"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.iterations = 0; }), {"--iterations=0", "1 to 1000"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.iterations = 1001; }), {"1001", "1 to 1000"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.ports = 17; }), {"--ports=17", "1 to 16"}));
    EXPECT_TRUE(Has(Complete([](O& o) { o.granularity = "Port"; }), {"--granularity=Port"}));
    for (const double efficiency : {0.0, -1.0, 1.01})
    {
        EXPECT_TRUE(Has(Complete([efficiency](O& o) { o.efficiency = efficiency; }),
                        {"--efficiency=", "up to 1"}));
    }
    for (const std::string straggler :
         {"16:2", "3", "3:", ":2", "3:0", "3:-1", "3;2", "3:2x", "x:2", "-1:2", "3:nan", "3:1e999"})
    {
        const std::string wrong = Complete([&straggler](O& o) { o.straggler = straggler; });
        EXPECT_TRUE(Has(wrong, {"--straggler=" + straggler, "RANK:FACTOR", "16"})) << straggler;
    }
}

TEST(TrainingOptions, Lists)
{
    EXPECT_EQ(SplitList("1ms,10ms"), (std::vector<std::string>{"1ms", "10ms"}));
    EXPECT_EQ(SplitList("one"), std::vector<std::string>{"one"});
    EXPECT_EQ(SplitList(""), std::vector<std::string>{});
}
