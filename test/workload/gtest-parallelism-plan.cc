/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/model-unit.h"
#include "ns3/parallelism-plan.h"
#include "ns3/parallelism-table.h"
#include "ns3/training-recipe.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

using Ranks = std::vector<uint32_t>;

/** @return a plan of 2 x 2 x 12 x 3 ranks that has all parallelisms */
ParallelismPlan
MakeAll(const std::string& order)
{
    ParallelismPlan plan;
    plan.tp = 2;
    plan.cp = 2;
    plan.dp = 12;
    plan.ep = 2;
    plan.replicas = 3;
    plan.pp = 3;
    plan.order = order;
    plan.scaleUp = 4;
    return plan;
}

} // namespace

TEST(ParallelismPlan, TheWorkshopsSixteenGpus)
{
    // tp 4 in each server, FSDP 2, pp 2 (arXiv 2507.08119): in the default order the data-parallel
    // peer of rank 0 is rank 4 and the first of the next stage is rank 8
    ParallelismPlan plan;
    plan.tp = 4;
    plan.dp = plan.pp = 2;
    plan.scaleUp = 4;
    ASSERT_EQ(FindMistake(plan), "");
    const RankLayout layout(plan);
    EXPECT_EQ(layout.GetRanks(), 16U);
    EXPECT_EQ(layout.GetGroup(0, {Parallelism::TENSOR}), (Ranks{0, 1, 2, 3}));
    EXPECT_EQ(layout.GetGroup(6, {Parallelism::TENSOR}), (Ranks{4, 5, 6, 7}));
    EXPECT_EQ(layout.GetGroup(0, {Parallelism::SHARD}), (Ranks{0, 4}));
    EXPECT_EQ(layout.GetGroup(9, {Parallelism::SHARD}), (Ranks{9, 13}));
    EXPECT_EQ(layout.GetPeer(0, Parallelism::PIPELINE, 1), 8U);
    EXPECT_EQ(layout.GetServer(13), 3U);
    EXPECT_EQ(layout.GetRail(13), 1U);
    EXPECT_TRUE(layout.IsInScaleUp(layout.GetGroup(5, {Parallelism::TENSOR})));
    EXPECT_FALSE(layout.IsInScaleUp(layout.GetGroup(5, {Parallelism::SHARD})));
    EXPECT_EQ(FindReach(layout, Parallelism::TENSOR), GroupReach::SCALE_UP);
    EXPECT_EQ(FindReach(layout, Parallelism::SHARD), GroupReach::RAIL);
    EXPECT_EQ(FindReach(layout, Parallelism::PIPELINE), GroupReach::RAIL);
    EXPECT_EQ(FindReach(layout, Parallelism::CONTEXT), GroupReach::ALONE);
}

TEST(ParallelismPlan, EveryRankHasItsOwnPlaceInEveryOrder)
{
    for (const char* order : {"tp-cp-ep-dp-pp", "pp-dp-ep-cp-tp", "dp-tp-pp-ep-cp"})
    {
        const ParallelismPlan plan = MakeAll(order);
        ASSERT_EQ(FindMistake(plan), "");
        const RankLayout layout(plan);
        ASSERT_EQ(layout.GetRanks(), 2 * 2 * 12 * 3U);
        std::set<Ranks> places;
        for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
        {
            Ranks place;
            uint32_t again = 0;
            for (const Parallelism parallelism : GetParallelisms())
            {
                place.push_back(layout.GetPlace(rank, parallelism));
                EXPECT_LT(place.back(), plan.GetDegree(parallelism));
                EXPECT_EQ(layout.GetPeer(rank, parallelism, place.back()), rank);
                again = layout.GetPeer(again, parallelism, place.back());
            }
            EXPECT_EQ(again, rank) << "places along all axes make the rank";
            EXPECT_TRUE(places.insert(place).second);
        }
    }
}

