/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"

#include "ns3/expert-routing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

uint64_t
Sum(const std::vector<uint64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

/**
 * @return the real numbers whose rounding DivideVisits() is: each expert has min(tokens, factor x
 *         weight), with the factor for which they add up
 */
std::vector<long double>
DivideExactly(const std::vector<uint64_t>& weights, uint64_t visits, uint64_t tokens)
{
    const auto divide = [&](long double factor) {
        std::vector<long double> shares;
        for (const uint64_t weight : weights)
        {
            shares.push_back(std::min<long double>(tokens, factor * weight));
        }
        return shares;
    };
    long double low = 0;
    long double high = tokens; // a weight of 1 or more has all visits that it can have
    for (uint32_t step = 0; step < 200; ++step)
    {
        const long double middle = (low + high) / 2;
        const auto shares = divide(middle);
        const long double sum = std::accumulate(shares.begin(), shares.end(), 0.0L);
        (sum < visits ? low : high) = middle;
    }
    return divide(high);
}

/** A model, a plan and a recipe with a router. */
struct RoutingCase
{
    ModelShape shape{MakeSmallExperts()};
    ParallelismPlan plan;
    TrainingRecipe recipe;
    std::string words;

    explicit RoutingCase(std::mt19937& random)
    {
        const auto draw = [&random](std::vector<uint32_t> values) {
            return values[random() % values.size()];
        };
        plan.ep = draw({1, 2, 3, 4, 8});
        plan.dp = plan.ep;
        plan.tp = draw({1, 2});
        plan.sequenceParallel = random() % 2 == 0;
        shape.experts = plan.ep * draw({1, 2, 5});
        shape.activeExperts = 1 + random() % shape.experts;
        recipe.microBatchSize = 1 + random() % 3;
        recipe.sequence = 2 * draw({1, 7, 64, 500});
        const std::vector<std::string> skews{"uniform",
                                             "zipf:0.7",
                                             "zipf:3",
                                             "dirichlet:0.1",
                                             "dirichlet:5"};
        words = skews[random() % skews.size()];
        words += words == "uniform" ? "" : ":" + std::to_string(random() % 1000);
        recipe.router.skew = ParseExpertSkew(words).value;
        recipe.router.capacityFactor = std::vector<double>{0, 0.5, 1, 1.25, 4}[random() % 5];
    }

    /** @return the tokens of a micro-batch on a rank */
    uint64_t GetTokens() const
    {
        return uint64_t{recipe.microBatchSize} * recipe.sequence /
               (plan.sequenceParallel ? plan.tp : 1);
    }
};

} // namespace

TEST(ExpertRouting, VisitsAreDividedByHand)
{
    using Counts = std::vector<uint64_t>;
    EXPECT_EQ(DivideVisits({1, 1, 1, 1}, 8, 8), (Counts{2, 2, 2, 2}));
    // of 7 visits 3.5, 1.75 and 1.75: the remainders 0.75 come before 0.5
    EXPECT_EQ(DivideVisits({4, 2, 2}, 7, 7), (Counts{3, 2, 2}));
    // equal remainders: the first expert
    EXPECT_EQ(DivideVisits({1, 1, 1}, 4, 4), (Counts{2, 1, 1}));
    // 10 tokens with two visits each: the first has one of each, the others 10 x 3/5 and 10 x 2/5
    EXPECT_EQ(DivideVisits({95, 3, 2}, 20, 10), (Counts{10, 6, 4}));
    // then the second is full too: 12 of 20 visits would be more than 10 tokens
    EXPECT_EQ(DivideVisits({95, 3, 1, 1}, 30, 10), (Counts{10, 10, 5, 5}));
    EXPECT_EQ(DivideVisits({0, 7, 0}, 5, 5), (Counts{0, 5, 0}));
}

