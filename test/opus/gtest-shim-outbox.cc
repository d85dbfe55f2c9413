/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which messages of a shim leave at the end of an instant, in which order, and which as one.

#include "opus-test-phases.h"

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

OpusRelease
MakeRelease(uint32_t rank, const OpusPhase& phase)
{
    OpusRelease release;
    release.phase = phase;
    release.ranks = {RankId(rank)};
    return release;
}

OpusRequest
MakeRequest(uint32_t rank, const OpusPhase& phase)
{
    OpusRequest request;
    request.phase = phase;
    request.ranks = {RankId(rank)};
    return request;
}

} // namespace

TEST(ShimOutbox, ReleasesLeaveByRankAndPhaseAfterRegistrations)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(3), counters);
    EXPECT_TRUE(outbox.IsEmpty());
    outbox.Add(MakeRelease(1, Operation(1, 0)));
    outbox.Add(MakeRelease(0, Operation(2, 1)));
    outbox.Add(MakeRelease(0, Operation(2, 0)));
    OpusRegisterGroup registration;
    registration.group = GroupId(4);
    registration.ranks = {RankId(1)};
    outbox.Add(registration);
    EXPECT_FALSE(outbox.IsEmpty());
    const std::vector<OpusMessage> messages = outbox.Take(7);
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(messages[0].GetType(), Type::REGISTER_GROUP);
    EXPECT_TRUE(*messages[1].FindPhase() == Operation(2, 0));
    EXPECT_TRUE(*messages[2].FindPhase() == Operation(2, 1));
    EXPECT_TRUE(*messages[3].FindPhase() == Operation(1, 0));
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
        OpusRequest request = MakeRequest(rank, Operation(1, 0));
        request.bytes = 100;
        outbox.AddRequest(request, pairs, false);
    }
    OpusRequest other = MakeRequest(1, Operation(1, 0));
    other.number = 1;
    outbox.AddRequest(other, pairs, true);
    const std::vector<OpusMessage> messages = outbox.Take(0);
    ASSERT_EQ(messages.size(), 2U) << "one has another number";
    const OpusRequest& shared = messages[0].Get<OpusRequest>();
    EXPECT_EQ(shared.ranks, (std::vector<RankId>{RankId(0), RankId(1)}));
    EXPECT_EQ(shared.bytes, 200U);
    EXPECT_EQ(shared.pairs, Pairs({{RankId(0), RankId(2)}, {RankId(1), RankId(3)}}));
    EXPECT_EQ(messages[1].Get<OpusRequest>().pairs.size(), pairs->size()) << "all are named";
    EXPECT_EQ(counters.requests, 2U);
    EXPECT_EQ(counters.coalesced, 1U);
}

TEST(ShimOutbox, WhatIsDueComesByRankAndThenAsItBecameDue)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(0), counters);
    outbox.SetDue(RankId(1), Operation(1, 0));
    outbox.SetDue(RankId(0), Operation(2, 0));
    outbox.SetDue(RankId(0), Operation(1, 0));
    EXPECT_FALSE(outbox.IsEmpty());
    const auto due = outbox.TakeDue();
    ASSERT_EQ(due.size(), 3U);
    EXPECT_TRUE(due[0].first == RankId(0) && due[0].second == Operation(2, 0));
    EXPECT_TRUE(due[1].first == RankId(0) && due[1].second == Operation(1, 0));
    EXPECT_EQ(due[2].first, RankId(1));
    EXPECT_TRUE(outbox.IsEmpty());
}

TEST(ShimOutbox, AStatementComesFirstAndVoidsWhatWasAdded)
{
    ShimCounters counters;
    ShimOutbox outbox(ServerId(0), counters);
    outbox.Add(MakeRelease(0, Operation(1, 0)));
    outbox.BeginTerm({OpusMessage{0, ServerId(0), RailId(), OpusHold()}});
    outbox.Add(MakeRelease(0, Operation(1, 2)));
    const std::vector<OpusMessage> messages = outbox.Take(2);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].GetType(), Type::HOLD);
    EXPECT_TRUE(*messages[1].FindPhase() == Operation(1, 2));
}
