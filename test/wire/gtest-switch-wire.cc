/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The wire of a packet switch's port, for runs: the frames leave as by the rules of the port, frame
// by frame.

#include "ns3/switch-wire.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** A frame at the port. */
struct Frame
{
    uint32_t trafficClass;
    uint32_t ingress;
    uint64_t ordinal;
    uint32_t wireBytes;
    Picoseconds enters;
};

/** When a frame is on the wire. */
using Left = std::tuple<uint32_t, uint64_t, Picoseconds, Picoseconds>;

/** @return the frames as they leave, by the rules of SwitchEgress and PacketSwitchCore */
std::vector<Left>
LeaveOneByOne(std::vector<Frame> frames, uint64_t rate)
{
    std::vector<Left> left;
    FrameClock clock(rate);
    Picoseconds busyUntil = ALWAYS_BEFORE;
    std::map<uint32_t, uint32_t> served; // by class
    while (!frames.empty())
    {
        Picoseconds first = NEVER;
        for (const Frame& frame : frames)
        {
            first = std::min(first, frame.enters);
        }
        const bool idle = first >= busyUntil;
        const Picoseconds start = idle ? first : busyUntil;
        if (idle)
        {
            served.clear();
            clock.Start(start);
        }
        auto best = frames.end();
        std::tuple<int, bool, uint32_t, uint64_t> bestKey;
        for (auto it = frames.begin(); it != frames.end(); ++it)
        {
            if (idle ? it->enters > start : it->enters >= start)
            {
                continue;
            }
            const auto last = served.find(it->trafficClass);
            const bool wraps = last != served.end() && it->ingress <= last->second;
            const auto key =
                std::tuple(-static_cast<int>(it->trafficClass), wraps, it->ingress, it->ordinal);
            if (best == frames.end() || key < bestKey)
            {
                best = it;
                bestKey = key;
            }
        }
        const FrameTimes times = clock.Append(best->wireBytes);
        served[best->trafficClass] = best->ingress;
        busyUntil = times.next;
        left.emplace_back(best->ingress, best->ordinal, times.first, times.last);
        frames.erase(best);
    }
    return left;
}

/** Random runs to one port. */
class Scenario
{
  public:
    explicit Scenario(uint64_t seed)
        : m_random(seed)
    {
        m_rate = Rate();
        m_delay = m_random() % 2 * (m_random() % 5000);
    }

    /** @return a number below another */
    uint64_t Below(uint64_t end)
    {
        return m_random() % end;
    }

    uint64_t GetRate() const
    {
        return m_rate;
    }

    Picoseconds GetDelay() const
    {
        return m_delay;
    }

    /** Draws the runs of an ingress port, and gives them to a wire. */
    void Draw(uint32_t ingress, SwitchWire& wire)
    {
        FrameClock clock(Below(4) == 0 ? Rate() : m_rate);
        clock.Start(Below(3) * 83'560 + Below(2) * Below(200'000));
        const uint8_t trafficClass = Below(3) == 0 ? 7 : 3;
        uint64_t ordinal = 0;
        for (uint64_t runs = 1 + Below(6); runs > 0; --runs)
        {
            TrainSegment segment;
            FrameRun& run = segment.head.run;
            run.id = 2;
            run.first = ordinal;
            run.count = Below(3) == 0 ? 1 : 1 + Below(20);
            run.wireBytes = Below(2) == 0 ? 4178 : 84 + Below(4000);
            run.lastWireBytes = Below(2) == 0 ? run.wireBytes : 84 + Below(4000);
            segment.head.wireBytes = run.count == 1 ? run.lastWireBytes : run.wireBytes;
            segment.head.trafficClass = trafficClass;
            segment.times = RunClock(clock, run, 7777);
            for (uint64_t i = 0; i < run.count; ++i)
            {
                m_frames.push_back({trafficClass,
                                    ingress,
                                    ordinal + i,
                                    i + 1 == run.count ? run.lastWireBytes : run.wireBytes,
                                    segment.times.Last(i) + m_delay});
            }
            ordinal += run.count;
            clock.Skip(run.GetWireBytes() + Below(3) * Below(2) * Below(9000));
            segment.head.roce.sourcePort = ingress; // distinguishes the ingress ports
            segment.tail.sourcePort = ingress;
            wire.Add(ingress, std::move(segment));
        }
    }

    const std::vector<Frame>& GetFrames() const
    {
        return m_frames;
    }

  private:
    uint64_t Rate()
    {
        const uint64_t rates[]{400, 400, 425, 100};
        return rates[Below(4)] * 1'000'000'000;
    }

    std::mt19937_64 m_random;
    uint64_t m_rate;
    Picoseconds m_delay;
    std::vector<Frame> m_frames;
};

} // namespace

