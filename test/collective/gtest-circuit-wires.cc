/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Queue pairs on a circuit, worked out: what arrives when follows from frames, rate and way. The
// reference for all else is the simulation by messages (photonic-rails-memo).

#include "ns3/circuit-wires.h"
#include "ns3/frame-clock.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t WIRE_RATE = 400'000'000'000;
constexpr Picoseconds WIRE_WAY = 98'000;
constexpr uint32_t WIRE_MTU = 4096;
constexpr uint32_t ANSWER_EVERY = 64;

/** Notes when messages arrive and are settled, by queue pair and ordinal. */
class WiresBench : public CircuitWires::Owner
{
  public:
    WiresBench()
        : wires(*this)
    {
    }

    /** Adds a queue pair on the one circuit, from an end. @return its number */
    uint32_t Add(uint32_t end, uint32_t ackEvery)
    {
        return wires.AddQueuePair(
            {0, end, {WIRE_RATE, WIRE_WAY}, {WIRE_RATE, WIRE_WAY}, WIRE_MTU, ackEvery});
    }

    /** Sends a message of whole frames. */
    void Send(uint32_t queuePair, uint64_t bytes, Picoseconds ready, uint32_t ordinal = 0)
    {
        const FramedSize& size =
            m_sizes.try_emplace(bytes, FramedSize::Of(bytes, WIRE_MTU)).first->second;
        wires.Send(queuePair, {ready, &size, ordinal, bytes, queuePair});
    }

    void MessageArrived(uint32_t queuePair,
                        const CircuitWires::Message& message,
                        Picoseconds at) override
    {
        EXPECT_EQ(queuePair, message.label);
        arrived[{queuePair, message.ordinal}] = at;
    }

    void MessageSettled(const CircuitWires::Message& message, Picoseconds at) override
    {
        settled[{message.label, message.ordinal}] = at;
    }

    /** @return the last bit of bytes on a wire, gap included, that begin at an instant */
    static Picoseconds LastBit(uint64_t bytes)
    {
        return FrameClock(WIRE_RATE).Span(bytes - FrameClock::GAP);
    }

    CircuitWires wires;
    std::map<std::pair<uint32_t, uint32_t>, Picoseconds> arrived;
    std::map<std::pair<uint32_t, uint32_t>, Picoseconds> settled;

  private:
    std::map<uint64_t, FramedSize> m_sizes;
};

constexpr uint64_t ANSWER_BYTES =
    86; //!< preamble 8, Ethernet 14, IP 20, UDP 8, BTH 12, AETH 4, CRCs

} // namespace

TEST(CircuitWires, AMessageTakesItsBytesAndItsWay)
{
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0), ANSWER_BYTES);
    for (const uint64_t bytes : {1ULL, 4096ULL, 4097ULL, 10'000'000ULL})
    {
        WiresBench bench;
        const uint32_t pair = bench.Add(0, ANSWER_EVERY);
        constexpr Picoseconds READY = 7'000;
        bench.Send(pair, bytes, READY);
        bench.wires.Run();
        const uint64_t wire = FramedSize::Of(bytes, WIRE_MTU).wireBytes;
        const Picoseconds arrived = READY + WiresBench::LastBit(wire) + WIRE_WAY;
        const std::pair<uint32_t, uint32_t> one{pair, 0};
        EXPECT_EQ(bench.arrived[one], arrived);
        EXPECT_EQ(bench.settled[one], arrived + WiresBench::LastBit(ANSWER_BYTES) + WIRE_WAY);
        const uint64_t frames = (bytes - 1) / WIRE_MTU + 1;
        EXPECT_EQ(bench.wires.GetProgress(pair).acknowledgements, (frames - 1) / ANSWER_EVERY + 1);
        const auto quiet = bench.wires.GetQuiet(pair);
        EXPECT_EQ(quiet[0], READY + FrameClock(WIRE_RATE).Span(wire));
        EXPECT_EQ(quiet[1], arrived + FrameClock(WIRE_RATE).Span(ANSWER_BYTES));
    }
}

TEST(CircuitWires, QueuePairsTakeTurns)
{
    constexpr uint64_t FRAMES = 10;
    for (const bool second : {false, true})
    {
        WiresBench bench;
        const uint32_t one = bench.Add(0, 1000);
        const uint32_t other = bench.Add(0, 1000);
        // ready in the same instant; or the second has begun, and the first is ready in its midst
        bench.Send(one, FRAMES * WIRE_MTU, second ? 1 : 0);
        bench.Send(other, FRAMES * WIRE_MTU, 0);
        bench.wires.Run();
        const FramedSize size = FramedSize::Of(FRAMES * WIRE_MTU, WIRE_MTU);
        const uint32_t first = second ? other : one;
        const uint32_t last = second ? one : other;
        const std::pair<uint32_t, uint32_t> ahead{first, 0};
        const std::pair<uint32_t, uint32_t> behind{last, 0};
        EXPECT_EQ(bench.arrived[ahead],
                  WiresBench::LastBit(2 * size.wireBytes - size.lastBytes) + WIRE_WAY);
        EXPECT_EQ(bench.arrived[behind], WiresBench::LastBit(2 * size.wireBytes) + WIRE_WAY);
    }
}

