/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/traffic-matrix.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

using namespace ns3;

TEST(TrafficMatrix, HasWhatWasSetAndElseNothing)
{
    std::mt19937 random(7);
    for (uint32_t run = 0; run < 200; ++run)
    {
        const uint32_t ranks = 1 + random() % 9;
        TrafficMatrix matrix(ranks);
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> expected;
        for (uint32_t i = 0; i < 30; ++i)
        {
            const std::pair<uint32_t, uint32_t> pair(random() % ranks, random() % ranks);
            const uint64_t bytes = random() % 4;
            matrix.Set(pair.first, pair.second, bytes);
            expected[pair] = bytes;
        }
        EXPECT_EQ(matrix.GetRanks(), ranks);
        for (uint32_t from = 0; from < ranks; ++from)
        {
            for (uint32_t to = 0; to < ranks; ++to)
            {
                EXPECT_EQ(matrix.Get(from, to), (expected[{from, to}]));
            }
        }
    }
}
