/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-units.h"

#include "ns3/gpu-memory.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

// GPT-3, as "Reducing Activation Recomputation in Large Transformer Models" (arXiv 2205.05198) has
// it: b sequences of s tokens, a heads, h wide
constexpr uint64_t B = 3;
constexpr uint64_t S = 2048;
constexpr uint64_t A = 96;
constexpr uint64_t H = 12288;
constexpr uint64_t L = 96;
constexpr uint64_t SBH = S * B * H;

TrainingRecipe
MakeRecipe(Recomputation recompute)
{
    TrainingRecipe recipe;
    recipe.microBatchSize = B;
    recipe.sequence = S;
    recipe.recompute = recompute;
    recipe.microBatches = 24;
    return recipe;
}

const ModelShape&
GetGpt()
{
    static const ModelShape shape = *FindModelShape("GPT3-175B");
    return shape;
}

/** @return the layers' worth of activations that a rank without the head holds, selective
 *  recomputation @param plan @param schedule @param chunks @param place */
double
GetLayersHeld(const ParallelismPlan& plan, const char* schedule, uint32_t chunks, uint32_t place)
{
    TrainingRecipe recipe = MakeRecipe(Recomputation::SELECTIVE);
    recipe.schedule = schedule;
    recipe.chunks = chunks;
    const uint64_t held = CountGpuMemory(GetGpt(), plan, recipe, place).activations;
    return double(held) / (32.0 * double(SBH) / plan.tp);
}

} // namespace

TEST(GpuMemory, ALayersActivationsAreThePapersWithoutDropout)
{
    // Table 2 there; dropout has a mask of s b h bytes after attention and after the feed-forward
    // part, and in attention a mask and an output, 3 a s^2 b bytes
    const uint64_t ass = A * S * S * B;
    ParallelismPlan plan;
    const auto count = [&plan](Recomputation recompute) {
        return CountUnitActivations(GetGpt(), plan, MakeRecipe(recompute), LAYER);
    };
    EXPECT_EQ(count(Recomputation::NONE), (34 - 2) * SBH + (5 - 3) * ass);
    EXPECT_EQ(count(Recomputation::SELECTIVE), (34 - 2) * SBH);
    EXPECT_EQ(count(Recomputation::FULL), 2 * SBH);
    plan.tp = 8;
    EXPECT_EQ(count(Recomputation::NONE), ((34 - 2) * SBH + (5 - 3) * ass) / 8);
    EXPECT_EQ(count(Recomputation::SELECTIVE), (34 - 2) * SBH / 8);
    EXPECT_EQ(count(Recomputation::FULL), 2 * SBH / 8);
    plan.sequenceParallel = false;
    EXPECT_EQ(count(Recomputation::NONE), (10 - 2) * SBH + (24 * SBH + (5 - 3) * ass) / 8);
    EXPECT_EQ(count(Recomputation::SELECTIVE), (10 - 2) * SBH + 24 * SBH / 8);
    EXPECT_EQ(count(Recomputation::FULL), 2 * SBH);
    // context parallelism: each rank has its tokens, and all keys while it computes
    plan.cp = 4;
    EXPECT_EQ(count(Recomputation::NONE), ((10 - 2) * SBH + (24 * SBH + (5 - 3) * ass) / 8) / 4);
}

TEST(GpuMemory, TheHeadHoldsItsInputsAndScoresInFullPrecision)
{
    // section 4.3 there: 4 s b h (1 + v / h)
    const ModelUnit head{ModelUnit::Kind::HEAD, 0};
    const TrainingRecipe recipe = MakeRecipe(Recomputation::FULL);
    EXPECT_EQ(CountUnitActivations(GetGpt(), {}, recipe, head), 4 * SBH + 4 * S * B * 50257);
    EXPECT_EQ(CountUnitActivations(GetGpt(), {}, recipe, {ModelUnit::Kind::EMBEDDING, 0}), 0U);
}

