/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/job-dry-run.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return two ranks; each sends to the other and receives from it, in an order of its own */
JobPrograms
MakePair(bool firstSends, bool secondSends)
{
    JobPrograms job;
    job.groups = {{"p2p 0-1", {0, 1}}};
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        RankProgram program;
        const bool sendsFirst = rank == 0 ? firstSends : secondSends;
        for (const bool sends : {sendsFirst, !sendsFirst})
        {
            sends ? program.Send(0, 0, 1 - rank, 4096) : program.Receive(0, 0, 1 - rank, 4096);
        }
        job.ranks.push_back({std::make_shared<const RankProgram>(program), {0}});
    }
    return job;
}

} // namespace

TEST(JobDryRun, RanksThatBothSendFirstAreStuckWhereSendsWait)
{
    EXPECT_TRUE(JobDryRun(MakePair(true, true), true).IsStuck());
    EXPECT_FALSE(JobDryRun(MakePair(true, true), false).IsStuck());
}

TEST(JobDryRun, OneThatSendsWhileTheOtherReceivesIsNot)
{
    EXPECT_FALSE(JobDryRun(MakePair(true, false), true).IsStuck());
    EXPECT_FALSE(JobDryRun(MakePair(false, true), true).IsStuck());
}

TEST(JobDryRun, RanksThatBothReceiveFirstAreStuckAnyway)
{
    EXPECT_TRUE(JobDryRun(MakePair(false, false), true).IsStuck());
    EXPECT_TRUE(JobDryRun(MakePair(false, false), false).IsStuck());
}
