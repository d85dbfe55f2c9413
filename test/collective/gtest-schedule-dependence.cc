/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/algorithm-samples.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-schedule.h"
#include "ns3/demand-matrix.h"
#include "ns3/schedule-dependence.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Sends what can be sent, without one rank, until nothing can.
 * @return the ranks that have all that comes to them
 */
std::set<uint32_t>
EndWithout(const CollectiveSchedule& schedule, uint32_t absent)
{
    const auto& transfers = schedule.GetTransfers();
    std::map<std::pair<uint32_t, uint32_t>, std::vector<std::size_t>> brings; // by rank and chunk
    for (std::size_t t = 0; t < transfers.size(); ++t)
    {
        brings[{transfers[t].to, transfers[t].chunk}].push_back(t);
    }
    std::vector<bool> done(transfers.size());
    bool goesOn = true;
    while (goesOn)
    {
        goesOn = false;
        for (std::size_t t = 0; t < transfers.size(); ++t)
        {
            const CollectiveTransfer& it = transfers[t];
            bool mayGo = !done[t] && it.from != absent;
            for (uint32_t n = 0; mayGo && n < it.needs; ++n)
            {
                mayGo = done[brings[{it.from, it.chunk}][n]];
            }
            done[t] = done[t] || mayGo;
            goesOn = goesOn || mayGo;
        }
    }
    std::set<uint32_t> ends;
    for (uint32_t rank = 0; rank < schedule.GetParameters().ranks; ++rank)
    {
        bool hasAll = rank != absent;
        for (std::size_t t = 0; t < transfers.size(); ++t)
        {
            hasAll = hasAll && (done[t] || transfers[t].to != rank);
        }
        if (hasAll)
        {
            ends.insert(rank);
        }
    }
    return ends;
}

/** By the definition: without any one rank no rank ends. */
bool
DependsByTrial(const CollectiveSchedule& schedule)
{
    for (uint32_t absent = 0; absent < schedule.GetParameters().ranks; ++absent)
    {
        if (!EndWithout(schedule, absent).empty())
        {
            return false;
        }
    }
    return true;
}

} // namespace

TEST(ScheduleDependence, EveryAlgorithmIsAsWhenARankStaysAway)
{
    uint64_t dependent = 0;
    uint64_t others = 0;
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        // ranks of an all-to-all by demands may have nothing for each other
        const bool isOfAll = kind != CollectiveKind::BROADCAST && kind != CollectiveKind::REDUCE &&
                             kind != CollectiveKind::SEND_RECV &&
                             kind != CollectiveKind::ALL_TO_ALL_V;
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            for (uint32_t ranks = 2; ranks <= 9; ++ranks)
            {
                for (const CollectiveParameters& parameters : MakeSamples(kind, ranks, 1))
                {
                    if (!algorithm->GetWhyNot(parameters).empty())
                    {
                        continue;
                    }
                    const auto schedule =
                        CollectiveAlgorithm::GetSchedule(algorithm->name, parameters);
                    const bool expected = DependsByTrial(*schedule);
                    EXPECT_EQ(DependsOnAll(schedule->GetTransfers(), ranks), expected)
                        << algorithm->name << ' ' << parameters.GetKey();
                    EXPECT_EQ(schedule->EndsDependOnAll(), expected);
                    EXPECT_TRUE(expected || !isOfAll)
                        << algorithm->name << ' ' << parameters.GetKey();
                    ++(expected ? dependent : others);
                }
            }
        }
    }
    EXPECT_GT(dependent, 50U);
    EXPECT_GT(others, 10U);
}

TEST(ScheduleDependence, RandomTransfersAreAsWhenARankStaysAway)
{
    std::mt19937 random(7);
    uint64_t dependent = 0;
    for (int round = 0; round < 3000; ++round)
    {
        CollectiveParameters parameters;
        parameters.ranks = 2 + random() % 4;
        CollectiveSchedule schedule(parameters);
        const uint32_t chunks = 1 + random() % 3;
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            schedule.Add(CollectiveChunk{});
        }
        std::vector<std::vector<uint32_t>> arrived(parameters.ranks, std::vector<uint32_t>(chunks));
        const uint32_t transfers = random() % (4 * parameters.ranks * chunks);
        for (uint32_t t = 0; t < transfers; ++t)
        {
            CollectiveTransfer one;
            one.from = random() % parameters.ranks;
            one.to = (one.from + 1 + random() % (parameters.ranks - 1)) % parameters.ranks;
            one.chunk = random() % chunks;
            one.needs = random() % (arrived[one.from][one.chunk] + 1);
            one.round = t;
            ++arrived[one.to][one.chunk];
            schedule.Add(one);
        }
        const bool expected = DependsByTrial(schedule);
        ASSERT_EQ(DependsOnAll(schedule.GetTransfers(), parameters.ranks), expected) << round;
        dependent += expected ? 1 : 0;
    }
    EXPECT_GT(dependent, 300U);
    EXPECT_LT(dependent, 2700U);
}

TEST(ScheduleDependence, ItIsFoundAnewWhenATransferIsAdded)
{
    CollectiveParameters parameters;
    parameters.ranks = 2;
    CollectiveSchedule schedule(parameters);
    schedule.Add(CollectiveChunk{});
    CollectiveTransfer one;
    one.to = 1;
    schedule.Add(one);
    EXPECT_FALSE(schedule.EndsDependOnAll()) << "nothing comes to rank 0";
    one.from = 1;
    one.to = 0;
    one.needs = 1;
    one.round = 1;
    schedule.Add(one);
    EXPECT_TRUE(schedule.EndsDependOnAll());

    one.needs = 2;
    schedule.Add(one);
    EXPECT_FALSE(schedule.EndsDependOnAll()) << "rank 1 has had one arrival";
}

TEST(ScheduleDependence, AnAllToAllWithoutDemandBetweenTwoRanksIsNot)
{
    for (const uint64_t bytes : {0, 1})
    {
        auto demand = std::make_shared<DemandMatrix>(3);
        for (uint32_t from = 0; from < 3; ++from)
        {
            for (uint32_t to = 0; to < 3; ++to)
            {
                demand->Set(from, to, from == 0 && to == 2 ? bytes : 1000);
            }
        }
        CollectiveParameters parameters;
        parameters.kind = CollectiveKind::ALL_TO_ALL_V;
        parameters.ranks = 3;
        parameters.demand = demand;
        const auto schedule = CollectiveAlgorithm::GetSchedule("direct", parameters);
        EXPECT_EQ(schedule->EndsDependOnAll(), bytes > 0);
    }
}
