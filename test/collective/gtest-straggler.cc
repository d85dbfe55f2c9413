/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/collective-verifier.h"
#include "ns3/straggler-plan.h"
#include "ns3/straggler-search.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <utility>
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

/**
 * Carries out a plan, with what each rank holds as data.
 * @return the first mistake; empty if there is none
 */
std::string
FindMistake(uint32_t n, const StragglerPlan& plan)
{
    const uint32_t straggler = n - 1;
    std::vector<std::vector<uint32_t>> since(n, std::vector<uint32_t>(n - 1, UINT32_MAX));
    std::vector<uint32_t> partners;
    uint32_t round = UINT32_MAX;
    for (const StragglerTransfer& it : plan.transfers)
    {
        const std::string where = "round " + std::to_string(it.round) + ", " +
                                  std::to_string(it.from) + " to " + std::to_string(it.to) + ": ";
        if (it.round != round)
        {
            round = it.round;
            partners.assign(n, UINT32_MAX);
        }
        for (const auto& [one, other] : {std::pair(it.from, it.to), std::pair(it.to, it.from)})
        {
            if (partners[one] != UINT32_MAX && partners[one] != other)
            {
                return where + "a rank has two partners";
            }
            partners[one] = other;
        }
        const bool isMeeting = it.from == straggler || it.to == straggler;
        if (it.exchange &&
            !(isMeeting && it.from + it.to == straggler + round && it.chunk == round))
        {
            return where + "rank r and the straggler exchange chunk r in round r";
        }
        if (!it.exchange && since[it.from][it.chunk] >= round)
        {
            return where + "sends what it does not have yet";
        }
        if (it.round >= plan.rounds || since[it.to][it.chunk] != UINT32_MAX)
        {
            return where + "gets what it has, or too late";
        }
        since[it.to][it.chunk] = round;
    }
    for (const std::vector<uint32_t>& chunks : since)
    {
        if (std::count(chunks.begin(), chunks.end(), UINT32_MAX) > 0)
        {
            return "a rank lacks a chunk";
        }
    }
    return "";
}

/** Expects plans for some numbers of ranks that are right, and within a round of the least. */
void
ExpectPlans(uint32_t first, uint32_t last)
{
    for (uint32_t n = first; n <= last; ++n)
    {
        const StragglerPlan& plan = GetStragglerPlan(n);
        EXPECT_EQ(FindMistake(n, plan), "") << n;
        EXPECT_GE(plan.rounds, GetLeastStragglerRounds(n)) << n;
        EXPECT_LE(plan.rounds, GetLeastStragglerRounds(n) + 1) << n;
    }
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
        EXPECT_EQ(GetStragglerPlan(n).rounds, GetLeastStragglerRounds(n));
    }
}

TEST(Straggler, NoPlanIsShorterThanTheLeastRounds)
{
    for (uint32_t n = 3; n <= 300; ++n)
    {
        uint32_t doublings = 0;
        while (1U << doublings < n)
        {
            ++doublings;
        }
        EXPECT_GE(GetLeastStragglerRounds(n), n - 2 + doublings);
        if (n % 2 == 0)
        {
            EXPECT_EQ(GetLeastStragglerRounds(n), n - 2 + doublings) << "counting adds nothing";
        }
    }
    // 5 ranks, 4 chunks, which 3 ranks each lack when they are finished: 12. While the straggler
    // meets one of 4 others, one pair of them is left: 0, 1, 2 and 2 chunks are received. Of the
    // other 7 at most 4 in a round.
    EXPECT_EQ(GetLeastStragglerRounds(5), 4U + 2U);
    // 3 ranks: nothing is received while the straggler meets the two, and then they exchange
    EXPECT_EQ(GetLeastStragglerRounds(3), 3U);
}

