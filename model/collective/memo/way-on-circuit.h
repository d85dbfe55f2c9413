/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WAY_ON_CIRCUIT_H
#define PHOTONIC_RAILS_WAY_ON_CIRCUIT_H

#include "ns3/picoseconds.h"
#include "ns3/queue-pair-settings.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/** One direction of a circuit. */
struct CircuitDirection
{
    uint64_t rate{0};   //!< in bit/s
    Picoseconds way{0}; //!< from port to port
};

/** The way of a rank's messages to another, on a circuit that nothing else uses. */
struct WayOnCircuit
{
    std::size_t circuit{0}; //!< its number in the operation
    uint32_t end{0};        //!< of the circuit, at which the rank is: 0 or 1
    CircuitDirection there; //!< of data, and of answers to data of the other rank
    CircuitDirection back;
    uint32_t mtu{0};        //!< bytes of payload of a frame, at most
    uint32_t ackEvery{0};   //!< frames between two requests for an acknowledgement
    Picoseconds timeout{0}; //!< after which frames are sent again
    QueuePairOrder turn{};  //!< among those of a port; that of no other way
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_WAY_ON_CIRCUIT_H */
