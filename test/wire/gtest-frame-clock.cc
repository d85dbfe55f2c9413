/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The rules of time on one wire, from their definition: with C bytes since the anchor A, the next
// frame starts at A + ceil(8 C 10^12 / rate), and a frame's last bit is at
// A + ceil(8 (C - 12) 10^12 / rate).

#include "wire-times.h"

#include "ns3/frame-clock.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

} // namespace

TEST(FrameClock, FollowsTheDefinitionAtEveryRate)
{
    std::mt19937_64 random(1);
    for (const uint64_t rate : {1ULL,
                                10'000'000'000ULL,
                                100'000'000'000ULL,
                                400'000'000'000ULL,
                                425'000'000'000ULL,
                                800'000'000'000ULL,
                                1'600'000'000'000ULL,
                                999'999'999'989ULL})
    {
        FrameClock clock(rate);
        const Picoseconds anchor = 12'345;
        clock.Start(anchor);
        uint64_t bytes = 0;
        for (int i = 0; i < 2000; ++i)
        {
            const uint64_t size = 84 + random() % 9000;
            const FrameTimes times = clock.Append(size);
            ASSERT_EQ(times.first, anchor + Ceiling(bytes, rate)) << rate;
            bytes += size;
            ASSERT_EQ(times.last, anchor + Ceiling(bytes - 12, rate)) << rate;
            ASSERT_EQ(times.next, anchor + Ceiling(bytes, rate)) << rate;
            if (rate == 1 && i == 100)
            {
                break; // at 1 b/s, 106 days of picoseconds are over soon
            }
        }
        EXPECT_EQ(clock.GetBytes(), bytes);
    }
}

TEST(FrameClock, DoesNotDriftAt425Gigabits)
{
    // a frame of 4178 bytes lasts 8 * 4178 / 0.425 = 78,644.7.. ps; a period rounded to a
    // picosecond would be 294 ns late or 706 ns early after a million frames
    FrameClock clock(425'000'000'000);
    clock.Start(0);
    FrameTimes times{};
    for (int i = 0; i < 1'000'000; ++i)
    {
        times = clock.Append(4178);
    }
    EXPECT_EQ(times.next, Ceiling(4'178'000'000ULL, 425'000'000'000ULL));
    EXPECT_NE(times.next, 1'000'000LL * Ceiling(4178, 425'000'000'000ULL));
}

TEST(FrameClock, CountsTerabytesWithoutOverflow)
{
    // 2^50 bytes times 8 * 10^12 does not fit into 64 bits
    FrameClock clock(425'000'000'000);
    clock.Start(7);
    const uint64_t bytes = uint64_t{1} << 50;
    EXPECT_EQ(clock.Append(bytes).next, 7 + Ceiling(bytes, 425'000'000'000ULL));
}

TEST(FrameClock, OnlyStartResetsTheAnchor)
{
    FrameClock clock(425'000'000'000);
    clock.Start(100);
    const FrameTimes one = clock.Append(84);
    const FrameTimes two = clock.Append(84);
    // from one anchor, two frames take ceil(2 x), not 2 ceil(x): 2 * 1581.17.. is 3163, not 3164
    EXPECT_EQ(one.next - 100, 1582);
    EXPECT_EQ(two.next - 100, 3163);
    clock.Start(one.next);
    EXPECT_EQ(clock.Append(84).next - 100, 3164);
}

TEST(FrameClock, GapFollowsTheLastBit)
{
    FrameClock clock(100'000'000'000);
    clock.Start(0);
    const FrameTimes times = clock.Append(84);
    EXPECT_EQ(times.last, 72 * 80); // 72 bytes of 80 ps each
    EXPECT_EQ(times.next, 84 * 80);
}

TEST(FrameClockDeathTest, RateOfZero)
{
    EXPECT_DEATH(FrameClock(0), "at least 1 b/s");
}
