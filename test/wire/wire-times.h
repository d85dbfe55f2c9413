/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WIRE_TIMES_H
#define PHOTONIC_RAILS_WIRE_TIMES_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/** Of a wire on which no frame lasts a whole number of picoseconds. */
constexpr uint64_t RATE = 425'000'000'000;

/** The definition, with none of the clocks' shortcuts: ceil(8 bytes 10^12 / rate). */
inline Picoseconds
Ceiling(uint64_t bytes, uint64_t rate)
{
    __extension__ using Wide = unsigned __int128;
    const Wide bits = Wide{8} * bytes * 1'000'000'000'000U;
    return static_cast<Picoseconds>(bits / rate + (bits % rate != 0 ? 1 : 0));
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_WIRE_TIMES_H */
