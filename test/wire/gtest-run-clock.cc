/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many frames of a run have passed by an instant, against a count of each frame by itself, at
// instants that are no frame's, a frame's own, and one picosecond to either side of it.

#include "wire-times.h"

#include "ns3/run-clock.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** Rates of real wires, and some that divide nothing evenly. */
constexpr uint64_t RATES[] = {425'000'000'000,
                              400'000'000'000,
                              100'000'000'000,
                              53'125'000'000,
                              10'000'000'000,
                              999'999'999'989,
                              99'999'999'999'977,
                              1'000'003,
                              7};

/** When one frame passes. */
struct Passing
{
    Picoseconds first;
    Picoseconds last;
};

/** A run on a wire that has been busy for a while, and its frames one by one. */
struct Case
{
    explicit Case(std::mt19937_64& random)
        : rate(RATES[random() % std::size(RATES)]),
          anchor(static_cast<Picoseconds>(random() % 2'000'000) - 1'000'000),
          before(random() % 3 == 0 ? 0 : 20 + random() % 100'000),
          way(random() % 2 == 0 ? 0 : random() % 5'000'000)
    {
        run.id = 1 + random() % 5;
        run.first = random() % 1'000'000;
        run.count = 1 + random() % 40;
        run.wireBytes = 84 + random() % 9'000;
        run.lastWireBytes =
            random() % 2 == 0 ? run.wireBytes : 84 + random() % (run.wireBytes - 83);
        uint64_t bytes = before;
        for (uint64_t i = 0; i < run.count; ++i)
        {
            const uint32_t size = i + 1 == run.count ? run.lastWireBytes : run.wireBytes;
            const Picoseconds first = anchor + Ceiling(bytes, rate) + way;
            bytes += size;
            frames.push_back({first, anchor + Ceiling(bytes - FrameClock::GAP, rate) + way});
        }
    }

    /** @return the wire's clock as it stood when the run began */
    FrameClock Clock() const
    {
        FrameClock clock(rate);
        clock.Start(anchor);
        clock.Skip(before);
        return clock;
    }

    uint64_t rate;
    Picoseconds anchor;
    uint64_t before;
    Picoseconds way;
    FrameRun run;
    std::vector<Passing> frames;
};

/** @return instants to test: each boundary, one picosecond to either side, and some at random */
std::vector<Picoseconds>
InstantsOf(const std::vector<Passing>& frames, std::mt19937_64& random)
{
    std::vector<Picoseconds> instants;
    for (const Passing& frame : frames)
    {
        for (const Picoseconds around : {-1, 0, 1})
        {
            instants.push_back(frame.first + around);
            instants.push_back(frame.last + around);
        }
    }
    const Picoseconds begin = frames.front().first;
    const uint64_t span = frames.back().last - begin;
    for (int i = 0; i < 20; ++i)
    {
        instants.push_back(begin - 100 + static_cast<Picoseconds>(random() % (span + 200)));
    }
    return instants;
}

/** The answers of a run clock, at every frame and at every instant that matters. */
void
ExpectCounts(const RunClock& times,
             const std::vector<Passing>& frames,
             std::mt19937_64& random,
             uint64_t rate)
{
    ASSERT_EQ(times.GetCount(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i)
    {
        ASSERT_EQ(times.First(i), frames[i].first) << "frame " << i << " at " << rate << " b/s";
        ASSERT_EQ(times.Last(i), frames[i].last) << "frame " << i << " at " << rate << " b/s";
    }
    for (const Picoseconds at : InstantsOf(frames, random))
    {
        const uint64_t firsts =
            std::count_if(frames.begin(), frames.end(), [at](const Passing& frame) {
                return frame.first <= at;
            });
        const uint64_t lasts =
            std::count_if(frames.begin(), frames.end(), [at](const Passing& frame) {
                return frame.last <= at;
            });
        ASSERT_EQ(times.FirstsBy(at), firsts) << "at " << at << " ps, " << rate << " b/s";
        ASSERT_EQ(times.LastsBy(at), lasts) << "at " << at << " ps, " << rate << " b/s";
    }
}

} // namespace

TEST(RunClock, CountsAsEachFrameByItself)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i)
    {
        const Case one(random);
        ExpectCounts(RunClock(one.Clock(), one.run, one.way), one.frames, random, one.rate);
        if (HasFatalFailure())
        {
            return;
        }
    }
}

TEST(RunClock, ARunFurtherOnPassesSoMuchLater)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 500; ++i)
    {
        const Case one(random);
        const Picoseconds more = random() % 10'000'000;
        std::vector<Passing> frames = one.frames;
        for (Passing& frame : frames)
        {
            frame.first += more;
            frame.last += more;
        }
        const RunClock times(one.Clock(), one.run, one.way);
        ExpectCounts(times.Later(more), frames, random, one.rate);
        ExpectCounts(times.Later(more).Later(-more), one.frames, random, one.rate);
        if (HasFatalFailure())
        {
            return;
        }
    }
}

