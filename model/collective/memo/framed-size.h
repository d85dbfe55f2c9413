/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAMED_SIZE_H
#define PHOTONIC_RAILS_FRAMED_SIZE_H

#include "ns3/message-frames.h"
#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{

/** The frames of messages of one size, each of which is one wire message. Plain C++. */
struct FramedSize
{
    /** The most bytes of such a message. */
    static constexpr uint64_t MOST = MessageFrames::SEGMENT;

    uint64_t frames{0};     //!< of data
    uint64_t firstBytes{0}; //!< of the first of several on the wire
    uint64_t bytes{0};      //!< of one in the middle
    uint64_t lastBytes{0};  //!< of the last, which is the first of one frame
    uint64_t wireBytes{0};  //!< of all

    /** @return the frames of a message of these bytes of data, at most MOST */
    static FramedSize Of(uint64_t bytes, uint32_t mtu)
    {
        const MessageFrames frames(RdmaVerb::WRITE_WITH_IMMEDIATE, bytes, mtu);
        return {frames.GetCount(),
                frames.WireBytesOf(0),
                RoceFrame::WireBytes(RoceOpcode::WRITE_MIDDLE, mtu),
                frames.WireBytesOf(frames.GetCount() - 1),
                frames.GetWireBytes()};
    }

    /** @return bytes on the wire of a frame, by its place from 0 */
    uint64_t GetBytesOf(uint64_t frame) const
    {
        return frame + 1 == frames ? lastBytes : frame == 0 ? firstBytes : bytes;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAMED_SIZE_H */
