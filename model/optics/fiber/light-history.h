/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LIGHT_HISTORY_H
#define PHOTONIC_RAILS_LIGHT_HISTORY_H

#include "ns3/assert.h"
#include "ns3/picoseconds.h"

#include <deque>

namespace ns3
{

/** The result of the path check of a frame at a point of intermittent light. */
enum class PathCheck
{
    WHOLE, //!< lit by one interval from its first bit to its last
    DARK,  //!< no light when the first bit came
    CUT,   //!< the light went off before the last bit
    OTHER, //!< the last bit met another interval of light than the first
};

/**
 * @ingroup photonic-rails
 * @brief The intervals in which light passes one point: a switch port, a fiber, a receiver.
 *
 * An interval is closed: from the instant at which the light came to that at which it went. A frame
 * passes whole if one interval holds its first and its last bit. The check compares recorded
 * instants: a frame whose last bit passes at the instant of a cut passes whole, in either order of
 * the two events, and a frame that needs a picosecond more does not.
 *
 * The label identifies the light: at a switch port, the circuit.
 *
 * Intervals that ended longer ago than the horizon of 1 ms are dropped: the longest frame (9,018
 * bytes) lasts that long at 72 Mb/s, a rate no rail has.
 */
template <typename Label>
class LightHistory
{
  public:
    /** The time for which the history keeps an interval that ended. */
    static constexpr Picoseconds HORIZON = 1'000'000'000;

    /** One interval of light. */
    struct Interval
    {
        Picoseconds from; //!< the light came
        Picoseconds to;   //!< the light went, or NEVER
        Label label;      //!< identifies the light
    };

    /** @return whether there is light now */
    bool IsLit() const
    {
        return !m_intervals.empty() && m_intervals.back().to == NEVER;
    }

    /** @return the present interval; there must be light */
    const Interval& GetCurrent() const
    {
        NS_ASSERT(IsLit());
        return m_intervals.back();
    }

    /**
     * The light comes. There must be none.
     * @param at not before the last Fall()
     * @param label identifies the light
     */
    void Rise(Picoseconds at, const Label& label)
    {
        NS_ASSERT(!IsLit());
        while (!m_intervals.empty() && m_intervals.front().to < at - HORIZON)
        {
            m_intervals.pop_front();
        }
        m_intervals.push_back(Interval{at, NEVER, label});
    }

    /** The light goes. There must be light. */
    void Fall(Picoseconds at)
    {
        NS_ASSERT(IsLit());
        m_intervals.back().to = at;
    }

    /** Removes all intervals: there has never been light. */
    void Reset()
    {
        m_intervals.clear();
    }

    /**
     * Checks a frame.
     * @param first the instant at which its first bit passed
     * @param last the instant at which its last bit passed
     * @param [out] label of the interval that holds the frame
     * @return the check; the label is set only if it is WHOLE
     */
    PathCheck Check(Picoseconds first, Picoseconds last, Label& label) const
    {
        bool litAtFirst = false;
        bool litAtLast = false;
        for (auto it = m_intervals.rbegin(); it != m_intervals.rend() && it->to >= first; ++it)
        {
            const bool holdsFirst = it->from <= first;
            const bool holdsLast = it->from <= last && last <= it->to;
            if (holdsFirst && holdsLast)
            {
                label = it->label;
                return PathCheck::WHOLE;
            }
            // light that goes at the instant of the first bit carries nothing of the frame, and
            // neither does light that comes at the instant of the last
            litAtFirst = litAtFirst || (holdsFirst && it->to > first);
            litAtLast = litAtLast || (holdsLast && it->from < last);
        }
        if (!litAtFirst)
        {
            return PathCheck::DARK;
        }
        return litAtLast ? PathCheck::OTHER : PathCheck::CUT;
    }

  private:
    std::deque<Interval> m_intervals; //!< oldest first, none overlap
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LIGHT_HISTORY_H */
