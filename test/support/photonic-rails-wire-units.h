/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WIRE_UNITS_H
#define PHOTONIC_RAILS_WIRE_UNITS_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/** Of a port, in bits a second. */
constexpr uint64_t RATE = 100'000'000'000;
/** How long a byte lasts at RATE. */
constexpr Picoseconds BYTE = 80;
/** Delay of a fiber. */
constexpr Picoseconds FIBER = 50'000;

} // namespace ns3

#endif /* PHOTONIC_RAILS_WIRE_UNITS_H */
