/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// DCQCN against the equations of the paper (SIGCOMM 2015, section 3.1 and figure 7), worked out
// here in real numbers.

#include "../support/time-units.h"

#include "ns3/dcqcn.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

TEST(Dcqcn, SendsAtLineRateUntilTheFirstNotification)
{
    Dcqcn dcqcn(DcqcnSettings{});
    EXPECT_EQ(dcqcn.OnSent(5 * US, 4178), ALWAYS_BEFORE);
    EXPECT_EQ(dcqcn.GetRate(), 400'000'000'000U);
}

TEST(Dcqcn, ANotificationCutsByHalfOfAlpha)
{
    DcqcnSettings settings;
    Dcqcn dcqcn(settings);
    double rate = settings.lineRate;
    double alpha = 1;
    Picoseconds now = US;
    for (int i = 0; i < 5; ++i)
    {
        dcqcn.OnCongestion(now);
        dcqcn.Advance(now + 1);
        rate *= 1 - alpha / 2;
        alpha = (1 - 1.0 / 256) * alpha + 1.0 / 256;
        EXPECT_NEAR(dcqcn.GetRate(), std::max<double>(rate, settings.minimumRate), 2);
        EXPECT_NEAR(dcqcn.GetAlpha() / 4294967296.0, alpha, 1e-8);
        now += 10 * US; // less than K and T: nothing recovers meanwhile
    }
}

TEST(Dcqcn, ANotificationAtTheInstantOfAFrameCountsForTheNext)
{
    Dcqcn dcqcn(DcqcnSettings{});
    dcqcn.OnCongestion(7 * US);
    EXPECT_EQ(dcqcn.OnSent(7 * US, 4178), ALWAYS_BEFORE);
    EXPECT_NE(dcqcn.OnSent(7 * US + 1, 4178), ALWAYS_BEFORE);
}

TEST(Dcqcn, WithoutTimersOnlyBytesRaiseTheRate)
{
    DcqcnSettings settings;
    settings.alphaTimer = NEVER;
    settings.rateTimer = NEVER;
    Dcqcn dcqcn(settings);
    dcqcn.OnCongestion(100);
    dcqcn.OnSent(200, 1'000); // the notification counts
    const uint64_t reduced = dcqcn.GetRate();
    EXPECT_LT(reduced, settings.lineRate);
    dcqcn.OnSent(Picoseconds{3600} * 1'000'000'000'000, 1'000);
    EXPECT_EQ(dcqcn.GetRate(), reduced) << "an hour later";
    dcqcn.OnSent(Picoseconds{3601} * 1'000'000'000'000, settings.byteCounter);
    EXPECT_GT(dcqcn.GetRate(), reduced);
}

TEST(Dcqcn, FramesKeepTheDistanceOfTheRate)
{
    DcqcnSettings settings;
    Dcqcn dcqcn(settings);
    dcqcn.OnCongestion(0);
    // half of 400 Gb/s: a byte lasts 40 ps
    Picoseconds first = US;
    for (int i = 1; i <= 50; ++i)
    {
        first = dcqcn.OnSent(first, 4178);
        EXPECT_EQ(first, US + i * 4178 * 40);
    }
    // after a pause a new anchor
    EXPECT_EQ(dcqcn.OnSent(30 * US, 1000), 30 * US + 1000 * 40);
}

TEST(Dcqcn, RecoversFastThenAdditivelyThenFaster)
{
    DcqcnSettings settings;
    Dcqcn dcqcn(settings);
    dcqcn.OnCongestion(0);
    dcqcn.OnCongestion(1);
    dcqcn.Advance(2);
    // the second cut made the rate after the first the target
    double rate = dcqcn.GetRate();
    double target = dcqcn.GetTarget();
    EXPECT_NEAR(target, 200e9, 1);
    const auto at = [&settings](int round) { return 1 + round * settings.rateTimer; };
    for (int round = 1; round <= 20; ++round)
    {
        dcqcn.Advance(at(round) + 1);
        if (round > 5)
        {
            target += settings.additiveStep; // by time alone: never hyper increase
        }
        rate = (rate + target) / 2;
        EXPECT_NEAR(dcqcn.GetRate(), rate, 20) << round;
        EXPECT_NEAR(dcqcn.GetTarget(), target, 20) << round;
    }
    // volume too: B bytes each; after 5 rounds of both, hyper increase
    uint64_t before = dcqcn.GetTarget();
    Picoseconds now = at(20) + 2;
    for (int round = 1; round <= 7; ++round)
    {
        dcqcn.OnSent(now, settings.byteCounter);
        const uint64_t step = round <= 5 ? settings.additiveStep : (round - 5) * settings.hyperStep;
        EXPECT_EQ(dcqcn.GetTarget(), before + step) << round;
        before = dcqcn.GetTarget();
    }
}

TEST(Dcqcn, AlphaFallsWithoutNotifications)
{
    DcqcnSettings settings;
    Dcqcn dcqcn(settings);
    dcqcn.OnCongestion(0);
    dcqcn.Advance(1);
    const double alpha = dcqcn.GetAlpha();
    dcqcn.Advance(100 * settings.alphaTimer + 1);
    EXPECT_NEAR(dcqcn.GetAlpha() / alpha, std::pow(1 - 1.0 / 256, 100), 1e-5);
    // and no further than it can, however long that is
    dcqcn.Advance(Picoseconds{1'000'000} * 1'000'000'000);
    EXPECT_LT(dcqcn.GetAlpha(), 256U);
}

TEST(Dcqcn, NeverBelowTheMinimumAndBackToLineRate)
{
    DcqcnSettings settings;
    Dcqcn dcqcn(settings);
    for (int i = 0; i < 100; ++i)
    {
        dcqcn.OnCongestion(i);
    }
    dcqcn.Advance(1000);
    EXPECT_EQ(dcqcn.GetRate(), settings.minimumRate);
    dcqcn.Advance(Picoseconds{10} * 1'000'000'000'000);
    EXPECT_EQ(dcqcn.GetRate(), settings.lineRate);
}
