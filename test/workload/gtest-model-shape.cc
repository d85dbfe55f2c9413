/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Each shape's parameters, written out matrix by matrix from its published configuration, against
// the number of parameters that its makers publish, and both against the module's count.

#include "ns3/model-shape.h"
#include "ns3/model-unit.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return a shape that comes with the module @param name its */
ModelShape
Get(const std::string& name)
{
    const auto shape = FindModelShape(name);
    EXPECT_TRUE(shape.has_value()) << name;
    return shape.value_or(ModelShape{});
}

} // namespace

TEST(ModelShape, Llama3HasThePublishedParameters)
{
    struct Published
    {
        const char* name;
        uint64_t layers, hidden, heads, inner, total;
    };

    // the number of elements of the released checkpoints
    for (const Published& one :
         {Published{"Llama3-8B", 32, 4096, 32, 14336, 8'030'261'248},
          Published{"Llama3-70B", 80, 8192, 64, 28672, 70'553'706'496},
          Published{"Llama3.1-405B", 126, 16384, 128, 53248, 405'853'388'800}})
    {
        const uint64_t queries = one.hidden * one.heads * 128;
        const uint64_t keys = one.hidden * 8 * 128;
        const uint64_t layer = queries + keys + keys + queries // q, k, v, o
                               + 3 * one.hidden * one.inner    // gate, up, down
                               + 2 * one.hidden;               // norms
        const uint64_t total = 2 * 128256 * one.hidden + one.layers * layer + one.hidden;
        EXPECT_EQ(total, one.total) << one.name;
        EXPECT_EQ(CountParameters(Get(one.name)), one.total);
        EXPECT_EQ(CountActiveParameters(Get(one.name)), one.total);
        EXPECT_EQ(CountLayer(Get(one.name), 0).GetTotal(), layer);
        EXPECT_EQ(CountLayer(Get(one.name), 0).whole, 2 * one.hidden) << "norms are not split";
    }
}

TEST(ModelShape, Gpt3HasBiasesAndATiedHead)
{
    const uint64_t h = 12288;
    const uint64_t layer = 3 * (h * h + h) + (h * h + h) // q, k, v, o
                           + (h * 4 * h + 4 * h)         // up
                           + (4 * h * h + h)             // down
                           + 2 * 2 * h;                  // norms have a bias too
    const uint64_t total = 50257 * h + 2048 * h + 96 * layer + 2 * h;
    EXPECT_EQ(total, 174'604'259'328U);
    const ModelShape shape = Get("GPT3-175B");
    EXPECT_EQ(CountParameters(shape), total);
    // the biases of the outputs of attention and feed-forward come after sums: they are not split
    EXPECT_EQ(CountLayer(shape, 7).whole, 2 * h + 4 * h);
    EXPECT_EQ(CountEmbedding(shape).split, 50257 * h);
    EXPECT_EQ(CountEmbedding(shape).whole, 2048 * h);
    EXPECT_EQ(CountHead(shape).GetTotal(), 2 * h);
}

TEST(ModelShape, MixtralHasEightExpertsAndATokenMeetsTwo)
{
    struct Published
    {
        const char* name;
        uint64_t layers, hidden, heads, inner, total;
        double activeBillions;
    };

    // 46.7 and 141, active 12.9 and 39 billion: the makers' announcements
    for (const Published& one :
         {Published{"Mixtral-8x7B", 32, 4096, 32, 14336, 46'702'792'704, 12.9},
          Published{"Mixtral-8x22B", 56, 6144, 48, 16384, 140'620'634'112, 39.2}})
    {
        const uint64_t attention = 2 * one.hidden * one.heads * 128 + 2 * one.hidden * 8 * 128;
        const uint64_t expert = 3 * one.hidden * one.inner;
        const uint64_t layer = attention + 8 * expert + 8 * one.hidden + 2 * one.hidden;
        const uint64_t total = 2 * 32000 * one.hidden + one.layers * layer + one.hidden;
        EXPECT_EQ(total, one.total) << one.name;
        const ModelShape shape = Get(one.name);
        EXPECT_EQ(CountParameters(shape), total);
        EXPECT_EQ(CountActiveParameters(shape), total - one.layers * 6 * expert);
        EXPECT_NEAR(double(CountActiveParameters(shape)) / 1e9, one.activeBillions, 0.05);
        EXPECT_EQ(CountLayer(shape, 0).experts, 8 * expert);
        EXPECT_EQ(CountLayer(shape, 0).split, attention);
        EXPECT_EQ(CountLayer(shape, 0).whole, (8 + 2) * one.hidden) << "the router is not split";
    }
}

TEST(ModelShape, DeepSeekV3HasLatentAttentionAndThreeDenseLayers)
{
    const uint64_t h = 7168;
    const uint64_t latent = h * 1536 + 1536 // queries down, norm
                            + h * (512 + 64) +
                            512;                  // keys and values down with the rotated key, norm
    const uint64_t up = 1536 * 128 * (128 + 64)   // queries up
                        + 512 * 128 * (128 + 128) // keys and values up
                        + 128 * 128 * h;          // output
    const uint64_t expert = 3 * h * 2048;
    const uint64_t dense = latent + up + 3 * h * 18432 + 2 * h;
    const uint64_t sparse = latent + up + (256 + 1) * expert + 256 * h + 256 + 2 * h;
    const uint64_t total = 2 * 129280 * h + 3 * dense + 58 * sparse + h;
    // "671B total parameters" (README_WEIGHTS of the release); the module for a second token's
    // prediction, 11.5 billion more, is not among them
    EXPECT_EQ(total, 671'026'419'200U);
    const ModelShape shape = Get("deepseek-v3");
    EXPECT_EQ(CountParameters(shape), total);
    EXPECT_EQ(CountLayer(shape, 2).GetTotal(), dense);
    EXPECT_EQ(CountLayer(shape, 3).GetTotal(), sparse);
    EXPECT_EQ(CountLayer(shape, 3).whole, latent + 256 * h + 256 + 2 * h);
    EXPECT_EQ(CountLayer(shape, 3).split, up + expert) << "the shared expert is like a dense part";
    EXPECT_EQ(CountLayer(shape, 3).experts, 256 * expert);
    // "36.6B (including 0.9B for the output head)": without the embedding, a look-up
    EXPECT_EQ(CountActiveParameters(shape), total - 58 * 248 * expert);
    EXPECT_NEAR(double(CountActiveParameters(shape) - 129280 * h) / 1e9, 36.6, 0.05);
}

TEST(ModelShape, AllThatComeWithTheModuleAreWithoutMistake)
{
    EXPECT_EQ(GetModelShapes().size(), 7U);
    for (const ModelShape& shape : GetModelShapes())
    {
        EXPECT_EQ(FindMistake(shape), "");
        EXPECT_FALSE(shape.source.empty()) << shape.name;
        ASSERT_TRUE(FindModelShape(shape.name).has_value());
        EXPECT_EQ(CountParameters(*FindModelShape(shape.name)), CountParameters(shape));
    }
    EXPECT_FALSE(FindModelShape("Llama3-9B").has_value());
    EXPECT_FALSE(FindModelShape("").has_value());
}

TEST(ModelShape, HeadsThatAreLeftOutAreTheUsual)
{
    ModelShape shape;
    shape.hidden = 768;
    shape.heads = 12;
    const ModelShape made = GetWithUsualHeads(shape);
    EXPECT_EQ(made.keyHeads, 12U);
    EXPECT_EQ(made.headSize, 768U / 12);
    for (const ModelShape& known : GetModelShapes())
    {
        const ModelShape same = GetWithUsualHeads(known);
        EXPECT_EQ(same.keyHeads, known.keyHeads) << known.name;
        EXPECT_EQ(same.headSize, known.headSize) << known.name;
    }
    EXPECT_EQ(GetWithUsualHeads(ModelShape()).headSize, 0U) << "no heads to divide by";
}

TEST(ModelShape, MistakesNameTheMember)
{
    const ModelShape good = Get("Llama3-8B");
    const auto expectMistake = [](const ModelShape& shape, const std::string& word) {
        EXPECT_NE(FindMistake(shape).find(word), std::string::npos) << FindMistake(shape);
    };
    ModelShape bad = good;
    bad.layers = 0;
    expectMistake(bad, "layers is 0");
    bad = good;
    bad.hidden = 1 << 25;
    expectMistake(bad, "hidden");
    bad = good;
    bad.keyHeads = 5;
    expectMistake(bad, "key_heads has to divide heads");
    bad = good;
    bad.activeExperts = 2;
    expectMistake(bad, "active_experts");
    bad = good;
    bad.queryRank = 64;
    expectMistake(bad, "query_rank");
    bad = good;
    bad.feedForward = 0;
    expectMistake(bad, "feed_forward");
    bad = Get("Mixtral-8x7B");
    bad.activeExperts = 9;
    expectMistake(bad, "active_experts is 9");
    bad = Get("Mixtral-8x7B");
    bad.feedForward = 1;
    bad.denseLayers = 33;
    expectMistake(bad, "dense_layers");
    bad = good;
    bad.heads = bad.keyHeads = 65536;
    bad.headSize = 65536;
    expectMistake(bad, "heads are wider");
    bad = Get("DeepSeek-V3");
    bad.valueSize = 0;
    expectMistake(bad, "value_size");
    bad = good;
    bad.layers = 65536;
    bad.feedForward = 1 << 24;
    bad.hidden = 1 << 22;
    expectMistake(bad, "can be counted");
}

TEST(ModelShape, AStageIsGatheredAndScatteredAsMeasured)
{
    // Llama3-8B on 16 GPUs, tp 4, FSDP 2, pp 2: "Photonic Rails in ML Datacenters" (arXiv
    // 2507.08119) observes 957 MB gathered (a shard, bf16) and 3829 MB scattered (all, fp32) by a
    // rank of the first stage. They are MiB.
    const ModelShape shape = Get("Llama3-8B");
    ParallelismPlan plan;
    plan.tp = 4;
    plan.dp = plan.pp = 2;
    uint64_t parameters = 0;
    const auto stages = DivideModel(shape, 2);
    for (const ModelUnit& unit : stages.front())
    {
        parameters += CountUnitOfRank(shape, plan, unit).shared;
        EXPECT_EQ(CountUnitOfRank(shape, plan, unit).experts, 0U);
    }
    const uint64_t layer = (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336) / 4 + 2 * 4096;
    EXPECT_EQ(parameters, uint64_t{128256} * 4096 / 4 + 16 * layer);
    const double mebibyte = 1 << 20;
    EXPECT_NEAR(double(parameters) * 2 / 2 / mebibyte, 957.4, 0.05);
    EXPECT_NEAR(double(parameters) * 4 / mebibyte, 3829.5, 0.05);
}

TEST(ModelUnit, RanksShareMatricesAndExpertsAndAllHaveTheNorms)
{
    const ModelShape shape = Get("Mixtral-8x7B");
    ParallelismPlan plan;
    plan.tp = 2;
    plan.dp = 8;
    plan.ep = 4;
    const UnitParameters layer = CountUnitOfRank(shape, plan, {ModelUnit::Kind::LAYER, 3});
    EXPECT_EQ(layer.shared, (2 * 4096 * 4096 + 2 * 4096 * 1024) / 2 + (8 + 2) * 4096U);
    EXPECT_EQ(layer.experts, uint64_t{8} * 3 * 4096 * 14336 / (2 * 4));
    EXPECT_EQ(CountUnitOfRank(shape, plan, {ModelUnit::Kind::HEAD, 0}).shared,
              uint64_t{32000} * 4096 / 2 + 4096);
}

TEST(ModelUnit, ATiedHeadInAnotherStageIsACopyAndAnOddVocabularyIsPadded)
{
    const ModelShape shape = Get("GPT3-175B");
    ParallelismPlan plan;
    plan.tp = 8;
    const ModelUnit head{ModelUnit::Kind::HEAD, 0};
    EXPECT_EQ(CountUnitOfRank(shape, plan, head).shared, 2 * 12288U);
    plan.pp = 2;
    // 50257 x 12288 / 8 = 77194752
    EXPECT_EQ(CountUnitOfRank(shape, plan, head).shared, 2 * 12288U + 77'194'752);
    plan.tp = 5;
    plan.pp = 1;
    // 50257 x 12288 = 5 x 123511603 + 1
    EXPECT_EQ(CountUnitOfRank(shape, plan, {ModelUnit::Kind::EMBEDDING, 0}).shared,
              123'511'604U + 2048 * 12288);
}

TEST(ModelUnit, LayersAreDividedEvenlyAndEarlierStagesTakeOneMore)
{
    const ModelShape shape = Get("Llama3.1-405B");
    for (const uint32_t stages : {1U, 2U, 7U, 16U, 126U, 130U})
    {
        const auto divided = DivideModel(shape, stages);
        ASSERT_EQ(divided.size(), stages);
        uint32_t next = 0;
        std::size_t before = SIZE_MAX;
        for (std::size_t stage = 0; stage < stages; ++stage)
        {
            std::size_t layers = 0;
            for (const ModelUnit& unit : divided[stage])
            {
                if (unit.kind == ModelUnit::Kind::LAYER)
                {
                    EXPECT_EQ(unit.layer, next++);
                    ++layers;
                }
            }
            EXPECT_GE(layers, 126 / stages);
            EXPECT_LE(layers, 126 / stages + 1);
            EXPECT_LE(layers, before);
            before = layers;
        }
        EXPECT_EQ(next, 126U);
        EXPECT_EQ(divided.front().front().GetName(), "embedding");
        EXPECT_EQ(divided.back().back().GetName(), "head");
    }
    EXPECT_EQ(DivideModel(shape, 16)[13].size(), 8U); // the 14 that 126 - 16 x 7 are more
    EXPECT_EQ(DivideModel(shape, 16)[14].size(), 7U);
    EXPECT_EQ(DivideModel(shape, 16)[14].front().GetName(), "layer 112");
}
