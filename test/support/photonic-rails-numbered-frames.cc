/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-numbered-frames.h"

#include "ns3/socket.h"

#include <vector>

namespace ns3
{

Ptr<Packet>
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

uint32_t
NumberOfPacket(Ptr<const Packet> packet)
{
    uint8_t bytes[4];
    packet->CopyData(bytes, 4);
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

} // namespace ns3
