/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/traffic-path.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3;

namespace
{

/** The path of an algorithm of six ranks, each on a server of its own. */
TrafficPath
PathOf(CollectiveKind kind, const std::string& algorithm)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = 6;
    parameters.ports = 2;
    const auto schedule = CollectiveAlgorithm::GetSchedule(algorithm, parameters);
    return GetTrafficPath(*schedule, schedule->GetStages().size());
}

} // namespace

TEST(TrafficPath, FollowsFromStagesAndForwarding)
{
    using Kind = CollectiveKind;
    EXPECT_EQ(PathOf(Kind::ALL_REDUCE, "ring"), TrafficPath::CIRCUITS)
        << "its ranks forward sums, as the operation needs";
    EXPECT_EQ(PathOf(Kind::ALL_TO_ALL, "direct"), TrafficPath::CIRCUITS);
    EXPECT_EQ(PathOf(Kind::ALL_TO_ALL, "ring"), TrafficPath::RING);
    EXPECT_EQ(PathOf(Kind::ALL_TO_ALL, "matchings"), TrafficPath::MATCHINGS);
}

TEST(TrafficPath, WithoutPairsOnRailsItIsInside)
{
    CollectiveParameters parameters;
    parameters.ranks = 4;
    const auto ring = CollectiveAlgorithm::GetSchedule("ring", parameters);
    EXPECT_EQ(GetTrafficPath(*ring, 0), TrafficPath::INSIDE);
}

TEST(TrafficPath, NamesDiffer)
{
    std::set<std::string> names;
    for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
    {
        names.insert(ToString(static_cast<TrafficPath>(p)));
    }
    EXPECT_EQ(names.size(), TRAFFIC_PATHS);
}
