/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/demand-decomposition.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace ns3;

namespace
{

/**
 * @return a demand with a share of elements that are not zero, in percent; own data too, which is
 * not to count
 */
DemandMatrix
MakeRandomDemand(std::mt19937& random, uint32_t ranks, uint32_t percent, uint64_t limit)
{
    DemandMatrix demand(ranks);
    for (uint32_t from = 0; from < ranks; ++from)
    {
        for (uint32_t to = 0; to < ranks; ++to)
        {
            demand.Set(from, to, random() % 100 < percent ? random() % limit + 1 : 0);
        }
    }
    return demand;
}

/** Fails if a rank is in two pairs of a round, or a pair is not in order. */
void
ExpectMatchings(const std::vector<RankMatching>& rounds, uint32_t ranks)
{
    for (const RankMatching& round : rounds)
    {
        std::set<uint32_t> busy;
        for (const auto& [low, high] : round)
        {
            EXPECT_LT(low, high);
            EXPECT_LT(high, ranks);
            EXPECT_TRUE(busy.insert(low).second) << "rank " << low << " twice in a round";
            EXPECT_TRUE(busy.insert(high).second) << "rank " << high << " twice in a round";
        }
        EXPECT_FALSE(round.empty());
    }
}

/** @return all pairs, with repetitions */
std::multiset<RankPair>
GetPairs(const std::vector<RankMatching>& rounds)
{
    std::multiset<RankPair> pairs;
    for (const RankMatching& round : rounds)
    {
        pairs.insert(round.begin(), round.end());
    }
    return pairs;
}

uint64_t
GetSum(const DemandMatrix& matrix, uint32_t rank, bool ofRow)
{
    uint64_t sum = 0;
    for (uint32_t other = 0; other < matrix.GetRanks(); ++other)
    {
        sum += ofRow ? matrix.Get(rank, other) : matrix.Get(other, rank);
    }
    return sum;
}

} // namespace

TEST(DemandDecomposition, EveryPairMeetsOnceInATournament)
{
    for (uint32_t n = 2; n <= 65; ++n)
    {
        const std::vector<RankMatching> rounds = MakeTournament(n);
        ExpectMatchings(rounds, n);
        EXPECT_EQ(rounds.size(), n % 2 == 0 ? n - 1 : n);
        for (const RankMatching& round : rounds)
        {
            EXPECT_EQ(round.size(), n / 2) << "somebody is idle who need not be";
        }
        const std::multiset<RankPair> pairs = GetPairs(rounds);
        EXPECT_EQ(pairs.size(), n * (n - 1) / 2);
        EXPECT_EQ(std::set<RankPair>(pairs.begin(), pairs.end()).size(), pairs.size());
    }
    EXPECT_TRUE(MakeTournament(1).empty());
}

TEST(DemandDecomposition, ColoursAreOneMoreThanPartnersAtMost)
{
    std::mt19937 random(1);
    for (uint32_t trial = 0; trial < 600; ++trial)
    {
        const uint32_t n = 1 + random() % 33;
        const DemandMatrix demand = MakeRandomDemand(random, n, random() % 101, 9);
        std::multiset<RankPair> due;
        std::vector<uint32_t> partners(n);
        for (uint32_t low = 0; low < n; ++low)
        {
            for (uint32_t high = low + 1; high < n; ++high)
            {
                if (demand.Get(low, high) + demand.Get(high, low) > 0)
                {
                    due.insert({low, high});
                    ++partners[low];
                    ++partners[high];
                }
            }
        }
        const std::vector<RankMatching> rounds = ColourIntoMatchings(demand);
        ExpectMatchings(rounds, n);
        EXPECT_EQ(GetPairs(rounds), due);
        const uint32_t most = *std::max_element(partners.begin(), partners.end());
        EXPECT_GE(rounds.size(), most);
        EXPECT_LE(rounds.size(), most + 1);
        EXPECT_LE(rounds.size(), n % 2 == 0 ? n - 1 : n);
    }
}

TEST(DemandDecomposition, OneRankForAllTakesARoundForEach)
{
    DemandMatrix star(9);
    for (uint32_t rank = 1; rank < 9; ++rank)
    {
        star.Set(rank, 0, rank);
    }
    EXPECT_EQ(ColourIntoMatchings(star).size(), 8U);
    EXPECT_TRUE(ColourIntoMatchings(DemandMatrix(9)).empty());
}

TEST(DemandDecomposition, PaddingMakesSumsEqualAndTheLargestStays)
{
    std::mt19937 random(2);
    for (uint32_t trial = 0; trial < 300; ++trial)
    {
        const uint32_t n = 1 + random() % 12;
        DemandMatrix demand = MakeRandomDemand(random, n, 50, 1000);
        const DemandMatrix padded = PadToEqualSums(demand);
        uint64_t largest = 0;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            demand.Set(rank, rank, 0);
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            largest = std::max({largest, GetSum(demand, rank, true), GetSum(demand, rank, false)});
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            EXPECT_EQ(GetSum(padded, rank, true), largest);
            EXPECT_EQ(GetSum(padded, rank, false), largest);
            for (uint32_t to = 0; to < n; ++to)
            {
                EXPECT_GE(padded.Get(rank, to), demand.Get(rank, to));
            }
        }
    }
}

TEST(DemandDecomposition, PermutationsAddUpToThePaddedDemandToTheByte)
{
    std::mt19937 random(3);
    for (uint32_t trial = 0; trial < 300; ++trial)
    {
        const uint32_t n = 1 + random() % 20;
        const DemandMatrix demand =
            MakeRandomDemand(random, n, 20 + random() % 81, trial % 2 == 0 ? 4 : uint64_t{1} << 31);
        const std::vector<WeightedPermutation> terms = DecomposeIntoPermutations(demand);
        // the polytope of doubly stochastic matrices has (n-1)^2 dimensions, and each term leads
        // to a lower face
        EXPECT_LE(terms.size(), n * n - 2 * n + 2);
        DemandMatrix sum(n);
        for (const WeightedPermutation& term : terms)
        {
            EXPECT_GT(term.bytes, 0U);
            EXPECT_EQ(std::set<uint32_t>(term.to.begin(), term.to.end()).size(), n);
            for (uint32_t from = 0; from < n; ++from)
            {
                sum.Set(from, term.to[from], sum.Get(from, term.to[from]) + term.bytes);
            }
        }
        const DemandMatrix padded = PadToEqualSums(demand);
        for (uint32_t from = 0; from < n; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                EXPECT_EQ(sum.Get(from, to), padded.Get(from, to));
            }
        }
    }
}

TEST(DemandDecomposition, APermutationIsItsOwnDecomposition)
{
    DemandMatrix demand(5);
    for (uint32_t from = 0; from < 5; ++from)
    {
        demand.Set(from, (from + 2) % 5, 700);
    }
    const std::vector<WeightedPermutation> terms = DecomposeIntoPermutations(demand);
    ASSERT_EQ(terms.size(), 1U);
    EXPECT_EQ(terms[0].bytes, 700U);
    EXPECT_EQ(terms[0].to, (std::vector<uint32_t>{2, 3, 4, 0, 1}));
    EXPECT_TRUE(DecomposeIntoPermutations(DemandMatrix(5)).empty());
}
