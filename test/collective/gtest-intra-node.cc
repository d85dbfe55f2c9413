/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Operations inside a server, worked out as one: their ends follow from bytes, rate, latency and
// the calls of the ranks.

#include "ns3/collective-algorithm.h"
#include "ns3/intra-node-memory.h"
#include "ns3/intra-node-plan.h"
#include "ns3/intra-node-run.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 8'000'000'000'000; // a byte a picosecond
constexpr Picoseconds LATENCY = 700;
constexpr uint64_t SHARE = 1000; // bytes, and so picoseconds in a port
constexpr uint64_t WHOLE = uint64_t{1} << 40;

std::shared_ptr<const CollectiveSchedule>
MakeSchedule(CollectiveKind kind, const std::string& algorithm, uint32_t ranks)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.perServer = ranks;
    return CollectiveAlgorithm::GetSchedule(algorithm, parameters);
}

std::shared_ptr<const IntraNodePlan>
MakePlan(CollectiveKind kind, const std::string& algorithm, uint32_t ranks, uint64_t bytes)
{
    return std::make_shared<const IntraNodePlan>(*MakeSchedule(kind, algorithm, ranks),
                                                 bytes,
                                                 WHOLE,
                                                 CollectiveProtocol::SIMPLE);
}

std::shared_ptr<const IntraNodeRanks>
MakeRanks(uint32_t ranks, uint32_t group)
{
    auto all = std::make_shared<IntraNodeRanks>();
    all->group = GroupId(group);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        all->ranks.emplace_back(rank);
        all->members.emplace_back(rank);
    }
    return all;
}

/** @return the end at each rank of one operation that ranks call at instants */
std::vector<Picoseconds>
GetEnds(const std::shared_ptr<const IntraNodePlan>& plan, const std::vector<Picoseconds>& calls)
{
    IntraNodeRun run(ScaleUpClock(RATE), LATENCY, calls.size());
    const uint32_t operation = run.Add(plan, MakeRanks(calls.size(), 0));
    for (uint32_t rank = 0; rank < calls.size(); ++rank)
    {
        run.Call(operation, rank, calls[rank]);
    }
    run.Finish();
    std::vector<Picoseconds> ends;
    for (uint32_t rank = 0; rank < calls.size(); ++rank)
    {
        ends.push_back(run.GetEnd(operation, rank));
    }
    return ends;
}

/**
 * A ring all-gather from its definition: a rank sends its own share when it calls, and each share
 * that comes from the rank before, one after another; each goes out, crosses and comes in.
 */
std::vector<Picoseconds>
WorkOutRing(const std::vector<Picoseconds>& calls)
{
    const uint32_t n = calls.size();
    const Picoseconds share = SHARE;
    std::vector<std::vector<Picoseconds>> delivered(n, std::vector<Picoseconds>(n - 1));
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t before = (rank + n - 1) % n;
            const Picoseconds has =
                round == 0 ? calls[rank] : std::max(calls[rank], delivered[before][round - 1]);
            // the output is free when the message before has left it
            const Picoseconds leaves =
                round == 0 ? has : std::max(has, delivered[rank][round - 1] - LATENCY);
            delivered[rank][round] = leaves + LATENCY + share;
        }
    }
    std::vector<Picoseconds> ends;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        const Picoseconds last = delivered[(rank + n - 1) % n][n - 2];
        ends.push_back(std::max({calls[rank], last, delivered[rank][n - 2] + LATENCY}));
    }
    return ends;
}

} // namespace

TEST(IntraNodeRun, RingAllGather)
{
    for (const uint32_t n : {2, 3, 8, 32})
    {
        const auto plan = MakePlan(CollectiveKind::ALL_GATHER, "ring", n, n * SHARE);
        const Picoseconds at = 5'000;
        // n - 1 rounds of a share and a latency, and the notice of the last one
        const Picoseconds end = at + (n - 1) * (Picoseconds{SHARE} + LATENCY) + LATENCY;
        EXPECT_EQ(GetEnds(plan, std::vector<Picoseconds>(n, at)), std::vector<Picoseconds>(n, end))
            << n << " ranks";
    }
}

