/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The last operation of a grant, and the time after which its use is reported.

#include "opus-controller-parts.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** Makes a rank request a phase up to an operation. */
void
Request(ControllerPhase& phase, uint32_t rank, uint64_t until)
{
    PhaseRequest request;
    request.number = 1;
    request.until = until;
    phase.votes.Request(RankId(rank), request);
}

/** Notes that a rank is through with an operation, and with the phase. */
void
Finish(Parts& parts, ControllerPhase& phase, uint32_t rank, uint64_t operation)
{
    parts.voting.Raise(phase.phase, RankId(rank), operation);
    parts.voting.CountFurther(phase, {RankId(rank)});
}

} // namespace

TEST(GrantExtent, AGrantGoesAsFarAsAllItsRanksAgree)
{
    Parts parts;
    ControllerPhase& phase = parts.Call(3, {0, 1, 2});
    Request(phase, 0, 9);
    Request(phase, 1, 7);
    Request(phase, 2, 8);
    parts.extent.Begin(phase);
    EXPECT_EQ(phase.until, 7U);
    Finish(parts, phase, 2, 5);
    parts.extent.Begin(phase);
    EXPECT_EQ(phase.until, 5U) << "rank 2 is through with operation 5, and does no more of these";
}

TEST(GrantExtent, CircuitsForGoodHaveNoLastOperationAndNoTimeLimit)
{
    Parts parts(true);
    ControllerPhase& phase = parts.Call(3, {0, 1}, 4);
    parts.extent.Begin(phase);
    EXPECT_EQ(phase.until, UINT64_MAX);
    EXPECT_EQ(parts.phases.GetNextDeadline(), NEVER);
}

TEST(GrantExtent, AnExtentOfAnEarlierTermOnlyBecomesLess)
{
    Parts parts;
    ControllerPhase& phase = parts.Grant(3, {0, 1, 2}, 9);
    phase.votes.Release(RankId(2), true, 0);
    parts.extent.TakeOver(phase, 9);
    Finish(parts, phase, 2, 11);
    parts.extent.AgreeAgain(phase);
    EXPECT_EQ(phase.until, 9U) << "that rank 2 went further is of no use to the others";
    EXPECT_FALSE(phase.shortened);
    phase.until = 6; // by the report of another rank
    parts.extent.AgreeAgain(phase);
    EXPECT_EQ(phase.until, 6U);
    EXPECT_TRUE(phase.shortened) << "rank 0 was granted operations up to 9";
}

TEST(GrantExtent, AGrantInUseBeyondTheLimitIsReportedOnceAndGoesOn)
{
    Parts parts;
    parts.record.SetTime(50);
    ControllerPhase& phase = parts.Grant(3, {0, 1});
    EXPECT_EQ(parts.phases.GetNextDeadline(), 50 + Parts::LIMIT);
    parts.record.TakeNotes();
    parts.extent.Expire(phase);
    const auto notes = parts.record.TakeNotes();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].kind, ControllerNote::Kind::NOT_RELEASED);
    EXPECT_EQ(parts.record.counters.notReleased, 1U);
    EXPECT_EQ(parts.phases.GetNextDeadline(), NEVER);
    EXPECT_EQ(phase.state, ControllerPhase::State::GRANTED);
}