TEST(ExpertRouting, VisitsAreInProportionToWeightsUpToOneOfEachToken)
{
    std::mt19937_64 random(11);
    for (uint32_t trial = 0; trial < 500; ++trial)
    {
        const uint32_t experts = 1 + random() % 40;
        std::vector<uint64_t> weights;
        uint32_t visited = 0;
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            const bool idle = expert > 0 && random() % 5 == 0;
            weights.push_back(idle ? 0 : 1 + (random() >> 24) % (1ULL << (1 + random() % 40)));
            visited += idle ? 0 : 1;
        }
        const uint64_t tokens = 1 + random() % 100'000;
        const uint64_t visits = tokens * (1 + random() % visited);
        const std::vector<uint64_t> counts = DivideVisits(weights, visits, tokens);
        ASSERT_EQ(Sum(counts), visits);
        const std::vector<long double> exact = DivideExactly(weights, visits, tokens);
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            ASSERT_LE(counts[expert], tokens);
            ASSERT_LT(std::abs(counts[expert] - exact[expert]), 1.001L) << trial;
            ASSERT_TRUE(weights[expert] > 0 || counts[expert] == 0);
        }
    }
}

TEST(ExpertRouting, TokensAreSentKeptOrDroppedAndNoneIsLost)
{
    std::mt19937 random(12);
    uint32_t withDrops = 0;
    for (uint32_t trial = 0; trial < 400; ++trial)
    {
        const RoutingCase one(random);
        SCOPED_TRACE(one.words + ", ep " + std::to_string(one.plan.ep));
        ASSERT_EQ(FindMistake(one.recipe), "");
        ASSERT_EQ(FindMisfit(one.recipe.router, one.shape, one.plan), "");
        ExpertRouting routing(one.shape, one.plan, one.recipe);
        const RoutedLayer& routed = routing.Get(trial % 7, trial % 3);
        const uint32_t ranks = one.plan.ep;
        const uint64_t tokens = one.GetTokens();
        const uint64_t tokenBytes = uint64_t{one.shape.hidden} * one.recipe.parameterBytes;
        const ExpertVisits& visits = routed.visits;
        ASSERT_EQ(routing.GetVisitsOfRank(), tokens * one.shape.activeExperts);
        ASSERT_EQ(visits.routed, ranks * tokens * one.shape.activeExperts);
        ASSERT_EQ(visits.routed, visits.sent + visits.local + visits.dropped);
        ASSERT_EQ(Sum(routed.load), visits.sent + visits.local);
        const uint64_t most =
            one.recipe.router.GetCapacity(tokens, one.shape.activeExperts, one.shape.experts) *
            (one.shape.experts / ranks) * tokenBytes; // of a rank for another
        uint64_t bytes = 0;
        for (uint32_t from = 0; from < ranks; ++from)
        {
            uint64_t row = 0;
            uint64_t column = 0;
            for (uint32_t to = 0; to < ranks; ++to)
            {
                const uint64_t demand = routed.dispatch->Get(from, to);
                ASSERT_EQ(demand, routed.combine->Get(to, from)) << "a transpose";
                ASSERT_LE(demand, most);
                ASSERT_EQ(demand % tokenBytes, 0U) << "whole tokens";
                ASSERT_TRUE(from != to || demand == 0);
                row += demand;
                column += routed.dispatch->Get(to, from);
            }
            ASSERT_LE(row, routing.GetVisitsOfRank() * tokenBytes);
            ASSERT_LE(column, routed.load[from] * tokenBytes);
            bytes += row;
        }
        ASSERT_EQ(bytes, visits.sent * tokenBytes);
        ASSERT_TRUE(one.recipe.router.capacityFactor > 0 || visits.dropped == 0);
        withDrops += visits.dropped > 0 ? 1 : 0;
    }
    EXPECT_GT(withDrops, 40U) << "the draw has cases of each kind";
}

