/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "header-arrival.h"

#include "ns3/frame-clock.h"

#include <algorithm>

namespace ns3
{

Picoseconds
GetHeaderArrival(const WireFrame& frame, uint64_t bitsPerSecond)
{
    const FrameClock clock(bitsPerSecond);
    const uint64_t bytes = frame.wireBytes - FrameClock::GAP;
    const Picoseconds lasts = frame.last - frame.first;
    // at the rate of its sender, if that has changed since the simulation began
    const Picoseconds header = lasts > clock.Span(bytes) || lasts + 1 < clock.Span(bytes)
                                   ? (lasts * CUT_THROUGH_HEADER_BYTES + bytes - 1) / bytes
                                   : clock.Span(CUT_THROUGH_HEADER_BYTES);
    return std::min(frame.last, frame.first + header);
}

} // namespace ns3
