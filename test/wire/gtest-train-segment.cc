/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A run of frames that queue pairs share, against its frames one by one: each frame is written down
// from the turns alone, and what a segment and its parts give must be these frames.

#include "ns3/frame-counter.h"
#include "ns3/rdma-port.h"
#include "ns3/train-segment.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t PAYLOAD = 1024;

/** @return an address of a port, by its number */
Mac48Address
PortAddress(uint32_t port)
{
    return Mac48Address(("02:06:00:00:00:0" + std::to_string(port)).c_str());
}

/** A segment, and its frames one by one. */
struct SharedRun
{
    explicit SharedRun(std::mt19937_64& random)
    {
        const uint64_t turns = 2 + random() % 6;
        const uint64_t count = 2 + random() % 40;
        FrameClock clock(random() % 2 == 0 ? 425'000'000'000 : 400'000'000'000);
        clock.Start(static_cast<Picoseconds>(random() % 1000));
        clock.Skip(random() % 10'000);
        segment.head.source = PortAddress(9);
        segment.head.trafficClass = 3;
        for (uint64_t t = 0; t < turns; ++t)
        {
            TrainTurn turn;
            turn.id = 2 + t;
            turn.first = random() % 1000;
            turn.destination = PortAddress(random() % 3);
            turn.roce.opcode = RoceOpcode::WRITE_MIDDLE;
            turn.roce.psn = random() % 2 == 0 ? 0xfffffe : random() % 1000; // it may wrap
            turn.roce.identification = turn.roce.psn & 0xffff;
            turn.roce.destinationQp = 100 + t;
            turn.roce.payload = PAYLOAD;
            segment.turns.push_back(turn);
        }
        for (uint64_t place = 0; place < count; ++place)
        {
            const TrainTurn& turn = segment.turns[place % turns];
            WireFrame frame = segment.head;
            frame.roce = turn.roce;
            frame.roce.psn = (turn.roce.psn + place / turns) & 0xffffff;
            frame.roce.identification = frame.roce.psn & 0xffff;
            if (place + 1 == count)
            {
                frame.roce.opcode = RoceOpcode::WRITE_LAST;
                frame.roce.ackRequest = true;
                frame.roce.payload = 4 * (1 + random() % 200);
            }
            frame.destination = turn.destination;
            frame.wireBytes = frame.roce.GetWireBytes();
            const FrameTimes times = FrameClock(clock).Append(frame.wireBytes);
            frame.first = times.first;
            frame.last = times.last;
            clock.Append(frame.wireBytes);
            frame.run.id = turn.id;
            frame.run.first = turn.first + place / turns;
            frame.run.count = 1;
            frames.push_back(frame);
        }
        segment.head.run.id = segment.turns[0].id;
        segment.head.run.first = segment.turns[0].first;
        segment.head.run.count = count;
        segment.head.run.wireBytes = frames[0].wireBytes;
        segment.head.run.lastWireBytes = frames.back().wireBytes;
        segment.head.roce = frames[0].roce;
        segment.head.destination = frames[0].destination;
        segment.head.wireBytes = frames[0].wireBytes;
        segment.head.first = frames[0].first;
        segment.head.last = frames[0].last;
        segment.tail = frames.back().roce;
        FrameClock before(clock.GetRate());
        before.Start(clock.GetAnchor());
        uint64_t bytes = clock.GetBytes();
        for (const WireFrame& frame : frames)
        {
            bytes -= frame.wireBytes;
        }
        before.Skip(bytes);
        segment.times = RunClock(before, segment.head.run);
    }

    TrainSegment segment;
    std::vector<WireFrame> frames;
};

/** Compares all that is known of one frame. */
void
ExpectOneFrame(const WireFrame& expected, const WireFrame& found)
{
    EXPECT_EQ(expected.run.id, found.run.id);
    EXPECT_EQ(expected.run.first, found.run.first);
    EXPECT_EQ(expected.roce.Serialize(expected.source, expected.destination),
              found.roce.Serialize(found.source, found.destination));
    EXPECT_EQ(expected.roce.destinationQp, found.roce.destinationQp);
    EXPECT_EQ(expected.destination, found.destination);
    EXPECT_EQ(expected.wireBytes, found.wireBytes);
    EXPECT_EQ(expected.first, found.first);
    EXPECT_EQ(expected.last, found.last);
}

/** All that a segment gives is that of its frames. */
void
ExpectFramesOfSegment(const TrainSegment& segment, const WireFrame* frames, uint64_t count)
{
    ASSERT_EQ(segment.head.run.count, count);
    EXPECT_EQ(segment.IsShared(), count > 1);
    EXPECT_EQ(segment.head.run.id, frames[0].run.id);
    EXPECT_EQ(segment.head.run.first, frames[0].run.first);
    EXPECT_EQ(segment.head.destination, frames[0].destination);
    EXPECT_EQ(segment.head.wireBytes, frames[0].wireBytes);
    EXPECT_EQ(segment.head.first, frames[0].first);
    EXPECT_EQ(segment.head.last, frames[0].last);
    EXPECT_EQ(segment.head.roce.psn, frames[0].roce.psn);
    EXPECT_EQ(segment.tail.psn, frames[count - 1].roce.psn);
    EXPECT_EQ(segment.tail.ackRequest, frames[count - 1].roce.ackRequest);
    for (uint64_t place = 0; place < count; ++place)
    {
        SCOPED_TRACE(place);
        ExpectOneFrame(frames[place], MakeFrame(segment, place));
    }
    uint64_t next = 0;
    ForEachInOrder(segment,
                   [&](const WireFrame& head, const RoceFrame& tail, const RunClock& times) {
                       ASSERT_EQ(times.GetCount(), head.run.count);
                       for (uint64_t i = 0; i < times.GetCount(); ++i, ++next)
                       {
                           SCOPED_TRACE(next);
                           ExpectOneFrame(frames[next], MakeFrameOfRun(head, tail, times, i));
                       }
                   });
    EXPECT_EQ(next, count);
}

/** The frames of each queue pair, each once and in order. The last of them is the last of all. */
void
ExpectQueuePairs(const TrainSegment& segment, const WireFrame* frames, uint64_t count)
{
    std::map<uint32_t, std::vector<const WireFrame*>> ofPairs;
    for (uint64_t place = 0; place < count; ++place)
    {
        ofPairs[frames[place].roce.destinationQp].push_back(&frames[place]);
    }
    Picoseconds latest = 0;
    ForEachQueuePair(segment,
                     [&](const WireFrame& head, const RoceFrame& tail, const RunClock& times) {
                         const auto its = ofPairs[head.roce.destinationQp];
                         ofPairs.erase(head.roce.destinationQp);
                         ASSERT_EQ(its.size(), head.run.count);
                         ASSERT_EQ(its.size(), times.GetCount());
                         for (std::size_t i = 0; i < its.size(); ++i)
                         {
                             ExpectOneFrame(*its[i], MakeFrameOfRun(head, tail, times, i));
                         }
                         EXPECT_GT(its.back()->last, latest);
                         latest = its.back()->last;
                     });
    EXPECT_TRUE(ofPairs.empty());
    EXPECT_EQ(latest, frames[count - 1].last);
}

/** An offload that answers to some frames. */
class Answering : public RdmaPort
{
  public:
    using RdmaPort::RdmaPort;

