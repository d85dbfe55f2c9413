/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ETHERNET_FRAME_H
#define PHOTONIC_RAILS_ETHERNET_FRAME_H

#include "frame-clock.h"
#include "wire-frame.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Ethernet II frames: their sizes in bytes, and the conversion of packets.
 */
struct EthernetFrame
{
    static constexpr uint32_t HEADER = 14;          //!< addresses and type
    static constexpr uint32_t MINIMUM_PAYLOAD = 46; //!< shorter ones are padded
    /** On the wire around a payload, preamble and gap included. */
    static constexpr uint32_t FRAMING =
        FrameClock::PREAMBLE + HEADER + FrameClock::CHECK + FrameClock::GAP;

    /**
     * Puts an Ethernet header before a payload, and padding behind it if it is short.
     * @param packet the payload, which becomes the frame
     * @param source address
     * @param destination address
     * @param type of the payload
     */
    static void Frame(Ptr<Packet> packet,
                      Mac48Address source,
                      Mac48Address destination,
                      uint16_t type);

    /**
     * @param packet a packet that begins with its Ethernet header
     * @return the frame, without times
     */
    static WireFrame OnWire(Ptr<Packet> packet, uint8_t trafficClass);

    /**
     * Removes the Ethernet header.
     * @param packet a packet that begins with it
     * @return the type of the payload
     */
    static uint16_t Unframe(Ptr<Packet> packet);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ETHERNET_FRAME_H */
