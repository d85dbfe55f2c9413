/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ranks and rails of a phase, by the pairs that ranks name and by its group.

#include "opus-controller-parts.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

} // namespace

TEST(PhaseRanks, TheRanksAndRailsOfNamedPairsTakePart)
{
    Parts parts;
    ControllerPhase& phase = parts.ranks.Open(Parts::Operation(3), 3, 0).first;
    EXPECT_EQ(parts.ranks.Name(phase, {RankId(0)}, Parts::Chain({0, 1})),
              (std::vector<RankId>{RankId(0), RankId(1)}));
    EXPECT_EQ(parts.ranks.Name(phase, {RankId(1)}, Parts::Chain({0, 1, 2})),
              std::vector<RankId>{RankId(2)})
        << "the others are known";
    EXPECT_EQ(phase.rails, std::set<RailId>{RailId(0)});
}

TEST(PhaseRanks, AGroupCountsWhenItIsCompleteAndAsLargeAsThePhase)
{
    Parts parts;
    ControllerPhase& phase = parts.ranks.Open(Parts::Operation(3), 3, 0).first;
    parts.ranks.Name(phase, {RankId(0)}, Parts::Chain({0, 1}));
    EXPECT_TRUE(parts.ranks.AddGroup(phase).empty()) << "no server has registered it";
    parts.Register(0, {0, 1, 2}, "dp 0");
    EXPECT_EQ(parts.ranks.AddGroup(phase), std::vector<RankId>{RankId(2)});
    ControllerPhase& part = parts.ranks.Open(Parts::Operation(4), 2, 0).first;
    EXPECT_TRUE(parts.ranks.AddGroup(part).empty()) << "two of three ranks; which is not known";
}

TEST(PhaseRanks, APhaseHasTheParallelismOfItsGroup)
{
    Parts parts;
    parts.Register(0, {0, 1}, "dp 0");
    const auto [phase, isNew] = parts.ranks.Open(Parts::Operation(3), 2, 0);
    EXPECT_TRUE(isNew);
    EXPECT_EQ(phase.parallelism, "dp of job 0");
    EXPECT_FALSE(parts.ranks.Open(Parts::Operation(3), 2, 0).second);
}
