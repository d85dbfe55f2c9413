/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/opus-limits.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(OpusLimits, AJobThatDoesNotWaitHasTheLimitsThemselves)
{
    UsePicoseconds();
    const OpusLimits limits = OpusLimits().GetWith({});
    EXPECT_EQ(limits.program, Seconds(10));
    EXPECT_EQ(limits.votes, Seconds(30));
    EXPECT_EQ(limits.stall, Seconds(300));
}

TEST(OpusLimits, APlanWaitsForReconfigurationsAndAPhaseForPlansAndComputing)
{
    UsePicoseconds();
    OpusWaits waits;
    waits.reconfiguration = Seconds(2);
    waits.reconfigurations = 5;
    waits.plans = 3;
    waits.computing = Seconds(7);
    waits.halvesOfGivingUp = 3;
    waits.halvesOfStall = 4;
    const OpusLimits limits = OpusLimits().GetWith(waits);
    const Time plan = Seconds(5 * 2);
    const Time phase = Seconds(3 * 5 * 2 + 7);
    EXPECT_EQ(limits.program, OpusLimits().program + plan);
    EXPECT_EQ(limits.votes, OpusLimits().votes + phase);
    EXPECT_EQ(limits.ports, OpusLimits().ports + phase);
    EXPECT_EQ(limits.traffic, OpusLimits().traffic + phase);
    EXPECT_EQ(limits.givingUp, OpusLimits().givingUp + phase + MilliSeconds(37'000 / 2));
    EXPECT_EQ(limits.stall, OpusLimits().stall + phase + phase);
}

TEST(OpusLimits, WaitsThatHaveNoEndGiveLimitsThatHaveNone)
{
    UsePicoseconds();
    OpusWaits waits;
    waits.reconfiguration = Time::Max();
    const OpusLimits limits = OpusLimits().GetWith(waits);
    EXPECT_EQ(limits.program, Time::Max());
    EXPECT_EQ(limits.stall, Time::Max());
}
