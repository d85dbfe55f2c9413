/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long at least one of several spans lasted.

#include "ns3/span-union.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

TEST(SpanUnion, SpansThatOverlapOrTouchCountOnce)
{
    SpanUnion spans;
    EXPECT_EQ(spans.GetLength(), 0);
    spans.Add(10, 20);
    spans.Add(15, 25);
    EXPECT_EQ(spans.GetLength(), 25 - 10);
    spans.Add(25, 30);
    EXPECT_EQ(spans.GetLength(), 30 - 10);
    spans.Add(12, 13);
    EXPECT_EQ(spans.GetLength(), 30 - 10) << "within another";
    spans.Add(40, 45);
    EXPECT_EQ(spans.GetLength(), (30 - 10) + (45 - 40)) << "apart";
    spans.Add(0, 100);
    EXPECT_EQ(spans.GetLength(), 100) << "around all";
}

TEST(SpanUnion, ItIsWhatIsCoveredInAnyOrder)
{
    std::mt19937 random(1);
    for (uint32_t run = 0; run < 200; ++run)
    {
        SpanUnion spans;
        std::vector<bool> covered(100, false);
        for (uint32_t i = 0; i < 12; ++i)
        {
            const Picoseconds begin = random() % 90;
            const Picoseconds end = begin + random() % 11;
            spans.Add(begin, end);
            Picoseconds length = 0;
            for (Picoseconds instant = 0; instant < 100; ++instant)
            {
                covered[instant] = covered[instant] || (begin <= instant && instant < end);
                length += covered[instant] ? 1 : 0;
            }
            ASSERT_EQ(spans.GetLength(), length);
        }
    }
}

TEST(SpanUnion, WhatIsBeforeAllThatBeginsStillCounts)
{
    SpanUnion spans;
    spans.Add(10, 20);
    spans.Add(30, 40);
    EXPECT_EQ(spans.CountSpans(), 2U);
    spans.BeginAfter(35);
    EXPECT_EQ(spans.CountSpans(), 1U) << "the first is over";
    spans.Add(35, 50);
    EXPECT_EQ(spans.GetLength(), (20 - 10) + (50 - 30));
}
