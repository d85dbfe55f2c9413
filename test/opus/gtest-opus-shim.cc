/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A shim rule by rule; the test writes the controller's messages.

#include "../support/time-units.h"
#include "opus-shim-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <limits>
#include <string>

using namespace ns3;

namespace
{

using ShimBench = OpusShimBench;
using Type = OpusMessage::Type;
using Network = CircuitAnswer::Network;

/** An outgoing message reports that a rank is through with a phase, as far as an operation. */
void
ExpectUsed(const OpusMessage& outgoing,
           const CircuitRequest& first,
           uint64_t until,
           uint64_t number = 0)
{
    ASSERT_EQ(outgoing.GetType(), Type::RELEASE);
    const OpusRelease& release = outgoing.Get<OpusRelease>();
    EXPECT_TRUE(release.phase == ShimBench::PhaseOf(first));
    EXPECT_FALSE(release.isUnused);
    EXPECT_EQ(release.until, until);
    EXPECT_EQ(release.number, number);
    EXPECT_EQ(release.ranks, std::vector<RankId>{first.rank});
}

void
ExpectUnused(const OpusMessage& outgoing, const CircuitRequest& first, uint64_t number = 0)
{
    ASSERT_EQ(outgoing.GetType(), Type::RELEASE);
    const OpusRelease& release = outgoing.Get<OpusRelease>();
    EXPECT_TRUE(release.phase == ShimBench::PhaseOf(first));
    EXPECT_TRUE(release.isUnused);
    EXPECT_EQ(release.number, number);
}

void
ExpectRequest(const OpusMessage& outgoing,
              const CircuitRequest& wanted,
              uint64_t until,
              uint64_t number = 0,
              bool isAgain = false)
{
    isAgain = isAgain || number > 0;
    ASSERT_EQ(outgoing.GetType(), Type::REQUEST);
    const OpusRequest& request = outgoing.Get<OpusRequest>();
    EXPECT_TRUE(request.phase == ShimBench::PhaseOf(wanted));
    EXPECT_FALSE(request.isAhead);
    EXPECT_EQ(request.until, until);
    EXPECT_EQ(request.number, number);
    // those of the rank, and what stands for all; or all, if others may be through with it
    OpusRequest named;
    named.ranks = request.ranks;
    WholePairs whole(*wanted.pairs);
    isAgain ? whole.NameAll(named) : whole.Name(named);
    EXPECT_EQ(request.pairs, named.pairs);
    EXPECT_EQ(request.whole, named.whole);
    EXPECT_EQ(request.digest, GetDigest(*wanted.pairs));
}

} // namespace

TEST(OpusShim, AGroupIsRegisteredOnceForTheServer)
{
    ShimSettings settings = ShimBench::Settings();
    settings.server = ServerId(3);
    settings.job = JobId(2);
    ShimCore core(settings);
    const CommunicationGroup group(GroupId(7), "dp 1", {RankId(6), RankId(7), RankId(8)});
    core.Join(RankId(6), group);
    core.Join(RankId(7), group);
    const std::vector<OpusMessage> outbox = core.Flush(0).outbox;
    ASSERT_EQ(outbox.size(), 1U);
    ASSERT_EQ(outbox[0].GetType(), Type::REGISTER_GROUP);
    const FlatMessage<OpusRegisterGroup> registration(outbox[0]);
    EXPECT_EQ(registration.server, ServerId(3));
    EXPECT_EQ(registration.job, JobId(2));
    EXPECT_EQ(registration.group, GroupId(7));
    EXPECT_EQ(registration.ranks, std::vector<RankId>({RankId(6), RankId(7)}))
        << "the server's own";
    EXPECT_EQ(registration.whole, 3U);
    EXPECT_EQ(registration.digest, GetDigest(group.GetRanks()));
    EXPECT_EQ(registration.name, "dp 1");
}

