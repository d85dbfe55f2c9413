/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_KIND_H
#define PHOTONIC_RAILS_FRAME_KIND_H

#include "ns3/wire-frame.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/** The kind of a frame: one of the opcodes of RoCE, or a packet that is no RoCE frame. */
enum class FrameKind : uint8_t
{
    SEND_FIRST,
    SEND_MIDDLE,
    SEND_LAST,
    SEND_ONLY,
    WRITE_FIRST,
    WRITE_MIDDLE,
    WRITE_LAST,
    WRITE_LAST_WITH_IMMEDIATE,
    WRITE_ONLY,
    WRITE_ONLY_WITH_IMMEDIATE,
    ACKNOWLEDGE,
    CNP,
    PAUSE, //!< IEEE 802.3 and 802.1Qbb
    HOST,  //!< any other packet of the host stack
};

/** The number of kinds. */
constexpr std::size_t FRAME_KINDS = 14;

/**
 * @param opcode of an offload's frame
 * @return the kind of the frame
 */
FrameKind KindOf(RoceOpcode opcode);

/**
 * @param frame a frame, or the first of a run
 * @param roce its headers; used only if it has no packet
 * @return its kind
 */
FrameKind KindOf(const WireFrame& frame, const RoceFrame& roce);

/**
 * @param frame a frame, or the first of a run
 * @param roce its headers; used only if it has no packet
 * @return its payload in bytes, without padding; for a packet, all bytes after the Ethernet header,
 *         padding included
 */
uint32_t PayloadOf(const WireFrame& frame, const RoceFrame& roce);

/** @return its name, such as write-middle */
const char* ToString(FrameKind kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_KIND_H */
