/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NUMBERED_FRAMES_H
#define PHOTONIC_RAILS_NUMBERED_FRAMES_H

#include "ns3/packet.h"
#include "ns3/socket.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @param number in the first four bytes, so that one packet can be told from another
 * @param payload bytes, 4 or more
 * @param priority that its traffic class follows
 * @return a packet of the host stack
 */
inline Ptr<Packet>
MakeNumberedPacket(uint32_t number, uint32_t payload, uint8_t priority)
{
    std::vector<uint8_t> bytes(payload, 0);
    for (int i = 0; i < 4; ++i)
    {
        bytes[i] = number >> (24 - 8 * i);
    }
    Ptr<Packet> packet = Create<Packet>(bytes.data(), payload);
    SocketPriorityTag tag;
    tag.SetPriority(priority);
    packet->AddPacketTag(tag);
    return packet;
}

/** @return the number in a packet's first four bytes */
inline uint32_t
NumberOfPacket(Ptr<const Packet> packet)
{
    uint8_t bytes[4];
    packet->CopyData(bytes, 4);
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_NUMBERED_FRAMES_H */
