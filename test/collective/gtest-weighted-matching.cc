/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/weighted-matching.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

using Weights = std::vector<std::vector<int64_t>>;

/** @return a graph with so many percent of the edges, weights up to a limit, some negative */
Weights
MakeRandomWeights(std::mt19937& random, uint32_t vertices, uint32_t percent, int64_t limit)
{
    Weights weights(vertices, std::vector<int64_t>(vertices));
    for (uint32_t u = 0; u < vertices; ++u)
    {
        for (uint32_t v = 0; v < u; ++v)
        {
            const bool is = random() % 100 < percent;
            weights[u][v] = weights[v][u] = is ? int64_t(random() % (limit + 2)) - 1 : 0;
        }
    }
    return weights;
}

/** @return the weight of a matching; fails if it is none */
int64_t
GetWeight(const Weights& weights, const std::vector<uint32_t>& partners)
{
    int64_t sum = 0;
    EXPECT_EQ(partners.size(), weights.size());
    for (uint32_t u = 0; u < partners.size(); ++u)
    {
        EXPECT_EQ(partners.at(partners[u]), u) << "not matched both ways";
        if (partners[u] > u)
        {
            EXPECT_GT(weights[u][partners[u]], 0) << "no edge";
            sum += weights[u][partners[u]];
        }
    }
    return sum;
}

/**
 * @return the greatest weight: over all sets of vertices, with the best partner of the lowest of
 * them
 */
int64_t
GetGreatest(const Weights& weights)
{
    const uint32_t n = weights.size();
    std::vector<int64_t> best(std::size_t{1} << n);
    for (uint32_t set = 1; set < best.size(); ++set)
    {
        uint32_t low = 0;
        while ((set >> low & 1) == 0)
        {
            ++low;
        }
        best[set] = best[set & ~(1U << low)];
        for (uint32_t v = low + 1; v < n; ++v)
        {
            if ((set >> v & 1) != 0)
            {
                best[set] =
                    std::max(best[set], weights[low][v] + best[set & ~(1U << low) & ~(1U << v)]);
            }
        }
    }
    return best.back();
}

} // namespace

TEST(WeightedMatching, EqualsTheBestOfAllMatchingsOfRandomGraphs)
{
    std::mt19937 random(1);
    for (uint32_t trial = 0; trial < 12000; ++trial)
    {
        // few distinct weights make many ties, and with them blossoms inside blossoms
        const int64_t limit = std::vector<int64_t>{1, 2, 5, 1000, int64_t{1} << 40}[trial % 5];
        const Weights weights =
            MakeRandomWeights(random, 1 + random() % 10, 20 + 20 * (random() % 5), limit);
        ASSERT_EQ(GetWeight(weights, GetMaximumWeightMatching(weights)), GetGreatest(weights))
            << "trial " << trial;
    }
}

TEST(WeightedMatching, RefusesAHeavyEdgeForTwoThatAreHeavierTogether)
{
    // a path of weights 5, 8, 5: the greedy choice takes 8
    Weights weights(4, std::vector<int64_t>(4));
    weights[0][1] = weights[1][0] = weights[2][3] = weights[3][2] = 5;
    weights[1][2] = weights[2][1] = 8;
    EXPECT_EQ(GetMaximumWeightMatching(weights), (std::vector<uint32_t>{1, 0, 3, 2}));
    // and leaves two alone if the middle is worth more than both
    weights[1][2] = weights[2][1] = 11;
    EXPECT_EQ(GetMaximumWeightMatching(weights), (std::vector<uint32_t>{0, 2, 1, 3}));
}

TEST(WeightedMatching, FindsAPlantedMatchingOf64)
{
    std::mt19937 random(2);
    for (uint32_t trial = 0; trial < 50; ++trial)
    {
        std::vector<uint32_t> order(64);
        for (uint32_t v = 0; v < 64; ++v)
        {
            order[v] = v;
        }
        std::shuffle(order.begin(), order.end(), random);
        // vertices have prices; no edge weighs more than its two, and the planted ones as much
        std::vector<int64_t> prices(64);
        int64_t sum = 0;
        for (int64_t& price : prices)
        {
            price = 100 + random() % 1000;
            sum += price;
        }
        Weights weights = MakeRandomWeights(random, 64, 60, 200);
        for (uint32_t v = 0; v < 64; v += 2)
        {
            const uint32_t one = order[v];
            const uint32_t other = order[v + 1];
            weights[one][other] = weights[other][one] = prices[one] + prices[other];
        }
        EXPECT_EQ(GetWeight(weights, GetMaximumWeightMatching(weights)), sum);
    }
}

TEST(WeightedMatching, MatchesAllOfACompleteGraphAndOneLessOfAnOddOne)
{
    for (uint32_t n = 0; n <= 64; ++n)
    {
        Weights weights(n, std::vector<int64_t>(n, 7));
        EXPECT_EQ(GetWeight(weights, GetMaximumWeightMatching(weights)), 7 * (n / 2));
    }
}
