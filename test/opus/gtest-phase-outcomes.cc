/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The outcomes of phases, and the refusals that ranks get.

#include "opus-controller-parts.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

} // namespace

TEST(PhaseOutcomes, ARefusalForGoodIsSentToAllRanksAndIsTheAnswerToLaterRequests)
{
    Parts parts;
    parts.outcomes.Refuse(parts.Call(3, {0, 1}), "no port", true);
    EXPECT_EQ(parts.TakeSent<OpusRefuse>().size(), 2U) << "one to the server of each rank";
    EXPECT_EQ(parts.record.counters.refusals, 1U);
    EXPECT_EQ(parts.outcomes.Find(Parts::Operation(3)), "no port");
    parts.outcomes.Repeat(ServerId(1), Parts::Operation(3), {RankId(1)});
    const auto again = parts.TakeSent<OpusRefuse>();
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].reason, "no port");
    EXPECT_TRUE(again[0].isFinal);
    EXPECT_EQ(parts.record.counters.refusals, 1U) << "no other decision was taken";
}

TEST(PhaseOutcomes, WhatMayBeRequestedAgainHasNoOutcome)
{
    Parts parts;
    parts.outcomes.Refuse(parts.Call(3, {0, 1}), "a guess", false);
    EXPECT_EQ(parts.outcomes.Find(Parts::Operation(3)), std::nullopt);
    parts.outcomes.Refuse(ServerId(0), Parts::Operation(4), {RankId(0)}, "its own mistake", true);
    EXPECT_EQ(parts.outcomes.Find(Parts::Operation(4)), std::nullopt) << "of one server alone";
    EXPECT_EQ(parts.record.counters.refusals, 2U);
}

TEST(PhaseOutcomes, APhaseThatIsOverIsNotRefused)
{
    Parts parts;
    parts.outcomes.Finish(Parts::Operation(3));
    EXPECT_EQ(parts.outcomes.Find(Parts::Operation(3)), "");
    parts.outcomes.Repeat(ServerId(1), Parts::Operation(3), {RankId(1)});
    EXPECT_TRUE(parts.outbox.Take().empty());
}

TEST(PhaseOutcomes, ARefusalBeforeARequestIsSentWhenTheRequestComes)
{
    Parts parts;
    parts.outcomes.RefuseUnopened(Parts::Operation(3), "wrong pairs");
    EXPECT_TRUE(parts.outbox.Take().empty()) << "no rank has requested it";
    parts.outcomes.Repeat(ServerId(1), Parts::Operation(3), {RankId(1)});
    EXPECT_EQ(parts.TakeSent<OpusRefuse>().size(), 1U);
}
