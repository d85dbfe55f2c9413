/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PICOSECONDS_H
#define PHOTONIC_RAILS_PICOSECONDS_H

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An instant or a span, in whole picoseconds.
 *
 * The plain C++ parts of this module (clocks, histories, plans) count time in this integer, so that
 * they run without a simulator. 64 bits hold 106 days. All compared times are integers: no time of
 * this module passes through floating point before a comparison.
 */
using Picoseconds = int64_t;

/** Before every event. */
constexpr Picoseconds ALWAYS_BEFORE = std::numeric_limits<Picoseconds>::min();

/** After every event. */
constexpr Picoseconds NEVER = std::numeric_limits<Picoseconds>::max();

} // namespace ns3

#endif /* PHOTONIC_RAILS_PICOSECONDS_H */
