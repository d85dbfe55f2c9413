/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Phases by name, by flow and by the end of their waits.

#include "opus-test-phases.h"

#include "ns3/open-phases.h"
#include "ns3/phase-history.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

void
Request(ControllerPhase& phase, uint32_t rank, PhaseVote vote)
{
    PhaseRequest request;
    request.vote = vote;
    phase.votes.Add(RankId(rank));
    phase.votes.Request(RankId(rank), request);
}

} // namespace

TEST(OpenPhases, APhaseIsOpenedOnceAndFoundByItsFlow)
{
    OpenPhases phases;
    EXPECT_TRUE(phases.Open(Operation(1, 5), 2, 0).second);
    EXPECT_FALSE(phases.Open(Operation(1, 5), 2, 0).second);
    EXPECT_TRUE(phases.Open(Operation(1, 3), 2, 0).second);
    EXPECT_TRUE(phases.Open(Operation(2, 4), 2, 0).second);
    const OpusPhase flow = GetFlowKey(Operation(1, 0));
    ControllerPhase* third = phases.Find(Operation(1, 3));
    ControllerPhase* fifth = phases.Find(Operation(1, 5));
    EXPECT_EQ(phases.GetFlow(flow), (OpenPhases::Flow{third, fifth})) << "in order";
    EXPECT_EQ(phases.FindFirst(flow), third);
    EXPECT_EQ(phases.FindNext(Operation(1, 3)), fifth);
    EXPECT_EQ(phases.FindNext(Operation(1, 4)), fifth) << "after a phase that is not open";
    EXPECT_EQ(phases.FindNext(Operation(1, 5)), nullptr);
    phases.Close(Operation(1, 3));
    phases.Close(Operation(1, 5));
    EXPECT_TRUE(phases.GetFlow(flow).empty());
    EXPECT_EQ(phases.Find(Operation(1, 3)), nullptr);
    EXPECT_EQ(phases.Get().size(), 1U);
}

TEST(OpenPhases, TheFirstWaitIsDueAtItsEndAndNotBefore)
{
    OpenPhases phases;
    EXPECT_EQ(phases.GetNextDeadline(), NEVER);
    ControllerPhase& early = phases.Open(Operation(1, 0), 2, 0).first;
    ControllerPhase& late = phases.Open(Operation(2, 0), 2, 0).first;
    phases.SetDeadline(early, 100);
    phases.SetDeadline(late, 50);
    phases.SetDeadline(late, 200); // only the last one counts
    EXPECT_EQ(phases.GetNextDeadline(), 100);
    EXPECT_EQ(phases.FindDue(99), nullptr);
    EXPECT_EQ(phases.FindDue(100), &early);
    phases.SetDeadline(early, NEVER);
    EXPECT_EQ(phases.GetNextDeadline(), 200);
    phases.Close(late.phase); // a closed phase waits for nothing
    EXPECT_EQ(phases.GetNextDeadline(), NEVER);
}

TEST(OpenPhases, AnEarlierPhaseThatWasCalledHoldsLaterOnesOfItsFlowThatShareARank)
{
    OpenPhases phases;
    ControllerPhase& first = phases.Open(Operation(1, 0), 2, 0).first;
    ControllerPhase& second = phases.Open(Operation(1, 1), 2, 0).first;
    ControllerPhase& other = phases.Open(Operation(1, 2), 2, 0).first;
    Request(first, 0, PhaseVote::SPECULATIVE);
    Request(second, 0, PhaseVote::REQUESTED);
    Request(other, 7, PhaseVote::REQUESTED);
    EXPECT_FALSE(phases.IsHeld(second)) << "a guess holds nothing";
    Request(first, 0, PhaseVote::REQUESTED);
    EXPECT_TRUE(phases.IsHeld(second));
    EXPECT_FALSE(phases.IsHeld(first));
    EXPECT_FALSE(phases.IsHeld(other)) << "it has no rank in common with the others";
    first.state = ControllerPhase::State::GRANTED;
    EXPECT_FALSE(phases.IsHeld(second));
}

TEST(OpenPhases, ARankIsNotThroughWithWhatItRequests)
{
    OpenPhases phases;
    Request(phases.Open(Operation(1, 6), 2, 0).first, 0, PhaseVote::REQUESTED);
    EXPECT_EQ(phases.GetLastBeforeRequested(Operation(1, 2), RankId(0), 9), 5U);
    EXPECT_EQ(phases.GetLastBeforeRequested(Operation(1, 2), RankId(0), 4), 4U);
    EXPECT_EQ(phases.GetLastBeforeRequested(Operation(1, 2), RankId(1), 9), 9U) << "another rank";
    EXPECT_EQ(phases.GetLastBeforeRequested(Operation(1, 6), RankId(0), 9), 9U)
        << "not a later phase";
    EXPECT_EQ(phases.GetLastBeforeRequested(Operation(2, 2), RankId(0), 9), 9U) << "another flow";
}
