/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Calls of a server's ranks, some of which need no circuit.

#include "ns3/server-calls.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Pairs = std::vector<std::pair<RankId, RankId>>;

/** @return a rank's call on a ring of ranks 0 to 5, on servers of 3 */
CircuitRequest
RingCall(uint32_t rank, uint64_t operation, uint32_t stage = 0)
{
    const auto r = [](uint32_t number) { return RankId(number); };
    CircuitRequest call;
    call.rank = r(rank);
    call.group = GroupId(7);
    call.operation = operation;
    call.stage = stage;
    call.pairs = std::make_shared<Pairs>(Pairs{{r(2), r(3)}, {r(5), r(0)}});
    call.intraNode =
        std::make_shared<Pairs>(Pairs{{r(0), r(1)}, {r(1), r(2)}, {r(3), r(4)}, {r(4), r(5)}});
    return call;
}

/** @return a rank's call for a stage of operation 0, which has some stages, on that ring */
CircuitRequest
StageCall(uint32_t rank, uint32_t stage, uint32_t stages)
{
    CircuitRequest call = RingCall(rank, 0, stage);
    call.stages = stages;
    return call;
}

/** @return the ranks of calls */
std::vector<uint32_t>
RanksOf(const std::vector<CircuitRequest>& calls)
{
    std::vector<uint32_t> ranks;
    for (const CircuitRequest& call : calls)
    {
        ranks.push_back(call.rank.Get());
    }
    return ranks;
}

} // namespace

TEST(ServerCalls, CircuitsWaitForTheRanksBetweenThem)
{
    ServerCalls calls;
    EXPECT_TRUE(calls.Call(RingCall(2, 0)).empty());
    EXPECT_TRUE(calls.Call(RingCall(0, 0)).empty());
    // rank 1 needs no circuit, and the ring is through it; ranks 3 to 5 are of the other server
    EXPECT_EQ(RanksOf(calls.Call(RingCall(1, 0))), (std::vector<uint32_t>{0, 2}));
}

TEST(ServerCalls, ACallIsPassedOnWithTheStageThatItIsFor)
{
    ServerCalls calls;
    calls.Call(RingCall(0, 0));
    calls.Call(RingCall(1, 0));
    EXPECT_EQ(calls.Call(RingCall(2, 0)).size(), 2U);
    EXPECT_TRUE(calls.Call(RingCall(0, 1)).empty());
    EXPECT_TRUE(calls.Call(RingCall(1, 0, 1)).empty()); // another stage of the operation before
    EXPECT_TRUE(calls.Call(RingCall(2, 1)).empty());
    EXPECT_EQ(calls.Call(RingCall(1, 1)).size(), 2U);
}

TEST(ServerCalls, WhatIsCalledAgainDoesNotWaitForTheOthers)
{
    ServerCalls calls;
    for (const uint32_t rank : {0, 1, 2})
    {
        calls.Call(RingCall(rank, 0));
    }
    // its circuits were withdrawn; the others are still in the stage, or beyond it
    EXPECT_EQ(RanksOf(calls.Call(RingCall(2, 0))), (std::vector<uint32_t>{2}));
    calls.Call(RingCall(0, 1));
    EXPECT_EQ(RanksOf(calls.Call(RingCall(2, 0))), (std::vector<uint32_t>{2}));
}

TEST(ServerCalls, WithoutAFabricNothingWaits)
{
    ServerCalls calls;
    CircuitRequest call = RingCall(2, 0);
    call.intraNode = nullptr;
    EXPECT_EQ(calls.Call(call).size(), 1U);
    call.intraNode = std::make_shared<Pairs>();
    EXPECT_EQ(calls.Call(call).size(), 1U);
    EXPECT_TRUE(calls.Call(RingCall(1, 0)).empty()); // it needs no circuit itself
}

TEST(ServerCalls, AnExchangeInsideAServerIsNoCallOfTheGroupsCollectives)
{
    // a send has numbers of its own: after the hundredth, operation 0 of the group is uncalled
    ServerCalls calls;
    CircuitRequest send = RingCall(1, 100);
    send.pointToPoint = true;
    send.pairs = std::make_shared<Pairs>();
    EXPECT_TRUE(calls.Call(send).empty());
    EXPECT_TRUE(calls.Call(RingCall(0, 0)).empty());
    EXPECT_TRUE(calls.Call(RingCall(2, 0)).empty());
    EXPECT_EQ(calls.Call(RingCall(1, 0)).size(), 2U);
}

TEST(ServerCalls, ACallThatIsOverOrWhoseRankLeavesIsNotPassedOn)
{
    ServerCalls calls;
    calls.Call(RingCall(0, 0));
    calls.Call(RingCall(2, 0));
    EXPECT_TRUE(calls.Take(RingCall(0, 0)));
    EXPECT_FALSE(calls.Take(RingCall(0, 0)));
    calls.Leave(RankId(2));
    EXPECT_TRUE(calls.Call(RingCall(1, 0)).empty());
}