TEST(ExpertRouting, ACapacityIsTheShareOfAnExpertTimesTheFactorRoundedUp)
{
    ExpertRouter router;
    EXPECT_EQ(router.GetCapacity(100, 2, 8), 100U) << "no limit but one visit of each token";
    router.capacityFactor = 1;
    EXPECT_EQ(router.GetCapacity(100, 2, 8), 25U);
    EXPECT_EQ(router.GetCapacity(101, 2, 8), 26U); // 25.25
    router.capacityFactor = 1.1;                   // binary fractions have no 1.1
    EXPECT_EQ(router.GetCapacity(40, 2, 8), 11U);
    router.capacityFactor = 1.25;
    EXPECT_EQ(router.GetCapacity(4096, 8, 256), 160U);
    router.capacityFactor = 100;
    EXPECT_EQ(router.GetCapacity(4096, 8, 256), 4096U);
    router.capacityFactor = 0.000001;
    EXPECT_EQ(router.GetCapacity(4096, 8, 256), 1U);
}

TEST(ExpertRouting, EvenSharesFitIntoACapacityOfOneAndMoreAreDropped)
{
    ParallelismPlan plan;
    plan.ep = 4;
    plan.dp = 4;
    TrainingRecipe recipe;
    recipe.sequence = 1000;
    ModelShape shape = MakeSmallExperts();
    shape.experts = 8;
    shape.activeExperts = 2;
    // of 1000 tokens with two visits each, an expert of eight has 250
    for (const auto& [factor, dropped] :
         std::vector<std::pair<double, uint64_t>>{{1, 0}, {2, 0}, {0.5, 125}, {0.9, 25}})
    {
        recipe.router.capacityFactor = factor;
        EXPECT_EQ(recipe.router.IsEven(), factor >= 1);
        ExpertRouting routing(shape, plan, recipe);
        const RoutedLayer& routed = routing.Get(1, 0);
        EXPECT_EQ(routed.visits.dropped, 4 * 8 * dropped);
        const uint64_t each = 2 * (250 - dropped) * shape.hidden * recipe.parameterBytes;
        EXPECT_EQ(routed.dispatch->Get(0, 3), each);
        EXPECT_EQ(routed.dispatch->Get(2, 1), each);
        EXPECT_EQ(routed.load, std::vector<uint64_t>(4, 4 * 2 * (250 - dropped)));
    }
}

TEST(ExpertRouting, CountsOfTheSameTokensAreKeptExactly)
{
    // 2 ranks with 30 tokens and two visits each: 120 visits
    const RoutingCounts::Tokens first{7, 53, 0, 60};
    const RoutingCounts::Tokens second{30, 30, 30, 30};
    ParallelismPlan plan;
    plan.ep = 2;
    plan.dp = 2;
    TrainingRecipe recipe;
    recipe.sequence = 30;
    recipe.router.counts = std::make_shared<const RoutingCounts>(
        std::map<uint32_t, std::vector<RoutingCounts::Tokens>>{{1, {first, second}}});
    ModelShape shape = MakeSmallExperts();
    shape.experts = 4;
    shape.activeExperts = 2;
    ExpertRouting routing(shape, plan, recipe);
    EXPECT_EQ(routing.Get(1, 0).load, (std::vector<uint64_t>{60, 60}));
    EXPECT_EQ(routing.Get(1, 0).visits.routed, 120U);
    const uint64_t tokenBytes = uint64_t{shape.hidden} * recipe.parameterBytes;
    // half of the tokens of each rank's experts come from the other one
    EXPECT_EQ(routing.Get(1, 0).dispatch->Get(0, 1), 30 * tokenBytes);
    EXPECT_EQ(routing.Get(1, 1).load, (std::vector<uint64_t>{60, 60}));
    EXPECT_EQ(routing.Get(1, 2).load, routing.Get(1, 0).load) << "steps repeat";
    recipe.router.capacityFactor = 1; // 15 of a rank for an expert
    ExpertRouting limited(shape, plan, recipe);
    // visits are dealt in turn: 53 are 26 and 27; 60 are 30 and 30; 15 of each are kept
    EXPECT_EQ(limited.Get(1, 0).visits.dropped, 53U - 30 + 60 - 30);
    EXPECT_EQ(limited.Get(1, 0).load, (std::vector<uint64_t>{7 + 30, 30}));
    EXPECT_EQ(limited.Get(1, 1).visits.dropped, 0U);
}

