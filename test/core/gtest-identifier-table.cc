/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Identifiers in order, compared with a std::map, evenly spaced and not.

#include "ns3/identifier-table.h"
#include "ns3/identifier.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace ns3;

TEST(IdentifierTable, ItHasTheSameEntriesAsAMap)
{
    std::mt19937 random(1);
    for (uint32_t round = 0; round < 200; ++round)
    {
        const uint32_t step = 1 + random() % 8;
        const uint32_t offset = random() % 1000;
        const bool isEven = round % 2 == 0;
        IdentifierTable<RankId, uint32_t> table;
        std::map<RankId, uint32_t> reference;
        for (uint32_t i = 0; i < 60; ++i)
        {
            const RankId rank(offset + (isEven ? step * (random() % 40) : random() % 300));
            const auto [value, isNew] = table.Add(rank);
            EXPECT_EQ(isNew, reference.count(rank) == 0);
            EXPECT_EQ(value, reference[rank]) << "0 if it is new";
            value += i;
            reference[rank] += i;
        }
        std::vector<RankId> ranks;
        std::vector<uint32_t> values;
        for (const auto& [rank, value] : reference)
        {
            ranks.push_back(rank);
            values.push_back(value);
        }
        EXPECT_EQ(table.GetIds(), ranks);
        EXPECT_EQ(table.GetValues(), values);
        for (uint32_t rank = 0; rank < 1400; ++rank)
        {
            const uint32_t* found = table.Find(RankId(rank));
            const auto expected = reference.find(RankId(rank));
            ASSERT_EQ(found != nullptr, expected != reference.end());
            ASSERT_TRUE(!found || *found == expected->second);
        }
    }
}

TEST(IdentifierTable, TheGreatestIdentifiersAreFound)
{
    IdentifierSet<RankId> set;
    EXPECT_FALSE(set.Has(RankId(0))) << "it is empty";
    for (const uint32_t rank : {UINT32_MAX, 0U, UINT32_MAX - 1})
    {
        EXPECT_TRUE(set.Add(RankId(rank)).second);
        EXPECT_FALSE(set.Add(RankId(rank)).second);
    }
    EXPECT_TRUE(set.Has(RankId(UINT32_MAX - 1)));
    EXPECT_FALSE(set.Has(RankId(UINT32_MAX - 2)));
    EXPECT_EQ(set.Find(RankId(1)), set.size());
}
