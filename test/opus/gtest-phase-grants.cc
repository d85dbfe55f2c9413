/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The GRANTs of a phase, and the ranks that get them.

#include "opus-controller-parts.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

} // namespace

TEST(PhaseGrants, AllRanksGetAPhaseAndThoseThatReturnJoinIt)
{
    Parts parts;
    ControllerPhase& phase = parts.Call(3, {0, 1});
    parts.grants.Join(phase, {RankId(0)});
    EXPECT_TRUE(parts.outbox.Take().empty()) << "it is not granted yet";
    parts.grants.Grant(phase);
    EXPECT_EQ(parts.TakeSent<OpusGrant>().size(), 2U);
    EXPECT_EQ(phase.votes.CountHolding(), 2U);
    parts.grants.Join(phase, {RankId(0)});
    EXPECT_EQ(parts.TakeSent<OpusGrant>().size(), 1U);
    EXPECT_EQ(parts.record.counters.grants, 1U);
}

TEST(PhaseGrants, NoRankJoinsAPhaseThatIsCalledBackOrNotComplete)
{
    Parts parts;
    ControllerPhase& called = parts.Grant(3, {0, 1});
    parts.recalls.CallBack(called, "another needs it");
    ControllerPhase& early = parts.Call(4, {2, 3});
    parts.grants.TakeOver(early, 4);
    parts.outbox.Take();
    parts.grants.Join(called, {RankId(0)});
    parts.grants.Join(early, {RankId(2)});
    EXPECT_TRUE(parts.outbox.Take().empty());
}

TEST(PhaseGrants, APhaseThatIsResumedIsGrantedToAllRanksUnlessItIsCalledBack)
{
    Parts parts;
    ControllerPhase& phase = parts.Grant(3, {0, 1});
    parts.grants.Resume(phase);
    EXPECT_EQ(parts.TakeSent<OpusGrant>().size(), 2U);
    parts.recalls.CallBack(phase, "another needs it");
    parts.outbox.Take();
    parts.grants.Resume(phase);
    const auto sent = parts.outbox.Take();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_TRUE(sent[0].message.Is<OpusRecall>());
    EXPECT_TRUE(sent[1].message.Is<OpusRecall>());
}

TEST(PhaseGrants, WhatIsTakenOverLeavesTheQueues)
{
    Parts parts;
    ControllerPhase& phase = parts.Call(3, {0, 1});
    parts.voting.Update(phase);
    parts.turns.Assign();
    ASSERT_TRUE(phase.queued);
    parts.grants.TakeOver(phase, 5);
    EXPECT_FALSE(phase.queued);
    EXPECT_EQ(phase.state, ControllerPhase::State::GRANTED);
    EXPECT_EQ(phase.until, 5U);
    EXPECT_EQ(parts.turns.TakeCandidate(), nullptr);
}
