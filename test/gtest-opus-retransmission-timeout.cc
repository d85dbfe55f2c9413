/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The formulas of RFC 6298, section 2, worked out by hand in picoseconds.

#include "ns3/retransmission-timeout.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr Picoseconds US = 1'000'000;
constexpr Picoseconds MS = 1000 * US;

} // namespace

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

TEST(OpusRetransmissionTimeout, EqualRoundTripsLeadToThatTimeAndNoLess)
{
    RetransmissionTimeout timeout(MS);
    for (int i = 0; i < 200; ++i)
    {
        timeout.Measure(5 * MS);
    }
    // RTTVAR = (3 RTTVAR) / 4, rounded down, is 0 in the end
    EXPECT_EQ(timeout.Get(), 5 * MS);
    for (int i = 0; i < 500; ++i)
    {
        timeout.Measure(US);
    }
    EXPECT_EQ(timeout.Get(), MS) << "the least";
}

TEST(OpusRetransmissionTimeout, IsTwiceAsLongAfterEachThatExpiresUntilARoundTripIsMeasured)
{
    RetransmissionTimeout timeout(MS);
    timeout.Measure(US);
    for (Picoseconds waited = MS; waited < 100 * MS; waited *= 2)
    {
        ASSERT_EQ(timeout.Get(), waited);
        timeout.Expire(waited);
        timeout.Expire(waited); // of another datagram that was sent at the same time
        timeout.Expire(MS);     // and of one that was sent before
    }
    EXPECT_EQ(timeout.GetMeasured(), MS);
    timeout.Measure(US);
    EXPECT_EQ(timeout.Get(), MS);
}

TEST(OpusRetransmissionTimeout, IsNeverLongerThanAMinuteUnlessTheLeastIs)
{
    RetransmissionTimeout timeout(MS);
    timeout.Expire(RetransmissionTimeout::MOST);
    EXPECT_EQ(timeout.Get(), 60'000 * MS);
    RetransmissionTimeout hour(3'600'000 * MS);
    hour.Expire(3'600'000 * MS);
    EXPECT_EQ(hour.Get(), 3'600'000 * MS);
}

TEST(OpusRetransmissionTimeout, BeginsAnewWhenItIsCleared)
{
    RetransmissionTimeout timeout(MS);
    timeout.Measure(10 * MS);
    timeout.Expire(20 * MS);
    timeout.Clear();
    EXPECT_EQ(timeout.Get(), MS);
    timeout.Measure(2 * MS);
    EXPECT_EQ(timeout.Get(), (2 + 4) * MS) << "as after a first measurement";
}
