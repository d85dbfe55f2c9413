/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The rules of the transport, driven through NicOffload with no Simulator and no Packet, over wires
// on which events of one instant run in random order.

#include "../support/toy-wire.h"

#include "ns3/static-window.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;

namespace
{

__extension__ using Wide = unsigned __int128;

Picoseconds
Span(uint64_t bytes, uint64_t rate)
{
    return static_cast<Picoseconds>((Wide{8} * bytes * 1'000'000'000'000U + rate - 1) / rate);
}

/** Bytes on the wire of a message that is written: from the standard, not from the code. */
uint64_t
WireBytesOfWrite(uint64_t bytes, uint32_t mtu)
{
    // around each payload 82; RETH 16 in the first frame; the payload padded to four bytes
    const uint64_t frames = bytes == 0 ? 1 : (bytes + mtu - 1) / mtu;
    return frames * 82 + 16 + (bytes + 3) / 4 * 4;
}

RdmaMessage
Write(uint64_t bytes)
{
    RdmaMessage message;
    message.bytes = bytes;
    return message;
}

} // namespace

TEST(RdmaTransport, AMessageTakesTheTimeOfTheFormula)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 500; ++i)
    {
        const uint32_t mtu = 256 << random() % 5;
        const uint64_t rate =
            std::array<uint64_t, 5>{100, 200, 400, 425, 800}[random() % 5] * 1'000'000'000;
        const Picoseconds delay = random() % 1'000'000;
        const uint64_t bytes = random() % 5 == 0 ? random() % 3 : random() % 2'000'000;
        for (const bool runs : {false, true})
        {
            ToyPair pair(i, rate, delay, runs);
            QueuePairSettings settings;
            settings.mtu = mtu;
            settings.ackEvery = 1 + random() % 200;
            const uint32_t id = pair.Join(settings);
            pair.time.At(1000, [&] { pair.a.port.Post(id, Write(bytes)); });
            ASSERT_TRUE(pair.time.Run());
            ASSERT_EQ(pair.b.arrived.size(), 1U);
            EXPECT_EQ(pair.b.arrived[0].bytes, bytes);
            // the last bit is a gap before the end
            const Picoseconds arrived =
                1000 + Span(WireBytesOfWrite(bytes, mtu) - 12, rate) + delay;
            EXPECT_EQ(pair.b.arrivedAt[0], arrived) << bytes << " " << mtu << " " << rate;
            // the acknowledgement leaves at once; it has 86 bytes with its gap
            ASSERT_EQ(pair.a.settled.size(), 1U);
            const uint64_t frames = bytes == 0 ? 1 : (bytes + mtu - 1) / mtu;
            if (frames <= settings.ackEvery)
            {
                EXPECT_EQ(pair.a.settled[0].second, arrived + Span(86 - 12, rate) + delay);
            }
            EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().timeouts, 0U);
            EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().retransmitted, 0U);
        }
    }
}

