/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ranks that do not want the same: guesses with other pairs than those of the call, and ranks that
// are through with one operation and not with another.

#include "opus-controller-bench.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** Servers 0, 1 and 2 are in group 1: its operation was a line in the past, and is a ring now. */
class LineAndRingBench : public OpusControllerBench
{
  public:
    explicit LineAndRingBench(SpeculationRule rule = SpeculationRule::PREPARE)
        : OpusControllerBench(4, 1, 2, Settings(rule))
    {
        for (uint32_t server = 0; server < 3; ++server)
        {
            Register(server, 1, {R(0), R(1), R(2)}, "dp 0");
        }
    }

    static ControllerSettings Settings(SpeculationRule rule)
    {
        ControllerSettings settings;
        settings.speculation = rule;
        return settings;
    }

    static OpusPhase Phase(uint32_t stage = 0)
    {
        OpusPhase phase = Operation(1, 0);
        phase.stage = stage;
        return phase;
    }

    /** @return outgoing messages, all of which are refusals, final or not */
    static void ExpectRefusals(const Outbox& outbox, std::size_t count, bool isFinal)
    {
        EXPECT_EQ(Count(outbox, REFUSE), count);
        for (const auto& refusal : Select<OpusRefuse>(outbox))
        {
            EXPECT_EQ(refusal.isFinal, isFinal);
        }
    }

    /** All guess the line. @return the messages that follow */
    Outbox GuessLine()
    {
        Outbox outbox;
        for (uint32_t server = 0; server < 3; ++server)
        {
            outbox = Request(server, Phase(), line, true);
        }
        return outbox;
    }

    const std::vector<JoinedRanks> line{{RankId(0), RankId(1)}, {RankId(1), RankId(2)}};
    const std::vector<JoinedRanks> ring{{RankId(0), RankId(1)},
                                        {RankId(1), RankId(2)},
                                        {RankId(2), RankId(0)}};
};

} // namespace

TEST(OpusControllerGuesses, WhatIsCalledTakesThePlaceOfAGuessWithOtherPairs)
{
    // guessed by one rank, or by all, and circuits are up
    for (const bool byAll : {false, true})
    {
        LineAndRingBench bench;
        if (byAll)
        {
            bench.AnswerAll(bench.GuessLine());
        }
        else
        {
            bench.Request(0, bench.Phase(), bench.line, true);
        }
        bench.ExpectRefusals(bench.Request(1, bench.Phase(), bench.ring), 3, false);
        EXPECT_EQ(bench.Core().GetPhases().at(bench.Phase()).named.GetDigest(),
                  GetDigest(bench.ring));
        bench.Request(0, bench.Phase(), bench.ring, false, 1);
        const auto outbox = bench.AnswerAll(bench.Request(2, bench.Phase(), bench.ring, false, 1));
        EXPECT_EQ(Bench::Count(outbox, GRANT), 3);
    }
}

TEST(OpusControllerGuesses, AGuessDoesNotDisturbWhatHasOtherPairs)
{
    for (const bool isCalled : {true, false})
    {
        LineAndRingBench bench;
        bench.Request(0, bench.Phase(), bench.ring, !isCalled);
        bench.ExpectRefusals(bench.Request(1, bench.Phase(), bench.line, true), 1, false);
        EXPECT_EQ(bench.Core().GetPhases().size(), 1);
        bench.Request(1, bench.Phase(), bench.ring, false, 1);
        bench.Request(0, bench.Phase(), bench.ring);
        EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Request(2, bench.Phase(), bench.ring)), GRANT),
                  3);
    }
}

TEST(OpusControllerGuesses, AGuessThatIsGrantedWithOtherPairsIsCalledBack)
{
    LineAndRingBench bench(SpeculationRule::GRANT);
    const auto programs = bench.GuessLine();
    // not while it reconfigures
    auto outbox = bench.Request(1, bench.Phase(), bench.ring, false, 1);
    bench.ExpectRefusals(outbox, 1, false);
    EXPECT_EQ(outbox.size(), 1);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(programs), GRANT), 3);
    outbox = bench.Request(1, bench.Phase(), bench.ring, false, 2);
    bench.ExpectRefusals(outbox, 1, false);
    EXPECT_EQ(Bench::Count(outbox, RECALL), 3);
    outbox = bench.Request(1, bench.Phase(), bench.ring, false, 3);
    EXPECT_EQ(Bench::Count(outbox, RECALL), 0) << "once";
    for (uint32_t server = 0; server < 3; ++server)
    {
        bench.Release(server, bench.Phase(), bench.line, true);
        bench.Request(server, bench.Phase(), bench.ring, false, 4);
    }
    bench.Request(1, bench.Phase(), bench.ring, false, 4);
    bench.Request(2, bench.Phase(), bench.ring, false, 4);
    EXPECT_EQ(bench.Core().GetPhases().at(bench.Phase()).named.GetDigest(), GetDigest(bench.ring));
}

