/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Operations on circuits, worked out: ends follow from frames, rate, way and entries. The reference
// for all else is the simulation by messages (photonic-rails-memo).

#include "ns3/circuit-messages.h"
#include "ns3/collective-algorithm.h"
#include "ns3/frame-clock.h"
#include "ns3/message-frames.h"
#include "ns3/operation-on-circuits.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t CIRCUIT_RATE = 400'000'000'000;
constexpr uint32_t PAYLOAD = 4096;
constexpr uint32_t ACK_EVERY = 64;
constexpr Picoseconds FIBER = 98'000;
constexpr Picoseconds ACK_TIMEOUT = 67'000'000'000;
constexpr uint64_t ONE_MESSAGE = uint64_t{1} << 30;

MemoStore::Kind
MakeKind(CollectiveKind kind, uint32_t ranks, bool bothWays, uint64_t bytes, uint64_t message)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.bidirectional = bothWays;
    parameters.channels = bothWays ? 2 : 1;
    return {CollectiveAlgorithm::GetSchedule("ring", parameters), bytes, message};
}

WayOnCircuit
MakeWay(std::size_t circuit, uint32_t end, Picoseconds way = FIBER)
{
    return {circuit,
            end,
            {CIRCUIT_RATE, way},
            {CIRCUIT_RATE, way},
            PAYLOAD,
            ACK_EVERY,
            ACK_TIMEOUT};
}

/** Has a rank of a ring enter: its first circuit leads to the next rank, its second to the last. */
bool
Enter(OperationOnCircuits& operation,
      uint32_t place,
      uint32_t ranks,
      bool bothWays,
      Picoseconds at,
      Picoseconds way = FIBER)
{
    std::vector<WayOnCircuit> ways{MakeWay(place, 0, way)};
    if (bothWays)
    {
        ways.push_back(MakeWay((place + ranks - 1) % ranks, 1, way));
    }
    return operation.Enter(place, ways, at, at);
}

std::vector<OperationOnCircuits::Outcome>
WorkOut(const MemoStore::Kind& kind, bool bothWays, const std::vector<Picoseconds>& entries)
{
    const auto operation = OperationOnCircuits::Make(kind);
    for (uint32_t place = 0; place < entries.size(); ++place)
    {
        EXPECT_FALSE(operation->HaveAllEntered());
        EXPECT_TRUE(Enter(*operation, place, entries.size(), bothWays, entries[place]));
    }
    EXPECT_TRUE(operation->HaveAllEntered());
    return CircuitMessages(*operation).Run();
}

/** From the first bit of a message to its last one at the other end. */
Picoseconds
ArrivalOf(uint64_t bytes, Picoseconds way = FIBER)
{
    const MessageFrames frames(RdmaVerb::WRITE_WITH_IMMEDIATE, bytes, PAYLOAD);
    return FrameClock(CIRCUIT_RATE).Span(frames.GetWireBytes() - FrameClock::GAP) + way;
}

/** From then on to the answer at the sender. */
Picoseconds
AnswerTime(Picoseconds way = FIBER)
{
    const uint32_t bytes = RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0);
    return FrameClock(CIRCUIT_RATE).Span(bytes - FrameClock::GAP) + way;
}

} // namespace

TEST(OperationOnCircuits, AShareGoesRoundOneMessageBehindTheOther)
{
    for (const uint32_t ranks : {3U, 4U, 16U})
    {
        for (const uint64_t share : {1ULL, 4096ULL, 4097ULL, 10'000'000ULL})
        {
            const auto kind =
                MakeKind(CollectiveKind::ALL_GATHER, ranks, false, ranks * share, ONE_MESSAGE);
            const auto outcomes = WorkOut(kind, false, std::vector<Picoseconds>(ranks, 0));
            for (const OperationOnCircuits::Outcome& outcome : outcomes)
            {
                // each step begins with the arrival of the one before it, on a wire that is idle
                EXPECT_EQ(outcome.ended, (ranks - 1) * ArrivalOf(share) + AnswerTime());
                EXPECT_EQ(outcome.totals.messagesSent, ranks - 1);
                EXPECT_EQ(outcome.totals.bytesReceived, (ranks - 1) * share);
                ASSERT_EQ(outcome.sent.size(), 1U);
                const uint64_t frames = (share - 1) / PAYLOAD + 1;
                EXPECT_EQ(outcome.sent[0].messages, ranks - 1);
                EXPECT_EQ(outcome.sent[0].bytes, (ranks - 1) * share);
                EXPECT_EQ(outcome.sent[0].frames, (ranks - 1) * frames);
                EXPECT_EQ(outcome.sent[0].acknowledgements,
                          (ranks - 1) * ((frames - 1) / ACK_EVERY + 1));
                EXPECT_EQ(outcome.sent[0].troubles, 0U);
            }
        }
    }
}

