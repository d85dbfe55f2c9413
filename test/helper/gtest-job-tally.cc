/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-tally.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(JobTally, AMeanIsOfWhatCameSinceATally)
{
    JobTally first;
    first.end = ToTime(100);
    first.messages = 7;
    JobTally last;
    last.end = ToTime(400);
    last.exposed = ToTime(90);
    last.messages = 37;
    const JobTally mean = last.Since(first).GetMean(3);
    EXPECT_EQ(mean.end, ToTime((400 - 100) / 3));
    EXPECT_EQ(mean.exposed, ToTime(90 / 3));
    EXPECT_EQ(mean.messages, (37U - 7U) / 3);
    EXPECT_EQ(mean.reconfigurations, 0U);
}
