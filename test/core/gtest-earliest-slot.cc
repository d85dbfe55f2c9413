/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The earliest of many slots, beside a search through all of them.

#include "ns3/earliest-slot.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

TEST(EarliestSlot, IsTheFirstOfTheLeastAsASearchFindsIt)
{
    std::mt19937 random(1);
    for (const std::size_t slots : {1, 2, 3, 7, 8, 9, 48})
    {
        EarliestSlot earliest(slots);
        std::vector<Picoseconds> all(slots, NEVER);
        EXPECT_EQ(earliest.GetFirst(), 0U) << slots << " slots, all NEVER";
        for (uint32_t change = 0; change < 2000; ++change)
        {
            const std::size_t slot = random() % slots;
            all[slot] = random() % 8 == 0 ? NEVER : Picoseconds(random() % 10); // many are equal
            earliest.Set(slot, all[slot]);
            const auto expected = std::min_element(all.begin(), all.end()) - all.begin();
            ASSERT_EQ(earliest.GetFirst(), static_cast<std::size_t>(expected))
                << slots << " slots, change " << change;
            ASSERT_EQ(earliest.Get(slot), all[slot]);
        }
    }
}
