/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_CLOCK_H
#define PHOTONIC_RAILS_SCALE_UP_CLOCK_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The instants and spans of ports of one rate, in fractions of a picosecond, of which every
 * byte takes a whole number.
 *
 * Instants are rounded only where they are reported, upwards: messages back to back since an
 * instant A, of C bytes together, end at A + ceil(8 C 10^12 / rate).
 *
 * Plain C++: no simulator, no floating point.
 */
class ScaleUpClock
{
  public:
    __extension__ typedef __int128 Fraction; //!< instants and spans, in fractions of a picosecond

    /** A clock of 1 b/s, until another is assigned. */
    ScaleUpClock() = default;

    /** @param bitsPerSecond rate of a port, 1 or more */
    explicit ScaleUpClock(uint64_t bitsPerSecond);

    /** @return the rate, in bits a second */
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** @return an instant or a span in fractions */
    Fraction FromPicoseconds(Picoseconds instant) const
    {
        return instant * m_picosecond;
    }

    /** @return the time of so many bytes */
    Fraction GetSpan(uint64_t bytes) const
    {
        return bytes * m_byte;
    }

    /** @return an instant in picoseconds, rounded up; aborts if it is too late to be counted */
    Picoseconds Round(Fraction instant) const;

  private:
    uint64_t m_rate{1};
    Fraction m_byte{8'000'000'000'000}; //!< time of a byte, in fractions
    Fraction m_picosecond{1};           //!< a picosecond, in fractions
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_CLOCK_H */
