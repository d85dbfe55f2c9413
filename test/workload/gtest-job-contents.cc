/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-contents.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

TEST(JobContents, OperationsOfAllRanksAddUpByKind)
{
    RankProgram program;
    program.Compute(0, ToTime(1000));
    program.Compute(0, ToTime(500));
    program.Collective(1, 0, CollectiveKind::ALL_REDUCE, 4096);
    program.Send(1, 0, 1, 7);
    const auto shared = std::make_shared<const RankProgram>(program);
    JobPrograms job;
    job.groups = {{"dp 0", {0, 1, 2}}};
    job.ranks = {{shared, {0}}, {shared, {0}}, {shared, {0}}};
    const JobContents contents(job);
    EXPECT_EQ(contents.operations, 3U * 4);
    ASSERT_EQ(contents.kinds.size(), 3U);
    EXPECT_EQ(contents.kinds.at("compute").operations, 3U * 2);
    EXPECT_EQ(contents.kinds.at("compute").computing, ToTime(3 * 1500));
    EXPECT_EQ(contents.kinds.at("all-reduce").bytes, 3U * 4096);
    EXPECT_EQ(contents.kinds.at("send").bytes, 3U * 7);
    EXPECT_EQ(contents.kinds.at("send").computing, ToTime(0));
}
