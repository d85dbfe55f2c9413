/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-mark.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/node.h"

#include <array>

namespace ns3
{

namespace
{

/** @return whether a type of service is ECN-capable and not marked yet */
bool
MayBeMarked(uint8_t tos)
{
    const uint8_t ecn = tos & RoceFrame::ECN_MASK;
    return ecn != 0 && ecn != RoceFrame::ECN_CONGESTION;
}

} // namespace

bool
MarkCongestion(WireFrame& frame)
{
    if (!frame.packet)
    {
        if (!MayBeMarked(frame.roce.tos))
        {
            return false;
        }
        frame.roce.tos |= RoceFrame::ECN_CONGESTION;
        return true;
    }
    std::array<uint8_t, EthernetFrame::HEADER + 2> head{};
    frame.packet->CopyData(head.data(), head.size());
    const bool ipv4 = head[12] == 0x08 && head[13] == 0x00 && head[EthernetFrame::HEADER] == 0x45;
    if (!ipv4 || !MayBeMarked(head[EthernetFrame::HEADER + 1]))
    {
        return false;
    }
    frame.packet = frame.packet->Copy();
    EthernetHeader ethernet(false);
    Ipv4Header ip;
    frame.packet->RemoveHeader(ethernet);
    frame.packet->RemoveHeader(ip);
    ip.SetEcn(Ipv4Header::ECN_CE);
    if (Node::ChecksumEnabled())
    {
        ip.EnableChecksum();
    }
    frame.packet->AddHeader(ip);
    frame.packet->AddHeader(ethernet);
    return true;
}

} // namespace ns3
