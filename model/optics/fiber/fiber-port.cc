/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fiber-port.h"

#include "optical-fiber.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FiberPort");

NS_OBJECT_ENSURE_REGISTERED(FiberPort);

TypeId
FiberPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FiberPort").SetParent<NetDevice>().SetGroupName("PhotonicRails");
    return tid;
}

FiberPort::FiberPort()
{
    NS_LOG_FUNCTION(this);
}

FiberPort::~FiberPort()
{
    NS_LOG_FUNCTION(this);
}

void
FiberPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_fiber = nullptr;
    m_node = nullptr;
    NetDevice::DoDispose();
}

void
FiberPort::SetFiber(Ptr<OpticalFiber> fiber)
{
    NS_LOG_FUNCTION(this << fiber);
    m_fiber = fiber;
}

Ptr<OpticalFiber>
FiberPort::GetFiber() const
{
    return m_fiber;
}

void
FiberPort::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FiberPort::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FiberPort::GetChannel() const
{
    return m_fiber;
}

void
FiberPort::SetAddress(Address address)
{
    NS_LOG_FUNCTION(this << address);
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FiberPort::GetAddress() const
{
    return m_address;
}

bool
FiberPort::SetMtu(const uint16_t)
{
    return false;
}

uint16_t
FiberPort::GetMtu() const
{
    return 65535;
}

bool
FiberPort::IsLinkUp() const
{
    return true;
}

void
FiberPort::AddLinkChangeCallback(Callback<void>)
{
}

bool
FiberPort::IsBroadcast() const
{
    return true;
}

Address
FiberPort::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FiberPort::IsMulticast() const
{
    return true;
}

Address
FiberPort::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FiberPort::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FiberPort::IsBridge() const
{
    return false;
}

bool
FiberPort::IsPointToPoint() const
{
    return false;
}

bool
FiberPort::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

bool
FiberPort::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
FiberPort::GetNode() const
{
    return m_node;
}

void
FiberPort::SetNode(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_node = node;
}

bool
FiberPort::NeedsArp() const
{
    return true;
}

void
FiberPort::SetReceiveCallback(NetDevice::ReceiveCallback)
{
}

void
FiberPort::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback)
{
}

bool
FiberPort::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