TEST(ParallelismPlan, TheOrderDecidesWhichParallelismRunsFastest)
{
    const RankLayout usual(MakeAll("tp-cp-ep-dp-pp"));
    // 2 tp, 2 cp, 2 ep, 2 shards, 3 replicas, 3 stages
    EXPECT_EQ(usual.GetPeer(0, Parallelism::TENSOR, 1), 1U);
    EXPECT_EQ(usual.GetPeer(0, Parallelism::CONTEXT, 1), 2U);
    EXPECT_EQ(usual.GetPeer(0, Parallelism::EXPERT, 1), 4U);
    EXPECT_EQ(usual.GetPeer(0, Parallelism::SHARD, 1), 8U);
    EXPECT_EQ(usual.GetPeer(0, Parallelism::REPLICA, 1), 16U) << "replicas are next after dp";
    EXPECT_EQ(usual.GetPeer(0, Parallelism::PIPELINE, 1), 48U);
    const RankLayout other(MakeAll("pp-dp-tp-ep-cp"));
    EXPECT_EQ(other.GetPeer(0, Parallelism::PIPELINE, 1), 1U);
    EXPECT_EQ(other.GetPeer(0, Parallelism::SHARD, 1), 3U);
    EXPECT_EQ(other.GetPeer(0, Parallelism::REPLICA, 1), 6U);
    EXPECT_EQ(other.GetPeer(0, Parallelism::TENSOR, 1), 18U);
    EXPECT_EQ(other.GetPeer(0, Parallelism::EXPERT, 1), 36U);
    EXPECT_EQ(other.GetPeer(0, Parallelism::CONTEXT, 1), 72U);
}

TEST(ParallelismPlan, AGroupOfTwoParallelismsHasAllPlacesTheFirstFastest)
{
    const RankLayout layout(MakeAll("tp-cp-ep-dp-pp"));
    EXPECT_EQ(layout.GetGroup(0, {Parallelism::EXPERT, Parallelism::SHARD}), (Ranks{0, 4, 8, 12}));
    EXPECT_EQ(layout.GetGroup(5, {Parallelism::SHARD, Parallelism::EXPERT}), (Ranks{1, 9, 5, 13}));
    EXPECT_EQ(layout.GetGroup(7, {}), (Ranks{7}));
    for (const uint32_t rank : layout.GetGroup(70, {Parallelism::TENSOR, Parallelism::PIPELINE}))
    {
        EXPECT_EQ(layout.GetGroup(rank, {Parallelism::TENSOR, Parallelism::PIPELINE}),
                  layout.GetGroup(70, {Parallelism::TENSOR, Parallelism::PIPELINE}))
            << "all of a group have the same group";
    }
}

TEST(ParallelismPlan, WhatJoinsAGroupFollowsFromItsStride)
{
    ParallelismPlan plan;
    plan.tp = 4;
    plan.dp = 4;
    plan.scaleUp = 8; // two tensor groups in a server
    EXPECT_EQ(FindReach(RankLayout(plan), Parallelism::SHARD), GroupReach::MIXED);
    plan.tp = 16; // a tensor group in two servers
    EXPECT_EQ(FindReach(RankLayout(plan), Parallelism::TENSOR), GroupReach::MIXED);
    EXPECT_EQ(FindReach(RankLayout(plan), Parallelism::SHARD), GroupReach::RAIL);
    plan.tp = 3; // the third tensor group begins in one server and ends in another
    EXPECT_EQ(FindReach(RankLayout(plan), Parallelism::TENSOR), GroupReach::MIXED);
    plan.tp = 8;
    EXPECT_EQ(FindReach(RankLayout(plan), Parallelism::TENSOR), GroupReach::SCALE_UP);
}

