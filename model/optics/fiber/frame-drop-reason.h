/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_DROP_REASON_H
#define PHOTONIC_RAILS_FRAME_DROP_REASON_H

#include <ostream>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Why a frame was lost. Every drop fires a trace with one of these.
 */
enum class FrameDropReason
{
    NO_CIRCUIT,         //!< at a switch: no circuit was up when the first bit arrived
    CUT,                //!< at a switch: the circuit went down before the last bit
    OTHER_CIRCUIT,      //!< at a switch: the last bit met another circuit than the first
    NO_ROUTE,           //!< at a packet switch: no port leads to the destination
    BUFFER_FULL,        //!< at a packet switch: beyond the threshold of its queue, or no memory
    FIBER_CUT,          //!< in a fiber that was broken while the frame passed
    TRANSMISSION_ERROR, //!< in a fiber: a bit error that the frame check sequence finds
    NO_LOCK,            //!< at a NIC: the receiver had not locked onto the light
    WRONG_DESTINATION,  //!< at a NIC: the frame has the address of another port
    NO_RECEIVER,        //!< at a NIC: no receiver for frames of this kind
    QUEUE_FULL,         //!< at a NIC, on sending
    NO_CARRIER,         //!< at a NIC, on sending without carrier, unless the NIC holds traffic
    OVERSIZED,          //!< at a NIC, on sending, or at a packet switch: more than the MTU
};

/** @return its name, in lower case with dashes */
const char* ToString(FrameDropReason reason);

/** Prints the name. */
std::ostream& operator<<(std::ostream& os, FrameDropReason reason);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_DROP_REASON_H */
