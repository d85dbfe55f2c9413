/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_FRAMES_H
#define PHOTONIC_RAILS_MESSAGE_FRAMES_H

#include "rdma-message.h"

#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The division of a message into frames: plain arithmetic.
 *
 * Each frame but the last carries MTU bytes of payload; a message of 0 bytes is one frame. The
 * standard's messages hold at most 2 GiB, so a longer one is sent as several wire messages of 1
 * GiB; their boundaries fall on frame boundaries, because an MTU is a power of two.
 */
class MessageFrames
{
  public:
    /** Payload of a wire message, at most. */
    static constexpr uint64_t SEGMENT = uint64_t{1} << 30;

    /**
     * @param verb the RDMA operation
     * @param bytes size of the message
     * @param mtu largest payload of a frame: 256, 512, 1024, 2048 or 4096
     */
    MessageFrames(RdmaVerb verb, uint64_t bytes, uint32_t mtu);

    /** @return the number of frames */
    uint64_t GetCount() const;

    /** @return bytes on the wire of the whole message, preambles and gaps included */
    uint64_t GetWireBytes() const;

    /**
     * @param frame place in the message, from 0
     * @return bytes of payload
     */
    uint32_t PayloadOf(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return its opcode
     */
    RoceOpcode OpcodeOf(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return bytes on the wire, preamble and gap included
     */
    uint32_t WireBytesOf(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return the number of frames from there on that have the same size, except for the last of
     *         them
     */
    uint64_t RunFrom(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return whether it belongs to a wire message that is not the last
     */
    bool IsContinued(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return bytes of the wire message that it belongs to
     */
    uint32_t SegmentBytesOf(uint64_t frame) const;

    /**
     * @param frame place in the message, from 0
     * @return bytes of the message before this frame
     */
    uint64_t OffsetOf(uint64_t frame) const;

    /**
     * @param mtu a number of bytes
     * @return whether it is one of 256, 512, 1024, 2048, 4096
     */
    static bool IsMtu(uint32_t mtu);

  private:
    /** @return whether a frame begins a wire message */
    bool BeginsSegment(uint64_t frame) const;
    /** @return whether a frame ends a wire message */
    bool EndsSegment(uint64_t frame) const;

    RdmaVerb m_verb;
    uint64_t m_bytes;
    uint32_t m_mtu;
    uint64_t m_count;
    uint64_t m_segmentFrames;
    uint32_t m_firstWireBytes;
    uint32_t m_middleWireBytes;
    uint32_t m_lastWireBytes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_FRAMES_H */
