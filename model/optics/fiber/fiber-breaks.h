/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_BREAKS_H
#define PHOTONIC_RAILS_FIBER_BREAKS_H

#include "ns3/picoseconds.h"

#include <deque>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The breaks of a fiber: when and where it was broken, and the frames that they cut.
 *
 * A frame is lost if a part of it passes the place of a break while the break lasts. Breaks that
 * no frame in flight can meet are dropped.
 *
 * Plain C++: no simulator.
 */
class FiberBreaks
{
  public:
    /** A direction of the fiber. */
    enum Direction
    {
        FORWARD,  //!< from end 0 to end 1
        BACKWARD, //!< from end 1 to end 0
    };

    /** @return whether the fiber is whole, now */
    bool IsIntact() const
    {
        return m_breaks.empty() || m_breaks.back().to != NEVER;
    }

    /** @return whether no frame can have met a break */
    bool IsEmpty() const
    {
        return m_breaks.empty();
    }

    /**
     * Breaks the fiber, which is intact.
     * @param position as a share of its length, 0 (at end 0) to 1 (at end 1)
     * @param delay the time light takes from end to end
     */
    void Cut(Picoseconds now, double position, Picoseconds delay);

    /** Repairs the fiber, which is broken. */
    void Splice(Picoseconds now);

    /**
     * @param delay the time light takes from end to end
     * @return the time light takes from the place of the latest break to the end of a direction
     */
    Picoseconds GetDelayFromBreak(Direction direction, Picoseconds delay) const;

    /**
     * @param first the instant of a frame's first bit at the end of a direction
     * @param last that of its last bit
     * @param delay the time light takes from end to end
     * @return whether a break cuts the frame
     */
    bool Cuts(Direction direction, Picoseconds first, Picoseconds last, Picoseconds delay) const;

  private:
    /** A break and where it was. */
    struct Break
    {
        Picoseconds from;
        Picoseconds to; //!< NEVER, while it lasts
        double position;
    };

    /** @return the time light takes from a place to the end of a direction */
    static Picoseconds DelayFrom(Direction direction, double position, Picoseconds delay);

    std::deque<Break> m_breaks; //!< oldest first; empty for most fibers
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIBER_BREAKS_H */
