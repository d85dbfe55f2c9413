/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/gpu-memory.h"
#include "ns3/parallelism-fit.h"
#include "ns3/parallelism-presets.h"
#include "ns3/parallelism-table.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>
#include <utility>

using namespace ns3;

namespace
{

/** A model, a plan and a GPU. */
struct Case
{
    ModelShape shape;
    ParallelismPlan plan{};
    TrainingRecipe recipe{};
    GpuGeneration gpu;
    RailPorts ports{};

    Case(const char* model, const char* gpuName)
        : shape(*FindModelShape(model)),
          gpu(*FindGpuGeneration(gpuName))
    {
        plan.scaleUp = gpu.scaleUp;
    }

    std::vector<std::string> Find() const
    {
        return FindMisfits(shape, plan, recipe, gpu, ports);
    }
};

/** Fails if there is not just one reason with these words. */
void
ExpectReason(const Case& one, const std::string& words)
{
    const auto reasons = one.Find();
    ASSERT_EQ(reasons.size(), 1U) << words << (reasons.empty() ? "" : reasons.back());
    EXPECT_NE(reasons.front().find(words), std::string::npos) << reasons.front();
}

/** @return Llama3-8B on 16 A100 of the workshop paper (arXiv 2507.08119) */
Case
MakeWorkshop()
{
    Case one("Llama3-8B", "A100");
    one.plan.tp = 4;
    one.plan.dp = one.plan.pp = 2;
    one.plan.scaleUp = 4;
    one.recipe.microBatchSize = 4;
    return one;
}

} // namespace

TEST(PlanFit, WhatWasMeasuredFits)
{
    EXPECT_TRUE(MakeWorkshop().Find().empty());

    // a model of 80 billion parameters on 128 H200, plain data parallelism, one micro-batch
    // (arXiv 2602.12521)
    Case opus("Llama3-70B", "H200");
    opus.shape.layers = 96;
    opus.plan.tp = 8;
    opus.plan.dp = opus.plan.pp = 4;
    opus.plan.sharding = ParameterSharding::NONE;
    opus.recipe.microBatches = 1;
    opus.recipe.microBatchSize = 64;
    opus.recipe.sequence = 4096;
    EXPECT_TRUE(opus.Find().empty()) << opus.Find().front();

    // Llama 3 405B as it was trained (arXiv 2407.21783, table 4): 126 layers over 16 ranks are
    // uneven
    for (const auto& [dp, cp, sequence] :
         {std::tuple<uint32_t, uint32_t, uint32_t>{64, 1, 8192}, {128, 1, 8192}, {8, 16, 131072}})
    {
        Case llama("Llama3.1-405B", "H100");
        llama.plan.tp = 8;
        llama.plan.pp = 16;
        llama.plan.dp = dp;
        llama.plan.cp = cp;
        llama.recipe.sequence = sequence;
        llama.recipe.microBatches = 16;
        EXPECT_TRUE(llama.Find().empty()) << llama.Find().front();
    }

    // DeepSeek-V3 (arXiv 2412.19437, section 3.2): 16 pipeline ranks, 64 of experts, 2048 GPUs
    Case deepSeek("DeepSeek-V3", "H100");
    deepSeek.plan.pp = 16;
    deepSeek.plan.dp = 128;
    deepSeek.plan.ep = 64;
    deepSeek.recipe.sequence = 4096;
    deepSeek.recipe.microBatches = 32;
    EXPECT_TRUE(deepSeek.Find().empty()) << deepSeek.Find().front();
    deepSeek.plan.tp = 2;
    deepSeek.shape.keyHeads = 1; // does not count: its keys are compressed
    EXPECT_TRUE(deepSeek.Find().empty()) << deepSeek.Find().front();
}