TEST(OpusShim, ARequestIsAnsweredWithTheGrantsCircuitsBothWays)
{
    ShimBench bench;
    EXPECT_TRUE(bench.Request(ShimBench::Dp(0)).empty());
    const auto request = bench.FlushOne<OpusRequest>();
    ExpectRequest(request, ShimBench::Dp(0), 0);
    EXPECT_EQ(request.ranks, std::vector<RankId>{RankId(0)});
    EXPECT_EQ(request.bytes, 100U);
    EXPECT_EQ(request.links, 0U); // of a collective
    auto grant = bench.Message<OpusGrant>(ShimBench::Dp(0));
    grant.circuits = {{RankId(2), 0, RankId(0), 1}, {RankId(0), 0, RankId(2), 3}};
    const std::vector<ShimAnswer> answers = bench.Take(grant);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].answer.network, Network::RAIL);
    const std::vector<RailLink> out{{0, 3}, {1, 0}}; // by the sender's port
    const std::vector<RailLink> in{{0, 1}, {3, 0}};
    EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(0), RankId(2)), out);
    EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(2), RankId(0)), in);
    EXPECT_TRUE(answers[0].answer.links->GetLinks(RankId(0), RankId(4)).empty());
    bench.Finish(ShimBench::Dp(0));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0);
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShim, EqualRequestsOfAnInstantShareAMessage)
{
    ShimBench bench;
    bench.Core().Join(RankId(2), CommunicationGroup(GroupId(9), "x", {RankId(2), RankId(4)}));
    bench.Flush();
    bench.Request(ShimBench::Dp(0, 0));
    bench.Request(ShimBench::Dp(0, 2));
    const auto both = bench.FlushOne<OpusRequest>();
    EXPECT_EQ(both.ranks, (std::vector<RankId>{RankId(0), RankId(2)}));
    EXPECT_EQ(both.bytes, 200U);
    EXPECT_EQ(bench.Core().GetCounters().requests, 1U);
    EXPECT_EQ(bench.Core().GetCounters().coalesced, 1U);
    // one of them releases and requests again: another number, another outgoing message
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(0));
    recall.isWhole = true;
    bench.Grant(ShimBench::Dp(0, 0), 0);
    EXPECT_EQ(bench.Take(recall).size(), 1U);
    auto refusal = bench.Message<OpusRefuse>(ShimBench::Dp(0, 2));
    refusal.isFinal = false;
    bench.Finish(ShimBench::Dp(0, 0));
    bench.Request(ShimBench::Dp(0, 0));
    bench.Take(refusal);
    const std::vector<OpusMessage> again = bench.Flush();
    ASSERT_EQ(again.size(), 2U);
    ExpectUnused(again[0], ShimBench::Dp(0));
    EXPECT_EQ(again[1].Get<OpusRequest>().number, 1U); // both are at their second request now
    EXPECT_EQ(again[1].GetRanks().size(), 2U);
    // apart, if they differ
    bench.Request(ShimBench::Send(0, 2, 0));
    CircuitRequest other = ShimBench::Send(0, 2, 0);
    other.rank = RankId(2);
    bench.Flush();
    bench.Request(other);
    EXPECT_EQ(bench.FlushOne().GetRanks(), std::vector<RankId>{RankId(2)});
}

TEST(OpusShim, WhatAGrantCoversIsAnsweredAtOnceAndReleasedAfterTheLast)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(4), 6);
    bench.Finish(ShimBench::Dp(4));
    EXPECT_TRUE(bench.Flush().empty());
    for (uint64_t operation = 5; operation <= 6; ++operation)
    {
        const std::vector<ShimAnswer> answers = bench.Request(ShimBench::Dp(operation));
        ASSERT_EQ(answers.size(), 1U);
        EXPECT_EQ(answers[0].request.operation, operation);
        EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(0), RankId(2)).size(), 1U);
        EXPECT_TRUE(bench.Flush().empty());
        bench.Finish(ShimBench::Dp(operation));
    }
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(4), 6);
    EXPECT_EQ(bench.Core().GetCounters().covered, 2U);
    EXPECT_TRUE(bench.Request(ShimBench::Dp(7)).empty());
    ExpectRequest(bench.FlushOne(), ShimBench::Dp(7), 7);
}