    uint64_t GetFirstAnswered(const WireFrame& head) const override
    {
        const auto place = answered.find(head.roce.destinationQp);
        const uint64_t last = head.run.count - 1;
        return place == answered.end() ? last : std::min(place->second, last);
    }

    std::map<uint32_t, uint64_t> answered; //!< by queue pair, the frame of the run
};

/** An owner that is never called. */
class NoOwner : public RdmaPortOwner
{
  public:
    Picoseconds GetNow() const override
    {
        return 0;
    }

    void NotifyReady() override
    {
    }

    void WakeAt(uint32_t, Picoseconds) override
    {
    }

    void NotifySettled(uint32_t, const RdmaMessage&) override
    {
    }

    void NotifyArrived(uint32_t, const RdmaMessage&) override
    {
    }

    void NotifyFailed(uint32_t, const std::vector<RdmaMessage>&, const std::string&) override
    {
    }
};

} // namespace

TEST(TrainSegment, CountsTheFramesOfEachTurn)
{
    for (uint64_t turns = 1; turns < 8; ++turns)
    {
        for (uint64_t count = 0; count < 40; ++count)
        {
            for (uint64_t turn = 0; turn < turns; ++turn)
            {
                uint64_t expected = 0;
                for (uint64_t place = turn; place < count; place += turns)
                {
                    ++expected;
                }
                EXPECT_EQ(CountOfTurn(count, turn, turns), expected);
            }
        }
    }
}