TEST(OpusControllerGuesses, WhatTwoCallDifferentlyIsRefusedForGood)
{
    LineAndRingBench bench;
    bench.Request(0, bench.Phase(), bench.line);
    const auto outbox = bench.Request(1, bench.Phase(), bench.ring);
    bench.ExpectRefusals(outbox, 4, true);
    EXPECT_TRUE(bench.Core().GetPhases().empty());
    bench.ExpectRefusals(bench.Request(2, bench.Phase(), bench.ring), 1, true);
}

TEST(OpusControllerGuesses, WhatIsUnderWayIsNotRefusedForOneThatCallsItDifferently)
{
    LineAndRingBench bench;
    for (uint32_t server = 0; server < 2; ++server)
    {
        bench.Request(server, bench.Phase(), bench.line);
    }
    const auto programs = bench.Request(2, bench.Phase(), bench.line);
    ASSERT_EQ(Bench::Count(programs, PROGRAM), 1);
    bench.ExpectRefusals(bench.Request(2, bench.Phase(), bench.ring, false, 1), 1, true);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(programs), GRANT), 3);
}

TEST(OpusControllerGuesses, ARankThroughWithAStageIsNotThroughWithOneBeforeIt)
{
    // stage 0 was recalled, and is requested again when stage 1 is over
    for (const bool isRequestedBefore : {true, false})
    {
        LineAndRingBench bench;
        for (uint32_t server = 0; server < 3; ++server)
        {
            bench.AnswerAll(bench.Request(server, bench.Phase(1), bench.line));
        }
        const auto request = [&bench](uint32_t server) {
            return bench.AnswerAll(bench.Request(server, bench.Phase(0), bench.line, false, 1));
        };
        if (isRequestedBefore)
        {
            request(0);
        }
        for (uint32_t server = 0; server < 3; ++server)
        {
            bench.Release(server, bench.Phase(1), bench.line);
        }
        if (!isRequestedBefore)
        {
            request(0);
        }
        request(1);
        EXPECT_EQ(Bench::Count(request(2), GRANT), 3) << isRequestedBefore;
    }
}

TEST(OpusControllerGuesses, ARankThroughWithAnOperationIsThroughWithAllStagesBefore)
{
    LineAndRingBench bench;
    OpusPhase later = bench.Phase();
    later.operation = 3;
    bench.ReleaseAfter(0, later, bench.line, 5);
    for (const auto& [operation, stage, isThrough] :
         {std::make_tuple(5, 0, true), {5, 1, false}, {4, 1, true}, {6, 0, false}})
    {
        OpusPhase phase = bench.Phase(stage);
        phase.operation = operation;
        const uint64_t before = bench.Core().GetCounters().duplicates;
        bench.Request(0, phase, bench.line);
        EXPECT_EQ(bench.Core().GetCounters().duplicates > before, isThrough) << operation;
    }
}

TEST(OpusControllerGuesses, ARankThatWaitsForAnOperationIsNotThroughWithIt)
{
    LineAndRingBench bench;
    OpusPhase early = bench.Phase();
    OpusPhase late = bench.Phase();
    late.operation = 4;
    for (uint32_t server = 0; server < 3; ++server)
    {
        bench.AnswerAll(bench.Request(server, early, bench.line, false, 0, 5));
    }
    bench.Request(0, late, bench.line, false, 0, 5);
    bench.ReleaseAfter(0, early, bench.line, 5); // rank 0 is through with 5, and has released 4
    EXPECT_EQ(bench.Core().GetPhases().at(late).votes.Get(RankId(0)), PhaseVote::REQUESTED);
    for (uint32_t server = 1; server < 3; ++server)
    {
        bench.ReleaseAfter(server, early, bench.line, 3);
        bench.AnswerAll(bench.Request(server, late, bench.line, false, 0, 5));
    }
    EXPECT_EQ(bench.Core().GetCounters().grants, 2);
}
