/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-frames.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

const char*
ToString(RdmaVerb verb)
{
    switch (verb)
    {
    case RdmaVerb::WRITE:
        return "write";
    case RdmaVerb::WRITE_WITH_IMMEDIATE:
        return "write-with-immediate";
    case RdmaVerb::SEND:
        return "send";
    }
    return "unknown";
}

MessageFrames::MessageFrames(RdmaVerb verb, uint64_t bytes, uint32_t mtu)
    : m_verb(verb),
      m_bytes(bytes),
      m_mtu(mtu),
      m_count(bytes == 0 ? 1 : (bytes - 1) / mtu + 1),
      m_segmentFrames(SEGMENT / mtu)
{
    NS_ASSERT_MSG(IsMtu(mtu), mtu);
    m_middleWireBytes = RoceFrame::WireBytes(RoceOpcode::SEND_MIDDLE, mtu);
    // only the first and the last frame of a message differ in size, or the first of a wire message
    m_lastWireBytes = RoceFrame::WireBytes(OpcodeOf(m_count - 1), PayloadOf(m_count - 1));
    m_firstWireBytes =
        m_count == 1 ? m_lastWireBytes : RoceFrame::WireBytes(OpcodeOf(0), PayloadOf(0));
}

uint64_t
MessageFrames::GetCount() const
{
    return m_count;
}

uint64_t
MessageFrames::GetWireBytes() const
{
    uint64_t bytes = 0;
    for (uint64_t frame = 0; frame < m_count;)
    {
        const uint64_t run = RunFrom(frame);
        bytes += (run - 1) * WireBytesOf(frame) + WireBytesOf(frame + run - 1);
        frame += run;
    }
    return bytes;
}

uint32_t
MessageFrames::PayloadOf(uint64_t frame) const
{
    return std::min<uint64_t>(m_mtu, m_bytes - frame * m_mtu);
}

bool
MessageFrames::BeginsSegment(uint64_t frame) const
{
    return (frame & (m_segmentFrames - 1)) == 0; // a power of two
}

bool
MessageFrames::EndsSegment(uint64_t frame) const
{
    return frame + 1 == m_count || ((frame + 1) & (m_segmentFrames - 1)) == 0;
}

RoceOpcode
MessageFrames::OpcodeOf(uint64_t frame) const
{
    const bool first = BeginsSegment(frame);
    const bool last = EndsSegment(frame);
    if (m_verb == RdmaVerb::SEND)
    {
        return first ? (last ? RoceOpcode::SEND_ONLY : RoceOpcode::SEND_FIRST)
                     : (last ? RoceOpcode::SEND_LAST : RoceOpcode::SEND_MIDDLE);
    }
    // the immediate belongs to the end of the message, not of each wire message
    const bool immediate = m_verb == RdmaVerb::WRITE_WITH_IMMEDIATE && frame + 1 == m_count;
    if (last)
    {
        return first ? (immediate ? RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE : RoceOpcode::WRITE_ONLY)
                     : (immediate ? RoceOpcode::WRITE_LAST_WITH_IMMEDIATE : RoceOpcode::WRITE_LAST);
    }
    return first ? RoceOpcode::WRITE_FIRST : RoceOpcode::WRITE_MIDDLE;
}

uint32_t
MessageFrames::WireBytesOf(uint64_t frame) const
{
    return frame + 1 == m_count   ? m_lastWireBytes
           : BeginsSegment(frame) ? m_firstWireBytes
                                  : m_middleWireBytes;
}

uint64_t
MessageFrames::RunFrom(uint64_t frame) const
{
    if (BeginsSegment(frame))
    {
        return 1; // it may have one header more than the frames behind it
    }
    const uint64_t end = std::min(m_count, (frame | (m_segmentFrames - 1)) + 1);
    return end - frame;
}

bool
MessageFrames::IsContinued(uint64_t frame) const
{
    return (frame | (m_segmentFrames - 1)) + 1 < m_count;
}

uint32_t
MessageFrames::SegmentBytesOf(uint64_t frame) const
{
    return std::min(SEGMENT, m_bytes - frame / m_segmentFrames * SEGMENT);
}

uint64_t
MessageFrames::OffsetOf(uint64_t frame) const
{
    return frame * m_mtu;
}

bool
MessageFrames::IsMtu(uint32_t mtu)
{
    return mtu == 256 || mtu == 512 || mtu == 1024 || mtu == 2048 || mtu == 4096;
}

} // namespace ns3
