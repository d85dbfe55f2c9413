/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A shim in which several events meet; the test writes the controller's messages.

#include "opus-shim-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>

using namespace ns3;

namespace
{

using ShimBench = OpusShimBench;
using Type = OpusMessage::Type;
using Network = CircuitAnswer::Network;

/**
 * Rank 0 requests Dp(3) and the operations predicted after it, and requests Dp(4) before there is
 * an answer. After three of dp, an iteration has one of tp.
 */
class TwoWaitBench : public OpusShimBench
{
  public:
    TwoWaitBench()
    {
        Core().BeginIteration(RankId(0));
        for (const CircuitRequest& request : {Dp(0), Dp(1), Dp(2), Tp(0)})
        {
            RequestAndGrant(request, request.operation);
            Finish(request);
            Flush();
        }
        Core().BeginIteration(RankId(0));
        EXPECT_TRUE(Request(Dp(3)).empty());
        EXPECT_EQ(FlushOne<OpusRequest>().until, 5U);
        EXPECT_TRUE(Request(Dp(4)).empty());
        EXPECT_TRUE(Flush().empty()); // the request that waits reaches so far
    }
};

/** Requests in advance the operation after next of dp; the first iteration was dp and tp. */
class GuessingBench : public OpusShimBench
{
  public:
    GuessingBench()
        : OpusShimBench(Settings(ShimMode::PROVISIONED))
    {
        Core().BeginIteration(RankId(0));
        for (const CircuitRequest& request : {Dp(0), Tp(0)})
        {
            RequestAndGrant(request, request.operation);
            Finish(request);
            Flush();
        }
        Core().BeginIteration(RankId(0));
        FlushOne();
    }
};

} // namespace

TEST(OpusShimCorners, WhatTheGrantDoesNotReachIsRequestedAnew)
{
    TwoWaitBench whole;
    EXPECT_EQ(whole.Grant(ShimBench::Dp(3), 4).size(), 2U);
    TwoWaitBench part;
    EXPECT_EQ(part.Grant(ShimBench::Dp(3), 3).size(), 1U);
    const auto request = part.FlushOne<OpusRequest>();
    EXPECT_TRUE(request.phase == ShimBench::PhaseOf(ShimBench::Dp(4)));
    EXPECT_EQ(request.until, 5U);
    TwoWaitBench refused;
    const auto answers = refused.Take(refused.Message<OpusRefuse>(ShimBench::Dp(3)));
    ASSERT_EQ(answers.size(), 1U); // the first operation is refused, no other
    EXPECT_EQ(answers[0].request.operation, 3U);
    EXPECT_TRUE(refused.FlushOne<OpusRequest>().phase == ShimBench::PhaseOf(ShimBench::Dp(4)));
}

TEST(OpusShimCorners, RequestedAgainWhileOthersOfTheMessageAreUnderWay)
{
    TwoWaitBench bench;
    bench.Grant(ShimBench::Dp(3), 5);
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(3));
    recall.isWhole = true;
    EXPECT_EQ(bench.Take(recall).size(), 2U);
    bench.Finish(ShimBench::Dp(3));
    EXPECT_TRUE(bench.Request(ShimBench::Dp(3)).empty());
    EXPECT_TRUE(bench.Flush().empty()); // the other is not released yet
    bench.Finish(ShimBench::Dp(4));
    bench.Request(ShimBench::Dp(4));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U); // both operations are of one phase again
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused && outbox[0].GetType() == Type::RELEASE);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().number, 1U);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(3), 5, 1).size(), 2U);
}

TEST(OpusShimCorners, ARepeatedGrantMayReachLessFar)
{
    TwoWaitBench bench;
    bench.Grant(ShimBench::Dp(3), 5);
    const auto answers = bench.Grant(ShimBench::Dp(3), 3);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].answer.network, Network::WITHDRAWN);
    EXPECT_EQ(answers[0].request.operation, 4U);
}

TEST(OpusShimCorners, ARecallBeforeTheFirstOperationGivesAllBack)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(3), 5);
    EXPECT_EQ(bench.Take(bench.Recall(ShimBench::Dp(3), 2)).size(), 1U);
    bench.Finish(ShimBench::Dp(3));
    bench.Request(ShimBench::Dp(3));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().number, 1U);
}

