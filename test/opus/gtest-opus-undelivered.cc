/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A grant that a server never receives: its waiting ranks withdraw, and it requests again.

#include "opus-controller-bench.h"
#include "opus-shim-bench.h"

using namespace ns3;

namespace
{

using Type = OpusMessage::Type;
using Controller = OpusControllerBench;

/** Servers 0 and 1 were granted a send, and server 1 did not receive its grant. */
class UndeliveredBench : public OpusControllerBench
{
  public:
    UndeliveredBench()
        : OpusControllerBench(3, 1, 1)
    {
        const Outbox outbox = AnswerAll(RequestBoth(0, 1, Send(0, 1)));
        grant = Select<OpusGrant>(outbox).at(1);
    }

    /** @return the messages of the controller when it has given the grant up */
    Outbox GiveUp()
    {
        Core().NotDelivered(grant);
        return Core().TimePassed(now);
    }

    FlatMessage<OpusGrant> grant; //!< for server 1
    const std::vector<JoinedRanks> pairs{Between(0, 1)};
};

} // namespace

TEST(OpusUndelivered, AnUndeliveredGrantIsRecalledFromAll)
{
    UndeliveredBench bench;
    const auto recalls = Controller::Select<OpusRecall>(bench.GiveUp());
    ASSERT_EQ(recalls.size(), 2U);
    for (const auto& recall : recalls)
    {
        EXPECT_TRUE(recall.phase == bench.grant.phase);
        EXPECT_TRUE(recall.isWhole) << "all is given back";
        EXPECT_EQ(recall.number, 0U);
    }
    EXPECT_TRUE(bench.GiveUp().empty()) << "once";
}

TEST(OpusUndelivered, ItIsGrantedAnewWhenAllRequestItAgain)
{
    UndeliveredBench bench;
    bench.GiveUp();
    const OpusPhase phase = bench.grant.phase;
    EXPECT_TRUE(bench.Release(0, phase, bench.pairs, true, 0).empty());
    EXPECT_TRUE(bench.Request(0, phase, bench.pairs, false, 1).empty());
    EXPECT_TRUE(bench.Release(1, phase, bench.pairs, true, 0).empty());
    const auto outbox = bench.Request(1, phase, bench.pairs, false, 1);
    EXPECT_EQ(Controller::Count(outbox, Type::GRANT), 2U);
    EXPECT_EQ(Controller::Count(outbox, Type::PROGRAM), 0U) << "the circuit stands";
}

TEST(OpusUndelivered, WhatIsOverOrOfAnotherTermIsNotCalledBack)
{
    UndeliveredBench over;
    over.Release(0, over.grant.phase, over.pairs);
    over.Release(1,
                 over.grant.phase,
                 over.pairs); // server 1 has the grant, and only the acknowledgement was lost
    EXPECT_TRUE(over.GiveUp().empty());
    UndeliveredBench other;
    other.grant.term += 1;
    EXPECT_TRUE(other.GiveUp().empty());
}

TEST(OpusUndelivered, AShimWhoseUndeliveredGrantIsRecalledUsesTheNextNumber)
{
    OpusShimBench bench;
    const CircuitRequest request = OpusShimBench::Dp(0);
    bench.Request(request);
    EXPECT_EQ(bench.FlushOne<OpusRequest>().number, 0U);
    auto recall = bench.Message<OpusRecall>(request);
    recall.isWhole = true;
    EXPECT_TRUE(bench.Take(recall).empty()) << "the rank waits on";
    const auto outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused) << "unused";
    EXPECT_EQ(outbox[0].Get<OpusRelease>().number, 0U);
    EXPECT_EQ(outbox[1].GetType(), Type::REQUEST);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().number, 1U);
    EXPECT_TRUE(bench.Take(recall).empty());
    EXPECT_TRUE(bench.Flush().empty()) << "it belongs to the ask before";
    EXPECT_TRUE(bench.Grant(request, 0, 0).empty()) << "so does this";
    EXPECT_EQ(bench.Grant(request, 0, 1).size(), 1U);
}

TEST(OpusUndelivered, AGuessThatIsRecalledUndeliveredIsWithdrawn)
{
    OpusShimBench bench(OpusShimBench::Settings(ShimMode::PROVISIONED));
    bench.Core().BeginIteration(RankId(0));
    bench.RequestAndGrant(OpusShimBench::Dp(0), 0);
    bench.Finish(OpusShimBench::Dp(0));
    bench.Flush();
    bench.Core().BeginIteration(RankId(0));
    const auto guess = bench.FlushOne<OpusRequest>();
    ASSERT_TRUE(guess.isAhead);
    auto recall = bench.Message<OpusRecall>(OpusShimBench::Dp(guess.phase.operation));
    recall.number = guess.number;
    recall.isWhole = true;
    bench.Take(recall);
    const auto outgoing = bench.FlushOne<OpusRelease>();
    EXPECT_TRUE(outgoing.isUnused);
}
