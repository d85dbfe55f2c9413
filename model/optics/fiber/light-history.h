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

/** What became of a frame that passed a point where light comes and goes. */
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
 * An interval is closed: from the instant at which the light came to that at which it went. A
 * frame gets through whole if one interval holds its first and its last bit. Since it is the
 * recorded instants that are compared, a frame whose last bit passes at the very instant of a
 * cut gets through, whichever of the two events happens to run first, and the one that needs a
 * picosecond more does not.
 *
 * The label says what the light was: at a switch port, which circuit.
 *
 * Intervals that ended longer ago than the horizon of 1 ms are forgotten: the longest frame (9,018
 * bytes) lasts that long at 72 Mb/s, a rate no rail has.
 */
template <typename Label>
class LightHistory
{
  public:
    /** How long an interval that ended is remembered. */
    static constexpr Picoseconds HORIZON = 1'000'000'000;

    /** One interval of light. */
    struct Interval
    {
        Picoseconds from; //!< the light came
        Picoseconds to;   //!< the light went, or NEVER
        Label label;      //!< what the light is
    };

    /** @return whether there is light now */
    bool IsLit() const
    {
        return !m_intervals.empty() && m_intervals.back().to == NEVER;
    }

    /** @return the interval that goes on now; there must be light */
    const Interval& GetCurrent() const
    {
        NS_ASSERT(IsLit());
        return m_intervals.back();
    }

    /**
     * The light comes. It must be dark.
     * @param at the instant, not before the light went last
     * @param label what the light is
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

    /** The light goes. It must be lit. */
    void Fall(Picoseconds at)
    {
        NS_ASSERT(IsLit());
        m_intervals.back().to = at;
    }

    /** Forgets everything: it has always been dark. */
    void Reset()
    {
        m_intervals.clear();
    }

    /**
     * Checks a frame.
     * @param first the instant at which its first bit passed
     * @param last the instant at which its last bit passed
     * @param [out] label of the interval that the whole frame passed in
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