TEST(RunClock, APartOfARunIsItsFrames)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 1000; ++i)
    {
        const Case one(random);
        const uint64_t from = random() % one.run.count;
        const uint64_t count = 1 + random() % (one.run.count - from);
        const RunClock part = RunClock(one.Clock(), one.run, one.way).Part(from, count);
        EXPECT_EQ(part.GetRun().first, one.run.first + from);
        EXPECT_EQ(part.GetRun().id, one.run.id);
        const auto begin = one.frames.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = begin + static_cast<std::ptrdiff_t>(count);
        ExpectCounts(part, {begin, end}, random, one.rate);
        // a part of a part is a part of the whole
        const uint64_t within = random() % count;
        ExpectCounts(part.Part(within, count - within),
                     {begin + static_cast<std::ptrdiff_t>(within), end},
                     random,
                     one.rate);
        if (HasFatalFailure())
        {
            return;
        }
    }
}

TEST(RunClock, EachNthFrameIsThatOfTheRun)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i)
    {
        const Case one(random);
        const uint64_t n = 1 + random() % 7;
        const uint64_t from = random() % one.run.count;
        const uint64_t count = 1 + random() % ((one.run.count - from - 1) / n + 1);
        std::vector<Passing> frames;
        for (uint64_t place = from; frames.size() < count; place += n)
        {
            frames.push_back(one.frames[place]);
        }
        const RunClock every = RunClock(one.Clock(), one.run, one.way).Every(from, n, count);
        ExpectCounts(every, frames, random, one.rate);
        EXPECT_EQ(every.GetStep(), n * one.run.wireBytes);
        // each frame of a part, too
        const uint64_t within = random() % count;
        ExpectCounts(every.Part(within, count - within),
                     {frames.begin() + static_cast<std::ptrdiff_t>(within), frames.end()},
                     random,
                     one.rate);
        if (HasFatalFailure())
        {
            return;
        }
    }
}

TEST(RunClock, AFrameThatStandsAloneHasItsOwnTwoInstants)
{
    std::mt19937_64 random(4);
    for (int i = 0; i < 500; ++i)
    {
        const auto first = static_cast<Picoseconds>(random() % 1'000'000) - 500'000;
        const Picoseconds last = first + 1 + static_cast<Picoseconds>(random() % 100'000);
        const auto way = static_cast<Picoseconds>(random() % 1'000'000) - 500'000;
        const RunClock alone(first, last);
        ExpectCounts(alone, {{first, last}}, random, 0);
        ExpectCounts(alone.Part(0, 1), {{first, last}}, random, 0);
        ExpectCounts(alone.Later(way), {{first + way, last + way}}, random, 0);
        ExpectCounts(alone.Later(way).Later(-way), {{first, last}}, random, 0);
        if (HasFatalFailure())
        {
            return;
        }
    }
}

TEST(RunClock, AMillionFramesAreCountedWithoutDrift)
{
    // 10^6 frames of 4178 bytes at 425 Gb/s: the middle one is where the definition puts it
    FrameClock clock(425'000'000'000);
    clock.Start(17);
    FrameRun run;
    run.count = 1'000'000;
    run.wireBytes = 4178;
    run.lastWireBytes = 100;
    const RunClock times(clock, run, 5);
    for (const uint64_t place : {0U, 1U, 499'999U, 500'000U, 999'998U, 999'999U})
    {
        const Picoseconds first = 17 + Ceiling(place * 4178, 425'000'000'000) + 5;
        EXPECT_EQ(times.FirstsBy(first - 1), place);
        EXPECT_EQ(times.FirstsBy(first), place + 1);
        const uint64_t size = place == 999'999 ? 100 : 4178;
        const Picoseconds last = 17 + Ceiling(place * 4178 + size - 12, 425'000'000'000) + 5;
        EXPECT_EQ(times.LastsBy(last - 1), place);
        EXPECT_EQ(times.LastsBy(last), place + 1);
    }
    EXPECT_EQ(times.FirstsBy(NEVER), 1'000'000U);
    EXPECT_EQ(times.LastsBy(NEVER), 1'000'000U);
}

TEST(RunClock, BytesByAnInstantAreAsManyAsHaveFullyBegun)
{
    // the greatest number of bytes whose end, rounded up to a picosecond, is not after the instant
    std::mt19937_64 random(5);
    for (int i = 0; i < 100'000; ++i)
    {
        const uint64_t rate = RATES[random() % std::size(RATES)];
        const auto anchor = static_cast<Picoseconds>(random() % 2'000'000) - 1'000'000;
        const uint64_t bytes = random() % 3 == 0 ? 0 : 20 + random() % 100'000;
        FrameClock clock(rate);
        clock.Start(anchor);
        clock.Skip(bytes);
        // a boundary of some byte, and a picosecond to either side
        const uint64_t place = random() % 200'000;
        const Picoseconds at =
            anchor + Ceiling(place, rate) + static_cast<Picoseconds>(random() % 3) - 1;
        const int64_t by = clock.BytesBy(at);
        ASSERT_EQ(by < 0, at < clock.GetNext()) << rate << " b/s";
        if (at < anchor)
        {
            continue; // not as far as the anchor: the only answer is "not yet"
        }
        const int64_t since = static_cast<int64_t>(bytes) + by;
        ASSERT_GE(since, 0);
        ASSERT_LE(anchor + Ceiling(since, rate), at) << rate << " b/s";
        ASSERT_GT(anchor + Ceiling(since + 1, rate), at) << rate << " b/s";
    }
}
