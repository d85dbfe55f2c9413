/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ack-timer.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(AckTimer, RunsFromTheLastBitOfTheOldestRequestOrTheLatestProgress)
{
    AckTimer timer;
    EXPECT_EQ(timer.GetDeadline(100), NEVER);
    timer.Add(3, 1000);
    timer.Add(7, 2000);
    EXPECT_EQ(timer.GetDeadline(100), 1000 + 100);
    timer.Restart(1500);
    EXPECT_EQ(timer.GetDeadline(100), 1500 + 100);
    timer.ForgetUpTo(7);
    EXPECT_EQ(timer.GetDeadline(100), 2000 + 100);
    timer.ForgetUpTo(8);
    EXPECT_EQ(timer.GetDeadline(100), NEVER);
}

TEST(AckTimer, ARepeatedFrameComesBeforeThoseWithLargerNumbers)
{
    AckTimer timer;
    timer.Add(7, 2000);
    timer.Add(3, 3000);
    EXPECT_EQ(timer.GetDeadline(100), 3000 + 100);
    timer.ForgetUpTo(4);
    EXPECT_EQ(timer.GetDeadline(100), 2000 + 100);
}

TEST(AckTimer, RestsWithoutCarrierAndBeginsAgainWithIt)
{
    AckTimer timer;
    timer.Add(3, 1000);
    timer.SetCarrier(false, 1050);
    EXPECT_EQ(timer.GetDeadline(100), NEVER);
    timer.SetCarrier(true, 5000);
    EXPECT_EQ(timer.GetDeadline(100), 5000 + 100);
}

TEST(AckTimer, KeepsOnlyTheRequestsThatAreStillMeant)
{
    AckTimer timer;
    timer.Add(3, 1000);
    timer.Add(5, 2000);
    timer.Add(7, 3000);
    timer.KeepOnly([](uint64_t frame) { return frame != 3; });
    EXPECT_EQ(timer.GetDeadline(100), 2000 + 100);
}