TEST(RdmaTransport, RunsAndSingleFramesAreTheSame)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 300; ++i)
    {
        const Picoseconds delay = random() % 2'000'000;
        QueuePairSettings settings;
        settings.mtu = 256 << random() % 5;
        settings.ackEvery = 1 + random() % 100;
        settings.initialPsn = random() % 2 == 0 ? 0xffff00 : 5; // the PSN wraps
        std::vector<std::pair<Picoseconds, RdmaMessage>> messages;
        for (uint64_t m = 1 + random() % 6; m > 0; --m)
        {
            RdmaMessage message = Write(random() % 400'000);
            message.verb = static_cast<RdmaVerb>(random() % 3);
            message.immediate = message.verb == RdmaVerb::WRITE_WITH_IMMEDIATE ? random() : 0;
            messages.emplace_back(random() % 4 * 10'000'000, message);
        }
        std::vector<ToyEnd::Sent> sent[2];
        std::vector<Picoseconds> arrived[2];
        std::vector<std::pair<uint64_t, Picoseconds>> settled[2];
        for (const bool runs : {false, true})
        {
            ToyPair pair(random(), 425'000'000'000, delay, runs);
            // without a window: one that opens in mid-run changes the plan, and the port must then
            // check it
            const uint32_t id = pair.Join(settings);
            Picoseconds at = 0;
            for (const auto& [after, message] : messages)
            {
                at += after + 1;
                pair.time.At(at, [&pair, id, m = message] { pair.a.port.Post(id, m); });
            }
            ASSERT_TRUE(pair.time.Run());
            ASSERT_EQ(pair.b.arrived.size(), messages.size());
            for (std::size_t m = 0; m < messages.size(); ++m)
            {
                EXPECT_EQ(pair.b.arrived[m].bytes, messages[m].second.bytes);
                EXPECT_EQ(pair.b.arrived[m].verb, messages[m].second.verb);
                EXPECT_EQ(pair.b.arrived[m].immediate, messages[m].second.immediate);
            }
            sent[runs] = pair.a.sent;
            arrived[runs] = pair.b.arrivedAt;
            settled[runs] = pair.a.settled;
        }
        ASSERT_EQ(sent[0], sent[1]);
        ASSERT_EQ(arrived[0], arrived[1]);
        ASSERT_EQ(settled[0], settled[1]);
    }
}

TEST(RdmaTransport, TheOrderOfEqualEventsDoesNotMatter)
{
    // both directions, several queue pairs, losses: all at round instants, in many random orders
    std::vector<ToyEnd::Sent> first;
    for (uint64_t order = 0; order < 200; ++order)
    {
        ToyPair pair(order, 100'000'000'000, 100'000, false);
        QueuePairSettings settings;
        settings.mtu = 1024;
        settings.ackEvery = 2;
        settings.timeoutExponent = 3;
        for (int q = 0; q < 3; ++q)
        {
            pair.Join(settings, [] { return std::make_unique<StaticWindow>(8192); });
        }
        uint64_t ordinal = 0;
        pair.a.lose = [&ordinal](const WireFrame&) { return ordinal++ % 17 == 3; };
        for (uint32_t id = 2; id < 5; ++id)
        {
            for (Picoseconds at : {0, 1'000'000, 1'106'000})
            {
                pair.time.At(at, [&pair, id] { pair.a.port.Post(id, Write(20'000)); });
                pair.time.At(at, [&pair, id] { pair.b.port.Post(id, Write(20'000)); });
            }
        }
        ASSERT_TRUE(pair.time.Run());
        std::vector<ToyEnd::Sent> all = pair.a.sent;
        all.insert(all.end(), pair.b.sent.begin(), pair.b.sent.end());
        if (order == 0)
        {
            first = all;
            EXPECT_GT(pair.a.port.GetSender(2).GetCounters().retransmitted, 0U);
        }
        ASSERT_EQ(all, first) << "order " << order;
    }
}

TEST(RdmaTransport, DeliveredOnceOrReportedUnderRandomFaults)
{
    std::mt19937_64 random(4);
    int withFailures = 0;
    int withLosses = 0;
    for (int i = 0; i < 10000; ++i)
    {
        QueuePairSettings settings;
        settings.mtu = 256;
        settings.ackEvery = 1 + random() % 16;
        settings.timeoutExponent = random() % 4;
        settings.retryLimit = 1 + random() % 7;
        settings.selectiveRepeat = random() % 2 == 0;
        settings.initialPsn = random() & RoceFrame::PSN_MASK;
        settings.darkLimit = 200'000'000;
        const double rate = std::array<double, 4>{0, 0.01, 0.1, 0.4}[random() % 4];
        ToyPair pair(i, 100'000'000'000, random() % 3'000'000, false);
        const uint32_t id = pair.Join(settings, [&random]() -> std::unique_ptr<CongestionState> {
            return random() % 2 == 0 ? std::make_unique<CongestionState>()
                                     : std::make_unique<StaticWindow>(256 * (1 + random() % 20));
        });
        const auto coin = [&random, rate](const WireFrame&) {
            return std::uniform_real_distribution<>(0, 1)(random) < rate;
        };
        // the frames that the wire let through to the sender, and when: the reference for settled
        // frames, as long as the sender has not given up
        uint64_t lost = 0;
        std::vector<std::pair<Picoseconds, uint64_t>> answers;
        pair.a.lose = [&](const WireFrame& frame) {
            const bool gone = coin(frame);
            lost += gone;
            return gone;
        };
        pair.b.lose = [&](const WireFrame& frame) {
            const bool gone = coin(frame);
            lost += gone;
            if (!gone)
            {
                const bool nak = frame.roce.syndrome == RoceSyndrome::NAK_SEQUENCE;
                const uint64_t next = frame.roce.psn - settings.initialPsn + (nak ? 0 : 1);
                answers.emplace_back(frame.last, next & RoceFrame::PSN_MASK);
            }
            return gone;
        };
        std::vector<uint64_t> ends; // index behind the last frame of each message
        const uint64_t messages = 1 + random() % 12;
        for (uint64_t m = 0; m < messages; ++m)
        {
            const uint64_t bytes = random() % 5'000;
            ends.push_back((ends.empty() ? 0 : ends.back()) +
                           (bytes == 0 ? 1 : (bytes + 255) / 256));
            pair.time.At(m, [&pair, id, bytes] { pair.a.port.Post(id, Write(bytes)); });
        }
        // a cut: dark at both ends, and what is on its way is lost
        if (random() % 3 == 0)
        {
            const Picoseconds down = random() % 5'000'000;
            const Picoseconds up = down + random() % 50'000'000;
            pair.time.At(down, [&pair] {
                pair.a.SetCarrier(false);
                pair.b.SetCarrier(false);
            });
            pair.time.At(up, [&pair] {
                pair.a.SetCarrier(true);
                pair.b.SetCarrier(true);
            });
        }
        ASSERT_TRUE(pair.time.Run()) << "it hangs";

        const auto& sender = pair.a.port.GetSender(id);
        // settled and failed: each message once, in order
        std::vector<uint64_t> reported;
        for (const auto& [message, at] : pair.a.settled)
        {
            reported.push_back(message);
        }
        const std::size_t settled = reported.size();
        reported.insert(reported.end(), pair.a.failed.begin(), pair.a.failed.end());
        std::vector<uint64_t> all(messages);
        std::iota(all.begin(), all.end(), 0);
        ASSERT_EQ(reported, all) << "case " << i << ": " << pair.a.reason;
        ASSERT_EQ(sender.GetOpenMessages(), 0U);
        // settled frames are those of the wire's record, no more and no less; an answer at the
        // instant of the failure is behind the deadline
        uint64_t acknowledged = 0;
        for (const auto& [at, next] : answers)
        {
            acknowledged = at < pair.a.failedAt ? std::max(acknowledged, next) : acknowledged;
        }
        const auto due = std::upper_bound(ends.begin(), ends.end(), acknowledged) - ends.begin();
        ASSERT_EQ(settled, static_cast<std::size_t>(due)) << "case " << i;
        // arrived messages: each once, in order, whole; and at the least the settled ones
        ASSERT_GE(pair.b.arrived.size(), settled);
        ASSERT_LE(pair.b.arrived.size(), messages);
        for (std::size_t m = 0; m < pair.b.arrived.size(); ++m)
        {
            ASSERT_EQ(pair.b.arrived[m].id, m);
            const uint64_t frames = ends[m] - (m == 0 ? 0 : ends[m - 1]);
            ASSERT_EQ(std::max<uint64_t>(1, (pair.b.arrived[m].bytes + 255) / 256), frames);
        }
        if (pair.a.failed.empty())
        {
            ASSERT_EQ(pair.b.arrived.size(), messages);
        }
        else
        {
            ++withFailures;
            ASSERT_FALSE(pair.a.reason.empty());
            ASSERT_TRUE(sender.HasFailed());
        }
        withLosses += lost > 0;
        if (rate == 0 && pair.a.failed.empty() && sender.GetCounters().retransmitted == 0)
        {
            ASSERT_EQ(pair.b.port.GetReceiver(id).GetCounters().early, 0U);
        }
    }
    // the test has seen all kinds of endings
    EXPECT_GT(withLosses, 5000);
    EXPECT_GT(withFailures, 200);
    EXPECT_LT(withFailures, 6000);
}

TEST(RdmaTransport, WithoutFaultsNothingIsSentTwice)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 500; ++i)
    {
        QueuePairSettings settings;
        settings.mtu = 1024;
        settings.ackEvery = 1 + random() % 300;
        settings.timeoutExponent = 1; // 8.192 us, beyond any round trip here
        settings.selectiveRepeat = random() % 2 == 0;
        ToyPair pair(i, 400'000'000'000, random() % 3'000'000, false);
        std::vector<uint32_t> ids;
        for (uint64_t q = 1 + random() % 4; q > 0; --q)
        {
            ids.push_back(pair.Join(settings));
        }
        for (const uint32_t id : ids)
        {
            for (int m = 0; m < 5; ++m)
            {
                const uint64_t bytes = random() % 30'000;
                pair.time.At(random() % 3'000'000,
                             [&pair, id, bytes] { pair.a.port.Post(id, Write(bytes)); });
                pair.time.At(random() % 3'000'000,
                             [&pair, id, bytes] { pair.b.port.Post(id, Write(bytes)); });
            }
        }
        ASSERT_TRUE(pair.time.Run());
        for (const uint32_t id : ids)
        {
            for (const ToyEnd* end : {&pair.a, &pair.b})
            {
                const auto& counters = end->port.GetSender(id).GetCounters();
                EXPECT_EQ(counters.retransmitted, 0U);
                EXPECT_EQ(counters.timeouts, 0U);
                EXPECT_EQ(counters.naks, 0U);
                const auto& received = end->port.GetReceiver(id).GetCounters();
                EXPECT_EQ(received.early + received.duplicates, 0U);
            }
        }
        EXPECT_EQ(pair.a.settled.size() + pair.b.settled.size(), 10 * ids.size());
    }
}

TEST(RdmaTransport, TheTailIsNotForgotten)
{
    // 200 flows of 4 frames at 2 % loss: some lose their last frame, and no later one shows it
    int tails = 0;
    for (int flow = 0; flow < 200; ++flow)
    {
        std::mt19937_64 random(flow);
        QueuePairSettings settings;
        settings.mtu = 1024;
        settings.timeoutExponent = 4;
        ToyPair pair(flow, 100'000'000'000, 500'000, false);
        const uint32_t id = pair.Join(settings);
        pair.a.lose = [&random](const WireFrame&) { return random() % 50 == 0; };
        pair.time.At(0, [&] { pair.a.port.Post(id, Write(4096)); });
        ASSERT_TRUE(pair.time.Run());
        EXPECT_EQ(pair.a.settled.size(), 1U);
        EXPECT_EQ(pair.b.arrived.size(), 1U);
        tails += pair.a.port.GetSender(id).GetCounters().timeouts > 0;
    }
    EXPECT_GT(tails, 0) << "no tail was lost: the test shows nothing";
}

TEST(RdmaTransport, OneNakForAGapAndAllFromThereAgain)
{
    QueuePairSettings settings;
    settings.mtu = 1024;
    ToyPair pair(1, 100'000'000'000, 100'000, false);
    const uint32_t id = pair.Join(settings);
    uint64_t ordinal = 0;
    // frames 10, 11 and 12 of 40 are lost
    pair.a.lose = [&ordinal](const WireFrame&) {
        ++ordinal;
        return ordinal > 10 && ordinal <= 13;
    };
    pair.time.At(0, [&] { pair.a.port.Post(id, Write(40 * 1024)); });
    ASSERT_TRUE(pair.time.Run());
    const auto& counters = pair.a.port.GetSender(id).GetCounters();
    EXPECT_EQ(counters.naks, 1U);
    EXPECT_EQ(counters.timeouts, 0U);
    // all that had gone on the wire from frame 10 on went again
    EXPECT_EQ(counters.frames, 40 + counters.retransmitted);
    EXPECT_GE(counters.retransmitted, 3U);
    EXPECT_EQ(pair.a.settled.size(), 1U);

    settings.selectiveRepeat = true;
    ToyPair other(1, 100'000'000'000, 100'000, false);
    other.Join(settings);
    ordinal = 0;
    other.a.lose = pair.a.lose;
    other.time.At(0, [&] { other.a.port.Post(id, Write(40 * 1024)); });
    ASSERT_TRUE(other.time.Run());
    // each of the three by itself
    EXPECT_EQ(other.a.port.GetSender(id).GetCounters().retransmitted, 3U);
    EXPECT_EQ(other.a.settled.size(), 1U);
}

TEST(RdmaTransport, SelectiveRepeatClosesALongGapWithoutTimeouts)
{
    // 20 frames in a row are lost, and only the two behind them come in and are reported
    QueuePairSettings settings;
    settings.mtu = 1024;
    settings.selectiveRepeat = true;
    ToyPair pair(1, 100'000'000'000, 100'000, false);
    const uint32_t id = pair.Join(settings);
    uint64_t ordinal = 0;
    pair.a.lose = [&ordinal](const WireFrame&) {
        ++ordinal;
        return ordinal > 10 && ordinal <= 30;
    };
    pair.time.At(0, [&] { pair.a.port.Post(id, Write(32 * 1024)); });
    ASSERT_TRUE(pair.time.Run());
    const auto& counters = pair.a.port.GetSender(id).GetCounters();
    EXPECT_EQ(counters.timeouts, 0U);
    EXPECT_EQ(counters.retransmitted, 20U);
    EXPECT_EQ(counters.naks, 2U);
    EXPECT_EQ(pair.a.settled.size(), 1U);
}

TEST(RdmaTransport, ADeadPeerIsReportedAfterTheTimeoutsItIsAllowed)
{
    QueuePairSettings settings;
    settings.timeoutExponent = 2;
    settings.retryLimit = 3;
    ToyPair pair(1, 100'000'000'000, 100'000, false);
    const uint32_t id = pair.Join(settings);
    pair.a.lose = [](const WireFrame&) { return true; };
    pair.time.At(0, [&] { pair.a.port.Post(id, Write(100)); });
    ASSERT_TRUE(pair.time.Run());
    ASSERT_EQ(pair.a.failed.size(), 1U);
    EXPECT_NE(pair.a.reason.find("no acknowledgement after 4 timeouts of 16384000 ps"),
              std::string::npos)
        << pair.a.reason;
    // the frame goes once and once more for each of the 3 timeouts that are borne; each timeout
    // counts from the frame's last bit, and what comes at the deadline itself would still count
    EXPECT_EQ(pair.a.sent.size(), 4U);
    // 100 bytes of payload, 82 around, RETH 16; without the gap 186 bytes, 14,880 ps; a frame that
    // is sent again starts at the wake-up, one picosecond behind the deadline
    const Picoseconds lastBit = 186 * 80;
    const Picoseconds round = lastBit + 16'384'000 + 1;
    for (int n = 0; n < 4; ++n)
    {
        EXPECT_EQ(std::get<0>(pair.a.sent[n]), n * round);
    }
}

TEST(RdmaTransport, WithoutCarrierNothingTimesOutUntilTheLimit)
{
    QueuePairSettings settings;
    settings.timeoutExponent = 0;
    settings.retryLimit = 0;
    settings.darkLimit = 1'000'000'000; // 1 ms
    for (const bool back : {true, false})
    {
        ToyPair pair(1, 100'000'000'000, 100'000, false);
        const uint32_t id = pair.Join(settings);
        pair.time.At(0, [&] {
            pair.a.SetCarrier(false);
            pair.a.port.Post(id, Write(100'000));
        });
        if (back)
        {
            pair.time.At(999'000'000, [&] { pair.a.SetCarrier(true); });
        }
        ASSERT_TRUE(pair.time.Run());
        EXPECT_EQ(pair.a.settled.size(), back ? 1U : 0U);
        EXPECT_EQ(pair.a.failed.size(), back ? 0U : 1U);
        EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().timeouts, 0U);
        EXPECT_EQ(pair.a.reason.find("no carrier") != std::string::npos, !back);
    }
}

TEST(RdmaTransport, MessagesBeyondTwoGibibytesAndIdentifiersThatDoNotRunOut)
{
    // 5 GiB and a byte, in runs: 1.3 million frames in no time; six wire messages, one message
    QueuePairSettings settings;
    settings.ackEvery = 1 << 20;
    settings.initialPsn = 0xfffffe;
    ToyPair pair(1, 400'000'000'000, 100'000, true);
    const uint32_t id = pair.Join(settings);
    const uint64_t bytes = (uint64_t{5} << 30) + 1;
    RdmaMessage message = Write(bytes);
    message.verb = RdmaVerb::WRITE_WITH_IMMEDIATE;
    message.immediate = 77;
    pair.time.At(0, [&] { pair.a.port.Post(id, message); });
    ASSERT_TRUE(pair.time.Run());
    ASSERT_EQ(pair.b.arrived.size(), 1U);
    EXPECT_EQ(pair.b.arrived[0].bytes, bytes);
    EXPECT_EQ(pair.b.arrived[0].immediate, 77U);
    EXPECT_EQ(pair.a.settled.size(), 1U);
    // a terabyte is cut into frames without counting them one by one
    const MessageFrames huge(RdmaVerb::SEND, uint64_t{1} << 40, 4096);
    EXPECT_EQ(huge.GetCount(), uint64_t{1} << 28);
    EXPECT_EQ(huge.GetWireBytes(), (uint64_t{1} << 40) + (uint64_t{1} << 28) * 82);
}

TEST(RdmaTransport, SeveralAcknowledgementsThatWaitGoAsOne)
{
    // the way back is busy with a long frame; meanwhile several frames request an acknowledgement
    QueuePairSettings settings;
    settings.mtu = 256;
    settings.ackEvery = 1;
    ToyPair pair(1, 100'000'000'000, 10'000, false);
    const uint32_t id = pair.Join(settings);
    QueuePairSettings large = settings;
    large.mtu = 4096;
    const uint32_t other = pair.Join(large);
    pair.time.At(0, [&] {
        pair.b.port.Post(other, Write(4096));
        pair.a.port.Post(id, Write(256 * 10));
    });
    ASSERT_TRUE(pair.time.Run());
    // ten frames of 338 bytes arrive within 272 ns; the frame back lasts 336 ns: all but the first
    // few answers wait, and go as one
    EXPECT_LT(pair.a.port.GetSender(id).GetCounters().acks, 4U);
    EXPECT_EQ(pair.a.settled.size(), 1U);
}