TEST(OpusShimCorners, WhatGoesOverTheHostsIsNotWithdrawn)
{
    ShimSettings settings = ShimBench::Settings();
    settings.giveUpAfter = 10;
    settings.whenGivenUp = ShimSettings::WhenGivenUp::HOST;
    ShimBench bench(settings);
    bench.Request(ShimBench::Dp(0));
    bench.Flush();
    bench.Core().TimePassed(10);
    bench.Grant(ShimBench::Dp(0), 0);
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(0));
    recall.isWhole = true;
    EXPECT_TRUE(bench.Take(recall).empty());
    EXPECT_TRUE(bench.Flush().empty());
    bench.Finish(ShimBench::Dp(0));
    EXPECT_FALSE(bench.FlushOne<OpusRelease>().isUnused);
}

TEST(OpusShimCorners, CircuitsOfOtherPairsAreNotUsedBlindly)
{
    ShimSettings settings = ShimBench::Settings();
    settings.giveUpAfter = 10;
    ShimBench bench(settings);
    bench.RequestAndGrant(ShimBench::Dp(0), 0);
    bench.Finish(ShimBench::Dp(0));
    bench.Flush();
    CircuitRequest other = ShimBench::Dp(1);
    other.pairs = ShimBench::Pairs({{0, 4}});
    bench.Request(other);
    const auto answers = bench.Core().TimePassed(10).answers;
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(0), RankId(4)).size(), 2U);
}

TEST(OpusShimCorners, OnlyEqualRequestsOfRanksShareAMessage)
{
    // rank 2 has a profile and reaches further; or it is at its second request
    for (const bool profiled : {true, false})
    {
        ShimBench bench;
        bench.Core().Join(RankId(2), CommunicationGroup(GroupId(9), "x", {RankId(2), RankId(4)}));
        bench.Flush();
        uint64_t next = 0;
        if (profiled)
        {
            bench.Core().BeginIteration(RankId(2));
            for (; next < 2; ++next)
            {
                bench.RequestAndGrant(ShimBench::Dp(next, 2), next);
                bench.Finish(ShimBench::Dp(next, 2));
                bench.Flush();
            }
            bench.Core().BeginIteration(RankId(2));
        }
        else
        {
            bench.Grant(ShimBench::Dp(next, 2), next); // no rank wanted it
        }
        bench.Flush();
        bench.Request(ShimBench::Dp(next, 0));
        bench.Request(ShimBench::Dp(next, 2));
        EXPECT_EQ(bench.Flush().size(), 2U);
        EXPECT_EQ(bench.Core().GetCounters().coalesced, 0U);
    }
}

TEST(OpusShimCorners, ARankThatCallsDoesNotShareAMessageWithOneThatGuesses)
{
    GuessingBench bench;
    bench.Core().Join(RankId(2), CommunicationGroup(GroupId(9), "x", {RankId(2), RankId(4)}));
    bench.Flush();
    for (const CircuitRequest& request : {ShimBench::Dp(1), ShimBench::Tp(1)})
    {
        bench.Request(request);
        bench.Flush();
        bench.Grant(request, 1);
        bench.Finish(request); // now the next is guessed
    }
    bench.Request(ShimBench::Dp(2, 2));
    std::vector<bool> speculative;
    for (const OpusMessage& outgoing : bench.Flush())
    {
        if (const OpusRequest* request = outgoing.Find<OpusRequest>())
        {
            EXPECT_TRUE(request->phase == ShimBench::PhaseOf(ShimBench::Dp(2)));
            EXPECT_EQ(request->until, 2U);
            speculative.push_back(request->isAhead);
        }
    }
    EXPECT_EQ(speculative, (std::vector<bool>{true, false}));
}

TEST(OpusShimCorners, AGuessThatIsCalledAndGrantedInOneInstantIsNotRequestedAgain)
{
    GuessingBench bench;
    bench.Request(ShimBench::Dp(1));
    EXPECT_EQ(bench.Grant(ShimBench::Dp(1), 1).size(), 1U);
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_EQ(bench.Core().GetCounters().covered, 0U);
}