TEST(ExpertRouting, CountsHaveTheShapeOfTheModel)
{
    ModelShape shape = MakeSmallExperts(); // layer 0 of 4 has no experts, the others have 16
    shape.experts = 3;
    shape.activeExperts = 2;
    const RoutingCounts::Tokens good{1, 0, 9};
    using Steps = std::map<uint32_t, std::vector<RoutingCounts::Tokens>>;
    const auto find = [&shape](const Steps& steps) {
        ExpertRouter router;
        router.counts = std::make_shared<const RoutingCounts>(steps);
        return FindMisfit(router, shape, ParallelismPlan());
    };
    EXPECT_EQ(find({{1, {good}}, {2, {good}}, {3, {good}}}), "");
    EXPECT_EQ(find({{1, {good}}, {2, {good}}, {3, {good}}, {4, {good}}}), "")
        << "layers that are not trained";
    EXPECT_EQ(find({{1, {good}}, {3, {good}}}),
              "routing counts: there is no row for layer 2, which has experts in the model "
              "\"Small\"; give counts for layers 1 to 3");
    EXPECT_EQ(find({{0, {good}}, {1, {good}}, {2, {good}}, {3, {good}}}),
              "routing counts: there are rows for layer 0, which has no experts in the model "
              "\"Small\"; give counts for layers 1 to 3");
    EXPECT_EQ(find({{1, {{1, 2}}}, {2, {{1, 2}}}, {3, {{1, 2}}}}),
              "routing counts are of 2 experts, and the model \"Small\" has 3; give counts for "
              "each of these");
    EXPECT_EQ(find({{1, {good, good}}, {2, {good, {0, 4, 0}}}, {3, {good, good}}}),
              "routing counts: in layer 2, step 1 1 experts have tokens, and a token visits 2; "
              "give tokens to so many or more");
}

TEST(ExpertRouting, RoutersThatCanNotBeAreRefused)
{
    ExpertRouter router;
    EXPECT_EQ(FindMistake(router), "");
    router.capacityFactor = -1;
    EXPECT_EQ(FindMistake(router),
              "router: the capacity factor is -1; give 0 for no limit, or 0.000001 to 1000");
    router.capacityFactor = std::nan("");
    EXPECT_NE(FindMistake(router), "");
    router.capacityFactor = 0;
    router.skew.kind = ExpertSkew::Kind::ZIPF;
    router.skew.parameter = 99;
    EXPECT_EQ(FindMistake(router), "router: the exponent of zipf is 99; give 0 to 16");
    router.skew.parameter = 1;
    EXPECT_EQ(FindMistake(router), "");
    EXPECT_EQ(
        FindMisfit(router, MakeSmallShape(), ParallelismPlan()),
        "a skew, routing counts or a capacity factor is given, and the model \"Small\" has no "
        "experts; leave it out, or take a model with experts");
    ParallelismPlan plan;
    plan.ep = 3;
    plan.dp = 3;
    EXPECT_EQ(FindMisfit(router, MakeSmallExperts(), plan),
              "experts is 16, not a multiple of ep = 3; take an ep that divides it");
    router.counts = std::make_shared<const RoutingCounts>(
        std::map<uint32_t, std::vector<RoutingCounts::Tokens>>{{1, {{1, 2}}}});
    EXPECT_EQ(FindMistake(router),
              "router: there are routing counts and the skew zipf:1:1; give one of both");
}
