/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A line of runs, against a list of its frames one by one: frames on their way, frames that have
// come to the end of each fiber before an instant, and frames that a bit error took on each fiber.

#include "wire-times.h"

#include "ns3/train-line.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** One frame, where it was sent. */
struct SingleFrame
{
    uint32_t number{0}; //!< its PSN
    uint32_t bytes{0};
    bool requestsAck{false};
    Picoseconds first{0};
    Picoseconds last{0};
    std::size_t entered{0}; //!< the stage in which it was when the line took it over
    uint32_t lostAt{0};     //!< the stage at whose end it is lost, from 1; 0: none
};

/** A line, and beside it each frame by itself. */
class LineAndFrames
{
  public:
    LineAndFrames(uint64_t seed, std::size_t stages, double lossRate)
        : m_random(seed),
          m_clock(RATE)
    {
        std::vector<TrainLine::Stage> way;
        Picoseconds end = 0;
        for (std::size_t s = 0; s < stages; ++s)
        {
            end += static_cast<Picoseconds>(m_random() % 400'000);
            const bool lossy = lossRate > 0 && (s == 0 || m_random() % 2 == 0);
            m_losses.push_back(lossy ? std::make_unique<FrameLoss>(seed, s, lossRate) : nullptr);
            way.push_back({end, m_losses.back().get(), m_random() % 1000});
            m_ends.push_back(end);
            m_ordinals.push_back(way.back().ordinal);
        }
        m_line.emplace(way);
        m_lossy = lossRate > 0;
    }

    TrainLine& GetLine()
    {
        return *m_line;
    }

    /** Frames that were on their way before an instant, oldest first. */
    void Absorb(Picoseconds now, uint64_t count)
    {
        m_clock.Start(now - static_cast<Picoseconds>(m_random() % 900'000));
        for (uint64_t i = 0; i < count; ++i)
        {
            SingleFrame frame = Next(84 + m_random() % 4100);
            if (frame.first >= now)
            {
                return; // has not begun
            }
            if (frame.last + m_ends.back() < now)
            {
                continue; // has arrived
            }
            while (frame.last + m_ends[frame.entered] < now)
            {
                ++frame.entered;
            }
            frame.lostAt = EnterOneByOne(frame.entered + 1);
            WireFrame wire;
            wire.run.id = 1;
            wire.run.count = 1;
            wire.run.wireBytes = wire.run.lastWireBytes = wire.wireBytes = frame.bytes;
            wire.roce.psn = frame.number;
            wire.first = frame.first;
            wire.last = frame.last;
            m_line->Absorb(std::move(wire), frame.entered);
            m_frames.push_back(frame);
        }
    }

    /** @return how many of the next frames come through, by a look at each */
    uint64_t FramesUntilLoss(uint64_t most) const
    {
        for (uint64_t i = 0; i < most; ++i)
        {
            for (std::size_t s = 0; s < m_ends.size(); ++s)
            {
                if (m_losses[s] && m_losses[s]->IsLost(m_ordinals[s] + i))
                {
                    return i;
                }
            }
        }
        return most;
    }

    /** A run goes on the wire, cut before a frame that is lost. @return its last bit */
    Picoseconds Send(Picoseconds now, uint64_t most)
    {
        if (now > m_clock.GetNext() || m_clock.GetBytes() == 0)
        {
            m_clock.Start(now);
        }
        const uint64_t safe = m_line->GetSafeFrames();
        FrameRun run;
        run.id = 1;
        run.first = m_next;
        run.count = 1 + m_random() % most;
        run.wireBytes = 1000 + m_random() % 3000;
        const bool whole = !m_lossy || run.count <= std::max<uint64_t>(safe, 1);
        run.count = whole ? run.count : std::max<uint64_t>(safe, 1);
        run.lastWireBytes = m_random() % 2 == 0 ? run.wireBytes : 84 + m_random() % 900;
        TrainSegment& segment = m_line->Add();
        segment.head.run = run;
        segment.head.wireBytes = run.count == 1 ? run.lastWireBytes : run.wireBytes;
        segment.head.roce = RoceFrame();
        segment.head.roce.psn = m_next;
        segment.head.roce.identification = m_next & 0xffff;
        segment.tail = segment.head.roce;
        segment.tail.psn = m_next + run.count - 1;
        segment.tail.identification = segment.tail.psn & 0xffff;
        segment.tail.ackRequest = true;
        segment.head.roce.ackRequest = run.count == 1;
        segment.times = RunClock(m_clock, run);
        segment.head.first = segment.times.First(0);
        segment.head.last = segment.times.Last(0);
        m_line->Sent();
        for (uint64_t i = 0; i < run.count; ++i)
        {
            SingleFrame frame = Next(i + 1 == run.count ? run.lastWireBytes : run.wireBytes);
            frame.requestsAck = i + 1 == run.count;
            frame.lostAt = EnterOneByOne(0);
            m_frames.push_back(frame);
        }
        m_begun += run.count;
        return m_frames.back().last;
    }

    /** Frames that have come to the end of the line before an instant leave it, some at a time. */
    void TakeSome(Picoseconds now)
    {
        while (!m_line->GetSegments().empty() && m_random() % 4 != 0)
        {
            const TrainSegment& front = m_line->GetSegments().front();
            const uint64_t there = front.times.LastsBy(now - 1 - m_line->GetWay());
            if (there == 0)
            {
                return;
            }
            const TrainSegment taken = m_line->Take(1 + m_random() % there);
            for (uint64_t i = 0; i < taken.head.run.count; ++i)
            {
                ExpectFrame(taken, i, m_frames[m_taken++]);
            }
        }
    }

    /** Frames sent and come to the end elsewhere, all before an instant. */
    void CountThrough(uint64_t count)
    {
        m_line->CountThrough(count);
        m_begun += count;
        m_through += count;
    }

    /**
     * Frames on their way are those that were sent and not taken, and the counts are those of the
     * list.
     */
    void ExpectTheSame(Picoseconds before) const
    {
        std::size_t place = m_taken;
        const auto& segments = m_line->GetSegments();
        for (std::size_t s = 0; s < segments.size(); ++s)
        {
            for (uint64_t i = 0; i < segments[s].head.run.count; ++i)
            {
                ASSERT_LT(place, m_frames.size());
                ExpectFrame(segments[s], i, m_frames[place++]);
            }
        }
        EXPECT_EQ(place, m_frames.size());
        EXPECT_EQ(m_line->GetBegun(), m_begun);
        for (std::size_t s = 0; s < m_ends.size(); ++s)
        {
            uint64_t whole = m_through;
            uint64_t lost = 0;
            for (const SingleFrame& frame : m_frames)
            {
                if (frame.last + m_ends[s] >= before || s < frame.entered)
                {
                    continue; // has not passed the end of this fiber, or did so before
                }
                whole += frame.lostAt == 0 || frame.lostAt > s + 1 ? 1 : 0;
                lost += frame.lostAt == s + 1 ? 1 : 0;
            }
            const TrainLine::Passed passed = m_line->GetPassed(s, before);
            ASSERT_EQ(passed.whole, whole) << "stage " << s << " before " << before;
            ASSERT_EQ(passed.lost, lost) << "stage " << s << " before " << before;
        }
    }

    /** @return an instant at which some frame comes to the end of a fiber, or one beside it */
    Picoseconds AnInstantFrom(Picoseconds now)
    {
        const SingleFrame& frame = m_frames[m_random() % m_frames.size()];
        const Picoseconds at = frame.last + m_ends[m_random() % m_ends.size()] +
                               static_cast<Picoseconds>(m_random() % 3) - 1;
        return std::max(now, std::min(at, now + 500'000));
    }

    uint64_t Draw(uint64_t below)
    {
        return m_random() % below;
    }

    uint64_t GetLost() const
    {
        return std::count_if(m_frames.begin(), m_frames.end(), [](const SingleFrame& frame) {
            return frame.lostAt != 0;
        });
    }

  private:
    SingleFrame Next(uint32_t bytes)
    {
        const FrameTimes times = m_clock.Append(bytes);
        SingleFrame frame;
        frame.number = m_next++;
        frame.bytes = bytes;
        frame.first = times.first;
        frame.last = times.last;
        return frame;
    }

    /** One frame enters fiber after fiber until it is lost. @return where it is, from 1, or 0 */
    uint32_t EnterOneByOne(std::size_t from)
    {
        for (std::size_t s = from; s < m_ends.size(); ++s)
        {
            if (const uint64_t ordinal = m_ordinals[s]++;
                m_losses[s] && m_losses[s]->IsLost(ordinal))
            {
                return s + 1;
            }
        }
        return 0;
    }

    static void ExpectFrame(const TrainSegment& segment, uint64_t place, const SingleFrame& frame)
    {
        const WireFrame wire = MakeFrameOfRun(segment.head, segment.tail, segment.times, place);
        ASSERT_EQ(wire.roce.psn, frame.number);
        ASSERT_EQ(wire.first, frame.first) << "frame " << frame.number;
        ASSERT_EQ(wire.last, frame.last) << "frame " << frame.number;
        ASSERT_EQ(wire.wireBytes, frame.bytes) << "frame " << frame.number;
        ASSERT_EQ(wire.roce.ackRequest, frame.requestsAck) << "frame " << frame.number;
        ASSERT_EQ(segment.lostAt, frame.lostAt) << "frame " << frame.number;
        if (place == 0)
        {
            ASSERT_EQ(segment.head.first, frame.first);
            ASSERT_EQ(segment.head.last, frame.last);
            ASSERT_EQ(segment.head.wireBytes, frame.bytes);
        }
    }

    std::mt19937_64 m_random;
    FrameClock m_clock;
    std::vector<std::unique_ptr<FrameLoss>> m_losses;
    std::vector<Picoseconds> m_ends;
    std::vector<uint64_t> m_ordinals; //!< by stage: of the next frame that enters
    std::optional<TrainLine> m_line;
    std::vector<SingleFrame> m_frames; //!< all that were ever on the line
    std::size_t m_taken{0};            //!< of them, no longer on it
    uint32_t m_next{0};
    uint64_t m_begun{0};
    uint64_t m_through{0};
    bool m_lossy{false};
};

/** Sends, takes and checks at rising instants. */
void
SendTakeAndCheck(LineAndFrames& both, Picoseconds now)
{
    for (int step = 0; step < 150; ++step)
    {
        if (both.Draw(3) == 0)
        {
            now = std::max(now, both.Send(now + static_cast<Picoseconds>(both.Draw(50'000)), 20));
        }
        now = both.AnInstantFrom(now);
        both.ExpectTheSame(now);
        both.TakeSome(now);
        both.ExpectTheSame(now);
        if (testing::Test::HasFatalFailure())
        {
            return;
        }
    }
}

} // namespace

TEST(TrainLine, CountsFramesAtEachStageAsOneByOne)
{
    for (uint64_t seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(seed);
        LineAndFrames both(seed, 1 + seed % 3, 0);
        EXPECT_EQ(both.GetLine().GetStages(), 1 + seed % 3);
        EXPECT_FALSE(both.GetLine().IsLossy());
        both.Send(0, 20);
        SendTakeAndCheck(both, 0);
    }
}

TEST(TrainLine, AFrameThatIsLostIsCountedOnceAndGoesNoFurther)
{
    uint64_t lost = 0;
    for (uint64_t seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(seed);
        LineAndFrames both(seed, 1 + seed % 3, 0.08);
        EXPECT_TRUE(both.GetLine().IsLossy());
        both.Send(0, 20);
        SendTakeAndCheck(both, 0);
        lost += both.GetLost();
    }
    EXPECT_GT(lost, 1000U); // the case has not gone empty
}

TEST(TrainLine, AbsorbedFramesCountWhereTheyHaveNotBeen)
{
    for (uint64_t seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(seed);
        const Picoseconds now = 10'000'000;
        LineAndFrames both(seed, 1 + seed % 3, seed % 2 == 0 ? 0 : 0.08);
        both.Absorb(now, 30);
        EXPECT_EQ(both.GetLine().GetBegun(), 0U); // they began before, and were counted there
        both.ExpectTheSame(now);
        both.Send(now, 20);
        SendTakeAndCheck(both, now);
    }
}

TEST(TrainLine, SafeFramesAreThoseBeforeTheNextThatIsLost)
{
    for (uint64_t seed = 0; seed < 40; ++seed)
    {
        SCOPED_TRACE(seed);
        LineAndFrames both(seed, 1 + seed % 3, seed % 4 == 0 ? 0.5 : 0.02);
        for (int i = 0; i < 200; ++i)
        {
            // at these rates a loss is never far away
            ASSERT_EQ(both.GetLine().GetSafeFrames(), both.FramesUntilLoss(4096));
            ASSERT_EQ(both.GetLine().GetSafeFrames(), both.FramesUntilLoss(4096)); // checked again
            both.Send(0, 30);
        }
    }
}

TEST(TrainLine, WithoutLossEveryFrameIsSafe)
{
    LineAndFrames both(1, 2, 0);
    EXPECT_EQ(both.GetLine().GetSafeFrames(), ~uint64_t{0});
}

TEST(TrainLine, WhenEveryFrameIsLostNoneIsSafe)
{
    const FrameLoss all(1, 1, 1);
    TrainLine line({{100, nullptr, 0}, {200, &all, 0}});
    EXPECT_EQ(line.GetSafeFrames(), 0U);
}

TEST(TrainLine, ASafeRunIsNoLongerThanItsSight)
{
    // no loss within reach: the promised frames are still safe, and the search ends
    const FrameLoss none(1, 1, 0);
    TrainLine line({{100, &none, 0}});
    EXPECT_GE(line.GetSafeFrames(), 1U);
    EXPECT_LT(line.GetSafeFrames(), ~uint64_t{0});
}

TEST(TrainLine, FramesThatWentThroughElsewhereAreCountedAtEveryStage)
{
    LineAndFrames both(3, 3, 0);
    both.CountThrough(12);
    both.ExpectTheSame(0);
    both.Send(0, 20);
    both.CountThrough(5);
    SendTakeAndCheck(both, 0);
}

TEST(TrainLine, TheLastBitCountsOnlyAfterItsInstant)
{
    // 84 bytes at 400 Gb/s, of which the last 12 are silence: 1.44 ns to the last bit
    TrainLine line({{1000, nullptr, 0}, {5000, nullptr, 0}});
    EXPECT_EQ(line.GetWay(), 5000);
    FrameClock clock(400'000'000'000);
    clock.Start(0);
    TrainSegment& segment = line.Add();
    segment.head.run.count = 1;
    segment.head.run.wireBytes = segment.head.run.lastWireBytes = segment.head.wireBytes = 84;
    segment.times = RunClock(clock, segment.head.run);
    line.Sent();
    EXPECT_EQ(line.GetPassed(0, 2440).whole, 0U);
    EXPECT_EQ(line.GetPassed(0, 2441).whole, 1U);
    EXPECT_EQ(line.GetPassed(1, 6440).whole, 0U);
    EXPECT_EQ(line.GetPassed(1, 6441).whole, 1U);
}
