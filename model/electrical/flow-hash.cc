/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-hash.h"

#include "ns3/ethernet-frame.h"
#include "ns3/mix-bits.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

constexpr uint8_t TCP = 6;
constexpr uint8_t UDP = 17;
constexpr uint32_t IPV4 = 20; // bytes of a header without options

uint64_t
HashOf(uint64_t seed, uint64_t addresses, uint32_t ports, uint8_t protocol)
{
    return MixBits(MixBits(seed ^ addresses) ^ (uint64_t{protocol} << 32 | ports));
}

/** @return a big-endian number */
uint64_t
Read(const uint8_t* bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; ++i)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

} // namespace

uint64_t
FlowHash(const WireFrame& frame, uint64_t seed)
{
    if (!frame.packet)
    {
        return HashOf(seed,
                      uint64_t{frame.roce.sourceIp} << 32 | frame.roce.destinationIp,
                      uint32_t{frame.roce.sourcePort} << 16 | RoceFrame::UDP_PORT,
                      UDP);
    }
    std::array<uint8_t, EthernetFrame::HEADER + IPV4 + 4> head{};
    frame.packet->CopyData(head.data(), head.size());
    const uint64_t type = Read(&head[12], 2);
    const uint8_t* ip = &head[EthernetFrame::HEADER];
    const uint8_t protocol = ip[9];
    // no fragment: neither an offset nor more to come
    if (type == 0x0800 && ip[0] == 0x45 && (Read(ip + 6, 2) & 0x3fff) == 0 &&
        (protocol == TCP || protocol == UDP))
    {
        return HashOf(seed, Read(ip + 12, 8), Read(ip + IPV4, 4), protocol);
    }
    return MixBits(HashOf(seed, Read(&head[0], 6), type, 0) ^ Read(&head[6], 6));
}

} // namespace ns3
