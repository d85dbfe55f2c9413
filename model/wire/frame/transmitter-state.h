/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRANSMITTER_STATE_H
#define PHOTONIC_RAILS_TRANSMITTER_STATE_H

#include "frame-clock.h"

#include "ns3/picoseconds.h"

#include <array>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How far the sending half of a NIC port has come on its wire: all that packet events and
 * packet trains need to go on from where the other stopped.
 */
struct TransmitterState
{
    /** A search for the number to serve next that begins after this one begins with the lowest. */
    static constexpr uint32_t FROM_THE_LOWEST = std::numeric_limits<uint32_t>::max();

    FrameClock clock;                     //!< of the wire, at the end of what was put on it
    Picoseconds busyUntil{ALWAYS_BEFORE}; //!< the next frame may start then
    std::array<uint32_t, 8> served{};     //!< number served last, by class
    Picoseconds decision{NEVER};          //!< when the next frame is to be chosen; NEVER: not yet
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRANSMITTER_STATE_H */