TEST(PlanFit, EachMisfitHasItsReason)
{
    Case one = MakeWorkshop();
    one.shape.heads = one.shape.keyHeads = 30;
    EXPECT_EQ(one.Find().size(), 2U) << "heads and key heads";
    one = MakeWorkshop();
    one.shape.heads = 36;
    one.shape.keyHeads = 3;
    ExpectReason(one, "keyHeads is 3, not a multiple of tp = 4");
    one = MakeWorkshop();
    one.shape.keyHeads = 2;
    EXPECT_TRUE(one.Find().empty()) << "each key head is on two of the four ranks";
    one = MakeWorkshop();
    one.shape.feedForward = 14338;
    ExpectReason(one, "feedForward is 14338");
    one = MakeWorkshop();
    one.recipe.sequence = 8190;
    ExpectReason(one, "sequence is 8190");
    one.plan.sequenceParallel = false;
    EXPECT_TRUE(one.Find().empty());
    one.plan.cp = 2;
    ExpectReason(one, "sequence is 8190"); // 2 ranks have 4 parts
    one = MakeWorkshop();
    one.plan.ep = 2;
    ExpectReason(one, "has no experts");
    one = MakeWorkshop();
    one.plan.pp = 33;
    one.plan.dp = 4;
    ExpectReason(one, "layers is 32, fewer than pp x chunks = 33 x 1");
    one = MakeWorkshop();
    one.recipe.schedule = "interleaved";
    one.recipe.chunks = 2;
    EXPECT_TRUE(one.Find().empty()) << one.Find().front();
    one.recipe.microBatches = 3;
    ExpectReason(one, "3");
    one = MakeWorkshop();
    one.recipe.schedule = "zigzag";
    ExpectReason(one, "schedule zigzag: no such schedule; known: gpipe");
    one = MakeWorkshop();
    one.plan.scaleUp = 6;
    ExpectReason(one, "the number of ranks is 16");
    ExpectReason(one, "leave GPUs of each server idle: scaleUp = 4"); // neither 6 nor 5 divides 16
    one.plan.scaleUp = 4;
    EXPECT_TRUE(one.Find().empty());
    one.plan.scaleUp = 32; // half of a server
    EXPECT_TRUE(one.Find().empty());
    Case experts("Mixtral-8x7B", "H200");
    experts.plan.dp = 16;
    experts.plan.ep = 16;
    ExpectReason(experts, "experts is 8, not a multiple of ep = 16");
}

TEST(PlanFit, AVocabularyThatTpDoesNotDivideIsPadded)
{
    Case one("GPT3-175B", "H100"); // 50257 tokens
    one.plan.tp = one.plan.pp = 8;
    one.plan.dp = 8;
    one.recipe.sequence = 2048;
    EXPECT_TRUE(one.Find().empty()) << one.Find().front();
}

TEST(PlanFit, MemoryIsThatOfTheFullestRank)
{
    Case one = MakeWorkshop();
    uint64_t most = 0;
    for (uint32_t place = 0; place < 2; ++place)
    {
        most = std::max(most, CountGpuMemory(one.shape, one.plan, one.recipe, place).GetTotal());
    }
    one.gpu.memoryBytes = most;
    EXPECT_TRUE(one.Find().empty());
    one.gpu.memoryBytes = most - 1;
    ExpectReason(one, "pipeline rank 1 holds"); // the head's scores
}

TEST(PlanFit, ARailHasAsManyServersAsItsSwitchHasPairsOfPorts)
{
    // the workshop paper's table of technologies: GPUs = GPUs of a server x radix / 2
    struct Row
    {
        uint32_t radix, gb200, h200;
    };

    for (const Row& row : {Row{16, 576, 64},
                           Row{32, 1152, 128},
                           Row{128, 4608, 512},
                           Row{320, 11520, 1280},
                           Row{576, 20736, 2304},
                           Row{512, 18432, 2048},
                           Row{1008, 36288, 4032}})
    {
        for (const auto& [name, gpus] :
             {std::pair<const char*, uint32_t>{"GB200", row.gb200}, {"H200", row.h200}})
        {
            Case one("Llama3-8B", name);
            one.ports.radix = row.radix;
            one.plan.dp = gpus;
            EXPECT_TRUE(one.Find().empty()) << gpus << " " << one.Find().front();
            one.plan.dp = gpus + one.gpu.scaleUp;
            ExpectReason(one, "take at most " + std::to_string(gpus) + " GPUs");
            one.ports.portsPerGpu = 1;
            EXPECT_TRUE(one.Find().empty());
        }
    }
}

