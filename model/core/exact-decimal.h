/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXACT_DECIMAL_H
#define PHOTONIC_RAILS_EXACT_DECIMAL_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @param value a whole number of small units
 * @param digits of them in a large unit: a million small ones have 6
 * @return the value in large units, exact and as short as it can be: "525.1"
 */
std::string ToExactDecimal(int64_t value, uint32_t digits);

/** @return an instant in s, ms or us, in which no picosecond is lost: "525.1 us" */
std::string ToInstantText(Time at);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXACT_DECIMAL_H */
