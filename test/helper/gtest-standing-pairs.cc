/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/standing-pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

CollectiveParameters
MakeOf(uint32_t ranks, uint32_t ports, CollectiveKind kind = CollectiveKind::ALL_REDUCE)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.ports = ports;
    parameters.channels = 2;
    parameters.bidirectional = true;
    return parameters;
}

uint32_t
GetDegree(const std::vector<RankPair>& pairs)
{
    std::map<uint32_t, uint32_t> partners;
    uint32_t most = 0;
    for (const auto& [one, other] : pairs)
    {
        most = std::max({most, ++partners[one], ++partners[other]});
    }
    return most;
}

} // namespace

TEST(StandingPairs, WithoutANameTheyAreARing)
{
    EXPECT_EQ(ChooseStandingPairs(MakeOf(4, 2), ""),
              (std::vector<RankPair>{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
    EXPECT_EQ(ChooseStandingPairs(MakeOf(3, 3), ""),
              (std::vector<RankPair>{{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(ChooseStandingPairs(MakeOf(2, 1), ""), (std::vector<RankPair>{{0, 1}}));
    EXPECT_TRUE(ChooseStandingPairs(MakeOf(3, 1), "").empty()); // one port is on no ring
}

TEST(StandingPairs, AnAlgorithmOfOneStageHasItsOwnWhereItsPartnersFit)
{
    // all with all: each of 4 ranks has 3 partners
    EXPECT_EQ(ChooseStandingPairs(MakeOf(4, 3, CollectiveKind::ALL_GATHER), "direct").size(), 6U);
    EXPECT_EQ(ChooseStandingPairs(MakeOf(4, 2, CollectiveKind::ALL_GATHER), "direct").size(), 4U);
    // 3 ports, 8 ranks: 8 * 3 ends of links
    const std::vector<RankPair> rings = ChooseStandingPairs(MakeOf(8, 3), "multi-ring");
    EXPECT_EQ(rings.size(), 12U);
    EXPECT_EQ(GetDegree(rings), 3U);
    // a rank is in the middle of one tree and a leaf of the other: 4 partners
    EXPECT_GT(GetDegree(ChooseStandingPairs(MakeOf(16, 4), "tree")), 2U);
    EXPECT_EQ(GetDegree(ChooseStandingPairs(MakeOf(16, 2), "tree")), 2U);
}

TEST(StandingPairs, AnAlgorithmOfSeveralStagesOrForOtherRanksLeavesTheRing)
{
    const std::vector<RankPair> ring = ChooseStandingPairs(MakeOf(8, 4), "");
    EXPECT_EQ(ChooseStandingPairs(MakeOf(8, 4), "halving-doubling"), ring);
    EXPECT_EQ(ChooseStandingPairs(MakeOf(8, 4), "hierarchical"), ring);
}
