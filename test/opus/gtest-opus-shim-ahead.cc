/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A shim that requests in advance, by its profile or by hints; the test writes the controller's
// messages.

#include "opus-shim-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>

using namespace ns3;

namespace
{

using ShimBench = OpusShimBench;
using Type = OpusMessage::Type;
using Network = CircuitAnswer::Network;

/** A bench whose rank 0 has been through an iteration of these requests, and has begun another. */
class ProfiledBench : public OpusShimBench
{
  public:
    ProfiledBench(const ShimSettings& settings, const std::vector<CircuitRequest>& iteration)
        : OpusShimBench(settings)
    {
        Core().BeginIteration(RankId(0));
        for (const CircuitRequest& request : iteration)
        {
            RequestAndGrant(request, request.operation);
            Finish(request);
            EXPECT_EQ(FlushOne().GetType(), Type::RELEASE); // nothing is foreseen yet
        }
        Core().BeginIteration(RankId(0));
    }
};

std::vector<CircuitRequest>
DpThenTp()
{
    return {ShimBench::Dp(0), ShimBench::Dp(1), ShimBench::Tp(0)};
}

CircuitHint
Hint(CircuitHint::Kind kind, const CircuitRequest& first, uint64_t until = 0)
{
    CircuitHint hint;
    hint.kind = kind;
    hint.first = first;
    hint.until = until;
    return hint;
}

} // namespace

TEST(OpusShimAhead, OnDemandTheProfileSetsTheReachOfARequest)
{
    ProfiledBench bench(ShimBench::Settings(), DpThenTp());
    EXPECT_TRUE(bench.Flush().empty()); // nothing is requested in advance
    bench.Request(ShimBench::Dp(2));
    const auto request = bench.FlushOne<OpusRequest>();
    EXPECT_EQ(request.until, 3U);
    EXPECT_FALSE(request.isAhead);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(2), 3).size(), 1U);
    bench.Finish(ShimBench::Dp(2));
    EXPECT_EQ(bench.Request(ShimBench::Dp(3)).size(), 1U);
    bench.Finish(ShimBench::Dp(3));
    EXPECT_EQ(bench.FlushOne().GetType(), Type::RELEASE);
    EXPECT_EQ(bench.Core().GetCounters().guesses, 0U);
}

