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
 * @brief When each frame of a run passes a point: the anchor and the bytes before the run, never a
 * period.
 *
 * A frame that stands alone may carry its two instants instead: of a frame that is looked at far
 * from where it was sent, nothing else is known.
 */
class RunClock
{
  public:
    /**
     * @param before the wire's clock as it stood when the run began
     * @param way how much later than on that wire it passes
     */
    RunClock(const FrameClock& before, const FrameRun& run, Picoseconds way = 0)
        : m_clock(before),
          m_run(run),
          m_way(way)
    {
    }

    /**
     * Of a frame that stands alone.
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

    /** @return the wire's clock as it stood when the run began; says nothing of a frame alone */
    const FrameClock& GetClock() const
    {
        return m_clock;
    }

    /**
     * @param way how much later
     * @return when the same frames pass another point, further on
     */
    RunClock Later(Picoseconds way) const
    {
        RunClock later = *this;
        later.Travel(way);
        return later;
    }

    /** The frames further down their way. @param delay how much later they pass there */
    void Travel(Picoseconds delay)
    {
        m_way += delay;
        m_lone += m_lone == NEVER ? 0 : delay;
    }

    /**
     * @param from the first of them, as a place in this run
     * @return the times of these frames alone
     */
    RunClock Part(uint64_t from, uint64_t count) const
    {
        if (m_lone != NEVER)
        {
            return *this;
        }
        RunClock part = *this;
        part.m_clock.Skip(from * m_run.wireBytes);
        part.m_run.first += from;
        part.m_run.lastWireBytes =
            from + count == m_run.count ? m_run.lastWireBytes : m_run.wireBytes;
        part.m_run.count = count;
        return part;
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
        return m_way + m_clock.After(frame * m_run.wireBytes);
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
        return m_way + m_clock.After(frame * m_run.wireBytes + size - FrameClock::GAP);
    }

    /** @return how many of the frames have passed their first bit at the end of that instant */
    uint64_t FirstsBy(Picoseconds until) const
    {
        if (m_lone != NEVER)
        {
            return m_way <= until ? 1 : 0;
        }
        const int64_t bytes = m_clock.BytesBy(until - m_way);
        return bytes < 0 ? 0 : std::min<uint64_t>(bytes / m_run.wireBytes + 1, m_run.count);
    }

    /** @return how many of the frames have passed whole at the end of that instant */
    uint64_t LastsBy(Picoseconds until) const
    {
        const uint64_t begun = FirstsBy(until);
        return begun > 0 && Last(begun - 1) > until ? begun - 1 : begun;
    }

  private:
    FrameClock m_clock;
    FrameRun m_run;
    Picoseconds m_way;         //!< of a frame that stands alone: its first bit
    Picoseconds m_lone{NEVER}; //!< of a frame that stands alone: its last bit
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_CLOCK_H */
