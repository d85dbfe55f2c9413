/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-edits.h"
#include "ns3/job-work.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return two ranks of one program: computing, then an all-reduce of the two */
JobPrograms
MakeJob()
{
    RankProgram program;
    const uint32_t computed = program.Compute(0, ToTime(1000));
    program.After(program.Collective(1, 0, CollectiveKind::ALL_REDUCE, 4 << 20), computed);
    const auto shared = std::make_shared<const RankProgram>(program);
    JobPrograms job;
    job.groups = {{"dp 0", {0, 1}}};
    job.ranks = {{shared, {0}}, {shared, {0}}};
    return job;
}

} // namespace

TEST(JobEdits, APassIsAnIterationAndRanksGoOnSharing)
{
    const JobPrograms thrice = RepeatJob(MakeJob(), 3);
    EXPECT_EQ(thrice.ranks[0].program, thrice.ranks[1].program);
    const auto& operations = thrice.ranks[0].program->GetOperations();
    ASSERT_EQ(operations.size(), 3U * 3U) << "a beginning and two operations, three times";
    for (uint32_t pass = 0; pass < 3; ++pass)
    {
        EXPECT_EQ(operations[3 * pass].kind, RankOperation::Kind::ITERATION);
        // after the computing of its pass, and on its own stream after the beginning
        EXPECT_EQ(operations[3 * pass + 2].after, (std::vector<uint32_t>{3 * pass + 1, 3 * pass}));
    }
    EXPECT_EQ(FindMostComputing(thrice).GetTimeStep(), 3 * 1000);
}

TEST(JobEdits, OnePassIsTheJobItself)
{
    const JobPrograms job = MakeJob();
    EXPECT_EQ(RepeatJob(job, 1).ranks[1].program, job.ranks[1].program);
    EXPECT_DEATH(RepeatJob(job, 0), "1 pass or more");
}

TEST(JobEdits, AlgorithmsAreForGroupsOnOneRail)
{
    const auto nameOf = [](uint32_t perServer) {
        return UseAlgorithm(MakeJob(), "ring", perServer)
            .ranks[0]
            .program->GetOperations()[1]
            .algorithm;
    };
    EXPECT_EQ(nameOf(1), "ring");
    EXPECT_EQ(nameOf(2), "") << "both ranks are in one server, on two rails";
}

TEST(JobWork, ARingOfTwoSendsTheBufferAndFramesCostMore)
{
    // all-reduce of 4 MiB on 2 ranks: twice one step of 2 MiB
    const uint64_t messages = 2 * 2;
    EXPECT_EQ(JobWork(MakeJob(), 2).GetAll(), 2 * messages) << "two ranks, in one server";
    EXPECT_EQ(JobWork(MakeJob(), 1).GetAll(), 16 * 2 * messages) << "over a rail";
}