TEST(GpuMemory, GroupedQueriesGatesAndExperts)
{
    TrainingRecipe recipe;
    recipe.sequence = 1024;
    recipe.recompute = Recomputation::SELECTIVE;
    const uint64_t t = 1024;
    // two inputs of norms, two of matrices; queries and output, keys and values; gate, up, product
    EXPECT_EQ(CountUnitActivations(*FindModelShape("Llama3-8B"), {}, recipe, LAYER),
              2 * t * (4 * 4096 + 2 * 4096 + 2 * 1024 + 3 * 14336));
    // two experts visited, each with the token that was sent to it
    EXPECT_EQ(CountUnitActivations(*FindModelShape("Mixtral-8x7B"), {}, recipe, LAYER),
              2 * t * (4 * 4096 + 2 * 4096 + 2 * 1024 + 2 * 3 * 14336 + 2 * 4096));
    // eight and the shared one; latents before and after norms, the rotated part of the key
    EXPECT_EQ(CountUnitActivations(*FindModelShape("DeepSeek-V3"), {}, recipe, LAYER),
              2 * t *
                  (4 * 7168 + 2 * 1536 + 2 * 512 + 64 + 2 * 128 * 192 + 2 * 128 * 128 +
                   9 * 3 * 2048 + 8 * 7168));
}

TEST(GpuMemory, OneForwardOneBackwardHoldsAsManyLayersAsTheModelHasInTheFirstRank)
{
    ParallelismPlan plan;
    plan.tp = 8;
    plan.pp = 8;
    for (uint32_t place = 0; place < 7; ++place) // the eighth has the head
    {
        EXPECT_DOUBLE_EQ(GetLayersHeld(plan, "1f1b", 1, place), L / 8.0 * (8 - place));
        EXPECT_DOUBLE_EQ(GetLayersHeld(plan, "gpipe", 1, place), L / 8.0 * 24);
    }
    EXPECT_DOUBLE_EQ(GetLayersHeld(plan, "zb-h1", 1, 0), double(L)) << "as much as 1f1b";
    // section 4.2.3 there: an interleaved schedule holds L (1 + (p - 1) / (p m)), m stages a rank
    for (const uint32_t m : {2U, 3U, 4U})
    {
        EXPECT_NEAR(GetLayersHeld(plan, "interleaved", m, 0), L * (1 + 7.0 / (8 * m)), 1e-9);
    }
}

TEST(GpuMemory, AnInterleavedRankHasEveryPpthStage)
{
    // 126 layers in 64 stages: 62 of two layers, then two of one. Rank 14 of 16 has stages 14, 30,
    // 46 and 62: seven layers.
    ParallelismPlan plan;
    plan.tp = 8;
    plan.pp = 16;
    TrainingRecipe recipe;
    recipe.schedule = "interleaved";
    recipe.chunks = 4;
    recipe.microBatches = 16;
    const uint64_t layer =
        (uint64_t{2} * 16384 * 16384 + 2 * 16384 * 1024 + uint64_t{3} * 16384 * 53248) / 8 +
        2 * 16384;
    const ModelShape shape = *FindModelShape("Llama3.1-405B");
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 13).optimizer, 12 * 8 * layer);
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 14).optimizer, 12 * 7 * layer);
}

TEST(GpuMemory, FewMicroBatchesAreAllThatIsInFlight)
{
    ParallelismPlan plan;
    plan.tp = plan.pp = 8;
    TrainingRecipe recipe = MakeRecipe(Recomputation::SELECTIVE);
    recipe.microBatches = 3;
    EXPECT_EQ(CountGpuMemory(GetGpt(), plan, recipe, 0).activations, 3 * 12 * 32 * SBH / 8);
}

TEST(GpuMemory, FullRecomputationHoldsInputsAndOneLayer)
{
    ParallelismPlan plan;
    plan.tp = plan.pp = 8;
    const TrainingRecipe recipe = MakeRecipe(Recomputation::FULL);
    EXPECT_EQ(CountGpuMemory(GetGpt(), plan, recipe, 2).activations,
              (12 * 6 * 2 * SBH + 32 * SBH) / 8);
}

