/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-sizes.h"

namespace ns3
{

std::map<uint64_t, uint64_t>
ListMessageSizes(const CollectiveSchedule& schedule,
                 uint32_t chunk,
                 uint64_t buffer,
                 uint64_t messageSize,
                 CollectiveProtocol protocol)
{
    std::map<uint64_t, uint64_t> sizes;
    const uint64_t bytes = schedule.GetBytes(chunk, buffer);
    const uint64_t whole = bytes == 0 ? 0 : (bytes - 1) / messageSize;
    if (whole > 0)
    {
        sizes[GetWireBytes(protocol, messageSize)] += whole;
    }
    ++sizes[GetWireBytes(protocol, bytes - whole * messageSize)];
    return sizes;
}

} // namespace ns3
