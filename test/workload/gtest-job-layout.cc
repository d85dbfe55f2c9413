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

TEST(JobLayout, ASendStaysOnItsRail)
{
    const auto makeJob = [](uint32_t to) {
        RankProgram sends;
        sends.Send(0, 0, 1, 4096);
        const auto idle = std::make_shared<const RankProgram>();
        JobPrograms job;
        job.groups = {{"pair", {0, to}}};
        job.ranks = {{std::make_shared<const RankProgram>(sends), {0}},
                     {idle, {}},
                     {idle, {}},
                     {idle, {}}};
        return job;
    };
    EXPECT_EQ(FindMisfit(makeJob(2), 2), "") << "GPU 0 of either server";
    EXPECT_NE(FindMisfit(makeJob(3), 2).find("sends to rank 3, on rail 1"), std::string::npos);
    EXPECT_EQ(FindMisfit(makeJob(3), 1), "") << "a GPU a server: there is one rail";
    EXPECT_NE(FindMisfit(makeJob(2), 3).find("no whole servers of 3"), std::string::npos);
}