TEST(GpuMemory, PlainDataParallelismHoldsEighteenBytesAParameter)
{
    // bf16 parameter, fp32 gradient, fp32 master copy and two moments
    ParallelismPlan plan;
    plan.dp = 4;
    plan.sharding = ParameterSharding::NONE;
    const GpuMemory memory = CountGpuMemory(*FindModelShape("Llama3-8B"), plan, {}, 0);
    const uint64_t n = 8'030'261'248;
    EXPECT_EQ(memory.parameters, 2 * n);
    EXPECT_EQ(memory.gradients, 4 * n);
    EXPECT_EQ(memory.optimizer, 12 * n);
    EXPECT_EQ(memory.gathered, 0U);
    EXPECT_EQ(memory.GetTotal(), 18 * n + memory.activations);
}

TEST(GpuMemory, ShardsAndWhatIsGathered)
{
    const ModelShape shape = *FindModelShape("Llama3-8B");
    const uint64_t n = 8'030'261'248;
    const uint64_t embedding = uint64_t{128256} * 4096;
    const uint64_t layer = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096;
    ParallelismPlan plan;
    plan.dp = 32; // all of these divide every unit
    TrainingRecipe recipe;
    GpuMemory memory = CountGpuMemory(shape, plan, recipe, 0);
    EXPECT_EQ(memory.parameters, 2 * n / 32);
    EXPECT_EQ(memory.optimizer, 12 * n / 32);
    EXPECT_EQ(memory.gradients, 4 * n) << "two micro-batches: summed before they are scattered";
    EXPECT_EQ(memory.gathered, 2 * n) << "a backward pass that is not the last keeps them";
    recipe.microBatches = 1;
    memory = CountGpuMemory(shape, plan, recipe, 0);
    EXPECT_EQ(memory.gradients, 4 * n / 32);
    const uint64_t head = embedding + 4096;
    EXPECT_EQ(memory.gathered, 2 * (head + layer) + 4 * head) << "the head, and a layer with it";
    recipe.prefetch = false;
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 0).gathered, 2 * head + 4 * head);
    recipe.reshard = false;
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 0).gathered, 2 * n + 4 * head);
    plan.replicas = 4;
    plan.cp = 2;
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 0).optimizer, 12 * n / (2 * 32 / 4));
}

TEST(GpuMemory, BackwardPassesThatKeepParametersAndGradientsHoldThemWhole)
{
    // one micro-batch in a pipeline: at the end of its backward pass nothing is freed or scattered
    const ModelShape shape = *FindModelShape("Llama3-8B");
    const uint64_t layer = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096;
    const uint64_t stage = 16 * layer + uint64_t{128256} * 4096;
    ParallelismPlan plan;
    plan.dp = 32;
    plan.pp = 2;
    TrainingRecipe recipe;
    recipe.microBatches = 1;
    GpuMemory memory = CountGpuMemory(shape, plan, recipe, 0);
    EXPECT_EQ(memory.gradients, 4 * stage);
    EXPECT_EQ(memory.gathered, 2 * stage);
    recipe.reduceScatter = GradientScatter::PER_LAYER;
    memory = CountGpuMemory(shape, plan, recipe, 0);
    EXPECT_EQ(memory.gradients, 4 * stage / 32);
    EXPECT_LT(memory.gathered, 2 * stage);
    plan.pp = 1;
    recipe.reduceScatter = GradientScatter::AFTER_BACKWARD;
    EXPECT_EQ(CountGpuMemory(shape, plan, recipe, 0).gradients, 4 * uint64_t{8'030'261'248});
}

TEST(GpuMemory, ExpertsAreShardedOverRanksThatHaveTheSame)
{
    const ModelShape shape = *FindModelShape("Mixtral-8x7B");
    const uint64_t experts = uint64_t{32} * 8 * 3 * 4096 * 14336;
    const uint64_t others = 46'702'792'704 - experts;
    ParallelismPlan plan;
    plan.dp = 16;
    plan.ep = 8;
    const GpuMemory memory = CountGpuMemory(shape, plan, {}, 0);
    EXPECT_EQ(memory.optimizer, 12 * (others / 16 + experts / 8 / 2));
    EXPECT_EQ(memory.gradients, 4 * (others + experts / 8));
}
