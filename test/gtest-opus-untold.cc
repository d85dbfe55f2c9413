/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A grant that a server is never told of: those who wait for it there get away, and it asks anew.

#include "opus-controller-bench.h"
#include "opus-shim-bench.h"

using namespace ns3;

namespace
{

using Type = OpusMessage::Type;
using Controller = OpusControllerBench;

/** Servers 0 and 1 were granted a send, and server 1 was not told. */
class UntoldBench : public OpusControllerBench
{
  public:
    UntoldBench()
        : OpusControllerBench(3, 1, 1)
    {
        const Outbox outbox = AnswerAll(AskBoth(0, 1, Send(0, 1)));
        grant = Select(outbox, Type::GRANT).at(1);
    }

    /** @return what the controller says when it has given the grant up */
    Outbox GiveUp()
    {
        Core().NotTold(grant);
        return Core().TimePassed(now);
    }

    OpusMessage grant; //!< for server 1
    const std::vector<JoinedRanks> pairs{Between(0, 1)};
};

} // namespace

TEST(OpusUntold, WhatARankWasNotToldOfIsCalledBackFromAll)
{
    UntoldBench bench;
    const auto recalls = Controller::Select(bench.GiveUp(), Type::RECALL);
    ASSERT_EQ(recalls.size(), 2U);
    for (const OpusMessage& recall : recalls)
    {
        EXPECT_TRUE(recall.phase == bench.grant.phase);
        EXPECT_TRUE(recall.speculative) << "all is given back";
        EXPECT_EQ(recall.plan, 0U);
    }
    EXPECT_TRUE(bench.GiveUp().empty()) << "once";
}

TEST(OpusUntold, ItIsGrantedAnewWhenAllAskAgain)
{
    UntoldBench bench;
    bench.GiveUp();
    const OpusPhase phase = bench.grant.phase;
    EXPECT_TRUE(bench.Release(0, phase, bench.pairs, true, 0).empty());
    EXPECT_TRUE(bench.Ask(0, phase, bench.pairs, false, 1).empty());
    EXPECT_TRUE(bench.Release(1, phase, bench.pairs, true, 0).empty());
    const auto outbox = bench.Ask(1, phase, bench.pairs, false, 1);
    EXPECT_EQ(Controller::Count(outbox, Type::GRANT), 2U);
    EXPECT_EQ(Controller::Count(outbox, Type::PROGRAM), 0U) << "the circuit stands";
}

TEST(OpusUntold, WhatIsOverOrOfAnotherTermIsNotCalledBack)
{
    UntoldBench over;
    over.Release(0, over.grant.phase, over.pairs);
    over.Release(1, over.grant.phase, over.pairs); // it was told, and only that was not known
    EXPECT_TRUE(over.GiveUp().empty());
    UntoldBench other;
    other.grant.term += 1;
    EXPECT_TRUE(other.GiveUp().empty());
}

TEST(OpusUntold, AShimThatIsCalledBackFromWhatItWasNotToldAsksUnderTheNextNumber)
{
    OpusShimBench bench;
    const CircuitRequest ask = OpusShimBench::Dp(0);
    bench.Ask(ask);
    EXPECT_EQ(bench.FlushOne().plan, 0U);
    OpusMessage recall = bench.Message(Type::RECALL, ask);
    recall.speculative = true;
    EXPECT_TRUE(bench.Take(recall).empty()) << "the rank waits on";
    const auto outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].type, Type::RELEASE);
    EXPECT_TRUE(outbox[0].speculative) << "unused";
    EXPECT_EQ(outbox[0].plan, 0U);
    EXPECT_EQ(outbox[1].type, Type::REQUEST);
    EXPECT_EQ(outbox[1].plan, 1U);
    EXPECT_TRUE(bench.Take(recall).empty());
    EXPECT_TRUE(bench.Flush().empty()) << "it belongs to the ask before";
    EXPECT_TRUE(bench.Grant(ask, 0, 0).empty()) << "so does this";
    EXPECT_EQ(bench.Grant(ask, 0, 1).size(), 1U);
}

TEST(OpusUntold, AGuessThatIsCalledBackUntoldIsWithdrawn)
{
    OpusShimBench bench(OpusShimBench::Settings(ShimMode::PROVISIONED));
    bench.Core().BeginIteration(RankId(0));
    bench.AskAndGet(OpusShimBench::Dp(0), 0);
    bench.Finish(OpusShimBench::Dp(0));
    bench.Flush();
    bench.Core().BeginIteration(RankId(0));
    const OpusMessage guess = bench.FlushOne();
    ASSERT_TRUE(guess.type == Type::REQUEST && guess.speculative);
    OpusMessage recall = bench.Message(Type::RECALL, OpusShimBench::Dp(guess.phase.operation));
    recall.plan = guess.plan;
    recall.speculative = true;
    bench.Take(recall);
    const OpusMessage outgoing = bench.FlushOne();
    EXPECT_EQ(outgoing.type, Type::RELEASE);
    EXPECT_TRUE(outgoing.speculative);
}
