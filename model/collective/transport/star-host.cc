/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-host.h"

#include "ns3/callback.h"
#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StarHost");

NS_OBJECT_ENSURE_REGISTERED(StarHost);

namespace
{

constexpr uint32_t IPV4_BYTES = 20; // without options
constexpr uint32_t UDP_BYTES = 8;

/** @return two octets, the first of which counts more */
uint16_t
ReadTwo(const uint8_t* octets)
{
    return octets[0] << 8 | octets[1];
}

} // namespace

TypeId
StarHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StarHost")
                            .SetParent<Object>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<StarHost>();
    return tid;
}

void
StarHost::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_links.clear();
    m_listeners.clear();
    Object::DoDispose();
}

void
StarHost::Add(Ptr<Ipv4L3Protocol> ipv4, Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << device << network << mask);
    const int32_t interface = ipv4->GetInterfaceForDevice(device);
    UintegerValue ttl;
    ipv4->GetAttribute("DefaultTtl", ttl);
    Link link;
    link.ipv4 = PeekPointer(ipv4);
    link.interface = ipv4->GetInterface(interface);
    link.device = device;
    link.other = device->GetBroadcast();
    link.own = ipv4->GetAddress(interface, 0).GetLocal();
    link.network = network;
    link.mask = mask;
    link.ttl = ttl.Get();
    device->SetReceiveCallback(MakeBoundCallback(&StarHost::Receive, End{this, m_links.size()}));
    m_links.push_back(std::move(link));
}

void
StarHost::Listen(uint16_t port, Taker take)
{
    NS_LOG_FUNCTION(this << port);
    Leave(port);
    m_listeners.push_back({port, std::move(take)});
}

void
StarHost::Leave(uint16_t port)
{
    NS_LOG_FUNCTION(this << port);
    const auto isIts = [port](const Listener& listener) { return listener.port == port; };
    m_listeners.erase(std::remove_if(m_listeners.begin(), m_listeners.end(), isIts),
                      m_listeners.end());
}

bool
StarHost::IsEnd(const Link& link, Ipv4Address address)
{
    constexpr uint32_t ADDRESSES_A_LINK = 4;
    return link.mask.IsMatch(address, link.network) && address != link.own &&
           (address.Get() - link.network.Get()) % ADDRESSES_A_LINK == 1;
}

bool
StarHost::Send(Ptr<Packet> payload, uint16_t from, Ipv4Address to, uint16_t port)
{
    NS_LOG_FUNCTION(this << payload << from << to << port);
    const auto leadsTo = [to](const Link& link) { return IsEnd(link, to); };
    const auto link = std::find_if(m_links.begin(), m_links.end(), leadsTo);
    const uint32_t bytes = payload->GetSize() + UDP_BYTES;
    if (link == m_links.end() || !link->interface->IsUp() || Node::ChecksumEnabled() ||
        bytes + IPV4_BYTES > link->device->GetMtu())
    {
        return false;
    }
    UdpHeader udp;
    udp.SetSourcePort(from);
    udp.SetDestinationPort(port);
    payload->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(link->own);
    ip.SetDestination(to);
    ip.SetProtocol(UdpL4Protocol::PROT_NUMBER);
    ip.SetPayloadSize(bytes);
    ip.SetTtl(link->ttl);
    ip.SetMayFragment();
    ip.SetIdentification(link->identifications[to.Get()]++);
    payload->AddHeader(ip);
    link->device->Send(payload, link->other, Ipv4L3Protocol::PROT_NUMBER);
    return true;
}

bool
StarHost::Take(const Link& link, Ptr<const Packet> packet) const
{
    constexpr uint8_t VERSION_AND_WORDS = 0x45;
    constexpr uint16_t FRAGMENT = 0x3fff; // more fragments, and the place of this one
    std::array<uint8_t, IPV4_BYTES + UDP_BYTES> head{};
    const bool isPlain = packet->CopyData(head.data(), head.size()) == head.size() &&
                         head[0] == VERSION_AND_WORDS && packet->GetSize() == ReadTwo(&head[2]) &&
                         (ReadTwo(&head[6]) & FRAGMENT) == 0 &&
                         head[9] == UdpL4Protocol::PROT_NUMBER &&
                         packet->GetSize() == IPV4_BYTES + ReadTwo(&head[IPV4_BYTES + 4]);
    if (!isPlain || Ipv4Address::Deserialize(&head[16]) != link.own || !link.interface->IsUp() ||
        Node::ChecksumEnabled())
    {
        return false;
    }
    const uint16_t port = ReadTwo(&head[IPV4_BYTES + 2]);
    for (const Listener& listener : m_listeners)
    {
        if (listener.port == port)
        {
            const Ptr<Packet> payload = packet->Copy();
            payload->RemoveAtStart(head.size());
            listener.take(payload, Ipv4Address::Deserialize(&head[12]), ReadTwo(&head[IPV4_BYTES]));
            return true;
        }
    }
    return false;
}

bool
StarHost::Receive(End end,
                  Ptr<NetDevice> device,
                  Ptr<const Packet> packet,
                  uint16_t protocol,
                  const Address& from)
{
    if (protocol != Ipv4L3Protocol::PROT_NUMBER || end.link >= end.host->m_links.size())
    {
        return false; // an other protocol, or the node is gone
    }
    const Link& link = end.host->m_links[end.link];
    if (!end.host->Take(link, packet))
    {
        link.ipv4
            ->Receive(device, packet, protocol, from, device->GetAddress(), NetDevice::PACKET_HOST);
    }
    return true;
}

} // namespace ns3
