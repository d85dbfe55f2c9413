/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-neighbors.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/mac48-address.h"
#include "ns3/ndisc-cache.h"
#include "ns3/node.h"

#include <vector>

namespace ns3
{

namespace
{

/** The addresses of one device. */
struct Neighbor
{
    Ptr<NetDevice> device;
    Ptr<Ipv4Interface> ipv4; //!< null without
    Ptr<Ipv6Interface> ipv6; //!< null without
};

Neighbor
Describe(Ptr<NetDevice> device)
{
    Neighbor neighbor{device, nullptr, nullptr};
    if (Ptr<Ipv4L3Protocol> ipv4 = device->GetNode()->GetObject<Ipv4L3Protocol>())
    {
        const int32_t interface = ipv4->GetInterfaceForDevice(device);
        neighbor.ipv4 = interface >= 0 ? ipv4->GetInterface(interface) : nullptr;
    }
    if (Ptr<Ipv6L3Protocol> ipv6 = device->GetNode()->GetObject<Ipv6L3Protocol>())
    {
        const int32_t interface = ipv6->GetInterfaceForDevice(device);
        neighbor.ipv6 = interface >= 0 ? ipv6->GetInterface(interface) : nullptr;
    }
    return neighbor;
}

/** Writes one address into a cache of either kind. */
template <typename Cache, typename IpAddress>
void
Write(Ptr<Cache> cache, IpAddress ip, const Address& mac)
{
    auto* entry = cache->Lookup(ip);
    if (entry == nullptr)
    {
        entry = cache->Add(ip);
    }
    entry->SetMacAddress(mac);
    entry->MarkPermanent();
}

} // namespace

void
FillNeighborCachesOf(const NetDeviceContainer& devices)
{
    std::vector<Neighbor> neighbors;
    for (auto it = devices.Begin(); it != devices.End(); ++it)
    {
        const Neighbor neighbor = Describe(*it);
        if (neighbor.ipv4 || neighbor.ipv6)
        {
            neighbors.push_back(neighbor);
        }
    }
    for (const Neighbor& one : neighbors)
    {
        for (const Neighbor& other : neighbors)
        {
            if (one.device == other.device)
            {
                continue;
            }
            const Address mac = other.device->GetAddress();
            for (uint32_t i = 0; one.ipv4 && other.ipv4 && i < other.ipv4->GetNAddresses(); ++i)
            {
                Write(one.ipv4->GetArpCache(), other.ipv4->GetAddress(i).GetLocal(), mac);
            }
            for (uint32_t i = 0; one.ipv6 && other.ipv6 && i < other.ipv6->GetNAddresses(); ++i)
            {
                Write(one.ipv6->GetNdiscCache(), other.ipv6->GetAddress(i).GetAddress(), mac);
            }
        }
    }
}

} // namespace ns3
