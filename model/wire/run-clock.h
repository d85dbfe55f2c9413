/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_CLOCK_H
#define PHOTONIC_RAILS_RUN_CLOCK_H

#include "frame-clock.h"
#include "frame-run.h"
#include "picoseconds.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief When each frame of a run passes a point: the anchor and the bytes before the run, never a
 * period.
 */
class RunClock
{
  public:
    /**
     * @param before the wire's clock as it stood when the run began
     * @param run the run
     * @param way how much later than on that wire it passes
     */
    RunClock(const FrameClock& before, const FrameRun& run, Picoseconds way = 0)
        : m_clock(before),
          m_run(run),
          m_way(way)
    {
    }

    /**
     * @param frame its place in the run, from 0
     * @return when its first bit passes
     */
    Picoseconds First(uint64_t frame) const
    {
        return m_way + m_clock.After(frame * m_run.wireBytes);
    }

    /**
     * @param frame its place in the run, from 0
     * @return when its last bit passes
     */
    Picoseconds Last(uint64_t frame) const
    {
        const uint32_t size = frame + 1 == m_run.count ? m_run.lastWireBytes : m_run.wireBytes;
        return m_way + m_clock.After(frame * m_run.wireBytes + size - FrameClock::GAP);
    }

  private:
    FrameClock m_clock;
    FrameRun m_run;
    Picoseconds m_way;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_CLOCK_H */
