/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ethernet-frame.h"

#include "ns3/ethernet-header.h"

namespace ns3
{

void
EthernetFrame::Frame(Ptr<Packet> packet,
                     Mac48Address source,
                     Mac48Address destination,
                     uint16_t type)
{
    if (packet->GetSize() < MINIMUM_PAYLOAD)
    {
        // zeros, which AddPaddingAtEnd() does not promise
        packet->AddAtEnd(Create<Packet>(MINIMUM_PAYLOAD - packet->GetSize()));
    }
    EthernetHeader header(false);
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetLengthType(type);
    packet->AddHeader(header);
}

WireFrame
EthernetFrame::OnWire(Ptr<Packet> packet, uint8_t trafficClass)
{
    EthernetHeader header(false);
    packet->PeekHeader(header);
    WireFrame frame;
    frame.packet = packet;
    frame.source = header.GetSource();
    frame.destination = header.GetDestination();
    frame.wireBytes = packet->GetSize() - HEADER + FRAMING;
    frame.trafficClass = trafficClass;
    return frame;
}

uint16_t
EthernetFrame::Unframe(Ptr<Packet> packet)
{
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    return header.GetLengthType();
}

} // namespace ns3