TEST(OperationOnCircuits, AWireIsBusyFromTheFirstMessageToTheLast)
{
    // four messages a share: each is there when the wire is through with those before it
    constexpr uint32_t RANKS = 5;
    constexpr uint64_t MESSAGE = 1 << 20;
    const auto kind =
        MakeKind(CollectiveKind::REDUCE_SCATTER, RANKS, false, 4 * RANKS * MESSAGE, MESSAGE);
    const auto outcomes = WorkOut(kind, false, std::vector<Picoseconds>(RANKS, 0));
    const MessageFrames frames(RdmaVerb::WRITE_WITH_IMMEDIATE, MESSAGE, PAYLOAD);
    const uint64_t all = 4 * (RANKS - 1) * frames.GetWireBytes();
    for (const OperationOnCircuits::Outcome& outcome : outcomes)
    {
        EXPECT_EQ(outcome.ended,
                  FrameClock(CIRCUIT_RATE).Span(all - FrameClock::GAP) + FIBER + AnswerTime());
    }
}

TEST(OperationOnCircuits, ALateRankDelaysThoseBehindIt)
{
    constexpr uint32_t RANKS = 4;
    constexpr uint64_t SHARE = 1'000'000;
    constexpr Picoseconds LATE = 3'000'000;
    const auto kind =
        MakeKind(CollectiveKind::ALL_GATHER, RANKS, false, RANKS * SHARE, ONE_MESSAGE);
    const auto outcomes = WorkOut(kind, false, {0, LATE, 0, 0});
    // the shares of others wait at it, and follow its own on a wire that is busy all the while
    const MessageFrames frames(RdmaVerb::WRITE_WITH_IMMEDIATE, SHARE, PAYLOAD);
    const Picoseconds three =
        FrameClock(CIRCUIT_RATE).Span(3 * frames.GetWireBytes() - FrameClock::GAP);
    EXPECT_EQ(outcomes[1].ended, LATE + three + FIBER + AnswerTime());
    // its own goes round
    EXPECT_EQ(outcomes[0].ended, LATE + 3 * ArrivalOf(SHARE));
    for (const OperationOnCircuits::Outcome& outcome : outcomes)
    {
        EXPECT_GT(outcome.ended, 3 * ArrivalOf(SHARE) + AnswerTime());
    }
}

TEST(OperationOnCircuits, OnlyTheTimesBetweenEntriesCount)
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round)
    {
        const uint32_t ranks = 3 + random() % 6;
        const bool bothWays = random() % 2 == 0;
        const uint64_t bytes = 1 + random() % 20'000'000;
        const CollectiveKind kinds[]{CollectiveKind::ALL_GATHER,
                                     CollectiveKind::REDUCE_SCATTER,
                                     CollectiveKind::ALL_REDUCE};
        const auto kind = MakeKind(kinds[random() % 3], ranks, bothWays, bytes, 1 << 18);
        std::vector<Picoseconds> entries;
        std::vector<Picoseconds> later;
        const Picoseconds shift = random() % 1'000'000'000;
        for (uint32_t place = 0; place < ranks; ++place)
        {
            entries.push_back(random() % 2 == 0 ? 0 : random() % 20'000'000);
            later.push_back(entries.back() + shift);
        }
        const auto first = WorkOut(kind, bothWays, entries);
        const auto second = WorkOut(kind, bothWays, later);
        uint64_t sent = 0;
        uint64_t received = 0;
        for (uint32_t place = 0; place < ranks; ++place)
        {
            ASSERT_EQ(first[place].ended + shift, second[place].ended);
            ASSERT_EQ(first[place].sent[0].acknowledgements,
                      second[place].sent[0].acknowledgements);
            sent += first[place].totals.bytesSent;
            received += first[place].totals.bytesReceived;
        }
        ASSERT_EQ(sent, received);
    }
}

