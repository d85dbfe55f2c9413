/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-dry-run.h"
#include "ns3/job-layout.h"
#include "ns3/job-work.h"
#include "ns3/two-stage-job.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;

TEST(TwoStageJob, EachRankIsInAGroupOfEachParallelismOnItsRail)
{
    const JobPrograms job = TwoStageJob().Make(2);
    ASSERT_EQ(job.ranks.size(), 8U);
    EXPECT_EQ(job.groups.size(), 8U) << "four of each parallelism";
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        ASSERT_EQ(job.ranks[rank].groups.size(), 2U);
        for (const uint32_t group : job.ranks[rank].groups)
        {
            const std::vector<uint32_t>& ranks = job.groups[group].ranks;
            EXPECT_TRUE(AreOnOneRail(ranks, 2));
            EXPECT_EQ(std::set<uint32_t>(ranks.begin(), ranks.end()).count(rank), 1U);
        }
    }
    EXPECT_EQ(FindMisfit(job, 2), "");
}

TEST(TwoStageJob, RanksDoNotWaitForEachOtherForEver)
{
    EXPECT_FALSE(JobDryRun(TwoStageJob().Make(1), true).IsStuck());
}

TEST(TwoStageJob, BackwardTakesTwiceTheTimeOfForward)
{
    TwoStageJob job;
    job.iterations = 3;
    const int64_t forward = job.forward.GetTimeStep();
    EXPECT_EQ(FindMostComputing(job.Make(1)).GetTimeStep(), 3 * 2 * (forward + 2 * forward));
}
