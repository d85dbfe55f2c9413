/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-receiver.h"

#include "ns3/ethernet-frame.h"

namespace ns3
{

void
HostReceiver::SetCallback(NetDevice::ReceiveCallback callback)
{
    m_receive = callback;
}

void
HostReceiver::SetPromiscuousCallback(NetDevice::PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
HostReceiver::Deliver(NetDevice* port,
                      Mac48Address own,
                      const WireFrame& frame,
                      const PortTraces& traces) const
{
    Ptr<Packet> packet = frame.packet->Copy();
    const uint16_t protocol = EthernetFrame::Unframe(packet);
    const NetDevice::PacketType type = frame.destination.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                                       : frame.destination.IsGroup()   ? NetDevice::PACKET_MULTICAST
                                       : frame.destination == own      ? NetDevice::PACKET_HOST
                                                                  : NetDevice::PACKET_OTHERHOST;
    if (!m_promiscReceive.IsNull())
    {
        traces.macPromiscRx(packet);
        m_promiscReceive(port, packet, protocol, frame.source, frame.destination, type);
    }
    if (type == NetDevice::PACKET_OTHERHOST)
    {
        return false;
    }
    if (!m_receive.IsNull())
    {
        traces.macRx(packet);
        m_receive(port, packet, protocol, frame.source);
    }
    return true;
}

void
HostReceiver::Dispose()
{
    m_receive = {};
    m_promiscReceive = {};
}

} // namespace ns3