TEST(SwitchWire, RunsLeaveAsFramesOneByOne)
{
    uint64_t segments = 0;
    uint64_t frames = 0;
    for (uint64_t seed = 1; seed <= 3000; ++seed)
    {
        Scenario scenario(seed);
        TrainLine line({{0, nullptr, 0}});
        SwitchWire wire(TransmitterState(), scenario.GetRate(), scenario.GetDelay(), line);
        for (uint64_t ingress = 1 + scenario.Below(4); ingress > 0; --ingress)
        {
            scenario.Draw(ingress, wire);
        }
        const std::vector<Left> expected = LeaveOneByOne(scenario.GetFrames(), scenario.GetRate());
        // in steps, at instants at which frames begin, or others
        Picoseconds before = 0;
        for (uint64_t steps = scenario.Below(6); steps > 0; --steps)
        {
            const Left& some = expected[scenario.Below(expected.size())];
            before = std::max<Picoseconds>(before, std::get<2>(some) + scenario.Below(3));
            wire.Advance(before);
            EXPECT_EQ(
                wire.GetCounts().frames,
                std::count_if(expected.begin(),
                              expected.end(),
                              [before](const Left& left) { return std::get<2>(left) < before; }))
                << "seed " << seed << ": those that begin before, and no others";
        }
        wire.Advance(NEVER);
        std::vector<Left> left;
        for (std::size_t s = 0; s < line.GetSegments().size(); ++s)
        {
            const TrainSegment& segment = line.GetSegments()[s];
            for (uint64_t i = 0; i < segment.head.run.count; ++i)
            {
                left.emplace_back(segment.head.roce.sourcePort,
                                  segment.head.run.first + i,
                                  segment.times.First(i),
                                  segment.times.Last(i));
            }
        }
        ASSERT_EQ(left, expected) << "seed " << seed;
        EXPECT_EQ(wire.GetDue(false), NEVER) << "nothing is left";
        segments += line.GetSegments().size();
        frames += left.size();
    }
    EXPECT_LT(segments * 3, frames * 2) << "some as runs, though several ingress ports take turns";
}

TEST(SwitchWire, ARunAloneLeavesAsARun)
{
    for (const Picoseconds delay : {0, 1, 600'000})
    {
        TrainLine line({{0, nullptr, 0}});
        SwitchWire wire(TransmitterState(), 400'000'000'000, delay, line);
        FrameClock clock(400'000'000'000);
        clock.Start(1'000);
        TrainSegment segment;
        FrameRun& run = segment.head.run;
        run.count = 1'000;
        run.wireBytes = run.lastWireBytes = 4'178; // 83,560 ps
        segment.times = RunClock(clock, run);
        const Picoseconds entersAt = 1'000 + 83'560 - 12 * 20 - 1 + delay; // less the gap
        const Picoseconds whole = segment.times.Last(0) + delay;
        EXPECT_NEAR(whole, entersAt, 1);
        wire.Add(0, std::move(segment));
        wire.Advance(NEVER);
        ASSERT_EQ(line.GetSegments().size(), 1U);
        for (uint64_t i : {0, 1, 999})
        {
            EXPECT_EQ(line.GetSegments().front().times.First(i), whole + i * 83'560);
        }
    }
}

TEST(SwitchWire, TheEarliestBeginIsNeverLater)
{
    for (uint64_t seed = 1; seed <= 1000; ++seed)
    {
        Scenario scenario(seed);
        TrainLine line({{0, nullptr, 0}});
        SwitchWire wire(TransmitterState(), scenario.GetRate(), scenario.GetDelay(), line);
        scenario.Draw(1, wire);
        scenario.Draw(2, wire);
        std::vector<std::tuple<uint32_t, uint64_t, Picoseconds>> bounds;
        for (const SwitchWire::Inflow& inflow : wire.GetInflows())
        {
            uint64_t ahead = 0;
            for (std::size_t p = 0; p < inflow.parts.size(); ++p)
            {
                const SwitchPart& part = inflow.parts[p];
                const uint64_t last = part.segment.head.run.count - 1;
                bounds.emplace_back(inflow.ingress,
                                    part.segment.head.run.first + last,
                                    wire.GetEarliestBegin(part, ahead, last));
                ahead += part.segment.head.run.GetWireBytes();
            }
        }
        const std::vector<Left> expected = LeaveOneByOne(scenario.GetFrames(), scenario.GetRate());
        for (const auto& [ingress, ordinal, bound] : bounds)
        {
            for (const Left& left : expected)
            {
                if (std::get<0>(left) == ingress && std::get<1>(left) == ordinal)
                {
                    EXPECT_LE(bound, std::get<2>(left)) << "seed " << seed;
                }
            }
        }
    }
}
