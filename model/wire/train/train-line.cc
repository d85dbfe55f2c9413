/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "train-line.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

TrainLine::TrainLine(const std::vector<Stage>& stages)
    : m_stages(stages),
      m_clear(stages.size()),
      m_done(stages.size()),
      m_skipped(stages.size())
{
    for (std::size_t s = 0; s < stages.size(); ++s)
    {
        m_lossy |= stages[s].loss != nullptr;
        m_clear[s] = stages[s].ordinal;
    }
}

uint64_t
TrainLine::GetSafeFrames()
{
    // length of the search for a lost frame
    constexpr uint64_t SIGHT = 4096;
    uint64_t safe = ~uint64_t{0};
    for (std::size_t s = 0; s < m_stages.size() && m_lossy; ++s)
    {
        const Stage& stage = m_stages[s];
        if (stage.loss == nullptr)
        {
            continue;
        }
        uint64_t& clear = m_clear[s];
        clear = std::max(clear, stage.ordinal);
        while (clear < stage.ordinal + SIGHT && !stage.loss->IsLost(clear))
        {
            ++clear;
        }
        safe = std::min(safe, clear - stage.ordinal);
    }
    return safe;
}

TrainSegment&
TrainLine::Add()
{
    TrainSegment& segment = m_segments.Extend();
    segment.head.garbled = false;
    segment.lostAt = 0;
    return segment;
}

TrainSegment&
TrainLine::Sent()
{
    TrainSegment& segment = m_segments.back();
    m_begun += segment.head.run.count;
    Enter(segment, 0);
    return segment;
}

void
TrainLine::Enter(TrainSegment& segment, std::size_t from)
{
    const uint64_t count = segment.head.run.count;
    for (std::size_t s = from; s < m_stages.size() && m_lossy; ++s)
    {
        Stage& stage = m_stages[s];
        const bool lost = stage.loss != nullptr && stage.loss->IsLost(stage.ordinal);
        stage.ordinal += count;
        if (lost)
        {
            NS_ASSERT(count == 1);
            segment.lostAt = s + 1;
            return; // it is lost here
        }
    }
}

void
TrainLine::Absorb(WireFrame&& frame, std::size_t stage)
{
    TrainSegment& segment = Add();
    segment.head = std::move(frame);
    segment.tail = segment.head.roce;
    segment.times = RunClock(segment.head.first, segment.head.last);
    for (std::size_t s = 0; s < stage; ++s)
    {
        ++m_skipped[s];
    }
    Enter(segment, stage + 1);
}

void
TrainLine::CountDone(uint64_t count, uint32_t lostAt)
{
    for (std::size_t s = 0; s < m_stages.size(); ++s)
    {
        if (lostAt == s + 1)
        {
            m_done[s].lost += count;
            return;
        }
        m_done[s].whole += count;
    }
}

TrainSegment
TrainLine::Take(uint64_t count)
{
    TrainSegment& front = m_segments.front();
    CountDone(count, front.lostAt);
    if (count == front.head.run.count)
    {
        TrainSegment taken = std::move(front);
        m_segments.pop_front();
        return taken;
    }
    return SplitFront(front, count);
}

TrainLine::Passed
TrainLine::GetPassed(std::size_t stage, Picoseconds before) const
{
    Passed passed = m_done[stage];
    const Picoseconds way = m_stages[stage].end;
    for (std::size_t i = 0; i < m_segments.size(); ++i)
    {
        const TrainSegment& segment = m_segments[i];
        const uint64_t count = segment.times.LastsBy(before - 1 - way);
        if (count == 0)
        {
            break; // the frames behind it have not either
        }
        if (segment.lostAt == stage + 1)
        {
            passed.lost += count;
        }
        else if (segment.lostAt == 0 || segment.lostAt > stage + 1)
        {
            passed.whole += count;
        }
    }
    passed.whole -= m_skipped[stage];
    return passed;
}

} // namespace ns3