TEST(OpusShimCorners, AGuessIsNoRequestUntilItIsCalled)
{
    GuessingBench bench;
    bench.Grant(ShimBench::Dp(1), 1);
    EXPECT_EQ(bench.Request(ShimBench::Dp(1)).size(), 1U);
    EXPECT_EQ(bench.Core().GetCounters().covered, 0U); // it was requested in advance
    EXPECT_EQ(bench.Core().GetCounters().rightGuesses, 1U);
}

TEST(OpusShimCorners, AMispredictionThatIsWhatWasGuessedIsMadeGood)
{
    GuessingBench bench;
    bench.Request(ShimBench::Dp(1));
    bench.Flush();
    bench.Grant(ShimBench::Dp(1), 1);
    bench.Finish(ShimBench::Dp(1));
    bench.Request(ShimBench::Tp(1));
    bench.Flush();
    bench.Grant(ShimBench::Tp(1), 1);
    bench.Finish(ShimBench::Tp(1));
    EXPECT_EQ(bench.Flush().size(), 2U); // the first of the next iteration is guessed
    bench.Request(ShimBench::Dp(2));     // called without a marker
    const auto request = bench.FlushOne<OpusRequest>();
    EXPECT_FALSE(request.isAhead);
    EXPECT_EQ(request.number, 0U);
    EXPECT_EQ(bench.Core().GetCounters().wrongPredictions, 1U);
    EXPECT_EQ(bench.Core().GetCounters().withdrawnGuesses, 0U);
}

TEST(OpusShimCorners, AnIterationCutShortTakesGuessesBack)
{
    GuessingBench bench;
    bench.Request(ShimBench::Dp(1));
    bench.Flush();
    bench.Grant(ShimBench::Dp(1), 1);
    bench.Finish(ShimBench::Dp(1));
    EXPECT_EQ(bench.Flush().size(), 2U); // tp is guessed
    bench.Core().BeginIteration(RankId(0));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_TRUE(*outbox[0].FindPhase() == ShimBench::PhaseOf(ShimBench::Tp(1)));
    EXPECT_TRUE(*outbox[1].FindPhase() ==
                ShimBench::PhaseOf(ShimBench::Dp(2))); // by the new profile
    EXPECT_EQ(bench.Core().GetCounters().wrongPredictions, 1U);
}

TEST(OpusShimCorners, WhatIsOverThoughWithdrawnEndsARun)
{
    GuessingBench bench;
    bench.Request(ShimBench::Dp(1));
    bench.Flush();
    bench.Grant(ShimBench::Dp(1), 1);
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(1));
    recall.isWhole = true;
    bench.Take(recall);
    bench.Finish(ShimBench::Dp(1));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_FALSE(outbox[0].Get<OpusRelease>().isUnused);
    EXPECT_TRUE(*outbox[1].FindPhase() == ShimBench::PhaseOf(ShimBench::Tp(1)));
    EXPECT_TRUE(outbox[1].Get<OpusRequest>().isAhead);
}

TEST(OpusShimCorners, AnEndedProgramHoldsNothing)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 5);
    bench.Finish(ShimBench::Dp(0));
    bench.Core().End(RankId(0));
    const auto release = bench.FlushOne<OpusRelease>();
    EXPECT_EQ(release.until, 0U);
    EXPECT_FALSE(release.isUnused);
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShimCorners, WhatStandsForGoodIsNotRequestedInAdvance)
{
    ShimBench bench(ShimBench::Settings(ShimMode::PROVISIONED));
    bench.Core().BeginIteration(RankId(0));
    bench.RequestAndGrant(ShimBench::Dp(0), UINT64_MAX);
    bench.Finish(ShimBench::Dp(0));
    bench.Core().BeginIteration(RankId(0));
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_EQ(bench.Core().GetCounters().guesses, 0U);
}