TEST(ServerCalls, ALaterStageWaitsForTheCircuitsOfTheEarlierOne)
{
    // rank 1 needs no circuit in stage 0, whose circuits have the ports that its stage 1 needs
    ServerCalls calls;
    const auto first = [](uint32_t rank) { return StageCall(rank, 0, 2); };
    CircuitRequest later = first(1);
    later.stage = 1;
    later.pairs = std::make_shared<Pairs>(Pairs{{RankId(1), RankId(4)}});
    later.intraNode = std::make_shared<Pairs>();
    EXPECT_TRUE(calls.Call(first(1)).empty());
    EXPECT_TRUE(calls.Call(later).empty());
    EXPECT_TRUE(calls.Call(first(0)).empty());
    EXPECT_EQ(RanksOf(calls.Call(first(2))), (std::vector<uint32_t>{0, 2}));
    EXPECT_TRUE(calls.Answered(first(0)).empty());
    EXPECT_EQ(RanksOf(calls.Answered(first(2))), (std::vector<uint32_t>{1}));
    EXPECT_TRUE(calls.Answered(first(2)).empty()) << "once";
}

TEST(ServerCalls, ALaterStageWaitsForTheRanksOfAnEarlierOneInsideTheServer)
{
    // no rank needs circuits in stage 0; ranks 0 and 1 exchange in it
    ServerCalls calls;
    const auto call = [](uint32_t rank, uint32_t stage) {
        CircuitRequest one = RingCall(rank, 0, stage);
        one.stages = 2;
        one.pairs = std::make_shared<Pairs>();
        one.intraNode = std::make_shared<Pairs>();
        if (stage == 0)
        {
            one.intraNode = std::make_shared<Pairs>(Pairs{{RankId(0), RankId(1)}});
        }
        else
        {
            one.pairs = std::make_shared<Pairs>(Pairs{{RankId(0), RankId(3)}});
        }
        return one;
    };
    EXPECT_TRUE(calls.Call(call(0, 0)).empty());
    EXPECT_TRUE(calls.Call(call(0, 1)).empty());
    EXPECT_EQ(RanksOf(calls.Call(call(1, 0))), (std::vector<uint32_t>{0})) << "its stage 1";
    EXPECT_EQ(calls.Call(call(3, 1)).size(), 1U) << "of the other server";
}

TEST(ServerCalls, WhatWaitsForAnEarlierStageKeepsItsOrder)
{
    ServerCalls calls;
    const auto call = [](uint32_t rank, uint32_t stage) {
        CircuitRequest one = RingCall(rank, 0, stage);
        one.stages = 3;
        if (stage == 1)
        {
            one.pairs = std::make_shared<Pairs>(Pairs{{RankId(0), RankId(3)}});
        }
        if (stage == 2)
        {
            one.pairs = std::make_shared<Pairs>(Pairs{{RankId(1), RankId(4)}});
            one.intraNode = nullptr;
        }
        return one;
    };
    calls.Call(call(0, 0));
    calls.Call(call(1, 0));
    calls.Call(call(1, 1)); // no circuit here either
    EXPECT_TRUE(calls.Call(call(1, 2)).empty());
    EXPECT_EQ(calls.Call(call(2, 0)).size(), 2U);
    calls.Answered(call(0, 0));
    EXPECT_TRUE(calls.Answered(call(2, 0)).empty()) << "stage 1 comes before stage 2";
    calls.Call(call(2, 1));
    EXPECT_EQ(RanksOf(calls.Call(call(0, 1))), (std::vector<uint32_t>{0}));
    EXPECT_EQ(RanksOf(calls.Answered(call(0, 1))), (std::vector<uint32_t>{1}));
}

TEST(ServerCalls, AStageThatIsCalledAgainDoesNotWaitForLaterOnes)
{
    ServerCalls calls;
    const auto call = [](uint32_t rank, uint32_t stage) { return StageCall(rank, stage, 3); };
    for (const uint32_t rank : {0, 1, 2})
    {
        calls.Call(call(rank, 0));
    }
    calls.Answered(call(0, 0));
    calls.Answered(call(2, 0));
    calls.Call(call(2, 1));
    EXPECT_TRUE(calls.Call(call(2, 2)).empty()) << "ranks 0 and 1 have not called stage 1";
    // the circuits of stage 0 are withdrawn from rank 2
    EXPECT_EQ(RanksOf(calls.Call(call(2, 0))), (std::vector<uint32_t>{2}));
    EXPECT_TRUE(calls.Call(call(0, 1)).empty());
    EXPECT_EQ(RanksOf(calls.Call(call(1, 1))), (std::vector<uint32_t>{0, 2}));
}

TEST(ServerCalls, ARankThatLeavesHasCalledWhatOthersWaitFor)
{
    ServerCalls calls;
    const auto call = [](uint32_t rank, uint32_t stage) { return StageCall(rank, stage, 2); };
    calls.Call(call(1, 0));
    calls.Call(call(1, 1)); // it needs no circuit in either, and sends only
    calls.Leave(RankId(1));
    calls.Call(call(0, 0));
    EXPECT_EQ(calls.Call(call(2, 0)).size(), 2U);
    calls.Answered(call(0, 0));
    calls.Answered(call(2, 0));
    calls.Call(call(0, 1));
    EXPECT_EQ(calls.Call(call(2, 1)).size(), 2U);
}
