/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SATURATING_SUM_H
#define PHOTONIC_RAILS_SATURATING_SUM_H

#include "picoseconds.h"

namespace ns3
{

/**
 * @file
 * Sums that saturate at NEVER: a limit may be Time::Max(), which means that there is none.
 */

/**
 * @param instant a time
 * @param span the summand, 0 or more
 * @return the sum; NEVER if it is later than that
 */
constexpr Picoseconds
AddSaturating(Picoseconds instant, Picoseconds span)
{
    return instant > NEVER - span ? NEVER : instant + span;
}

/**
 * @param span a time, 0 or more
 * @param factor above 0
 * @return the product; NEVER if it is longer than that
 */
constexpr Picoseconds
MultiplySaturating(Picoseconds span, Picoseconds factor)
{
    return span > NEVER / factor ? NEVER : span * factor;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_SATURATING_SUM_H */