TEST(CircuitWires, AFrameWaitsForTheOneOnTheWire)
{
    const FramedSize whole = FramedSize::Of(100 * WIRE_MTU, WIRE_MTU);
    const FramedSize report = FramedSize::Of(64, WIRE_MTU);
    const FrameClock clock(WIRE_RATE);
    const Picoseconds boundary = clock.Span(whole.firstBytes + 9 * whole.bytes);
    for (const Picoseconds ready : {boundary - 1, boundary, boundary + 1})
    {
        WiresBench bench;
        const uint32_t data = bench.Add(0, 1000);
        const uint32_t other = bench.Add(0, 1000);
        bench.Send(data, 100 * WIRE_MTU, 0);
        bench.Send(other, 64, ready);
        bench.wires.Run();
        // ten frames have begun before the boundary; what is ready there waits for one more
        const uint64_t before = whole.firstBytes + (ready < boundary ? 9 : 10) * whole.bytes;
        EXPECT_EQ((bench.arrived[{other, 0}]),
                  WiresBench::LastBit(before + report.wireBytes) + WIRE_WAY);
        EXPECT_EQ((bench.arrived[{data, 0}]),
                  WiresBench::LastBit(whole.wireBytes + report.wireBytes) + WIRE_WAY);
    }
}

TEST(CircuitWires, AnswersOfTwoQueuePairsGoByThemselves)
{
    // both messages of one frame arrive while the wire back is busy with a frame of data
    WiresBench bench;
    const uint32_t one = bench.Add(0, ANSWER_EVERY);
    const uint32_t other = bench.Add(0, ANSWER_EVERY);
    const uint32_t back = bench.Add(1, ANSWER_EVERY);
    bench.Send(one, 64, 0);
    bench.Send(other, 64, 0);
    const FramedSize report = FramedSize::Of(64, WIRE_MTU);
    const Picoseconds first = WiresBench::LastBit(report.wireBytes) + WIRE_WAY;
    bench.Send(back, 3 * WIRE_MTU, first - 1); // its first frame is on the wire for 80 ns
    bench.wires.Run();
    const FramedSize data = FramedSize::Of(3 * WIRE_MTU, WIRE_MTU);
    const auto settled = [&](uint64_t answers) {
        return first - 1 + WiresBench::LastBit(data.firstBytes + answers * ANSWER_BYTES) + WIRE_WAY;
    };
    EXPECT_EQ((bench.settled[{one, 0}]), settled(1));
    EXPECT_EQ((bench.settled[{other, 0}]), settled(2));
    EXPECT_EQ((bench.arrived[{back, 0}]),
              first - 1 + WiresBench::LastBit(data.wireBytes + 2 * ANSWER_BYTES) + WIRE_WAY);
}

TEST(CircuitWires, AnswersTakeTurnsToo)
{
    // the wire back is busy with frames of 84 ns; of each the answers wait that become ready in it
    WiresBench bench;
    const uint32_t one = bench.Add(0, ANSWER_EVERY);
    const uint32_t other = bench.Add(0, ANSWER_EVERY);
    const uint32_t back = bench.Add(1, 1000);
    const FramedSize report = FramedSize::Of(64, WIRE_MTU);
    const Picoseconds first = WiresBench::LastBit(report.wireBytes) + WIRE_WAY;
    const Picoseconds begin = first - 1;
    bench.Send(one, 64, 0, 0);
    bench.Send(back, 10 * WIRE_MTU, begin);
    const FramedSize data = FramedSize::Of(10 * WIRE_MTU, WIRE_MTU);
    const FrameClock clock(WIRE_RATE);
    const Picoseconds second = begin + clock.Span(data.firstBytes + ANSWER_BYTES);
    // both arrive in the second frame, the first queue pair's first
    bench.Send(one, 64, second - first + 10'000, 1);
    bench.Send(other, 64, second - first + 20'000, 0);
    bench.wires.Run();
    const auto settled = [&](uint64_t frames, uint64_t answers) {
        const uint64_t bytes = data.firstBytes + (frames - 1) * data.bytes + answers * ANSWER_BYTES;
        return begin + WiresBench::LastBit(bytes) + WIRE_WAY;
    };
    EXPECT_EQ((bench.settled[{one, 0}]), settled(1, 1));
    EXPECT_EQ((bench.settled[{other, 0}]), settled(2, 2)) << "it is its turn";
    EXPECT_EQ((bench.settled[{one, 1}]), settled(2, 3));
}

TEST(CircuitWires, OnlyTimesBetweenMessagesCount)
{
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round)
    {
        WiresBench first;
        WiresBench later;
        const Picoseconds shift = random() % 1'000'000'000;
        const uint32_t pairs = 1 + random() % 4;
        uint64_t frames = 0;
        for (uint32_t p = 0; p < pairs; ++p)
        {
            const uint32_t end = random() % 2;
            const uint32_t every = 1 + random() % 70;
            first.Add(end, every);
            later.Add(end, every);
            Picoseconds ready = 0;
            for (uint32_t m = 0; m < 1 + random() % 5; ++m)
            {
                ready += random() % 3 == 0 ? random() % 5'000'000 : 0;
                const uint64_t bytes = 1 + random() % 500'000;
                first.Send(p, bytes, ready, m);
                later.Send(p, bytes, ready + shift, m);
                frames += FramedSize::Of(bytes, WIRE_MTU).frames;
            }
        }
        first.wires.Run();
        later.wires.Run();
        ASSERT_EQ(first.arrived.size(), later.arrived.size());
        ASSERT_EQ(first.settled.size(), first.arrived.size()) << "all are answered";
        for (const auto& [message, at] : first.arrived)
        {
            ASSERT_EQ(at + shift, later.arrived[message]);
            ASSERT_EQ(first.settled[message] + shift, later.settled[message]);
            ASSERT_GT(first.settled[message], at);
        }
        uint64_t answers = 0;
        for (uint32_t p = 0; p < pairs; ++p)
        {
            answers += first.wires.GetProgress(p).acknowledgements;
        }
        ASSERT_LE(answers, frames);
    }
}
