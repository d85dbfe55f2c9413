/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sends by rendezvous, worked out: the data follow the report of the receive. The reference for all
// else is the simulation by messages (photonic-rails-memo).

#include "ns3/circuit-sends.h"
#include "ns3/collective-algorithm.h"
#include "ns3/frame-clock.h"
#include "ns3/roce-frame.h"
#include "ns3/sends-on-circuits.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t SEND_RATE = 400'000'000'000;
constexpr Picoseconds SEND_WAY = 98'000;
constexpr uint32_t SEND_MTU = 4096;

/** One end of a send from rank 0 to rank 1, or back. */
MemoizedSend
MakeEnd(bool isBack, bool isSender, uint64_t bytes, uint64_t number = 0)
{
    CollectiveParameters parameters;
    parameters.kind = CollectiveKind::SEND_RECV;
    parameters.ranks = 2;
    MemoizedSend send;
    send.kind = {CollectiveAlgorithm::GetSchedule("direct", parameters), bytes, 1 << 20};
    send.from = RankId(isBack ? 1 : 0);
    send.to = RankId(isBack ? 0 : 1);
    send.number = number;
    send.isSender = isSender;
    return send;
}

/** Its way out, on the one circuit of both ranks. */
std::vector<WayOnCircuit>
MakeWays(const MemoizedSend& send)
{
    const uint32_t end = (send.isSender ? send.from : send.to).Get();
    WayOnCircuit way{0, end, {SEND_RATE, SEND_WAY}, {SEND_RATE, SEND_WAY}, SEND_MTU, 64};
    way.timeout = 67'000'000'000;
    way.turn = {send.from.Get(), send.isSender, 0};
    return {way};
}

bool
Enter(SendsOnCircuits& sends, const MemoizedSend& send, Picoseconds at)
{
    return sends.Enter(send, MakeWays(send), at);
}

/** From the begin of bytes of data on a wire to their last bit at the other end. */
Picoseconds
TimeOf(uint64_t bytes)
{
    return FrameClock(SEND_RATE).Span(FramedSize::Of(bytes, SEND_MTU).wireBytes - FrameClock::GAP) +
           SEND_WAY;
}

Picoseconds
TimeOfAnswer()
{
    const uint32_t bytes = RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0);
    return FrameClock(SEND_RATE).Span(bytes - FrameClock::GAP) + SEND_WAY;
}

} // namespace