TEST(OpusShimCorners, SendsOfAnotherRunAreNotKeptThoughThereIsRoom)
{
    // pp, dp, pp: rank 0 sends to 2, then to 4 in another run
    ShimSettings settings = ShimBench::Settings();
    ShimBench bench(settings);
    bench.Core().BeginIteration(RankId(0));
    for (const CircuitRequest& request : {ShimBench::Send(0, 2, 0),
                                          ShimBench::Send(0, 2, 1),
                                          ShimBench::Dp(0),
                                          ShimBench::Send(0, 4, 0)})
    {
        bench.RequestAndGrant(request, request.operation);
        bench.Finish(request);
        bench.Flush();
    }
    bench.Core().BeginIteration(RankId(0));
    bench.Flush();
    bench.Request(ShimBench::Send(0, 2, 2));
    bench.Flush();
    bench.Grant(ShimBench::Send(0, 2, 2), 3);
    bench.Finish(ShimBench::Send(0, 2, 2));
    EXPECT_TRUE(bench.Flush().empty());
    bench.Request(ShimBench::Send(0, 4, 1)); // out of turn
    EXPECT_EQ(bench.Flush().size(), 2U);
    EXPECT_EQ(bench.Core().GetCounters().brokenPromises, 1U);
}

TEST(OpusShimCorners, WhatIsToBeRequestedAgainIsNotReportedAsOver)
{
    TwoWaitBench bench;
    bench.Grant(ShimBench::Dp(3), 5);
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(3));
    recall.isWhole = true;
    bench.Take(recall);
    bench.Finish(ShimBench::Dp(4)); // it is over, and what came before is not
    bench.Finish(ShimBench::Dp(3));
    bench.Request(ShimBench::Dp(3));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().number, 1U);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(3), 3, 1).size(), 1U);
    bench.Finish(ShimBench::Dp(3));
    const auto release = bench.FlushOne<OpusRelease>();
    EXPECT_FALSE(release.isUnused);
    EXPECT_EQ(release.until, 4U); // as in the message that is lost
}

TEST(OpusShimCorners, NorIfItIsRequestedUnderAnotherName)
{
    TwoWaitBench bench;
    bench.Grant(ShimBench::Dp(3), 5);
    EXPECT_EQ(bench.Request(ShimBench::Dp(5)).size(), 1U);
    bench.Finish(ShimBench::Dp(3));
    EXPECT_EQ(bench.Take(bench.Recall(ShimBench::Dp(3), 3)).size(), 2U);
    bench.Finish(ShimBench::Dp(4));
    bench.Request(ShimBench::Dp(4));
    bench.Finish(ShimBench::Dp(5));
    std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_GE(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_FALSE(outbox[0].Get<OpusRelease>().isUnused);
    EXPECT_EQ(outbox[0].Get<OpusRelease>().until, 3U);
    EXPECT_EQ(outbox.back().GetType(), Type::REQUEST);
    EXPECT_TRUE(*outbox.back().FindPhase() == ShimBench::PhaseOf(ShimBench::Dp(4)));
}

TEST(OpusShimCorners, StagesOfAnOperationAreGivenBackEachForItself)
{
    ShimBench bench;
    CircuitRequest first = ShimBench::Dp(0);
    first.stages = 2;
    CircuitRequest second = first;
    second.stage = 1;
    bench.RequestAndGrant(first, 0);
    bench.RequestAndGrant(second, 0);
    bench.Finish(first);
    const auto release = bench.FlushOne<OpusRelease>();
    EXPECT_FALSE(release.isUnused);
    EXPECT_EQ(release.until, 0U);
    // and the later one though the earlier is to be requested again
    ShimBench other;
    other.RequestAndGrant(first, 0);
    other.RequestAndGrant(second, 0);
    auto recall = other.Message<OpusRecall>(first);
    recall.isWhole = true;
    other.Take(recall);
    other.Finish(first);
    other.Request(first);
    other.Finish(second);
    const std::vector<OpusMessage> outbox = other.Flush();
    ASSERT_EQ(outbox.size(), 3U);
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused);
    EXPECT_EQ(outbox[0].FindPhase()->stage, 0U);
    EXPECT_FALSE(outbox[1].Get<OpusRelease>().isUnused);
    EXPECT_EQ(outbox[1].FindPhase()->stage, 1U);
    EXPECT_EQ(outbox[2].GetType(), Type::REQUEST);
}