TEST(PlanFit, NumbersThatAreNoneAreReasonsAndNothingElseIsLookedAt)
{
    Case one = MakeWorkshop();
    one.plan.tp = 0;
    one.shape.keyHeads = 0;
    one.recipe.microBatches = 0;
    EXPECT_EQ(one.Find().size(), 3U);
    EXPECT_NE(Describe(one.plan, one.shape, one.recipe, one.gpu).find("does not fit: "),
              std::string::npos);
}

TEST(PlanTable, ShowsWhereRanksAreAndWhatGpusHold)
{
    const Case one = MakeWorkshop();
    const std::string text = Describe(one.plan, one.shape, one.recipe, one.gpu);
    EXPECT_NE(text.find("Llama3-8B on 16 A100, 4 a server"), std::string::npos);
    EXPECT_NE(text.find("tp                 4  inside a server    0 1 2 3\n"), std::string::npos);
    EXPECT_NE(text.find("dp                 2  over a rail        0 4\n"), std::string::npos);
    EXPECT_NE(text.find("pp                 2  over a rail        0 8\n"), std::string::npos);
    EXPECT_NE(text.find("to rank 15 on rail 3 of server 3"), std::string::npos);
    // the first stage's shard: 1003880448 parameters of a tensor rank, half of them, 2 bytes each
    EXPECT_NE(text.find("    0      16        1.00       4.02"), std::string::npos) << text;
    EXPECT_EQ(text.find("does not fit"), std::string::npos);
}

TEST(PlanPresets, TheRuleGivesWhatIsKnownToBeUsed)
{
    const GpuGeneration gpu = *FindGpuGeneration("H100");
    TrainingRecipe recipe;
    recipe.microBatches = 32;
    const auto suggest = [&](const char* model, uint32_t gpus) {
        return SuggestPlan(*FindModelShape(model), gpus, 8, gpu, recipe);
    };
    // Llama 3 405B on 8,192 GPUs: tp 8, cp 1, pp 16, dp 64 (arXiv 2407.21783, table 4)
    const ParallelismPlan llama = suggest("Llama3.1-405B", 8192);
    EXPECT_EQ(llama.tp, 8U);
    EXPECT_EQ(llama.cp, 1U);
    EXPECT_EQ(llama.pp, 16U);
    EXPECT_EQ(llama.dp, 64U);
    // and with sequences of 131,072 tokens cp 16, dp 8 on 16,384
    recipe.sequence = 131072;
    EXPECT_EQ(suggest("Llama3.1-405B", 16384).cp, 16U);
    EXPECT_EQ(suggest("Llama3.1-405B", 16384).dp, 8U);
    recipe.sequence = 8192;
    // in servers of four GPUs tensor parallelism goes no further
    EXPECT_EQ(SuggestPlan(*FindModelShape("Llama3.1-405B"), 8192, 4, gpu, recipe).tp, 4U);
    // DeepSeek-V3 in the documentation of Megatron Bridge: tp 2, pp 16, ep 64
    const ParallelismPlan deepSeek = suggest("DeepSeek-V3", 2048);
    EXPECT_EQ(deepSeek.tp, 2U);
    EXPECT_EQ(deepSeek.pp, 16U);
    EXPECT_EQ(deepSeek.ep, 64U);
}

