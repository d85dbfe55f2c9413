/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The servers of a cluster, given to jobs in order of arrival.

#include "ns3/server-admission.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

std::vector<uint32_t>
JobsOf(const std::vector<ServerGrant>& grants)
{
    std::vector<uint32_t> jobs;
    for (const ServerGrant& grant : grants)
    {
        jobs.push_back(grant.job);
    }
    return jobs;
}

using Numbers = std::vector<uint32_t>;

TEST(ServerAdmission, GivesTheFreeServersOfTheLowestNumbers)
{
    ServerAdmission admission(8);
    admission.Arrive({"a", 2, {1, 0}});
    admission.Arrive({"b", 3});
    const std::vector<ServerGrant> grants = admission.Admit();
    ASSERT_EQ(JobsOf(grants), Numbers({0, 1}));
    EXPECT_EQ(grants[0].servers, Numbers({1, 0})) << "in the order of its ranks";
    EXPECT_EQ(grants[1].servers, Numbers({2, 3, 4}));
    EXPECT_EQ(admission.CountFree(), 3);
    EXPECT_EQ(admission.GetWhyNot(0), "");
}

TEST(ServerAdmission, HasTheReasonWhyAJobWaits)
{
    ServerAdmission admission(4);
    admission.Arrive({"a", 3});
    admission.Admit();
    const uint32_t many = admission.Arrive({"many", 2});
    const uint32_t named = admission.Arrive({"named", 1, {2}});
    const uint32_t behind = admission.Arrive({"behind", 1});
    EXPECT_TRUE(admission.Admit().empty());
    EXPECT_EQ(admission.GetWhyNot(many), "it needs 2 servers, and 1 of 4 are free: job a has 3");
    EXPECT_EQ(admission.GetWhyNot(named), "job a has server 2");
    EXPECT_EQ(admission.GetWhyNot(behind), "job many, which waits too, came first");
    admission.Return(0);
    EXPECT_EQ(JobsOf(admission.Admit()), Numbers({many, named, behind}));
}

TEST(ServerAdmission, MayLetLaterJobsGoFirst)
{
    ServerAdmission admission(4, true);
    admission.Arrive({"a", 3});
    admission.Arrive({"b", 2});
    admission.Arrive({"c", 1});
    EXPECT_EQ(JobsOf(admission.Admit()), Numbers({0, 2}));
    admission.Return(2);
    EXPECT_TRUE(admission.Admit().empty());
    admission.Return(0);
    EXPECT_EQ(JobsOf(admission.Admit()), Numbers({1}));
}

TEST(ServerAdmission, FindsMistakes)
{
    const ServerAdmission admission(4);
    EXPECT_EQ(admission.FindMistake({"a", 4}), "");
    EXPECT_EQ(admission.FindMistake({"a", 5}),
              "job a needs 5 servers, and there are 4; give it 1 to 4");
    EXPECT_EQ(admission.FindMistake({"a", 0}),
              "job a needs 0 servers, and there are 4; give it 1 to 4");
    EXPECT_EQ(admission.FindMistake({"a", 2, {1}}),
              "job a needs 2 servers, and 1 are named; name each of them, or none");
    EXPECT_EQ(admission.FindMistake({"a", 2, {1, 1}}),
              "job a: server 1 is named twice; name different ones from 0 to 3");
    EXPECT_EQ(admission.FindMistake({"a", 2, {1, 4}}),
              "job a: server 4 does not exist; name different ones from 0 to 3");
}

TEST(ServerAdmission, RandomJobsEachGetTheirServersOnceInOrder)
{
    for (uint32_t seed = 0; seed < 300; ++seed)
    {
        std::mt19937 random(seed);
        const uint32_t servers = 1 + random() % 12;
        const bool overtaking = random() % 2 == 0;
        ServerAdmission admission(servers, overtaking);
        std::vector<std::set<uint32_t>> held; // by job
        std::vector<uint32_t> needs;
        uint32_t last = 0;
        uint32_t admitted = 0;
        const auto admit = [&]() {
            for (const ServerGrant& grant : admission.Admit())
            {
                EXPECT_TRUE(overtaking || grant.job == last) << "seed " << seed;
                ++last;
                ++admitted;
                held[grant.job] = {grant.servers.begin(), grant.servers.end()};
                EXPECT_EQ(held[grant.job].size(), needs[grant.job]) << "seed " << seed;
            }
            std::multiset<uint32_t> all;
            for (const auto& one : held)
            {
                all.insert(one.begin(), one.end());
            }
            EXPECT_EQ(all.size(), std::set<uint32_t>(all.begin(), all.end()).size())
                << "a server of one job at a time, seed " << seed;
            EXPECT_EQ(all.size() + admission.CountFree(), servers) << "seed " << seed;
        };
        for (uint32_t step = 0; step < 60; ++step)
        {
            const uint32_t back = held.empty() ? 0 : random() % held.size();
            if (random() % 2 == 0)
            {
                needs.push_back(1 + random() % servers);
                held.emplace_back();
                admission.Arrive({std::to_string(held.size()), needs.back()});
            }
            else if (!held.empty() && !held[back].empty())
            {
                held[back].clear();
                admission.Return(back);
            }
            admit();
        }
        for (uint32_t round = 0; admitted < needs.size() && round <= needs.size(); ++round)
        {
            for (uint32_t job = 0; job < held.size(); ++job)
            {
                held[job].clear();
                admission.Return(job);
            }
            admit();
        }
        EXPECT_EQ(admitted, needs.size()) << "nobody waits for ever, seed " << seed;
    }
}

} // namespace
