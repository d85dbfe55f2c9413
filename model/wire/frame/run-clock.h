/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_CLOCK_H
#define PHOTONIC_RAILS_RUN_CLOCK_H

#include "frame-clock.h"
#include "frame-run.h"

#include "ns3/picoseconds.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The instants at which the frames of a run pass a point. They follow from the anchor and
 * the bytes before the run, not from a period.
 *
 * Between two frames of the run there may be frames of others, as many each time and equal in size:
 * Every().
 *
 * A frame that stands alone may carry its two instants instead: nothing else is known of a frame
 * far from its sender.
 */
class RunClock
{
  public:
    /**
     * @param before the wire's clock as it stood when the run began
     * @param way the delay from that wire to the point
     */
    RunClock(const FrameClock& before, const FrameRun& run, Picoseconds way = 0)
        : m_clock(before),
          m_run(run),
          m_way(way)
    {
    }

    /**
     * The instants of a frame that stands alone.
     * @param first when its first bit passes
     * @param last when its last bit passes
     */
    RunClock(Picoseconds first, Picoseconds last)
        : m_way(first),
          m_lone(last)
    {
        m_run.count = 1;
    }

    /** @return the number of frames */
    uint64_t GetCount() const
    {
        return m_run.count;
    }

    /** @return the run */
    const FrameRun& GetRun() const
    {
        return m_run;
    }

    /** @return the wire's clock as it stood when the run began; meaningless for a frame alone */
    const FrameClock& GetClock() const
    {
        return m_clock;
    }

    /**
     * @param way the delay to the other point
     * @return the instants of the same frames at that point
     */
    RunClock Later(Picoseconds way) const
    {
        RunClock later = *this;
        later.Travel(way);
        return later;
    }

    /** Moves the frames to a later point. @param delay the delay to that point */
    void Travel(Picoseconds delay)
    {
        m_way += delay;
        m_lone += m_lone == NEVER ? 0 : delay;
    }

    /**
     * @param from the place of the first frame in this run
     * @return the times of these frames only
     */
    RunClock Part(uint64_t from, uint64_t count) const
    {
        if (m_lone != NEVER)
        {
            return *this;
        }
        RunClock part = *this;
        part.m_clock.Skip(from * GetStep());
        part.m_run.first += from;
        part.m_run.lastWireBytes =
            from + count == m_run.count ? m_run.lastWireBytes : m_run.wireBytes;
        part.m_run.count = count;
        return part;
    }

    /**
     * The times of each n-th frame.
     * @param from the place of the first of them in this run
     * @param n 1 or more
     * @param count number of them: 1 or more
     */
    RunClock Every(uint64_t from, uint64_t n, uint64_t count) const
    {
        RunClock every = Part(from, (count - 1) * n + 1);
        every.m_run.count = count;
        every.m_every = m_every * n;
        return every;
    }

    /** @return bytes on the wire from the begin of a frame to that of the next of the run */
    uint64_t GetStep() const
    {
        return m_every * m_run.wireBytes;
    }

    /**
     * @param frame its place in the run, from 0
     * @return when its first bit passes
     */
    Picoseconds First(uint64_t frame) const
    {
        if (m_lone != NEVER)
        {
            return m_way;
        }
        return m_way + m_clock.After(frame * GetStep());
    }

    /**
     * @param frame its place in the run, from 0
     * @return when its last bit passes
     */
    Picoseconds Last(uint64_t frame) const
    {
        if (m_lone != NEVER)
        {
            return m_lone;
        }
        const uint32_t size = frame + 1 == m_run.count ? m_run.lastWireBytes : m_run.wireBytes;
        return m_way + m_clock.After(frame * GetStep() + size - FrameClock::GAP);
    }

    /** @return the number of frames whose first bit has passed by the end of an instant */
    uint64_t FirstsBy(Picoseconds until) const
    {
        if (m_lone != NEVER)
        {
            return m_way <= until ? 1 : 0;
        }
        const int64_t bytes = m_clock.BytesBy(until - m_way);
        return bytes < 0 ? 0 : std::min<uint64_t>(bytes / GetStep() + 1, m_run.count);
    }

    /** @return the number of frames that have passed whole by the end of an instant */
    uint64_t LastsBy(Picoseconds until) const
    {
        const uint64_t begun = FirstsBy(until);
        return begun > 0 && Last(begun - 1) > until ? begun - 1 : begun;
    }

  private:
    FrameClock m_clock;
    FrameRun m_run;
    uint64_t m_every{1};       //!< the run has each n-th frame of its wire
    Picoseconds m_way;         //!< of a frame that stands alone: its first bit
    Picoseconds m_lone{NEVER}; //!< of a frame that stands alone: its last bit
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_CLOCK_H */
