/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ring-grid.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

// Which ranks of a grid are in a ring.

using namespace ns3;

using Rings = std::vector<std::vector<uint32_t>>;

TEST(RingGrid, RowsAndColumns)
{
    const RingGrid grid(2, 3);
    EXPECT_EQ(grid.GetRanks(), 9U);
    EXPECT_EQ(grid.ListRings(0), (Rings{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
    EXPECT_EQ(grid.ListRings(1), (Rings{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}));
}

TEST(RingGrid, EachRankIsInOneRingOfEachParallelism)
{
    const RingGrid grid(3, 4);
    for (const uint32_t parallelism : {0, 1, 2})
    {
        std::vector<uint32_t> times(grid.GetRanks(), 0);
        for (const auto& ring : grid.ListRings(parallelism))
        {
            EXPECT_EQ(ring.size(), 4U);
            for (const uint32_t rank : ring)
            {
                ++times[rank];
            }
        }
        EXPECT_EQ(std::count(times.begin(), times.end(), 1), 64) << parallelism;
    }
}