TEST(OpusShim, OtherPairsAndLaterStagesAreNotCovered)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    CircuitRequest other = ShimBench::Dp(1);
    other.pairs = ShimBench::Pairs({{0, 4}});
    EXPECT_TRUE(bench.Request(other).empty());
    EXPECT_EQ(bench.FlushOne().GetType(), Type::REQUEST);
    CircuitRequest staged = ShimBench::Dp(2);
    staged.stages = 2;
    EXPECT_TRUE(bench.Request(staged).empty());
    staged.stage = 1;
    EXPECT_TRUE(bench.Request(staged).empty());
    EXPECT_EQ(bench.Flush().size(), 2U);
    EXPECT_TRUE(bench.Request(ShimBench::Send(0, 2, 1)).empty()); // another flow
}

TEST(OpusShim, ForGoodIsForGood)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), UINT64_MAX);
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Tp(0)); // waits, and yet nothing is given back for it
    EXPECT_EQ(bench.FlushOne().GetType(), Type::REQUEST);
    CircuitRequest staged = ShimBench::Dp(100);
    staged.stage = 1;
    staged.stages = 2;
    EXPECT_EQ(bench.Request(staged).size(), 1U);
    bench.Finish(staged);
    EXPECT_EQ(bench.Request(ShimBench::Dp(1000)).size(), 1U);
    bench.Finish(ShimBench::Dp(1000));
    EXPECT_TRUE(bench.Flush().empty());
    bench.Grant(ShimBench::Tp(0), UINT64_MAX);
    bench.Finish(ShimBench::Tp(0));
    bench.Core().End(RankId(0));
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShim, CircuitsInNoUseAreGivenBackWhenTheRankWaitsForOthers)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    EXPECT_TRUE(bench.Request(ShimBench::Tp(0)).empty());
    ExpectRequest(bench.FlushOne(), ShimBench::Tp(0), 0); // dp is under way
    bench.Finish(ShimBench::Dp(0));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0);
    EXPECT_EQ(bench.Core().GetCounters().brokenPromises, 1U);
    // and the release goes before the request
    bench.Grant(ShimBench::Tp(0), 5);
    bench.Finish(ShimBench::Tp(0));
    EXPECT_TRUE(bench.Flush().empty());
    bench.Request(ShimBench::Dp(1));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    ExpectUsed(outbox[0], ShimBench::Tp(0), 0);
    ExpectRequest(outbox[1], ShimBench::Dp(1), 1, 0, true);
}

TEST(OpusShim, ARecallWithdrawsWhatIsUnderWayBeyondIt)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(1));
    EXPECT_TRUE(bench.Take(bench.Recall(ShimBench::Dp(0), 1)).empty()); // not beyond
    EXPECT_TRUE(bench.Flush().empty());
    const std::vector<ShimAnswer> answers = bench.Take(bench.Recall(ShimBench::Dp(0), 0));
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].request.operation, 1U);
    EXPECT_EQ(answers[0].answer.network, Network::WITHDRAWN);
    EXPECT_FALSE(answers[0].answer.why.empty());
    EXPECT_TRUE(bench.Flush().empty()); // messages are still to be settled
    bench.Finish(ShimBench::Dp(1));
    bench.Request(ShimBench::Dp(1));
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    ExpectUsed(outbox[0], ShimBench::Dp(0), 0);
    ExpectRequest(outbox[1], ShimBench::Dp(1), 1, 0, true);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(1), 1).size(), 1U);
}

TEST(OpusShim, WhatIsWithdrawnAndNotRequestedAgainIsOver)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(1));
    EXPECT_EQ(bench.Take(bench.Recall(ShimBench::Dp(0), 0)).size(), 1U);
    bench.Finish(ShimBench::Dp(1));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 1);
}

TEST(OpusShim, ARecallOfAnIdleClaimEndsIt)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    bench.Finish(ShimBench::Dp(0));
    EXPECT_TRUE(bench.Take(bench.Recall(ShimBench::Dp(0), 0)).empty());
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0);
    EXPECT_TRUE(bench.Take(bench.Recall(ShimBench::Dp(0), 0)).empty());
    EXPECT_TRUE(bench.Flush().empty());
}

