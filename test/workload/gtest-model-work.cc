/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-units.h"

#include "ns3/model-work.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return all operations of a layer @param work of it */
double
GetSum(const UnitWork& work)
{
    return work.forward + work.backwardInput + work.backwardWeight + work.recompute;
}

} // namespace

TEST(ModelWork, GptIsTheMegatronPapersFormula)
{
    // arXiv 2104.04473, appendix: with full recomputation an iteration of B sequences takes
    // 96 B s l h^2 (1 + s / 6h + V / 16 l h) operations. It counts attention without its mask: so
    // half of its middle term is ours.
    const ModelShape shape = *FindModelShape("GPT3-175B");
    TrainingRecipe recipe;
    recipe.microBatchSize = 3;
    recipe.sequence = 2048;
    recipe.recompute = Recomputation::FULL;
    const ParallelismPlan alone;
    const double b = 3;
    const double s = 2048;
    const double l = 96;
    const double h = 12288;
    const double v = 50257;
    const double formula = 96 * b * s * l * h * h * (1 + s / (6 * h) / 2 + v / (16 * l * h));
    const double ours = l * GetSum(CountWork(shape, alone, recipe, LAYER)) +
                        GetSum(CountWork(shape, alone, recipe, HEAD)) +
                        GetSum(CountWork(shape, alone, recipe, EMBEDDING));
    EXPECT_NEAR(ours / formula, 1, 1e-12);
}

TEST(ModelWork, AnIterationIsSixOperationsAParameterAndTokenAndAttention)
{
    // PaLM (arXiv 2204.02311, appendix B): 6 N + 12 L H Q T operations a token, N parameters in
    // matrices; the mask halves the second term. Llama 3 8B, at 8192 tokens.
    const ModelShape shape = *FindModelShape("Llama3-8B");
    ParallelismPlan plan;
    plan.tp = 4;
    plan.dp = 2;
    plan.pp = 2;
    TrainingRecipe recipe;
    recipe.microBatches = 2;
    recipe.microBatchSize = 4;
    const double n = 8'030'261'248.0 - 128256.0 * 4096 - (2 * 32 + 1) * 4096.0;
    const double token = 6 * n + 12 * 32.0 * 32 * 128 * 8192 / 2;
    const double tokens = 2.0 * 4 * 8192 * plan.dp;
    EXPECT_NEAR(CountIterationWork(shape, plan, recipe) / (token * tokens), 1, 1e-12);
}

TEST(ModelWork, RanksOfTensorAndContextParallelismShareTheWorkEvenly)
{
    TrainingRecipe recipe;
    recipe.recompute = Recomputation::SELECTIVE;
    for (const char* name : {"Llama3-70B", "Mixtral-8x7B", "DeepSeek-V3"})
    {
        const ModelShape shape = *FindModelShape(name);
        ParallelismPlan plan;
        plan.tp = 8;
        plan.cp = 4;
        for (const ModelUnit& unit : {LAYER, HEAD})
        {
            const UnitWork alone = CountWork(shape, ParallelismPlan{}, recipe, unit);
            const UnitWork shared = CountWork(shape, plan, recipe, unit);
            EXPECT_DOUBLE_EQ(shared.forward * 32, alone.forward) << name;
            EXPECT_DOUBLE_EQ(shared.attention * 32, alone.attention) << name;
            EXPECT_DOUBLE_EQ(shared.backwardInput * 32, alone.backwardInput) << name;
            EXPECT_DOUBLE_EQ(shared.backwardWeight * 32, alone.backwardWeight) << name;
            EXPECT_DOUBLE_EQ(shared.recompute * 32, alone.recompute) << name;
        }
    }
}

TEST(ModelWork, WithoutSequenceParallelismEachRankHasTheRouterAndLatentsForAllTokens)
{
    ParallelismPlan plan;
    plan.tp = 4;
    ParallelismPlan without = plan;
    without.sequenceParallel = false;
    TrainingRecipe recipe;
    recipe.sequence = 4096;
    const ModelShape shape = *FindModelShape("DeepSeek-V3");
    const double more = CountWork(shape, without, recipe, LAYER).forward -
                        CountWork(shape, plan, recipe, LAYER).forward;
    const double whole = 7168.0 * (1536 + 512 + 64 + 256);
    EXPECT_NEAR(more / (2 * 4096 * whole * 3 / 4), 1, 1e-9);
}

TEST(ModelWork, ATokenMeetsActiveAndSharedExpertsOnly)
{
    TrainingRecipe recipe;
    recipe.sequence = 1000;
    const ModelShape shape = *FindModelShape("DeepSeek-V3");
    const double attention =
        7168.0 * (1536 + 512 + 64) + 1536.0 * 128 * 192 + 512.0 * 128 * 256 + 128.0 * 128 * 7168;
    const double expert = 3.0 * 7168 * 2048;
    // queries and keys of 192 elements, values of 128; the mask halves both
    const double core = 2 * 1000.0 * 1000 * 128 * (192 + 128) / 2;
    const UnitWork dense = CountWork(shape, {}, recipe, {ModelUnit::Kind::LAYER, 2});
    const UnitWork sparse = CountWork(shape, {}, recipe, {ModelUnit::Kind::LAYER, 3});
    EXPECT_NEAR(dense.attention, core, 1);
    EXPECT_NEAR(dense.forward / (2000 * (attention + 3.0 * 7168 * 18432) + core), 1, 1e-12);
    EXPECT_NEAR(sparse.forward / (2000 * (attention + 9 * expert + 7168.0 * 256) + core), 1, 1e-12);
}

TEST(ModelWork, BackwardIsTwiceForwardAndTheCoreOfAttentionHasNoWeights)
{
    const ModelShape shape = *FindModelShape("Llama3-8B");
    TrainingRecipe recipe;
    for (const auto recompute :
         {Recomputation::NONE, Recomputation::SELECTIVE, Recomputation::FULL})
    {
        recipe.recompute = recompute;
        const UnitWork layer = CountWork(shape, {}, recipe, LAYER);
        EXPECT_DOUBLE_EQ(layer.backwardInput + layer.backwardWeight, 2 * layer.forward);
        EXPECT_DOUBLE_EQ(layer.backwardWeight, layer.forward - layer.attention);
        EXPECT_DOUBLE_EQ(layer.recompute,
                         recompute == Recomputation::NONE        ? 0
                         : recompute == Recomputation::SELECTIVE ? layer.attention
                                                                 : layer.forward);
        const UnitWork head = CountWork(shape, {}, recipe, HEAD);
        EXPECT_DOUBLE_EQ(head.forward, 2.0 * 8192 * 4096 * 128256);
        EXPECT_DOUBLE_EQ(head.backwardInput, head.forward);
        EXPECT_DOUBLE_EQ(head.backwardWeight, head.forward);
        EXPECT_EQ(head.recompute, 0) << "layers are computed again, the head is not";
        EXPECT_EQ(GetSum(CountWork(shape, {}, recipe, EMBEDDING)), 0) << "a look-up";
    }
}
