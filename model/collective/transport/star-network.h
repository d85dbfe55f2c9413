/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAR_NETWORK_H
#define PHOTONIC_RAILS_STAR_NETWORK_H

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <vector>

namespace ns3
{

class StarRouting;

/** An IPv4 network of nodes, each on its own link to one router. Everything is indexed by node. */
struct StarNetwork
{
    Ptr<Node> router;                   //!< the router in the middle
    NetDeviceContainer devices;         //!< the nodes' ends of the links
    NetDeviceContainer routerDevices;   //!< the router's ends
    std::vector<Ipv4Address> addresses; //!< of the nodes on this network

  protected:
    /** @return the routing of the router, which has the faults of the links */
    Ptr<StarRouting> GetRouting() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAR_NETWORK_H */