TEST(SendsOnCircuits, DataFollowTheReport)
{
    constexpr uint64_t BYTES = 500'000;
    for (const Picoseconds sends : {0, 50'000, 5'000'000})
    {
        for (const Picoseconds receives : {0, 50'000, 7'000'000})
        {
            SendsOnCircuits one;
            const bool senderFirst = sends <= receives;
            ASSERT_TRUE(Enter(one, MakeEnd(false, senderFirst, BYTES), std::min(sends, receives)));
            EXPECT_FALSE(one.AreAny()) << "one end alone";
            EXPECT_EQ(CircuitSends(one).Run()[0].ended, NEVER);
            ASSERT_TRUE(Enter(one, MakeEnd(false, !senderFirst, BYTES), std::max(sends, receives)));
            EXPECT_TRUE(one.AreAny());
            const auto outcomes = CircuitSends(one).Run();
            const auto& sender = outcomes[senderFirst ? 0 : 1];
            const auto& receiver = outcomes[senderFirst ? 1 : 0];
            // the answer to the report goes first, if it is on the wire
            const Picoseconds answered =
                receives + TimeOf(64) +
                FrameClock(SEND_RATE).Span(RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0));
            const Picoseconds begins = std::max(sends, answered);
            EXPECT_EQ(receiver.ended, begins + TimeOf(BYTES));
            EXPECT_EQ(sender.ended, begins + TimeOf(BYTES) + TimeOfAnswer());
            EXPECT_EQ(sender.totals.bytesSent, BYTES);
            EXPECT_EQ(receiver.totals.bytesReceived, BYTES);
            EXPECT_EQ(sender.sent[0].bytes, BYTES);
            EXPECT_EQ(receiver.sent[0].bytes, 64U) << "the report";
            EXPECT_EQ(receiver.sent[0].acknowledgements, 1U);
        }
    }
}

TEST(SendsOnCircuits, OneAfterTheOtherShareAWire)
{
    constexpr uint64_t BYTES = 3'000'000;
    SendsOnCircuits both;
    for (const uint64_t number : {0, 1})
    {
        ASSERT_TRUE(Enter(both, MakeEnd(false, false, BYTES, number), 0));
    }
    for (const uint64_t number : {0, 1})
    {
        ASSERT_TRUE(Enter(both, MakeEnd(false, true, BYTES, number), 1'000'000));
    }
    const auto outcomes = CircuitSends(both).Run();
    // messages of a mebibyte
    const auto wire = [](uint64_t bytes) {
        uint64_t all = 0;
        for (; bytes > (1 << 20); bytes -= 1 << 20)
        {
            all += FramedSize::Of(1 << 20, SEND_MTU).wireBytes;
        }
        return all + FramedSize::Of(bytes, SEND_MTU).wireBytes;
    };
    const auto arrived = [&](uint64_t sends) {
        return 1'000'000 + FrameClock(SEND_RATE).Span(sends * wire(BYTES) - FrameClock::GAP) +
               SEND_WAY;
    };
    EXPECT_EQ(outcomes[0].ended, arrived(1));
    EXPECT_EQ(outcomes[1].ended, arrived(2));
    EXPECT_EQ(outcomes[2].ended, arrived(1) + TimeOfAnswer());
    EXPECT_EQ(outcomes[3].ended, arrived(2) + TimeOfAnswer());
    EXPECT_EQ(outcomes[2].sent[0].bytes + outcomes[3].sent[0].bytes, 2 * BYTES);
}

TEST(SendsOnCircuits, WhatHasEndedDoesNotDependOnWhatEntersLater)
{
    constexpr uint64_t BYTES = 1 << 20;
    SendsOnCircuits sends;
    ASSERT_TRUE(Enter(sends, MakeEnd(false, true, BYTES), 0));
    ASSERT_TRUE(Enter(sends, MakeEnd(false, false, BYTES), 10'000));
    const auto before = CircuitSends(sends).Run();
    // back, as the data of the first are on the wire; then in the instant of an end
    const Picoseconds half = before[0].ended / 2;
    SendsOnCircuits joined = sends;
    ASSERT_TRUE(Enter(joined, MakeEnd(true, false, BYTES), half));
    const auto beside = CircuitSends(joined).Run();
    EXPECT_GT(beside[1].ended, before[1].ended) << "the report is between its frames";
    EXPECT_EQ(beside[2].ended, NEVER);
    ASSERT_TRUE(Enter(sends, MakeEnd(true, false, BYTES), before[1].ended));
    EXPECT_EQ(CircuitSends(sends).Run()[1].ended, before[1].ended);
    EXPECT_EQ(CircuitSends(sends).Run()[0].ended, before[0].ended);
}

TEST(SendsOnCircuits, EqualKeysOfEqualSends)
{
    const auto make = [](Picoseconds receives, uint64_t bytes, uint64_t number) {
        SendsOnCircuits sends;
        EXPECT_TRUE(Enter(sends, MakeEnd(false, true, bytes, number), 0));
        EXPECT_TRUE(Enter(sends, MakeEnd(false, false, bytes, number), receives));
        return sends.GetKey();
    };
    EXPECT_EQ(make(5, 100'000, 0), make(5, 100'000, 7));
    EXPECT_NE(make(5, 100'000, 0), make(6, 100'000, 0));
    EXPECT_NE(make(5, 100'000, 0), make(5, 100'001, 0));
}

TEST(SendsOnCircuits, WhatIsNotKnownGoesByMessages)
{
    constexpr uint64_t BYTES = 100'000;
    SendsOnCircuits late;
    EXPECT_TRUE(Enter(late, MakeEnd(false, true, BYTES, 1), 0));
    EXPECT_FALSE(Enter(late, MakeEnd(false, true, BYTES, 0), 0)) << "an earlier one";
    SendsOnCircuits report;
    EXPECT_TRUE(Enter(report, MakeEnd(false, true, BYTES, 0), 0));
    EXPECT_FALSE(Enter(report, MakeEnd(false, false, BYTES, 1), 0))
        << "its report covers that which waits";
    SendsOnCircuits covered;
    EXPECT_TRUE(Enter(covered, MakeEnd(false, false, BYTES, 1), 0));
    EXPECT_FALSE(Enter(covered, MakeEnd(false, true, BYTES, 0), 0)) << "covered by a later one";
    SendsOnCircuits slow;
    const MemoizedSend send = MakeEnd(false, true, BYTES);
    std::vector<WayOnCircuit> ways = MakeWays(send);
    ways[0].timeout = 1'000'000;
    EXPECT_FALSE(slow.Enter(send, ways, 0)) << "frames are sent again before the answer";
    EXPECT_FALSE(SendsOnCircuits().Enter(send, {}, 0)) << "a way too few";
}
