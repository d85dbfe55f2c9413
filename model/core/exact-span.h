/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXACT_SPAN_H
#define PHOTONIC_RAILS_EXACT_SPAN_H

#include "picoseconds.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The time that bytes take at a rate, plus whole picoseconds, not rounded: comparisons are
 * exact.
 *
 * It is a whole number of picoseconds and a fraction of one. Longer spans than 2^120 ps saturate
 * there.
 */
class ExactSpan
{
  public:
    /** An integer of 128 bits. */
    __extension__ using Wide = unsigned __int128;

    explicit ExactSpan(Wide picoseconds);

    /**
     * @param bytesPerSecond from 1 to 2^88, so that no step overflows
     * @return bytes / bytesPerSecond
     */
    static ExactSpan Of(Wide bytes, Wide bytesPerSecond);

    /** @return this span plus whole picoseconds */
    ExactSpan Plus(Wide picoseconds) const;

    /** @return in whole picoseconds, rounded up; at most NEVER - 1 */
    Picoseconds RoundUp() const;

    /** @return whether this one is shorter */
    bool operator<(const ExactSpan& other) const;

  private:
    Wide m_whole;   //!< picoseconds
    Wide m_part{0}; //!< of a picosecond, less than m_parts
    Wide m_parts{1};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXACT_SPAN_H */