TEST(OperationOnCircuits, AnswersGoBetweenTheFramesOfTheOtherDirection)
{
    // two ranks to each other at once, with a way that is longer than the message: no answer comes
    // before the last frame has begun
    constexpr uint64_t SHARE = 1'000'000;
    constexpr Picoseconds LONG = 100'000'000;
    const auto kind = MakeKind(CollectiveKind::ALL_GATHER, 2, false, 2 * SHARE, ONE_MESSAGE);
    for (const Picoseconds way : {LONG, FIBER})
    {
        const auto operation = OperationOnCircuits::Make(kind);
        ASSERT_TRUE(operation->Enter(0, {MakeWay(0, 0, way)}, 0, 0));
        ASSERT_TRUE(operation->Enter(1, {MakeWay(0, 1, way)}, 0, 0));
        const auto outcomes = CircuitMessages(*operation).Run();
        const uint64_t frames = (SHARE - 1) / PAYLOAD + 1;
        const uint64_t requests = (frames - 1) / ACK_EVERY + 1;
        EXPECT_EQ(outcomes[0].ended, outcomes[1].ended);
        EXPECT_EQ(outcomes[0].sent[0].acknowledgements, requests);
        // by the short way all but the last go before the last frame
        const uint32_t answer = RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0);
        const uint64_t before = way == LONG ? 0 : (requests - 1) * answer;
        const uint64_t all =
            MessageFrames(RdmaVerb::WRITE_WITH_IMMEDIATE, SHARE, PAYLOAD).GetWireBytes() + before;
        EXPECT_EQ(outcomes[0].ended,
                  FrameClock(CIRCUIT_RATE).Span(all - FrameClock::GAP) + way + AnswerTime(way));
    }
}

TEST(OperationOnCircuits, MessagesThatComeBeforeARankIsActiveAreCounted)
{
    // the rank before it sends a share a step; the first one comes after the time of an arrival
    constexpr uint32_t RANKS = 5;
    constexpr uint64_t SHARE = 1'000'000;
    const auto kind =
        MakeKind(CollectiveKind::ALL_GATHER, RANKS, false, RANKS * SHARE, ONE_MESSAGE);
    for (const uint64_t early : {0, 1, 3})
    {
        for (const Picoseconds more : {0, 1})
        {
            const Picoseconds active =
                std::max<Picoseconds>(1, early) * ArrivalOf(SHARE) + more - (early == 0 ? 1 : 0);
            const uint64_t before = early == 0 ? 0 : more == 0 ? early - 1 : early;
            const auto operation = OperationOnCircuits::Make(kind);
            for (uint32_t place = 0; place < RANKS; ++place)
            {
                const Picoseconds its = place == 2 ? active : 0;
                // the circuits come later than the call
                ASSERT_TRUE(operation->Enter(place,
                                             {MakeWay(place, 0)},
                                             place == 2 ? 10 * ArrivalOf(SHARE) : 0,
                                             its));
            }
            const auto outcomes = CircuitMessages(*operation).Run();
            for (uint32_t place = 0; place < RANKS; ++place)
            {
                EXPECT_EQ(outcomes[place].early, place == 2 ? before : 0) << active;
            }
        }
    }
}

TEST(OperationOnCircuits, WhatIsNotKnownGoesByMessages)
{
    const auto kind = MakeKind(CollectiveKind::ALL_GATHER, 3, true, 3000, ONE_MESSAGE);
    const auto enter = [&](const WayOnCircuit& one, const WayOnCircuit& other) {
        const auto operation = OperationOnCircuits::Make(kind);
        return operation->Enter(0, {MakeWay(0, 0), MakeWay(2, 1)}, 0, 0) &&
               operation->Enter(1, {one, other}, 0, 0);
    };
    const WayOnCircuit one = MakeWay(1, 0);
    const WayOnCircuit other = MakeWay(0, 1);
    EXPECT_TRUE(enter(one, other));
    EXPECT_FALSE(enter(one, MakeWay(1, 0))) << "two queue pairs on a circuit";
    WayOnCircuit its = other;
    its.there.rate = CIRCUIT_RATE / 2;
    EXPECT_FALSE(enter(one, its)) << "circuits of different rates";
    its = other;
    its.timeout = 1'000'000;
    EXPECT_FALSE(enter(one, its)) << "frames are sent again before the answer";
    its = other;
    its.ackEvery = 1;
    EXPECT_FALSE(enter(one, its)) << "queue pairs of different settings";
    EXPECT_FALSE(OperationOnCircuits::Make(kind)->Enter(0, {MakeWay(0, 0)}, 0, 0))
        << "a way too few";

    CollectiveParameters servers;
    servers.kind = CollectiveKind::ALL_REDUCE;
    servers.ranks = 8;
    servers.perServer = 4;
    EXPECT_EQ(OperationOnCircuits::Make(
                  {CollectiveAlgorithm::GetSchedule("hierarchical", servers), 8000, ONE_MESSAGE}),
              nullptr)
        << "messages inside servers";

    EXPECT_EQ(
        OperationOnCircuits::Make(MakeKind(CollectiveKind::BROADCAST, 4, false, 4000, ONE_MESSAGE)),
        nullptr)
        << "a rank may end before others have entered";
}
