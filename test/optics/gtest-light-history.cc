/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/light-history.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

PathCheck
Check(const LightHistory<int>& history, Picoseconds first, Picoseconds last)
{
    int label = 0;
    return history.Check(first, last, label);
}

} // namespace

TEST(LightHistory, AFrameNeedsLightFromFirstBitToLast)
{
    LightHistory<int> history;
    EXPECT_EQ(Check(history, 1, 2), PathCheck::DARK);
    history.Rise(100, 1);
    EXPECT_EQ(Check(history, 99, 150), PathCheck::DARK);
    EXPECT_EQ(Check(history, 100, 150), PathCheck::WHOLE);
    history.Fall(200);
    EXPECT_EQ(Check(history, 150, 200), PathCheck::WHOLE);
    EXPECT_EQ(Check(history, 150, 201), PathCheck::CUT);
    EXPECT_EQ(Check(history, 200, 250), PathCheck::DARK);
}

TEST(LightHistory, AnotherIntervalIsAnotherLight)
{
    LightHistory<int> history;
    history.Rise(100, 1);
    history.Fall(200);
    history.Rise(200, 2); // reconfigured in no time
    EXPECT_EQ(Check(history, 150, 250), PathCheck::OTHER);
    int label = 0;
    EXPECT_EQ(history.Check(200, 250, label), PathCheck::WHOLE);
    EXPECT_EQ(label, 2);
    EXPECT_EQ(history.Check(150, 200, label), PathCheck::WHOLE);
    EXPECT_EQ(label, 1);
}

TEST(LightHistory, AgreesWithAListOfAllIntervals)
{
    struct Lit
    {
        Picoseconds from;
        Picoseconds to;
        int label;
    };

    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round)
    {
        LightHistory<int> history;
        std::vector<Lit> all;
        Picoseconds now = 0;
        for (int label = 1; label <= 20; ++label)
        {
            now += random() % 3 * 7; // often at the very instant
            history.Rise(now, label);
            all.push_back({now, NEVER, label});
            now += random() % 50;
            history.Fall(now);
            all.back().to = now;
        }
        for (int i = 0; i < 200; ++i)
        {
            const Picoseconds first = random() % (now + 10);
            const Picoseconds last = first + 1 + random() % 40;
            int expected = 0;
            for (const Lit& lit : all)
            {
                if (lit.from <= first && last <= lit.to)
                {
                    expected = lit.label;
                }
            }
            int label = 0;
            const bool whole = history.Check(first, last, label) == PathCheck::WHOLE;
            ASSERT_EQ(whole, expected != 0);
            if (whole)
            {
                ASSERT_EQ(label, expected);
            }
        }
    }
}
