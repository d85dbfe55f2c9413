/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WIRE_FRAME_H
#define PHOTONIC_RAILS_WIRE_FRAME_H

#include "frame-run.h"
#include "roce-frame.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One Ethernet frame on a wire, with the instants at which it passes the point of
 * observation.
 *
 * A frame of the host stack is a Packet, from the Ethernet header to the padding; preamble, frame
 * check sequence and gap are counted in wireBytes and in time, and not stored. A frame of an
 * offload is a run of one and has no Packet, but the headers that its bytes are made of on request.
 */
struct WireFrame
{
    Ptr<Packet> packet;       //!< null for a frame of an offload
    FrameRun run;             //!< of an offload's frame
    RoceFrame roce;           //!< the headers of an offload's frame, the first of its run
    Mac48Address source;      //!< of the Ethernet header
    Mac48Address destination; //!< of the Ethernet header
    uint32_t wireBytes{0};    //!< with preamble and gap
    uint8_t trafficClass{0};  //!< 0 to 7
    bool garbled{false};      //!< a bit error on its way, which the frame check sequence finds
    Picoseconds first{0};     //!< first bit passes
    Picoseconds last{0};      //!< last bit passes

    /**
     * Moves the frame to a later point.
     * @param delay the delay to that point
     */
    void Travel(Picoseconds delay)
    {
        first += delay;
        last += delay;
    }

    /** @return the bytes from the Ethernet header to the padding, without frame check sequence */
    Ptr<Packet> MakePacket() const;
};

/**
 * A queue calls this when a frame has been moved out: only the packet holds resources.
 * @param frame a frame that was moved from
 */
inline void
Vacate(WireFrame& frame)
{
    frame.packet = nullptr;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_WIRE_FRAME_H */