TEST(OpusShimCorners, CircuitsAreHeldFromTheEndOfAnIterationToTheBeginningOfTheNext)
{
    ShimBench bench(ShimBench::Settings(ShimMode::PROVISIONED));
    bench.Core().BeginIteration(RankId(0));
    for (const CircuitRequest& request : {ShimBench::Dp(0), ShimBench::Tp(0), ShimBench::Dp(1)})
    {
        bench.RequestAndGrant(request, request.operation);
        bench.Finish(request);
        bench.Flush();
    }
    bench.Core().BeginIteration(RankId(0));
    EXPECT_EQ(bench.FlushOne<OpusRequest>().until, 2U); // a guess, up to tp
    bench.Grant(ShimBench::Dp(2), 2);
    uint64_t next = 2;
    for (uint64_t iteration = 1; iteration < 4; ++iteration)
    {
        EXPECT_EQ(bench.Request(ShimBench::Dp(next)).size(), 1U);
        EXPECT_TRUE(bench.Flush().empty());
        bench.Finish(ShimBench::Dp(next));
        std::vector<OpusMessage> outbox = bench.Flush();
        ASSERT_EQ(outbox.size(), 2U); // it is given back at last, and tp guessed
        EXPECT_EQ(outbox[0].Get<OpusRelease>().until, next);
        EXPECT_TRUE(*outbox[1].FindPhase() == ShimBench::PhaseOf(ShimBench::Tp(iteration)));
        bench.Grant(ShimBench::Tp(iteration), iteration);
        bench.Request(ShimBench::Tp(iteration));
        bench.Finish(ShimBench::Tp(iteration));
        outbox = bench.Flush();
        ASSERT_EQ(outbox.size(), 2U);
        EXPECT_TRUE(*outbox[1].FindPhase() == ShimBench::PhaseOf(ShimBench::Dp(next + 1)));
        EXPECT_EQ(outbox[1].Get<OpusRequest>().until, next + 2);
        bench.Grant(ShimBench::Dp(next + 1), next + 2);
        bench.Request(ShimBench::Dp(next + 1));
        bench.Finish(ShimBench::Dp(next + 1));
        EXPECT_TRUE(bench.Flush().empty()) << "neither given back nor guessed";
        if (iteration < 3)
        {
            bench.Core().BeginIteration(RankId(0));
            EXPECT_TRUE(bench.Flush().empty());
        }
        next += 2;
    }
    bench.Core().End(RankId(0)); // what would come does not
    const auto release = bench.FlushOne<OpusRelease>();
    EXPECT_FALSE(release.isUnused);
    EXPECT_EQ(release.until, next - 1);
    EXPECT_EQ(bench.Core().GetCounters().wrongPredictions, 0U);
    EXPECT_EQ(bench.Core().GetCounters().brokenPromises, 0U);
    EXPECT_EQ(bench.Core().GetCounters().withdrawnGuesses, 0U);
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShimCorners, WhatIsHeldBeyondTheIterationIsGivenBackIfItIsInTheWay)
{
    ShimBench bench;
    bench.Core().BeginIteration(RankId(0));
    for (const CircuitRequest& request : {ShimBench::Dp(0), ShimBench::Tp(0), ShimBench::Dp(1)})
    {
        bench.RequestAndGrant(request, request.operation);
        bench.Finish(request);
        bench.Flush();
    }
    bench.Core().BeginIteration(RankId(0));
    for (const auto& [request, until] :
         {std::make_pair(ShimBench::Dp(2), 2U), {ShimBench::Tp(1), 1U}, {ShimBench::Dp(3), 4U}})
    {
        bench.RequestAndGrant(request, until);
        bench.Finish(request);
        bench.Flush();
    }
    bench.Core().BeginIteration(RankId(0));
    bench.Request(ShimBench::Tp(2)); // the loop is another now
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_EQ(outbox[0].Get<OpusRelease>().until, 3U);
    EXPECT_EQ(bench.Core().GetCounters().brokenPromises, 1U);
}

