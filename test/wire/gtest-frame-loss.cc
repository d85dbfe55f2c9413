/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/frame-loss.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

TEST(FrameLoss, IsAFunctionOfSeedWireAndOrdinal)
{
    const FrameLoss one(1, 2, 0.5);
    const FrameLoss same(1, 2, 0.5);
    const FrameLoss otherSeed(2, 2, 0.5);
    const FrameLoss otherWire(1, 3, 0.5);
    int seedDiffers = 0;
    int wireDiffers = 0;
    for (uint64_t i = 10'000; i-- > 0;) // backwards: no state is drawn from
    {
        ASSERT_EQ(one.IsLost(i), same.IsLost(i));
        seedDiffers += one.IsLost(i) != otherSeed.IsLost(i);
        wireDiffers += one.IsLost(i) != otherWire.IsLost(i);
    }
    // two independent fair coins differ half of the time; 5 standard deviations are 250
    EXPECT_NEAR(seedDiffers, 5000, 250);
    EXPECT_NEAR(wireDiffers, 5000, 250);
}

TEST(FrameLoss, LosesTheConfiguredShare)
{
    for (const double rate : {0.001, 0.02, 0.3})
    {
        const FrameLoss loss(7, 8, rate);
        const int frames = 1'000'000;
        int lost = 0;
        int lostAfterALoss = 0;
        for (int i = 0; i < frames; ++i)
        {
            lost += loss.IsLost(i);
            lostAfterALoss += loss.IsLost(i) && loss.IsLost(i + 1);
        }
        const double deviation = std::sqrt(frames * rate * (1 - rate));
        EXPECT_NEAR(lost, frames * rate, 5 * deviation);
        // neighbors are independent
        EXPECT_NEAR(lostAfterALoss, frames * rate * rate, 5 * std::sqrt(frames) * rate);
    }
}

TEST(FrameLoss, NoneAndAll)
{
    const FrameLoss none(1, 1, 0);
    const FrameLoss all(1, 1, 1);
    for (uint64_t i = 0; i < 1000; ++i)
    {
        EXPECT_FALSE(none.IsLost(i));
        EXPECT_TRUE(all.IsLost(i));
    }
}

TEST(FrameLossDeathTest, RateOutOfRange)
{
    EXPECT_DEATH(FrameLoss(1, 1, 1.5), "1.5 is not between 0 and 1");
}