// Table 1 of "Photonic Rails in ML Datacenters" (arXiv 2507.08119), by the number of GPUs.
TEST(PlanPresets, ParallelismsAreThoseOfTheTable)
{
    using Names = std::set<std::string>;
    const auto isInTable = [](uint32_t gpus, const Names& used) {
        const std::set<Names> small{{"tp"}, {"dp"}};
        const std::set<Names> medium{{"tp", "pp"}, {"tp", "dp"}, {"dp"}};
        const std::set<Names> large{{"dp", "pp"}, {"dp", "tp"}};
        const std::set<Names> huge{{"tp", "dp", "pp"}};
        const std::set<Names>& row = gpus <= 8      ? small
                                     : gpus <= 512  ? medium
                                     : gpus <= 1024 ? large
                                                    : huge;
        return row.count(used) != 0;
    };
    const auto listUsed = [](const ParallelismPlan& plan) {
        Names used;
        for (const auto& [name, degree] :
             {std::pair<const char*, uint32_t>{"tp", plan.tp}, {"dp", plan.dp}, {"pp", plan.pp}})
        {
            if (degree > 1)
            {
                used.insert(name);
            }
        }
        return used;
    };
    const GpuGeneration gpu = *FindGpuGeneration("H100");
    uint32_t inTable = 0;
    for (const ModelShape& shape : GetModelShapes())
    {
        for (uint32_t gpus = 2; gpus <= 4096; gpus *= 2)
        {
            const ParallelismPlan plan = SuggestPlan(shape, gpus);
            ASSERT_EQ(plan.GetRanks(), gpus);
            if (isInTable(gpus, listUsed(plan)))
            {
                ++inTable;
                continue;
            }
            // otherwise no plan of the table fits, of all there are
            for (uint32_t tp = 1; tp <= 8; tp *= 2)
            {
                for (uint32_t pp = 1; tp * pp <= gpus && pp <= shape.layers; pp *= 2)
                {
                    ParallelismPlan other = plan;
                    other.tp = tp;
                    other.pp = pp;
                    other.cp = 1;
                    other.dp = gpus / tp / pp;
                    for (other.ep = 1; other.dp % other.ep == 0; other.ep *= 2)
                    {
                        EXPECT_FALSE(isInTable(gpus, listUsed(other)) &&
                                     FindMisfits(shape, other, {}, gpu).empty())
                            << shape.name << " on " << gpus << ": tp " << tp << ", pp " << pp;
                    }
                }
            }
        }
    }
    EXPECT_GT(inTable, 5 * GetModelShapes().size()) << "most of them, or this tests nothing";
}

TEST(PlanPresets, ARankHasAtMost8192TokensOfASequence)
{
    const ModelShape shape = *FindModelShape("Llama3-8B");
    for (const auto& [sequence, cp] : {std::pair<uint32_t, uint32_t>{1, 1},
                                       {8192, 1},
                                       {8193, 2},
                                       {16384, 2},
                                       {65536, 8},
                                       {131072, 16}})
    {
        EXPECT_EQ(GetRuleOfThumb(shape, sequence).cp, cp) << sequence;
    }
}

TEST(PlanPresets, SuggestionsFitWhereAnythingCan)
{
    for (const GpuGeneration& gpu : GetGpuGenerations())
    {
        for (const ModelShape& shape : GetModelShapes())
        {
            for (const uint32_t servers : {1U, 2U, 3U, 6U, 16U, 128U})
            {
                const uint32_t gpus = servers * gpu.scaleUp;
                const ParallelismPlan plan = SuggestPlan(shape, gpus, gpu.scaleUp, gpu);
                EXPECT_EQ(plan.GetRanks(), gpus);
                EXPECT_EQ(plan.scaleUp, gpu.scaleUp);
                EXPECT_EQ(FindMistake(plan), "");
                // 14 bytes a parameter are shared by all in the best case; four times that is
                // ample, and less than that fits nowhere
                const double share = double(CountParameters(shape)) * 14 / gpus;
                const auto reasons = FindMisfits(shape, plan, {}, gpu);
                if (share * 4 < double(gpu.memoryBytes))
                {
                    EXPECT_TRUE(reasons.empty()) << shape.name << " on " << gpus << " " << gpu.name
                                                 << ": " << reasons.front();
                }
                if (share > double(gpu.memoryBytes))
                {
                    EXPECT_FALSE(reasons.empty()) << shape.name << " " << gpus << " " << gpu.name;
                }
            }
        }
    }
}

TEST(PlanPresets, WithoutGpusThereIsAPlanThatDoesNotFit)
{
    const ModelShape shape = *FindModelShape("Llama3-8B");
    const GpuGeneration gpu = *FindGpuGeneration("H100");
    for (const uint32_t gpus : {0U, 3U, 13U, 100'000'000U})
    {
        const ParallelismPlan plan = SuggestPlan(shape, gpus, 8, gpu);
        EXPECT_EQ(plan.tp * uint64_t{plan.cp} * plan.dp * plan.pp, gpus);
        EXPECT_EQ(FindMisfits(shape, plan, {}, gpu).empty(), gpus == 3) << gpus;
    }
}