TEST(ParallelismPlan, MistakesNameTheNumber)
{
    const auto expectMistake = [](const ParallelismPlan& plan, const std::string& word) {
        EXPECT_NE(FindMistake(plan).find(word), std::string::npos) << FindMistake(plan);
    };
    EXPECT_EQ(FindMistake(ParallelismPlan{}), "");
    ParallelismPlan plan;
    plan.cp = 0;
    expectMistake(plan, "cp is 0");
    plan = {};
    plan.scaleUp = 0;
    expectMistake(plan, "scaleUp is 0");
    plan = {};
    plan.tp = plan.cp = plan.dp = plan.pp = 1 << 16; // a product of 2^64, which is 0 in 64 bits
    expectMistake(plan, "16777216 ranks");
    plan = {};
    plan.dp = 6;
    plan.ep = 4;
    expectMistake(plan, "not a multiple of ep x replicas = 4 x 1");
    plan.ep = 1 << 16;
    plan.replicas = 1 << 16; // a product of 2^32, which is 0 in 32 bits
    expectMistake(plan, "not a multiple");
    plan = {};
    plan.dp = plan.replicas = 2;
    EXPECT_EQ(FindMistake(plan), "");
    plan.sharding = ParameterSharding::NONE;
    expectMistake(plan, "set replicas to 1");
    for (const char* order : {"",
                              "tp",
                              "tp-cp-ep-dp",
                              "tp-cp-ep-dp-dp",
                              "tp-tp-cp-ep-dp",
                              "tp-cp-ep-dp-pp-",
                              "tp-cp-ep-dp-pp-tp",
                              "-",
                              "tp-cp-ep-replica-pp",
                              "tp--cp-ep-dp-pp",
                              "TP-CP-EP-DP-PP"})
    {
        plan = {};
        plan.order = order;
        expectMistake(plan, std::string("order is \"") + order + "\"");
    }
}

TEST(TrainingRecipe, MistakesNameTheNumber)
{
    const auto expectMistake = [](const TrainingRecipe& recipe, const std::string& word) {
        EXPECT_NE(FindMistake(recipe).find(word), std::string::npos) << FindMistake(recipe);
    };
    for (const char* schedule : {"gpipe", "1f1b", "interleaved", "zb-h1"})
    {
        TrainingRecipe recipe;
        recipe.schedule = schedule;
        EXPECT_EQ(FindMistake(recipe), "");
    }
    TrainingRecipe recipe;
    recipe.schedule = "dualpipe";
    expectMistake(recipe,
                  "schedule dualpipe: no such schedule; known: gpipe, 1f1b, interleaved, zb-h1");
    recipe = {};
    recipe.microBatches = 0;
    expectMistake(recipe, "microBatches is 0");
    recipe = {};
    recipe.chunks = 2;
    expectMistake(recipe, "schedule to interleaved");
    recipe.schedule = "interleaved";
    EXPECT_EQ(FindMistake(recipe), "");
    recipe.chunks = recipe.microBatches = 1 << 20;
    expectMistake(recipe, "chunks x microBatches");
    recipe = {};
    recipe.microBatchSize = 1 << 20;
    recipe.sequence = 1 << 20;
    expectMistake(recipe, "tokens");
    recipe = {};
    recipe.parameterBytes = 0;
    expectMistake(recipe, "parameterBytes is 0");
}

TEST(UnitParameters, FewerKeyHeadsThanRanksAreCopied)
{
    const ModelShape shape = *FindModelShape("Llama3.1-405B"); // 128 heads of 128, 8 key heads
    ParallelismPlan plan;
    plan.tp = 32;
    const uint64_t hidden = 16384;
    const uint64_t queriesAndOutput = 2 * hidden * hidden / 32;
    const uint64_t keysAndValues = 2 * hidden * 128; // of one head, which four ranks have
    const uint64_t feedForward = 3 * hidden * 53248 / 32;
    const uint64_t norms = 2 * hidden;
    EXPECT_EQ(CountUnitOfRank(shape, plan, {ModelUnit::Kind::LAYER, 0}).shared,
              queriesAndOutput + keysAndValues + feedForward + norms);
}