TEST(Straggler, PublishedNumbersOfRoundsAreReached)
{
    // code/simulation.py of the paper's repository (github.com/arjundevraj/stragglar)
    const std::vector<std::pair<uint32_t, uint32_t>> published{{6, 7},
                                                               {12, 15},
                                                               {24, 27},
                                                               {48, 57},
                                                               {96, 108},
                                                               {192, 208}};
    for (const auto& [n, rounds] : published)
    {
        EXPECT_LE(GetStragglerPlan(n).rounds, rounds) << n;
    }
    EXPECT_EQ(GetStragglerPlan(24).rounds, 27U);
    EXPECT_EQ(GetStragglerPlan(12).rounds, 14U) << "one less";
}

TEST(Straggler, SmallNumbersReachTheLeastRounds)
{
    for (const uint32_t n : {3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 18, 20, 21, 22, 23, 24, 25, 26})
    {
        EXPECT_EQ(GetStragglerPlan(n).rounds, GetLeastStragglerRounds(n)) << n;
    }
}

TEST(Straggler, EveryPlanUpTo96RanksIsRight)
{
    ExpectPlans(3, 96);
}

TEST(Straggler, SomePlansUpTo256RanksAreRight)
{
    for (const uint32_t n : {97, 127, 128, 160, 191, 213, 256})
    {
        ExpectPlans(n, n);
    }
}

// all numbers of ranks up to 256, in parts that take alike, so that they can be tested side by side

TEST(StragglerAtLength, EveryPlanUpTo160RanksIsRight)
{
    ExpectPlans(97, 160);
}

TEST(StragglerAtLength, EveryPlanUpTo212RanksIsRight)
{
    ExpectPlans(161, 212);
}

TEST(StragglerAtLength, EveryPlanUpTo256RanksIsRight)
{
    ExpectPlans(213, 256);
}

TEST(Straggler, PlansAreTheSameEachTime)
{
    for (const uint32_t n : {7U, 24U, 47U})
    {
        const StragglerPlan one = StragglerSearch(n).Find();
        const StragglerPlan other = StragglerSearch(n).Find();
        ASSERT_EQ(one.transfers.size(), other.transfers.size());
        for (std::size_t t = 0; t < one.transfers.size(); ++t)
        {
            EXPECT_EQ(one.transfers[t].from, other.transfers[t].from);
            EXPECT_EQ(one.transfers[t].to, other.transfers[t].to);
            EXPECT_EQ(one.transfers[t].chunk, other.transfers[t].chunk);
        }
    }
}

TEST(Straggler, AWrongPlanIsFound)
{
    StragglerPlan plan = GetStragglerPlan(8);
    plan.transfers.pop_back();
    EXPECT_EQ(FindMistake(8, plan), "a rank lacks a chunk");
    plan = GetStragglerPlan(8);
    for (StragglerTransfer& it : plan.transfers)
    {
        it.round = it.round == 1 ? 0 : it.round;
    }
    EXPECT_NE(FindMistake(8, plan), "");
}

TEST(Straggler, TheOthersDoWithoutItFirst)
{
    for (uint32_t n = 3; n <= 32; ++n)
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
            EXPECT_EQ(ring.size(), n == 3 ? 1 : n - 1) << "a ring of all others";
            EXPECT_EQ(schedule.GetRounds(), n - 2 + GetStragglerPlan(n).rounds);
        }
    }
}

TEST(Straggler, SendsAsManyBytesAsARingAltogether)
{
    for (uint32_t n = 3; n <= 32; ++n)
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

TEST(Straggler, RefusesFewRanksWithAReason)
{
    for (uint32_t n = 2; n <= 9; ++n)
    {
        EXPECT_EQ(GetStragglAr().GetWhyNot(MakeWithStraggler(n, 0)).empty(), n >= 3);
    }
    EXPECT_NE(GetStragglAr().GetWhyNot(MakeWithStraggler(8, 8)), "");
    EXPECT_EQ(GetStragglAr().GetWhyNot(MakeWithStraggler(2048, 0)), "");
    EXPECT_NE(GetStragglAr().GetWhyNot(MakeWithStraggler(2047, 0)), "");
}
