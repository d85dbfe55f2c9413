/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What makes the programs of rails differ: two servers of two GPUs, a group on each rail and one
// in each server.

#include "ns3/equal-rails.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

/** @return ranks 0 and 1 in server 0, 2 and 3 in server 1, all with one program */
JobPrograms
MakeJob()
{
    JobPrograms job;
    job.groups = {{"dp 0", {0, 2}}, {"dp 1", {1, 3}}, {"tp 0", {0, 1}}, {"tp 1", {2, 3}}};
    const auto program = std::make_shared<const RankProgram>();
    job.ranks = {{program, {0, 2}}, {program, {1, 2}}, {program, {0, 3}}, {program, {1, 3}}};
    return job;
}

} // namespace

TEST(EqualRails, FindsTheGroupsThatCorrespond)
{
    const EqualRails equal = EqualRails::Find(MakeJob(), 2);
    EXPECT_EQ(equal.why, "");
    ASSERT_TRUE(equal.groups[1]);
    EXPECT_EQ(equal.groups[1]->rail, 1U);
    EXPECT_EQ(equal.groups[1]->leading, 0U);
    EXPECT_FALSE(equal.groups[2]) << "it is inside a server";
}

TEST(EqualRails, OneRailIsNoneToFollow)
{
    JobPrograms job = MakeJob();
    EXPECT_NE(EqualRails::Find(job, 1).why, "");
}

TEST(EqualRails, AnotherProgramDiffers)
{
    JobPrograms job = MakeJob();
    job.ranks[3].program = std::make_shared<const RankProgram>();
    EXPECT_NE(EqualRails::Find(job, 2).why, "");
}

TEST(EqualRails, AGroupOnSeveralRailsDiffers)
{
    JobPrograms job = MakeJob();
    job.groups[0].ranks = {0, 3};
    job.groups[1].ranks = {1, 2};
    EXPECT_NE(EqualRails::Find(job, 2).why, "");
}

TEST(EqualRails, AnotherOrderOfRanksDiffers)
{
    JobPrograms job = MakeJob();
    job.groups[1].ranks = {3, 1};
    EXPECT_NE(EqualRails::Find(job, 2).why, "");
}

TEST(EqualRails, AnotherOrderOfGroupsDiffers)
{
    JobPrograms job = MakeJob();
    // queue pairs of groups take turns in the order of their numbers
    job.groups = {{"a 0", {0, 2}}, {"b 0", {0, 2}}, {"b 1", {1, 3}}, {"a 1", {1, 3}}};
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        job.ranks[rank].groups =
            rank % 2 == 0 ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{3, 2};
    }
    EXPECT_NE(EqualRails::Find(job, 2).why, "");
}