TEST(OpusShim, ARecallOfEverythingIsRequestedAgainWithTheNextNumber)
{
    ShimBench bench;
    auto recall = bench.Message<OpusRecall>(ShimBench::Dp(0));
    recall.isWhole = true;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    EXPECT_EQ(bench.Take(recall).size(), 1U);
    EXPECT_TRUE(bench.Flush().empty());
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(0));
    std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    ExpectUnused(outbox[0], ShimBench::Dp(0));
    ExpectRequest(outbox[1], ShimBench::Dp(0), 0, 1);
    EXPECT_TRUE(bench.Grant(ShimBench::Dp(0), 9, 0).empty()); // belongs to the first request
    EXPECT_EQ(bench.Grant(ShimBench::Dp(0), 9, 1).size(), 1U);
    // an operation further on: the earlier one is over
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(1));
    EXPECT_EQ(bench.Take(recall).size(), 1U);
    bench.Finish(ShimBench::Dp(1));
    bench.Request(ShimBench::Dp(1));
    outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    ExpectUsed(outbox[0], ShimBench::Dp(0), 0, 1);
    ExpectRequest(outbox[1], ShimBench::Dp(1), 1, 0, true);
}

TEST(OpusShim, ARecallWithoutALimitWaitsUntilNothingIsUnderWay)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 9);
    const auto recall = bench.Recall(ShimBench::Dp(0), UINT64_MAX);
    EXPECT_TRUE(bench.Take(recall).empty());
    EXPECT_TRUE(bench.Flush().empty());
    bench.Finish(ShimBench::Dp(0));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0);
    EXPECT_TRUE(bench.Request(ShimBench::Dp(1)).empty());
}

TEST(OpusShim, AnUnwantedGrantIsReleasedAtOnce)
{
    ShimBench bench;
    EXPECT_TRUE(bench.Grant(ShimBench::Dp(3), 5).empty());
    ExpectUnused(bench.FlushOne(), ShimBench::Dp(3));
    EXPECT_EQ(bench.Core().GetCounters().unusedGrants, 1U);
    bench.Request(ShimBench::Dp(3));
    ExpectRequest(bench.FlushOne(), ShimBench::Dp(3), 3, 1);
    // repeated, it counts once; repeated when all is over, so is the release
    EXPECT_EQ(bench.Grant(ShimBench::Dp(3), 3, 1).size(), 1U);
    EXPECT_TRUE(bench.Grant(ShimBench::Dp(3), 3, 1).empty());
    bench.Finish(ShimBench::Dp(3));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(3), 3, 1);
    EXPECT_TRUE(bench.Grant(ShimBench::Dp(3), 3, 1).empty());
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(3), 3, 1);
}

TEST(OpusShim, ARefusalIsFinalOrOnlyOfWhatWasRequestedInAdvance)
{
    for (const bool hostNetwork : {false, true})
    {
        ShimSettings settings = ShimBench::Settings();
        settings.hostNetwork = hostNetwork;
        ShimBench bench(settings);
        bench.Request(ShimBench::Dp(0));
        bench.Flush();
        auto refusal = bench.Message<OpusRefuse>(ShimBench::Dp(0));
        refusal.reason = "no such port";
        refusal.isFinal = false; // others only guessed, and it was called meanwhile
        EXPECT_TRUE(bench.Take(refusal).empty());
        ExpectRequest(bench.FlushOne(), ShimBench::Dp(0), 0, 1);
        refusal.isFinal = true;
        const std::vector<ShimAnswer> answers = bench.Take(refusal);
        ASSERT_EQ(answers.size(), 1U);
        EXPECT_EQ(answers[0].answer.network, hostNetwork ? Network::HOST : Network::NONE);
        EXPECT_EQ(answers[0].answer.why, "no such port");
        bench.Finish(ShimBench::Dp(0));
        EXPECT_TRUE(bench.Flush().empty());
        EXPECT_TRUE(bench.Core().IsIdle());
        EXPECT_EQ(bench.Core().GetCounters().refused, 1U);
    }
}

