/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_STEPPER_H
#define PHOTONIC_RAILS_RUN_STEPPER_H

#include "run-clock.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The instants of the frames of a run, one after the other: to the picosecond those of
 * RunClock::First() and RunClock::Last().
 *
 * RunClock divides for every instant. This class carries the rounding remainder from frame to
 * frame, so a frame takes two additions and no division: about 1 ns.
 *
 * @code
 * RunStepper step(times);
 * for (uint64_t left = times.GetCount(); left > 0; --left, step.Next())
 * {
 *     Use(step.GetFirst(), step.GetLast());
 * }
 * @endcode
 */
class RunStepper
{
  public:
    /** @param times of the run; the first step is its first frame */
    explicit RunStepper(const RunClock& times)
        : m_first(times.First(0)),
          m_last(times.Last(0)),
          m_left(times.GetCount())
    {
        if (m_left < 2)
        {
            return;
        }
        const FrameClock& clock = times.GetClock();
        const uint32_t size = times.GetRun().wireBytes;
        m_denominator = clock.GetDenominator();
        m_final = times.Last(m_left - 1);
        __extension__ using Wide = unsigned __int128;
        const Wide frame = static_cast<Wide>(times.GetStep()) * clock.GetNumerator();
        if (frame >> 64 == 0)
        {
            m_step = static_cast<uint64_t>(frame) / m_denominator;
        }
        else
        {
            m_step = static_cast<uint64_t>(frame / m_denominator);
        }
        m_stepRest = static_cast<uint64_t>(frame) - m_step * m_denominator;
        m_firstRest = RestAfter(clock, 0);
        m_lastRest = RestAfter(clock, size - FrameClock::GAP);
    }

    /** @return when the first bit of the frame passes */
    Picoseconds GetFirst() const
    {
        return m_first;
    }

    /** @return when its last bit passes */
    Picoseconds GetLast() const
    {
        return m_last;
    }

    /** @return the number of frames from this one on, itself included */
    uint64_t GetLeft() const
    {
        return m_left;
    }

    /** Goes to the next frame. */
    void Next()
    {
        m_first += Advance(m_firstRest);
        m_last += Advance(m_lastRest);
        if (--m_left == 1)
        {
            m_last = m_final; // it may have another size
        }
    }

  private:
    /**
     * An instant is the quotient of bytes * numerator + (denominator - 1). This is the rest.
     * The products may be beyond 64 bits, but the rest is not, so the upper half is not needed.
     */
    static uint64_t RestAfter(const FrameClock& clock, uint64_t bytes)
    {
        const uint64_t quotient = clock.After(bytes) - clock.GetAnchor();
        return (clock.GetBytes() + bytes) * clock.GetNumerator() + (clock.GetDenominator() - 1) -
               quotient * clock.GetDenominator();
    }

    /** @return the growth of an instant with this remainder, which it updates */
    Picoseconds Advance(uint64_t& rest) const
    {
        const bool carry = rest >= m_denominator - m_stepRest;
        rest += m_stepRest - (carry ? m_denominator : 0);
        return static_cast<Picoseconds>(m_step + (carry ? 1 : 0));
    }

    Picoseconds m_first;
    Picoseconds m_last;
    uint64_t m_left;
    Picoseconds m_final{0};    //!< last bit of the run's last frame
    uint64_t m_denominator{1}; //!< of the picoseconds of a byte
    uint64_t m_step{0};        //!< whole picoseconds of a frame
    uint64_t m_stepRest{0};    //!< the remainder, in parts of the denominator
    uint64_t m_firstRest{0};
    uint64_t m_lastRest{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_STEPPER_H */