TEST(OpusShimCorners, RanksThatGiveAPairDifferentLinksDoNotShareAMessage)
{
    ShimBench bench;
    bench.Core().Join(RankId(2), CommunicationGroup(GroupId(9), "x", {RankId(2), RankId(4)}));
    bench.Flush();
    CircuitRequest onward = ShimBench::Send(2, 4, 0);
    onward.rank = RankId(2); // which has two neighbours
    bench.Request(onward);
    bench.Flush();
    CircuitRequest other = ShimBench::Send(0, 2, 0);
    other.rank = RankId(2);
    bench.Request(ShimBench::Send(0, 2, 0));
    bench.Request(other);
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].Get<OpusRequest>().links, 2U);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().links, 1U);
}

TEST(OpusShimCorners, AfterAMispredictionNothingIsForeseenForWhatIsRequestedAgain)
{
    TwoWaitBench bench;
    bench.Grant(ShimBench::Dp(3), 5);
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(3));
    recall.isWhole = true;
    EXPECT_EQ(bench.Take(recall).size(), 2U);
    bench.Request(ShimBench::Send(0, 2, 0)); // which the profile does not have
    bench.Flush();
    bench.Finish(ShimBench::Dp(3));
    bench.Finish(ShimBench::Dp(4));
    bench.Request(ShimBench::Dp(3));
    bench.Request(ShimBench::Dp(4));
    uint32_t seen = 0;
    for (const OpusMessage& outgoing : bench.Flush())
    {
        if (const OpusRequest* request = outgoing.Find<OpusRequest>())
        {
            ++seen;
            EXPECT_EQ(request->until, request->phase.operation);
        }
    }
    EXPECT_EQ(seen, 2U);
}

TEST(OpusShimCorners, ALaterStageIsNotOverInOperationsThatHaveJustBegun)
{
    ShimBench bench;
    CircuitRequest second = ShimBench::Dp(0);
    second.stages = 2;
    second.stage = 1;
    bench.RequestAndGrant(second, 0);
    bench.RequestAndGrant(ShimBench::Dp(1), 1);
    bench.Finish(ShimBench::Dp(1));
    bench.Flush();
    bench.Finish(second);
    EXPECT_EQ(bench.FlushOne<OpusRelease>().until, 0U);
}

TEST(OpusShimCorners, OthersAreWaitedForFromTheRequestThatCounts)
{
    TwoWaitBench bench; // has requested at 0
    bench.Core().TakeNotes();
    bench.now = 90;
    EXPECT_TRUE(bench.Request(ShimBench::Dp(5)).empty());
    bench.now = 100;
    auto refusal = bench.Message<OpusRefuse>(ShimBench::Dp(3));
    refusal.isFinal = false;
    bench.Take(refusal);
    EXPECT_EQ(bench.FlushOne<OpusRequest>().number, 1U);
    bench.now = 120;
    FlatMessage<OpusHeartbeat> term;
    term.term = 1;
    bench.Take(term);
    EXPECT_EQ(bench.Flush().back().Get<OpusRequest>().number,
              1U); // sent again, and received before
    bench.now = 200;
    auto grant = bench.Granted(ShimBench::Dp(3), 5, 1);
    grant.others = 85;
    EXPECT_EQ(bench.Take(grant).size(), 3U);
    const auto notes = bench.Core().TakeNotes();
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(notes[0].others, ToTime(85));
    EXPECT_EQ(notes[0].exposed, ToTime(115));
    EXPECT_EQ(notes[2].others, ToTime(85)) << "it asked before that too";
    EXPECT_EQ(notes[2].exposed, ToTime(25));
}

TEST(OpusShimCorners, WhatIsGrantedToAProgramThatIsOverIsGivenBack)
{
    ShimBench bench(ShimBench::Settings(ShimMode::CO_SCHEDULED));
    CircuitHint hint;
    hint.kind = CircuitHint::Kind::ACQUIRE;
    hint.first = ShimBench::Dp(0);
    hint.until = 4;
    bench.Core().Hint(hint, 0);
    bench.FlushOne();
    bench.Core().End(RankId(0));
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_EQ(bench.Grant(ShimBench::Dp(0), 4).size(), 1U);
    const auto release = bench.FlushOne<OpusRelease>();
    EXPECT_TRUE(release.isUnused);
    EXPECT_TRUE(bench.Core().IsIdle());
}