TEST(OpusShim, ARequestWithoutAnAnswerIsGivenUp)
{
    using When = ShimSettings::WhenGivenUp;
    for (const When when : {When::SEND, When::HOST, When::FAIL})
    {
        ShimSettings settings = ShimBench::Settings();
        settings.giveUpAfter = 30 * US;
        settings.whenGivenUp = when;
        ShimBench bench(settings);
        bench.now = 5 * US;
        bench.Request(ShimBench::Dp(0));
        bench.Flush();
        EXPECT_EQ(bench.Core().GetNextDeadline(), 35 * US);
        EXPECT_TRUE(bench.Core().TimePassed(35 * US - 1).answers.empty());
        const std::vector<ShimAnswer> answers = bench.Core().TimePassed(35 * US).answers;
        ASSERT_EQ(answers.size(), 1U);
        EXPECT_EQ(bench.Core().GetNextDeadline(), NEVER);
        EXPECT_NE(answers[0].answer.why.find("0.03 ms"), std::string::npos)
            << answers[0].answer.why;
        if (when == When::FAIL)
        {
            EXPECT_EQ(answers[0].answer.network, Network::NONE);
            ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0); // others must not wait for it
            continue;
        }
        EXPECT_EQ(answers[0].answer.network, when == When::SEND ? Network::RAIL : Network::HOST);
        if (when == When::SEND)
        {
            const std::vector<RailLink> equal{{0, 0}, {1, 1}};
            EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(0), RankId(4)), equal);
        }
        EXPECT_TRUE(bench.Flush().empty());
        bench.Finish(ShimBench::Dp(0));
        ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0); // though it never was granted
        bench.Grant(ShimBench::Dp(0), 0);
        ExpectUsed(bench.FlushOne(), ShimBench::Dp(0), 0); // it comes too late
        EXPECT_EQ(bench.Core().GetCounters().givenUp, 1U);
    }
}

TEST(OpusShim, AGrantAfterAllIsHeldAndTheLastCircuitsAreRemembered)
{
    ShimSettings settings = ShimBench::Settings();
    settings.giveUpAfter = 30 * US;
    ShimBench bench(settings);
    bench.RequestAndGrant(ShimBench::Dp(0), 0);
    bench.Finish(ShimBench::Dp(0));
    bench.Flush();
    bench.Request(ShimBench::Dp(1));
    bench.Flush();
    const std::vector<ShimAnswer> answers = bench.Core().TimePassed(30 * US).answers;
    ASSERT_EQ(answers.size(), 1U);
    const std::vector<RailLink> last{{0, 5}};
    EXPECT_EQ(answers[0].answer.links->GetLinks(RankId(0), RankId(2)), last);
    EXPECT_TRUE(bench.Grant(ShimBench::Dp(1), 2).empty()); // the request is answered, once
    bench.Finish(ShimBench::Dp(1));
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_EQ(bench.Request(ShimBench::Dp(2)).size(), 1U);
    bench.Finish(ShimBench::Dp(2));
    ExpectUsed(bench.FlushOne(), ShimBench::Dp(1), 2);
}

TEST(OpusShim, ANewTermReceivesAllThatIsHeldAndWanted)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 0);
    bench.Finish(ShimBench::Dp(0));
    bench.FlushOne(); // it may have arrived or not
    bench.RequestAndGrant(ShimBench::Tp(0), 0);
    bench.Finish(ShimBench::Tp(0));
    bench.FlushOne();
    bench.RequestAndGrant(ShimBench::Tp(1), 7);
    bench.Request(ShimBench::Dp(1));
    bench.Flush();
    FlatMessage<OpusTerm> news;
    for (const uint32_t term : {4U, 5U})
    {
        news.term = term;
        EXPECT_TRUE(bench.Take(news).empty());
        const std::vector<OpusMessage> outbox = bench.Flush();
        ASSERT_EQ(outbox.size(), 8U); // three groups come first
        for (uint32_t i = 0; i < outbox.size(); ++i)
        {
            EXPECT_EQ(outbox[i].GetType() == Type::REGISTER_GROUP, i < 3);
            EXPECT_EQ(outbox[i].term, term);
        }
        ASSERT_EQ(outbox[3].GetType(), Type::HOLD);
        const OpusHold& hold = outbox[3].Get<OpusHold>();
        EXPECT_EQ(hold.phase, ShimBench::PhaseOf(ShimBench::Tp(1)));
        EXPECT_EQ(hold.until, 7U);
        EXPECT_EQ(hold.pairs, *ShimBench::Tp(1).pairs);
        ASSERT_EQ(hold.circuits.size(), 1U);
        EXPECT_EQ(hold.circuits[0].other, RankId(6));
        for (const uint32_t i : {4U, 5U})
        {
            ASSERT_EQ(outbox[i].GetType(), Type::HOLD) << "through";
            EXPECT_EQ(*outbox[i].FindPhase(),
                      ShimBench::PhaseOf(i == 4 ? ShimBench::Dp(0) : ShimBench::Tp(0)));
            EXPECT_TRUE(outbox[i].Get<OpusHold>().circuits.empty());
        }
        EXPECT_EQ(outbox[6].GetType(), Type::TERM) << "that was all";
        ExpectRequest(outbox[7], ShimBench::Dp(1), 1, 0, true);
    }
    auto grant = bench.Message<OpusGrant>(ShimBench::Dp(1));
    grant.term = 4;
    EXPECT_TRUE(bench.Take(grant).empty());
    EXPECT_EQ(bench.Core().GetCounters().stale, 1U);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(1), 1).size(), 1U);
}