TEST(IntraNodeRun, RingAllGatherOfLateRanks)
{
    std::mt19937 random(7);
    for (uint32_t one = 0; one < 300; ++one)
    {
        const uint32_t n = 2 + random() % 7;
        const uint32_t spread = random() % 2 == 0 ? 500 : 20'000;
        std::vector<Picoseconds> calls;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            calls.push_back(random() % spread);
        }
        const auto plan = MakePlan(CollectiveKind::ALL_GATHER, "ring", n, n * SHARE);
        EXPECT_EQ(GetEnds(plan, calls), WorkOutRing(calls)) << "case " << one;
    }
}

TEST(IntraNodeRun, DirectAllToAll)
{
    for (const uint32_t n : {2, 3, 8, 32})
    {
        const auto plan = MakePlan(CollectiveKind::ALL_TO_ALL, "direct", n, n * SHARE);
        const Picoseconds at = 123;
        // all begin with the next rank, so no two messages meet at an input
        const Picoseconds end = at + (n - 1) * Picoseconds{SHARE} + 2 * LATENCY;
        EXPECT_EQ(GetEnds(plan, std::vector<Picoseconds>(n, at)), std::vector<Picoseconds>(n, end))
            << n << " ranks";
    }
}

TEST(IntraNodeRun, OfAllButOneLateAnAllToAllWaitsForThatOne)
{
    constexpr uint32_t n = 4;
    const auto plan = MakePlan(CollectiveKind::ALL_TO_ALL, "direct", n, n * SHARE);
    const Picoseconds late = 100'000;
    const std::vector<Picoseconds> ends = GetEnds(plan, {0, 0, 0, late});
    // the late rank sends to rank 0 first; all that is for it is there
    EXPECT_EQ(ends[0], late + Picoseconds{SHARE} + LATENCY);
    EXPECT_EQ(ends[1], late + 2 * Picoseconds{SHARE} + LATENCY);
    EXPECT_EQ(ends[2], late + 3 * Picoseconds{SHARE} + LATENCY);
    EXPECT_EQ(ends[3], late + 3 * Picoseconds{SHARE} + 2 * LATENCY);
}

TEST(IntraNodeRun, RanksThatDoTheSameEndAtOneInstant)
{
    // no rank of these algorithms has a part of its own: what one does, all do, with other partners
    const std::vector<std::pair<CollectiveKind, std::string>> alike{
        {CollectiveKind::ALL_REDUCE, "ring"},
        {CollectiveKind::ALL_REDUCE, "halving-doubling"},
        {CollectiveKind::ALL_GATHER, "ring"},
        {CollectiveKind::ALL_GATHER, "pat"},
        {CollectiveKind::ALL_GATHER, "direct"},
        {CollectiveKind::REDUCE_SCATTER, "ring"},
        {CollectiveKind::REDUCE_SCATTER, "pat"},
        {CollectiveKind::REDUCE_SCATTER, "direct"},
        {CollectiveKind::ALL_TO_ALL, "direct"},
    };
    for (const auto& [kind, algorithm] : alike)
    {
        for (const uint32_t n : {2, 4, 8, 16, 32})
        {
            for (const Picoseconds share : {1, 333, 1'000'000}) // short and long of the latency
            {
                const auto plan = MakePlan(kind, algorithm, n, n * share);
                const std::vector<Picoseconds> ends = GetEnds(plan, std::vector<Picoseconds>(n));
                EXPECT_EQ(ends, std::vector<Picoseconds>(n, ends.front()))
                    << algorithm << " of " << n << " ranks, " << share << " bytes each";
            }
        }
    }
}

TEST(IntraNodeRun, PortsStayBusyWithTheOperationBefore)
{
    const auto plan = MakePlan(CollectiveKind::ALL_GATHER, "direct", 2, 2 * SHARE);
    IntraNodeRun run(ScaleUpClock(RATE), LATENCY, 2);
    const uint32_t first = run.Add(plan, MakeRanks(2, 0));
    const uint32_t second = run.Add(plan, MakeRanks(2, 1));
    for (const uint32_t rank : {0, 1})
    {
        run.Call(first, rank, 0);
        run.Call(second, rank, 100);
    }
    run.Finish();
    for (const uint32_t rank : {0, 1})
    {
        EXPECT_EQ(run.GetEnd(first, rank), Picoseconds{SHARE} + 2 * LATENCY);
        EXPECT_EQ(run.GetEnd(second, rank), 2 * Picoseconds{SHARE} + 2 * LATENCY);
        EXPECT_EQ(run.GetCount(MemberId(rank)).messagesSent, 2U);
        EXPECT_EQ(run.GetCount(MemberId(rank)).bytesDelivered, 2 * SHARE);
    }
}

