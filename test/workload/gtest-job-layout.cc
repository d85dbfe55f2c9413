/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-layout.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(JobLayout, RanksOfAServerStandNextToEachOther)
{
    EXPECT_EQ(CountRanksPerServer({0, 1, 4, 5}, 4), 2U);
    EXPECT_EQ(CountRanksPerServer({4, 5, 0, 1}, 4), 2U);
    EXPECT_EQ(CountRanksPerServer({0, 4, 8}, 4), 1U);
    EXPECT_EQ(CountRanksPerServer({0, 1, 2, 3}, 4), 4U);
    EXPECT_EQ(CountRanksPerServer({0, 1, 4}, 4), 1U) << "two of one server, one of the other";
    EXPECT_EQ(CountRanksPerServer({0, 4, 1, 5}, 4), 1U) << "not next to each other";
}

TEST(JobLayout, ARailIsTheGpusOfOnePlaceInTheirServers)
{
    EXPECT_TRUE(AreOnOneRail({1, 5, 9}, 4));
    EXPECT_FALSE(AreOnOneRail({1, 5, 8}, 4));
    EXPECT_TRUE(AreInOneServer({4, 7, 5}, 4));
    EXPECT_FALSE(AreInOneServer({3, 4}, 4));
}

TEST(JobLayout, RanksFillServers)
{
    JobPrograms job;
    job.ranks.resize(4);
    for (const uint32_t perServer : {1, 2, 4})
    {
        EXPECT_EQ(FindMisfit(job, perServer), "");
    }
    EXPECT_NE(FindMisfit(job, 3).find("4 ranks, which are no whole servers of 3"),
              std::string::npos);
}