TEST(TrainSegment, GivesEachFrameAsOneByOne)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 500 && !HasFailure(); ++i)
    {
        SCOPED_TRACE(i);
        const SharedRun one(random);
        ExpectFramesOfSegment(one.segment, one.frames.data(), one.frames.size());
        ExpectQueuePairs(one.segment, one.frames.data(), one.frames.size());
    }
}

TEST(TrainSegment, PartsAreItsFrames)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 1000 && !HasFailure(); ++i)
    {
        SCOPED_TRACE(i);
        SharedRun one(random);
        uint64_t begin = 0;
        while (one.frames.size() - begin > 1)
        {
            const uint64_t count = 1 + random() % (one.frames.size() - begin - 1);
            const TrainSegment front = SplitFront(one.segment, count);
            ExpectFramesOfSegment(front, &one.frames[begin], count);
            ExpectQueuePairs(front, &one.frames[begin], count);
            begin += count;
            ExpectFramesOfSegment(one.segment, &one.frames[begin], one.frames.size() - begin);
            ExpectQueuePairs(one.segment, &one.frames[begin], one.frames.size() - begin);
        }
    }
}

TEST(TrainSegment, SumsDoNotDependOnTheOrder)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 200; ++i)
    {
        const SharedRun one(random);
        FrameCounter oneByOne;
        for (const WireFrame& frame : one.frames)
        {
            WireFrame alone = frame;
            alone.run.lastWireBytes = alone.wireBytes;
            oneByOne.TakeSent(alone, alone.roce, RunClock(alone.first, alone.last));
        }
        const std::vector<std::shared_ptr<FrameCounter>> counters{std::make_shared<FrameCounter>()};
        ShowToSinks(one.segment, counters, &FrameSink::TakeSent);
        EXPECT_EQ(counters[0]->GetSent().frames, oneByOne.GetSent().frames);
        EXPECT_EQ(counters[0]->GetSent().wireBytes, oneByOne.GetSent().wireBytes);
        EXPECT_EQ(counters[0]->GetSent().payloadBytes, oneByOne.GetSent().payloadBytes);
    }
}

TEST(TrainSegment, FindsTheFirstFrameThatIsAnswered)
{
    NoOwner owner;
    std::mt19937_64 random(4);
    for (int i = 0; i < 500; ++i)
    {
        const SharedRun one(random);
        Answering port(owner, PortAddress(1), 1);
        EXPECT_EQ(FindFirstAnswered(one.segment, port), one.frames.size() - 1);
        uint64_t expected = one.frames.size() - 1;
        for (int some = 0; some < 2; ++some)
        {
            const uint64_t turn = random() % one.segment.turns.size();
            const uint64_t frame = random() % 4;
            if (!port.answered.insert({100 + turn, frame}).second)
            {
                continue;
            }
            expected = std::min(expected, frame * one.segment.turns.size() + turn);
        }
        EXPECT_EQ(FindFirstAnswered(one.segment, port), expected);
    }
}