TEST(IntraNodeRun, ACopyThatIsAheadIsDroppedAtALaterCall)
{
    const auto plan = MakePlan(CollectiveKind::BROADCAST, "ring", 3, SHARE);
    IntraNodeRun run(ScaleUpClock(RATE), LATENCY, 3);
    const uint32_t operation = run.Add(plan, MakeRanks(3, 0));
    run.Call(operation, 0, 0);
    IntraNodeRun ahead = run;
    ahead.Finish();
    // the root is over when the next rank has its message, whether or not that has called
    EXPECT_EQ(ahead.GetEnd(operation, 0), Picoseconds{SHARE} + 2 * LATENCY);
    EXPECT_EQ(ahead.GetEnd(operation, 1), NEVER);
    const Picoseconds late = 10'000;
    run.Advance(late);
    run.Call(operation, 1, late);
    EXPECT_EQ(run.GetEarly(operation, 1), 1U);
    run.Call(operation, 2, late);
    run.Finish();
    EXPECT_EQ(run.GetEnd(operation, 1), late + Picoseconds{SHARE} + 2 * LATENCY);
    EXPECT_EQ(run.GetEnd(operation, 2), late + Picoseconds{SHARE} + LATENCY);
}

TEST(IntraNodePlan, WhatNeedsAllCalls)
{
    EXPECT_TRUE(MakePlan(CollectiveKind::ALL_GATHER, "ring", 8, 8 * SHARE)->NeedsAll());
    EXPECT_TRUE(MakePlan(CollectiveKind::ALL_GATHER, "direct", 8, 8 * SHARE)->NeedsAll());
    EXPECT_TRUE(MakePlan(CollectiveKind::ALL_REDUCE, "ring", 8, 8 * SHARE)->NeedsAll());
    EXPECT_FALSE(MakePlan(CollectiveKind::BROADCAST, "ring", 8, 8 * SHARE)->NeedsAll());
    EXPECT_FALSE(MakePlan(CollectiveKind::REDUCE, "ring", 8, 8 * SHARE)->NeedsAll());
}

TEST(IntraNodePlan, MessagesOfAChunkAreForwardedByThemselves)
{
    const uint64_t bytes = 2 * SHARE;
    const IntraNodePlan plan(*MakeSchedule(CollectiveKind::ALL_GATHER, "ring", 2),
                             bytes,
                             300,
                             CollectiveProtocol::SIMPLE);
    // a share of 1000 bytes is 3 messages of 300 and one of 100
    ASSERT_EQ(plan.GetMessages().size(), 8U);
    EXPECT_EQ(plan.GetMessages()[3].bytes, 100U);
    EXPECT_EQ(plan.GetPlaces()[0].messagesOut, 4U);
    EXPECT_EQ(plan.GetPlaces()[0].dataIn, SHARE);
}

TEST(IntraNodeMemory, RanksOfAServerShareAPlan)
{
    const Ptr<IntraNodeMemory> memory = Create<IntraNodeMemory>();
    const auto schedule = MakeSchedule(CollectiveKind::ALL_GATHER, "ring", 4);
    const auto plan = memory->GetPlan(schedule, 400, WHOLE, CollectiveProtocol::SIMPLE);
    EXPECT_EQ(memory->GetPlan(schedule, 400, WHOLE, CollectiveProtocol::SIMPLE), plan);
    EXPECT_NE(memory->GetPlan(schedule, 404, WHOLE, CollectiveProtocol::SIMPLE), plan);
    EXPECT_EQ(memory->GetResults().Find({1, 2}), nullptr);
    memory->GetResults().Add({1, 2}, std::make_shared<const IntraNodeResult>());
    EXPECT_NE(memory->GetResults().Find({1, 2}), nullptr);
    EXPECT_EQ(memory->GetResults().Find({1, 3}), nullptr);
}