TEST(OpusShim, NotesNameTheWait)
{
    ShimBench bench;
    bench.now = 100;
    bench.Request(ShimBench::Dp(0));
    bench.Flush();
    bench.now = 170;
    auto grant = bench.Granted(ShimBench::Dp(0), 1);
    grant.others = 40;
    grant.reconfiguration = 50;
    bench.Take(grant);
    bench.now = 200;
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(1));
    const std::vector<ShimNote> notes = bench.Core().TakeNotes();
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[0].parallelism, "dp");
    EXPECT_EQ(notes[0].requested, ToTime(100));
    EXPECT_EQ(notes[0].answered, ToTime(170));
    EXPECT_FALSE(notes[0].covered);
    EXPECT_EQ(notes[0].exposed, ToTime(70 - 40));
    EXPECT_EQ(notes[0].hidden, ToTime(50 - 30));
    EXPECT_TRUE(notes[1].covered);
    EXPECT_EQ(notes[1].exposed + notes[1].hidden + notes[1].reconfiguration,
              ToTime(0)); // counted once
    const auto& parallelisms = bench.Core().GetCounters().parallelisms;
    ASSERT_EQ(parallelisms.count("dp"), 1U);
    EXPECT_EQ(parallelisms.at("dp").answers, 2U);
    EXPECT_EQ(parallelisms.at("dp").summedWaits, ToTime(30));
    EXPECT_EQ(parallelisms.at("dp").hidden, ToTime(20));
    EXPECT_TRUE(bench.Core().TakeNotes().empty());
}

TEST(OpusShim, ARankWithNothingToJoinNeedsNoController)
{
    ShimBench bench;
    CircuitRequest request = ShimBench::Dp(0);
    request.pairs = ShimBench::Pairs({{2, 4}});
    EXPECT_EQ(bench.Request(request).size(), 1U);
    bench.Finish(request);
    request.pairs = ShimBench::Pairs({});
    EXPECT_EQ(bench.Request(request).size(), 1U);
    bench.Finish(request);
    EXPECT_TRUE(bench.Flush().empty());
}

TEST(OpusShimDeathTest, MistakesAreNamed)
{
    ShimBench bench;
    bench.Request(ShimBench::Dp(1));
    EXPECT_DEATH(bench.Request(ShimBench::Dp(1)), "rank 0 requests twice operation 1");
    bench.Flush();
    bench.Grant(ShimBench::Dp(1), 1);
    bench.Finish(ShimBench::Dp(1));
    EXPECT_DEATH(bench.Request(ShimBench::Dp(1)), "must count up");
    EXPECT_DEATH(bench.Request(ShimBench::Dp(0)), "is through with operation 1");
    const CommunicationGroup other(GroupId(1), "ep 0", {RankId(0), RankId(2)});
    EXPECT_DEATH(bench.Core().Join(RankId(0), other), "group 1 as \"ep 0\", which is \"dp 0\"");
    EXPECT_DEATH(bench.Core().Join(RankId(9), other), "name it among its ranks");
    ShimSettings settings = ShimBench::Settings();
    settings.ports = 0;
    EXPECT_DEATH(ShimCore{settings}, "give them 1 or more");
    settings = ShimBench::Settings();
    settings.profileIterations = 0;
    EXPECT_DEATH(ShimCore{settings}, "let it profile 1 or more");
    settings = ShimBench::Settings();
    settings.giveUpAfter = 0;
    EXPECT_DEATH(ShimCore{settings}, "must be above 0");
}
