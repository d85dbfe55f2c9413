/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire-frame.h"

#include <vector>

namespace ns3
{

Ptr<Packet>
WireFrame::MakePacket() const
{
    if (packet)
    {
        return packet->Copy();
    }
    const std::vector<uint8_t> bytes = roce.Serialize(source, destination);
    return Create<Packet>(bytes.data(), bytes.size());
}

} // namespace ns3
