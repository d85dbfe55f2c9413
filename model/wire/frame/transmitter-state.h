/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRANSMITTER_STATE_H
#define PHOTONIC_RAILS_TRANSMITTER_STATE_H

#include "egress-turns.h"
#include "frame-clock.h"

#include "ns3/picoseconds.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The progress of the sending half of a NIC port on its wire. Packet events and packet
 * trains continue from the state that the other leaves.
 */
struct TransmitterState
{
    FrameClock clock;                     //!< of the wire, after the last frame
    Picoseconds busyUntil{ALWAYS_BEFORE}; //!< the next frame may start then
    EgressTurns turns;                    //!< of the host stack and the queue pairs, by number
    Picoseconds decision{NEVER};          //!< when the next frame is to be chosen; NEVER: not yet
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRANSMITTER_STATE_H */
