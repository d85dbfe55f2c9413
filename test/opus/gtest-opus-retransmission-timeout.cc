/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The formulas of RFC 6298, section 2, worked out by hand in picoseconds.

#include "../support/time-units.h"

#include "ns3/retransmission-timeout.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(OpusRetransmissionTimeout, IsTheLeastBeforeAnythingIsMeasured)
{
    EXPECT_EQ(RetransmissionTimeout(MS).Get(), MS);
}

TEST(OpusRetransmissionTimeout, FollowsTheFormulas)
{
    RetransmissionTimeout timeout(1);
    timeout.Measure(800 * US); // SRTT = R, RTTVAR = R / 2
    EXPECT_EQ(timeout.Get(), (800 + 4 * 400) * US);
    timeout.Measure(1600 * US);
    // RTTVAR = 3/4 * 400 + 1/4 * |800 - 1600| = 500, SRTT = 7/8 * 800 + 1/8 * 1600 = 900
    EXPECT_EQ(timeout.Get(), (900 + 4 * 500) * US);
    timeout.Measure(100 * US);
    // RTTVAR = 3/4 * 500 + 1/4 * |900 - 100| = 575, SRTT = 7/8 * 900 + 1/8 * 100 = 800
    EXPECT_EQ(timeout.Get(), (800 + 4 * 575) * US);
}

TEST(OpusRetransmissionTimeout, EqualRoundTripsLeadToALittleMoreThanThat)
{
    RetransmissionTimeout timeout(MS);
    for (int i = 0; i < 200; ++i)
    {
        timeout.Measure(5 * MS);
    }
    // RTTVAR = (3 RTTVAR) / 4, rounded down, is 0 in the end, and a tenth of 1 ms is left
    EXPECT_EQ(timeout.Get(), 5 * MS + 100 * US);
    for (int i = 0; i < 500; ++i)
    {
        timeout.Measure(US);
    }
    EXPECT_EQ(timeout.Get(), MS) << "the least";
}

TEST(OpusRetransmissionTimeout, IsTwiceAsLongEachTimeThatItExpires)
{
    RetransmissionTimeout timeout(MS);
    timeout.Measure(US);
    EXPECT_EQ(timeout.Double(timeout.Get()), 2 * MS);
    EXPECT_EQ(timeout.Double(2 * MS), 4 * MS);
    EXPECT_EQ(timeout.Get(), MS) << "what was not sent yet does not wait longer";
    timeout.Measure(400 * MS); // meanwhile
    EXPECT_EQ(timeout.Double(4 * MS), timeout.Get());
}

TEST(OpusRetransmissionTimeout, IsNeverLongerThanAMinuteUnlessTheLeastIs)
{
    RetransmissionTimeout timeout(MS);
    EXPECT_EQ(timeout.Double(40'000 * MS), 60'000 * MS);
    timeout.Measure(100'000 * MS);
    EXPECT_EQ(timeout.Get(), 60'000 * MS);
    const RetransmissionTimeout hour(3'600'000 * MS);
    EXPECT_EQ(hour.Double(3'600'000 * MS), 3'600'000 * MS);
}

TEST(OpusRetransmissionTimeout, BeginsAnewWhenItIsCleared)
{
    RetransmissionTimeout timeout(MS);
    timeout.Measure(10 * MS);
    timeout.Clear();
    EXPECT_EQ(timeout.Get(), MS);
    timeout.Measure(2 * MS);
    EXPECT_EQ(timeout.Get(), (2 + 4) * MS) << "as after a first measurement";
}
