/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The earliest of several instants, against a search through all of them.

#include "ns3/earliest-of.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

TEST(EarliestOf, IsThatOfASearch)
{
    std::mt19937_64 draw(1);
    for (std::size_t members = 1; members <= 40; ++members)
    {
        EarliestOf earliest(members);
        EXPECT_EQ(earliest.GetEarliest(), NEVER);
        std::vector<Picoseconds> all(members, NEVER);
        for (uint32_t change = 0; change < 500; ++change)
        {
            const std::size_t member = draw() % members;
            all[member] = draw() % 5 == 0 ? NEVER : static_cast<Picoseconds>(draw() % 50);
            earliest.Set(member, all[member]);
            const auto first = std::min_element(all.begin(), all.end());
            ASSERT_EQ(earliest.GetEarliest(), *first);
            ASSERT_EQ(earliest.FindFirst(), static_cast<std::size_t>(first - all.begin()));
            ASSERT_EQ(earliest.Get(member), all[member]);
        }
    }
}
