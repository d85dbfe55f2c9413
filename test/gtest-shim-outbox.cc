/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which messages of a shim leave at the end of an instant, in which order, and which as one.

#include "ns3/shim-outbox.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Type = OpusMessage::Type;
using Pairs = std::vector<std::pair<RankId, RankId>>;

OpusPhase
MakePhase(uint32_t group, uint64_t operation)
{
    OpusPhase phase;
    phase.group = GroupId(group);
    phase.operation = operation;
    return phase;
}

} // namespace

TEST(ShimOutbox, ReleasesLeaveByRankAndPhaseAfterRegistrations)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(3), counters);
    EXPECT_TRUE(outbox.IsEmpty());
    outbox.Add(outbox.Make(RankId(1), Type::RELEASE, MakePhase(1, 0)));
    outbox.Add(outbox.Make(RankId(0), Type::RELEASE, MakePhase(2, 1)));
    outbox.Add(outbox.Make(RankId(0), Type::RELEASE, MakePhase(2, 0)));
    outbox.Add(outbox.Make(RankId(1), Type::REGISTER_GROUP, MakePhase(4, 0)));
    EXPECT_FALSE(outbox.IsEmpty());
    const std::vector<OpusMessage> messages = outbox.Take(7);
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(messages[0].type, Type::REGISTER_GROUP);
    EXPECT_TRUE(messages[1].phase == MakePhase(2, 0));
    EXPECT_TRUE(messages[2].phase == MakePhase(2, 1));
    EXPECT_TRUE(messages[3].phase == MakePhase(1, 0));
    for (const OpusMessage& message : messages)
    {
        EXPECT_EQ(message.term, 7U);
        EXPECT_EQ(message.server, ServerId(3));
    }
    EXPECT_TRUE(outbox.IsEmpty());
}

TEST(ShimOutbox, RanksThatRequestTheSameShareAMessage)
{
    const auto pairs = std::make_shared<const Pairs>(
        Pairs{{RankId(0), RankId(2)}, {RankId(1), RankId(3)}, {RankId(4), RankId(5)}});
    ShimCounters counters;
    ShimOutbox outbox(ServerId(0), counters);
    for (const uint32_t rank : {0, 1})
    {
        OpusMessage request = outbox.Make(RankId(rank), Type::REQUEST, MakePhase(1, 0));
        request.bytes = 100;
        outbox.AddRequest(request, pairs, false);
    }
    OpusMessage other = outbox.Make(RankId(1), Type::REQUEST, MakePhase(1, 0));
    other.plan = 1;
    outbox.AddRequest(other, pairs, true);
    const std::vector<OpusMessage> messages = outbox.Take(0);
    ASSERT_EQ(messages.size(), 2U) << "one has another number";
    EXPECT_EQ(messages[0].ranks, (std::vector<RankId>{RankId(0), RankId(1)}));
    EXPECT_EQ(messages[0].bytes, 200U);
    EXPECT_EQ(messages[0].pairs, Pairs({{RankId(0), RankId(2)}, {RankId(1), RankId(3)}}));
    EXPECT_EQ(messages[1].pairs.size(), pairs->size()) << "all are named";
    EXPECT_EQ(counters.requests, 2U);
    EXPECT_EQ(counters.coalesced, 1U);
}

TEST(ShimOutbox, WhatIsDueComesByRankAndThenAsItBecameDue)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(0), counters);
    outbox.SetDue(RankId(1), MakePhase(1, 0));
    outbox.SetDue(RankId(0), MakePhase(2, 0));
    outbox.SetDue(RankId(0), MakePhase(1, 0));
    EXPECT_FALSE(outbox.IsEmpty());
    const auto due = outbox.TakeDue();
    ASSERT_EQ(due.size(), 3U);
    EXPECT_TRUE(due[0].first == RankId(0) && due[0].second == MakePhase(2, 0));
    EXPECT_TRUE(due[1].first == RankId(0) && due[1].second == MakePhase(1, 0));
    EXPECT_EQ(due[2].first, RankId(1));
    EXPECT_TRUE(outbox.IsEmpty());
}

TEST(ShimOutbox, AStatementComesFirstAndVoidsWhatWasAdded)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(0), counters);
    outbox.Add(outbox.Make(RankId(0), Type::RELEASE, MakePhase(1, 0)));
    outbox.BeginTerm({outbox.Make(RankId(1), Type::HOLD, MakePhase(1, 1))});
    outbox.Add(outbox.Make(RankId(0), Type::RELEASE, MakePhase(1, 2)));
    const std::vector<OpusMessage> messages = outbox.Take(2);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].type, Type::HOLD);
    EXPECT_TRUE(messages[1].phase == MakePhase(1, 2));
}
