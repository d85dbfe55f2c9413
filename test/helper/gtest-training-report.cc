/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"
#include "../support/training-job-bench.h"

#include "ns3/parallelism-presets.h"
#include "ns3/random-variable-words.h"
#include "ns3/scenario-options.h"
#include "ns3/training-options.h"
#include "ns3/training-report.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// The report on a training job before it runs, and the values that its command line takes.

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

/** @return the error of options as they are typed; empty: none */
std::string
Complete(const std::vector<std::string>& args, TrainingOptions& training)
{
    ScenarioOptions options("program");
    training.Add(options);
    try
    {
        options.Parse(args);
        training.Complete(options);
    }
    catch (const OptionMistake& mistake)
    {
        return mistake.what();
    }
    return "";
}

/** The same, for a program without these options. */
std::string
Complete(const std::string& argument)
{
    TrainingOptions training;
    return Complete(std::vector<std::string>{argument}, training);
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
            if (!line.parallelism.empty())
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

TEST(TrainingReport, AParallelismOfWhichAPartLeavesServersUsesRails)
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

TEST(TrainingReport, RoutingIsDescribedUnlessItIsEven)
{
    // two ranks of two experts, 300 tokens with one visit each: 600 visits of shares 3, 1, 1, 1
    TrainingTask task = MakeSmallTask(MakeSmallExperts());
    task.plan.ep = 2;
    task.plan.dp = 2;
    task.shape.experts = 4;
    task.shape.activeExperts = 1;
    task.recipe.microBatchSize = 1;
    task.recipe.sequence = 300;
    EXPECT_EQ(DescribeRouting(TrainingJob(task)), "");
    EXPECT_EQ(TrainingJob(task).FindLargestLoad(), 1);
    const std::vector<RoutingCounts::Tokens> steps{{3, 1, 1, 1}};
    task.recipe.router.counts = std::make_shared<const RoutingCounts>(
        std::map<uint32_t, std::vector<RoutingCounts::Tokens>>{{1, steps}, {2, steps}, {3, steps}});
    // the experts of rank 0 have 300 + 100 of 600, half of which are its own tokens'
    EXPECT_EQ(DescribeRouting(TrainingJob(task)),
              "tokens are routed by counts: 50.0 % go to other ranks, 50.0 % stay, 0.0 % are "
              "dropped; the busiest rank's experts have 1.33 times an even share");
    // a rank sends an expert ceil(300 / 4) tokens: of the popular one's 150 half are dropped
    task.recipe.router.capacityFactor = 1;
    EXPECT_EQ(DescribeRouting(TrainingJob(task)),
              "tokens are routed by counts: 37.5 % go to other ranks, 37.5 % stay, 25.0 % are "
              "dropped; the busiest rank's experts have 0.83 times an even share");
}

TEST(TrainingReport, ProgramsAsJson)
{
    ProgramLine line;
    line.stream = 3;
    line.kind = "collective";
    line.collective = "all-gather";
    line.parallelism = "dp";
    line.bytes = uint64_t{5} << 40;
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginObject();
    WriteProgram(json, {line, line});
    json.EndObject();
    const std::string one =
        "    {\n      \"stream\": 3,\n      \"kind\": \"collective\",\n"
        "      \"collective\": \"all-gather\",\n      \"parallelism\": \"dp\",\n"
        "      \"bytes\": 5497558138880\n    }";
    EXPECT_EQ(os.str(), "{\n  \"rank_program\": [\n" + one + ",\n" + one + "\n  ]\n}\n");
}

TEST(TrainingOptions, AreFineAsTheyAre)
{
    TrainingOptions training;
    EXPECT_EQ(Complete(std::vector<std::string>{}, training), "");
}

TEST(TrainingOptions, WordsBecomeWhatTheyMean)
{
    TrainingOptions training;
    EXPECT_EQ(Complete({"--sharding=none",
                        "--recompute=selective",
                        "--context=ring",
                        "--reduction=per_model",
                        "--straggler=15:1.5",
                        "--sequence=8k",
                        "--model=llama3-8b",
                        "--link-up=25ms",
                        "--jitter=ns3::UniformRandomVariable[Min=1|Max=1.1]"},
                       training),
              "");
    EXPECT_EQ(training.plan.sharding, ParameterSharding::NONE);
    EXPECT_EQ(training.recipe.recompute, Recomputation::SELECTIVE);
    EXPECT_EQ(training.recipe.context, ContextExchange::RING);
    EXPECT_EQ(training.recipe.reduction, GradientReduction::PER_MODEL);
    EXPECT_EQ(training.recipe.sequence, 8192U);
    EXPECT_EQ(training.model, "Llama3-8B");
}

TEST(TrainingOptions, RoutersOfExperts)
{
    const std::string name = GetTemporaryPath("routing.csv");
    TrainingOptions skewed;
    EXPECT_EQ(Complete({"--experts-skew=Dirichlet:0.5:7", "--capacity-factor=1.25"}, skewed), "");
    EXPECT_EQ(skewed.recipe.router.skew.GetName(), "dirichlet:0.5:7");
    EXPECT_EQ(skewed.recipe.router.capacityFactor, 1.25);
    EXPECT_EQ(skewed.recipe.router.counts, nullptr);

    std::ofstream(name) << "layer,expert,step,tokens\n0,0,0,7\n0,1,0,8\n";
    TrainingOptions counted;
    EXPECT_EQ(Complete({"--routing=" + name}, counted), "");
    EXPECT_EQ(counted.recipe.router.counts->Get(0, 0), (RoutingCounts::Tokens{7, 8}));
    const std::string both = Complete({"--routing=" + name, "--experts-skew=zipf:1"}, counted);
    EXPECT_TRUE(Has(both, {"routing counts", "zipf:1:1", "one of both"})) << both;

    std::ofstream(name) << "layer,expert,step,tokens\n0,0,0,7,8\n";
    const std::string wrong = Complete("--routing=" + name);
    EXPECT_TRUE(Has(wrong, {"--routing=" + name, name + ":2: expected 4 columns"})) << wrong;
    std::remove(name.c_str());

    EXPECT_TRUE(Has(Complete("--routing=" + name), {"--routing=" + name, "No such file"}));
    EXPECT_TRUE(Has(Complete("--experts-skew=zipf"), {"--experts-skew=zipf", "zipf:EXPONENT"}));
    EXPECT_TRUE(Has(Complete("--capacity-factor=-1"), {"--capacity-factor=-1", "0 to 1000"}));
    EXPECT_TRUE(Has(Complete("--capacity-factor=1e-9"), {"1e-09", "0 for no limit"}));
}

TEST(TrainingOptions, AnAutomaticPlanIsTheSuggestedOne)
{
    for (const uint32_t gpus : {8U, 64U, 1024U})
    {
        TrainingOptions training;
        EXPECT_EQ(Complete({"--plan=auto",
                            "--gpus=" + std::to_string(gpus),
                            "--scale-up-size=8",
                            "--gpu=H100",
                            "--microbatch-size=1"},
                           training),
                  "");
        TrainingRecipe recipe;
        recipe.microBatchSize = 1;
        const ParallelismPlan expected =
            SuggestPlan(*FindModelShape("Llama3-8B"), gpus, 8, *FindGpuGeneration("H100"), recipe);
        EXPECT_EQ(training.plan.GetRanks(), gpus);
        EXPECT_EQ(training.plan.tp, expected.tp);
        EXPECT_EQ(training.plan.dp, expected.dp);
        EXPECT_EQ(training.plan.pp, expected.pp);
    }
    TrainingOptions training;
    EXPECT_TRUE(Has(Complete({"--plan=auto", "--tp=2"}, training), {"--tp=2", "leave it out"}));
    EXPECT_TRUE(Has(Complete("--gpus=64"), {"--gpus=64", "--plan=auto"}));
    EXPECT_TRUE(Has(Complete("--plan=table"), {"--plan=table", "given, auto"}));
}

TEST(TrainingOptions, DerivedValuesAreThoseOfTheResults)
{
    TrainingOptions training;
    ScenarioOptions options("program");
    training.Add(options);
    options.Parse({"--change-at=5", "--change=micro-batches:8,schedule:GPipe"});
    training.Complete(options);
    EXPECT_EQ(training.iterations, 7U) << "one with the change, and one after";
    EXPECT_EQ(training.GetChange().iteration, 5U);
    EXPECT_EQ(training.GetChange().microBatches, 8U);
    EXPECT_EQ(training.GetChange().schedule, "gpipe");
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginObject();
    options.Write(json);
    json.EndObject();
    EXPECT_NE(os.str().find("\"iterations\": 7"), std::string::npos) << os.str();
    EXPECT_TRUE(Has(Complete("--change=auto"), {"--change=auto", "--change-at"}));
    EXPECT_TRUE(Has(Complete("--change-at=1"), {"iteration 1", "give 2 or more"}));
}

TEST(TrainingOptions, AutoIsAWord)
{
    TrainingOptions training;
    EXPECT_EQ(Complete({"--algorithm=auto", "--technology=auto", "--port-rate=auto"}, training),
              "");
    EXPECT_EQ(training.recipe.railAlgorithm, "");
    EXPECT_EQ(training.technology, "");
    EXPECT_EQ(training.portRate, "");
}

TEST(TrainingOptions, MistakesNameTheOptionTheValueAndTheRemedy)
{
    EXPECT_TRUE(Has(Complete("--sharding=zero"), {"--sharding=zero", "fsdp, none"}));
    EXPECT_TRUE(Has(Complete("--recompute=some"), {"--recompute=some", "full"}));
    EXPECT_TRUE(Has(Complete("--context="), {"--context=", "ring"}));
    EXPECT_TRUE(Has(Complete("--reduction=x"), {"--reduction=x", "per-layer"}));
    EXPECT_TRUE(Has(Complete("--iterations=0"), {"--iterations=0", "1 to 1000"}));
    EXPECT_TRUE(Has(Complete("--iterations=1001"), {"1001", "1 to 1000"}));
    EXPECT_TRUE(Has(Complete("--ports=17"), {"--ports=17", "0 to 16"}));
    EXPECT_TRUE(Has(Complete("--granularity=Port"), {"--granularity=Port", "Group, Rail"}));
    EXPECT_TRUE(Has(Complete("--done-when=Port"), {"--done-when=Port", "Reconfigured, Carrier"}));
    EXPECT_TRUE(Has(Complete("--sequence=8.5"), {"--sequence=8.5", "whole"}));
    EXPECT_TRUE(Has(Complete("--port-rate=400"), {"--port-rate=400", "400Gbps"}));
    EXPECT_TRUE(Has(Complete("--link-up=25"), {"--link-up=25", "25ms"}));
    EXPECT_TRUE(Has(Complete("--jitter=0.1"), {"--jitter=0.1", "ns3::UniformRandomVariable"}));
    EXPECT_TRUE(Has(Complete("--dp=1000000"), {"8000000 ranks", "GB of memory", "give fewer"}));
    EXPECT_TRUE(Has(Complete("--algorithm=foo"), {"--algorithm=foo", "ring"}));
    for (const std::string efficiency : {"0", "-1", "1.01", "nan"})
    {
        const std::string wrong = Complete("--efficiency=" + efficiency);
        EXPECT_TRUE(Has(wrong, {"--efficiency=" + efficiency + ": give "})) << wrong;
    }
    for (const std::string straggler :
         {"16:2", "3", "3:", ":2", "3:0", "3:-1", "3;2", "3:2x", "x:2", "-1:2", "3:nan", "3:1e999"})
    {
        const std::string wrong = Complete("--straggler=" + straggler);
        EXPECT_TRUE(Has(wrong, {"--straggler=" + straggler, "RANK:FACTOR", "16"})) << straggler;
    }
}

TEST(RandomVariableWords, AreLookedAtToTheEnd)
{
    for (const std::string words : {"ns3::UniformRandomVariable",
                                    "ns3::UniformRandomVariable[]",
                                    "ns3::UniformRandomVariable[Min=0|Max=0.1]",
                                    "ns3::ConstantRandomVariable[Constant=1]",
                                    "ns3::ZipfRandomVariable[N=3|Alpha=1.5]"})
    {
        EXPECT_EQ(FindRandomVariableMistake(words), "") << words;
    }
    for (const std::string words : {"",
                                    "0.1",
                                    "Uniform",
                                    "ns3::Node",
                                    "ns3::RandomVariableStream",
                                    "ns3::UniformRandomVariable[Min=0",
                                    "ns3::UniformRandomVariable[Min]",
                                    "ns3::UniformRandomVariable[Least=0]",
                                    "ns3::UniformRandomVariable[Min=x]",
                                    "ns3::UniformRandomVariable[Min=0|Max=]",
                                    "ns3::UniformRandomVariable[Min=0||Max=1]",
                                    "ns3::ZipfRandomVariable[N=1.5]",
                                    "ns3::UniformRandomVariable [Min=0]"})
    {
        EXPECT_NE(FindRandomVariableMistake(words), "") << words;
    }
}