TEST(OpusShimAhead, ProvisionedTheNextRunIsRequestedWhenOneIsOver)
{
    ProfiledBench bench(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
    auto guess = bench.FlushOne<OpusRequest>(); // the first run
    EXPECT_TRUE(guess.isAhead);
    EXPECT_TRUE(guess.phase == ShimBench::PhaseOf(ShimBench::Dp(2)));
    EXPECT_EQ(guess.until, 3U);
    // it is called before the answer: it becomes a request, with the same number
    EXPECT_TRUE(bench.Request(ShimBench::Dp(2)).empty());
    auto real = bench.FlushOne<OpusRequest>();
    EXPECT_FALSE(real.isAhead);
    EXPECT_EQ(real.number, guess.number);
    EXPECT_EQ(real.until, 3U);
    EXPECT_EQ(bench.Grant(ShimBench::Dp(2), 3).size(), 1U);
    bench.Finish(ShimBench::Dp(2));
    EXPECT_EQ(bench.Request(ShimBench::Dp(3)).size(), 1U);
    EXPECT_TRUE(bench.Flush().empty());
    bench.Finish(ShimBench::Dp(3));
    std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
    EXPECT_TRUE(outbox[1].Get<OpusRequest>().isAhead);
    EXPECT_TRUE(*outbox[1].FindPhase() == ShimBench::PhaseOf(ShimBench::Tp(1)));
    // granted before it is called: no rank waits, and all of the reconfiguration is hidden
    auto grant = bench.Granted(ShimBench::Tp(1), 1);
    grant.reconfiguration = 70;
    EXPECT_TRUE(bench.Take(grant).empty());
    bench.now = 1000;
    bench.Core().TakeNotes();
    EXPECT_EQ(bench.Request(ShimBench::Tp(1)).size(), 1U);
    EXPECT_TRUE(bench.Flush().empty());
    const std::vector<ShimNote> notes = bench.Core().TakeNotes();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].exposed, ToTime(0));
    EXPECT_EQ(notes[0].hidden, ToTime(70));
    bench.Finish(ShimBench::Tp(1));
    // across the end of the iteration
    outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_TRUE(*outbox[1].FindPhase() == ShimBench::PhaseOf(ShimBench::Dp(4)));
    bench.Core().BeginIteration(RankId(0));
    EXPECT_TRUE(bench.Flush().empty());
    const ShimCounters& counters = bench.Core().GetCounters();
    EXPECT_EQ(counters.guesses, 3U);
    EXPECT_EQ(counters.rightGuesses, 2U);
    EXPECT_EQ(counters.wrongPredictions, 0U);
    // the program ends: so does the guess
    bench.Core().End(RankId(0));
    const auto withdrawal = bench.FlushOne<OpusRelease>();
    EXPECT_TRUE(withdrawal.isUnused);
    EXPECT_EQ(counters.withdrawnGuesses, 1U);
    EXPECT_EQ(counters.wrongPredictions, 0U);
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShimAhead, AGuessAndItsCallInOneInstantAreOneMessage)
{
    ProfiledBench bench(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
    bench.Request(ShimBench::Dp(2));
    EXPECT_FALSE(bench.FlushOne<OpusRequest>().isAhead);
    // and a guess that is taken back in its instant is none
    ProfiledBench other(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
    other.Core().End(RankId(0));
    EXPECT_TRUE(other.Flush().empty());
}

TEST(OpusShimAhead, AMispredictionTakesGuessesBack)
{
    for (const bool granted : {false, true})
    {
        ProfiledBench bench(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
        bench.Flush();
        if (granted)
        {
            EXPECT_TRUE(bench.Grant(ShimBench::Dp(2), 3).empty());
        }
        EXPECT_TRUE(bench.Request(ShimBench::Send(0, 2, 0)).empty());
        const std::vector<OpusMessage> outbox = bench.Flush();
        ASSERT_EQ(outbox.size(), 2U);
        EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
        EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused);
        EXPECT_EQ(outbox[1].GetType(), Type::REQUEST);
        EXPECT_EQ(outbox[1].Get<OpusRequest>().until, 0U);
        EXPECT_EQ(bench.Core().GetCounters().wrongPredictions, 1U);
        EXPECT_EQ(bench.Core().GetCounters().unusedGrants, granted ? 1U : 0U);
        // nothing is predicted for the rest; the next request for the phase has the next number
        bench.Grant(ShimBench::Send(0, 2, 0), 0);
        bench.Finish(ShimBench::Send(0, 2, 0));
        bench.Flush();
        bench.Request(ShimBench::Dp(2));
        const auto again = bench.FlushOne<OpusRequest>();
        EXPECT_EQ(again.number, 1U);
        EXPECT_EQ(again.until, 2U);
    }
}

TEST(OpusShimAhead, AGuessWithOtherPairsIsNotWhatIsCalled)
{
    ProfiledBench bench(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
    bench.Flush();
    CircuitRequest other = ShimBench::Dp(2);
    other.pairs = ShimBench::Pairs({{0, 4}});
    bench.Request(other);
    const std::vector<OpusMessage> outbox = bench.Flush();
    ASSERT_EQ(outbox.size(), 2U);
    EXPECT_TRUE(outbox[0].Get<OpusRelease>().isUnused && outbox[0].GetType() == Type::RELEASE);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().number, 1U);
    EXPECT_EQ(outbox[1].Get<OpusRequest>().digest, GetDigest(*other.pairs));
}

TEST(OpusShimAhead, ARefusedGuessIsForgotten)
{
    ProfiledBench bench(ShimBench::Settings(ShimMode::PROVISIONED), DpThenTp());
    bench.Flush();
    auto refusal = bench.Message<OpusRefuse>(ShimBench::Dp(2));
    refusal.isFinal = false;
    EXPECT_TRUE(bench.Take(refusal).empty());
    EXPECT_TRUE(bench.Flush().empty());
    bench.Request(ShimBench::Dp(2));
    EXPECT_EQ(bench.FlushOne<OpusRequest>().number, 1U);
}

TEST(OpusShimAhead, CircuitsToBothNeighboursOfAPipelineAreHeldAtOnce)
{
    // rank 0 is in the middle: from 2 and on to 4, twice, then something else
    const std::vector<CircuitRequest> iteration{ShimBench::Send(2, 0, 0),
                                                ShimBench::Send(0, 4, 0),
                                                ShimBench::Send(2, 0, 1),
                                                ShimBench::Send(0, 4, 1),
                                                ShimBench::Tp(0)};
    for (const uint32_t port : {1U, 0U}) // on another port, or the only one left
    {
        ShimSettings settings = ShimBench::Settings();
        settings.keepIdle = 500;
        ProfiledBench bench(settings, iteration);
        bench.Request(ShimBench::Send(2, 0, 2));
        const auto request = bench.FlushOne<OpusRequest>();
        EXPECT_EQ(request.links, 1U); // two ports, two partners
        EXPECT_EQ(request.until, 3U);
        auto grant = bench.Granted(ShimBench::Send(2, 0, 2), 3);
        if (port == 0)
        {
            grant.circuits.push_back({RankId(2), 1, RankId(0), 1});
        }
        bench.Take(grant);
        bench.now = 100;
        bench.Finish(ShimBench::Send(2, 0, 2));
        bench.now = 200;
        bench.Request(ShimBench::Send(0, 4, 2));
        const std::vector<OpusMessage> outbox = bench.Flush();
        if (port == 0)
        {
            ASSERT_EQ(outbox.size(), 2U); // there is no room for both
            EXPECT_EQ(outbox[0].GetType(), Type::RELEASE);
            EXPECT_EQ(bench.Core().GetNextDeadline(), NEVER);
            continue;
        }
        EXPECT_EQ(outbox.size(), 1U);
        EXPECT_EQ(outbox.front().GetType(), Type::REQUEST);
        // but not for ever while it waits
        EXPECT_EQ(bench.Core().GetNextDeadline(), 700);
        bench.now = 699;
        bench.Core().TimePassed(bench.now);
        EXPECT_TRUE(bench.Flush().empty());
        bench.now = 700;
        bench.Core().TimePassed(bench.now);
        const auto release = bench.FlushOne<OpusRelease>();
        EXPECT_EQ(release.until, 2U);
        EXPECT_EQ(bench.Core().GetCounters().wrongPredictions, 0U);
        EXPECT_EQ(bench.Core().GetNextDeadline(), NEVER);
    }
}

TEST(OpusShimAhead, CoScheduledHintsAreUsed)
{
    ShimBench bench(ShimBench::Settings(ShimMode::CO_SCHEDULED));
    ShimCore& core = bench.Core();
    using Kind = CircuitHint::Kind;
    EXPECT_TRUE(core.Hint(Hint(Kind::PREFETCH, ShimBench::Dp(0), 4), 0).answers.empty());
    const auto prefetch = bench.FlushOne<OpusRequest>();
    EXPECT_TRUE(prefetch.isAhead);
    EXPECT_EQ(prefetch.until, 4U);
    // acquired while it is not up: requested as called, and answered with the grant
    EXPECT_TRUE(core.Hint(Hint(Kind::ACQUIRE, ShimBench::Dp(0), 4), 0).answers.empty());
    EXPECT_FALSE(bench.FlushOne<OpusRequest>().isAhead);
    std::vector<ShimAnswer> answers = bench.Grant(ShimBench::Dp(0), 4);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_TRUE(answers[0].isHint);
    EXPECT_TRUE(bench.Flush().empty()); // no operation is under way, and yet it is kept
    answers = core.Hint(Hint(Kind::ACQUIRE, ShimBench::Dp(0), 4), 0).answers;
    ASSERT_EQ(answers.size(), 1U); // it has it
    answers = bench.Request(ShimBench::Dp(0));
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_FALSE(answers[0].isHint);
    // released: as soon as no operation is under way
    core.Hint(Hint(Kind::RELEASE, ShimBench::Dp(0)), 0);
    EXPECT_TRUE(bench.Flush().empty());
    bench.Finish(ShimBench::Dp(0));
    const auto used = bench.FlushOne<OpusRelease>();
    EXPECT_FALSE(used.isUnused);
    EXPECT_EQ(used.until, 0U);
    // released without any use; without a hint a request reaches no further than it is called
    core.Hint(Hint(Kind::PREFETCH, ShimBench::Tp(0), 4), 0);
    bench.Flush();
    bench.Grant(ShimBench::Tp(0), 4);
    core.Hint(Hint(Kind::RELEASE, ShimBench::Tp(0)), 0);
    EXPECT_TRUE(bench.FlushOne<OpusRelease>().isUnused);
    bench.Request(ShimBench::Dp(1));
    EXPECT_EQ(bench.FlushOne<OpusRequest>().until, 1U);
    bench.Core().BeginIteration(RankId(0));
    EXPECT_TRUE(bench.Flush().empty());
    EXPECT_TRUE(core.TakeNotes().size() == 3U && core.GetCounters().guesses == 2U);
}

TEST(OpusShimAhead, CoScheduledARefusedOrWithdrawnHintEndsToo)
{
    using Kind = CircuitHint::Kind;
    ShimBench bench(ShimBench::Settings(ShimMode::CO_SCHEDULED));
    bench.Core().Hint(Hint(Kind::ACQUIRE, ShimBench::Dp(0), 4), 0);
    bench.Flush();
    const std::vector<ShimAnswer> answers = bench.Take(bench.Message<OpusRefuse>(ShimBench::Dp(0)));
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_TRUE(answers[0].isHint);
    EXPECT_EQ(answers[0].answer.network, Network::NONE);
    bench.Core().Hint(Hint(Kind::PREFETCH, ShimBench::Tp(0), 4), 0);
    bench.Flush();
    bench.Core().Hint(Hint(Kind::RELEASE, ShimBench::Tp(0)), 0); // before the grant
    EXPECT_TRUE(bench.FlushOne<OpusRelease>().isUnused);
    EXPECT_TRUE(bench.Core().IsIdle());
}

TEST(OpusShimAhead, WithoutCoSchedulingHintsCostNothing)
{
    ShimBench bench;
    const auto answers =
        bench.Core().Hint(Hint(CircuitHint::Kind::ACQUIRE, ShimBench::Dp(0), 4), 0).answers;
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].answer.network, Network::RAIL);
    bench.Core().Hint(Hint(CircuitHint::Kind::PREFETCH, ShimBench::Dp(0), 4), 0);
    EXPECT_TRUE(bench.Flush().empty());
}
