/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A cluster of servers, its job mix, and which servers are free.

#include "ns3/fleet-plan.h"
#include "ns3/server-pool.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Numbers = std::vector<uint32_t>;

TEST(FleetPlan, AdmitsJobsInOrderAsLongAsTheyFit)
{
    FleetPlan plan;
    plan.servers = 20;
    plan.jobs = {8, 6, 4, 2};
    EXPECT_EQ(plan.ListAdmitted(), Numbers({8, 6, 4, 2}));
    EXPECT_EQ(plan.CountPool(), 0);
    plan.spares = 3;
    EXPECT_EQ(plan.ListAdmitted(), Numbers({8, 6, 2})) << "one that fits may be behind";
    EXPECT_EQ(plan.CountPool(), 4) << "a server that no job has is a spare";
    EXPECT_EQ(plan.FindMistake(), "");
}

TEST(FleetPlan, KnowsNumbersOfSparesThatAreTheSame)
{
    FleetPlan plan;
    plan.servers = 20;
    plan.jobs = {8, 6, 4, 2};
    // with 1 in reserve the job of 2 is left out, with 3 that of 4, with 5 both
    EXPECT_EQ(plan.ListDistinctSpares({0, 1, 2, 3, 4, 5}), Numbers({0, 1, 3, 5}));
    EXPECT_EQ(plan.ListDistinctSpares({4, 3, 3}), Numbers({4}));
}

TEST(FleetPlan, NamesMistakes)
{
    FleetPlan plan;
    plan.servers = 8;
    plan.jobs = {4};
    plan.spares = 8;
    EXPECT_NE(plan.FindMistake().find("give fewer"), std::string::npos);
    plan.spares = 5;
    EXPECT_NE(plan.FindMistake().find("no job fits into 3 servers"), std::string::npos);
    plan.spares = 0;
    plan.jobs = {4, 3};
    EXPECT_NE(plan.FindMistake().find("a job of 3 servers"), std::string::npos);
    plan.serversPerRack = 0;
    EXPECT_NE(plan.FindMistake().find("racks of 0"), std::string::npos);
}

TEST(FleetPlan, ReadsJobMixes)
{
    Numbers jobs{7};
    EXPECT_EQ(ReadJobMix({"1x64", "3x8"}, jobs), "");
    EXPECT_EQ(jobs, Numbers({64, 8, 8, 8}));
    for (const std::string wrong : {"8", "x8", "8x", "0x8", "8x0", "ax8", "8x8x8", "-1x8", ""})
    {
        EXPECT_NE(ReadJobMix({wrong}, jobs), "") << wrong;
        EXPECT_EQ(jobs.size(), 4) << "as it was";
    }
}

TEST(ServerPool, AServerIsFreeIfItWorksAndIsOfNoJob)
{
    ServerPool pool(8, 4);
    pool.Give(0, 3);
    EXPECT_EQ(pool.FindOwner(0), 3);
    EXPECT_EQ(pool.CountFree(), 7);
    EXPECT_TRUE(pool.Break(0));
    EXPECT_FALSE(pool.Break(0)) << "it is broken already";
    EXPECT_TRUE(pool.Break(1));
    EXPECT_EQ(pool.CountFree(), 6);
    EXPECT_EQ(pool.CountLost(), 1) << "the other one is of a job";
    pool.Return(0);
    EXPECT_EQ(pool.CountLost(), 2);
    EXPECT_FALSE(pool.Repair(0)) << "of one of two faults";
    EXPECT_TRUE(pool.Repair(0));
    EXPECT_EQ(pool.CountFree(), 7);
    EXPECT_EQ(pool.CountLost(), 1);
}

TEST(ServerPool, FindsServersInRacks)
{
    ServerPool pool(8, 4);
    EXPECT_EQ(pool.FindFree(6), 4);
    EXPECT_EQ(pool.FindFreeInRack(4), Numbers({0, 1, 2, 3}));
    EXPECT_EQ(pool.FindFreeInRack(5), Numbers()) << "a rack has four";
    pool.Break(1);
    EXPECT_EQ(pool.FindFreeInRack(4), Numbers({4, 5, 6, 7}));
    EXPECT_EQ(pool.FindFreeInRack(3), Numbers({0, 2, 3}));
    for (const uint32_t server : {4, 5, 6, 7})
    {
        pool.Break(server);
    }
    EXPECT_EQ(pool.FindFree(6), 0) << "of another rack";
}

} // namespace
