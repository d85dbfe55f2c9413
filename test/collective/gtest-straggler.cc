/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/collective-verifier.h"
#include "ns3/straggler-plan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

CollectiveParameters
MakeWithStraggler(uint32_t ranks,
                  uint32_t straggler,
                  uint32_t channels = 1,
                  bool bidirectional = false)
{
    CollectiveParameters parameters;
    parameters.ranks = ranks;
    parameters.straggler = straggler;
    parameters.channels = channels;
    parameters.bidirectional = bidirectional;
    return parameters;
}

const CollectiveAlgorithm&
GetStragglAr()
{
    static const CollectiveAlgorithm IT = MakeStragglerAlgorithms().front();
    return IT;
}

/** @return the last chunk has two holders after n - 1 rounds, and each round doubles them */
uint32_t
GetLeastRounds(uint32_t ranks)
{
    uint32_t rounds = ranks - 1;
    for (uint32_t holders = 2; holders < ranks; holders *= 2)
    {
        ++rounds;
    }
    return rounds;
}

/** @return how many times longer a ring takes than the plan, once the straggler has come */
double
GetGain(uint32_t ranks)
{
    const double fixed = 3e-6;
    const double sending = 1.0 / 450; // 1 GiB at 450 GiB/s
    const double ring = 2 * (ranks - 1) * (fixed + sending / ranks);
    return ring / (GetStragglerPlan(ranks).rounds * (fixed + sending / (ranks - 1)));
}

} // namespace

TEST(Straggler, PowersOfTwoReachTheLeastRounds)
{
    EXPECT_EQ(GetStragglerPlan(4).rounds, 4U);
    EXPECT_EQ(GetStragglerPlan(8).rounds, 9U);
    EXPECT_EQ(GetStragglerPlan(16).rounds, 18U);
    EXPECT_EQ(GetStragglerPlan(64).rounds, 68U);
    for (uint32_t exponent = 2; exponent <= 10; ++exponent)
    {
        const uint32_t n = 1U << exponent;
        EXPECT_EQ(GetStragglerPlan(n).rounds, n - 2 + exponent);
        EXPECT_EQ(GetStragglerPlan(n).rounds, GetLeastRounds(n));
    }
}

TEST(Straggler, OtherEvenNumbersTakeARoundMoreAtMost)
{
    std::vector<uint32_t> reached;
    for (uint32_t n = 6; n <= 34; n += 2)
    {
        const uint32_t rounds = GetStragglerPlan(n).rounds;
        EXPECT_GE(rounds, GetLeastRounds(n));
        EXPECT_LE(rounds, GetLeastRounds(n) + 1) << n;
        if (rounds == GetLeastRounds(n))
        {
            reached.push_back(n);
        }
    }
    EXPECT_EQ(reached, (std::vector<uint32_t>{6, 8, 10, 16, 18, 32, 34}));
}

TEST(Straggler, EveryRoundIsAMatchingAndTheStragglerMeetsEachOnce)
{
    for (uint32_t n = 4; n <= 64; n += n < 34 ? 2 : 30)
    {
        const StragglerPlan& plan = GetStragglerPlan(n);
        std::vector<std::set<RankPair>> pairs(plan.rounds);
        std::vector<uint32_t> met(n - 1);
        for (const StragglerTransfer& it : plan.transfers)
        {
            pairs[it.round].insert(std::minmax(it.from, it.to));
            if (it.exchange)
            {
                EXPECT_EQ(it.chunk, it.round) << "rank r meets it in round r";
                EXPECT_EQ(std::min(it.from, it.to), it.round);
                EXPECT_EQ(std::max(it.from, it.to), n - 1);
                ++met[it.round];
            }
        }
        EXPECT_EQ(met, std::vector<uint32_t>(n - 1, 2)) << "there and back";
        for (const std::set<RankPair>& round : pairs)
        {
            std::set<uint32_t> busy;
            for (const auto& [low, high] : round)
            {
                EXPECT_TRUE(busy.insert(low).second && busy.insert(high).second);
            }
            EXPECT_FALSE(round.empty());
        }
    }
}

TEST(Straggler, EveryRankHoldsEveryChunkOnceAndHoldersDouble)
{
    for (uint32_t n = 4; n <= 64; n += n < 34 ? 2 : 30)
    {
        const StragglerPlan& plan = GetStragglerPlan(n);
        std::vector<std::vector<uint32_t>> since(n, std::vector<uint32_t>(n - 1, UINT32_MAX));
        for (const StragglerTransfer& it : plan.transfers)
        {
            if (!it.exchange)
            {
                EXPECT_LT(since[it.from][it.chunk], it.round) << "gives what it does not have yet";
            }
            EXPECT_EQ(since[it.to][it.chunk], UINT32_MAX) << "gets what it has";
            since[it.to][it.chunk] = it.round;
        }
        for (const std::vector<uint32_t>& rounds : since)
        {
            for (const uint32_t round : rounds)
            {
                EXPECT_LT(round, plan.rounds);
            }
        }
    }
}

TEST(Straggler, TheOthersDoWithoutItFirst)
{
    for (uint32_t n = 4; n <= 32; n += 2)
    {
        for (const uint32_t straggler : {0U, n / 2, n - 1})
        {
            const CollectiveSchedule schedule =
                GetStragglAr().Make(MakeWithStraggler(n, straggler));
            EXPECT_EQ(GetMistakeOf(schedule), "");
            std::set<RankPair> ring;
            for (const CollectiveTransfer& it : schedule.GetTransfers())
            {
                if (it.round < n - 2)
                {
                    EXPECT_NE(it.from, straggler);
                    EXPECT_NE(it.to, straggler);
                    ring.insert(std::minmax(it.from, it.to));
                }
            }
            EXPECT_EQ(ring.size(), n - 1) << "a ring of all others";
            EXPECT_EQ(schedule.GetRounds(), n - 2 + GetStragglerPlan(n).rounds);
        }
    }
}

TEST(Straggler, SendsAsManyBytesAsARingAltogether)
{
    for (uint32_t n = 4; n <= 32; n += 2)
    {
        for (const bool bidirectional : {false, true})
        {
            const CollectiveParameters parameters = MakeWithStraggler(n, 1, 2, bidirectional);
            EXPECT_EQ(GetMistakeOf(GetStragglAr(), parameters), "");
            const uint64_t buffer = 2 * (n - 1);
            uint64_t sum = 0;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                sum += GetStragglAr().bytesSent(parameters, rank, buffer);
            }
            // each of n - 1 chunks: n - 2 times to be summed, 2 to meet the straggler's, and then n
            // - 2 ranks that lack it; in all as often as a ring's n chunks, 2 (n-1) each
            EXPECT_EQ(sum, 2 * (n - 1) * buffer);
        }
    }
}

TEST(Straggler, GainsOnARingTheFigureOfThePaper)
{
    EXPECT_EQ(std::lround(100 * GetGain(8)), 136);
    EXPECT_EQ(std::lround(100 * GetGain(64)), 183);
}

TEST(Straggler, RefusesOddOrFewRanksWithAReason)
{
    for (uint32_t n = 2; n <= 33; ++n)
    {
        EXPECT_EQ(GetStragglAr().GetWhyNot(MakeWithStraggler(n, 0)).empty(), n >= 4 && n % 2 == 0);
    }
    EXPECT_NE(GetStragglAr().GetWhyNot(MakeWithStraggler(8, 8)), "");
}
