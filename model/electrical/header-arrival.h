/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEADER_ARRIVAL_H
#define PHOTONIC_RAILS_HEADER_ARRIVAL_H

#include "ns3/picoseconds.h"
#include "ns3/wire-frame.h"

#include <cstdint>

namespace ns3
{

/** Bytes that a cut-through switch reads first: preamble, Ethernet, IPv4 and UDP headers. */
constexpr uint32_t CUT_THROUGH_HEADER_BYTES = 8 + 14 + 20 + 8;

/**
 * @ingroup photonic-rails
 * @param frame a frame that comes in, with the instants of its first and last bit
 * @param bitsPerSecond rate of the port; the frame's own rate counts if it has another
 * @return the instant at which a cut-through switch has read its header
 */
Picoseconds GetHeaderArrival(const WireFrame& frame, uint64_t bitsPerSecond);

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEADER_ARRIVAL_H */
