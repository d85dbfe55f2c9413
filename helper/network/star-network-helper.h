/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAR_NETWORK_HELPER_H
#define PHOTONIC_RAILS_STAR_NETWORK_HELPER_H

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/picoseconds.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/star-network.h"

#include <string>

namespace ns3
{

/**
 * Builds a star network. What comes to the router at one instant goes on when the instant is over,
 * by link and not in the order of events; that takes it one or two of the picoseconds of the
 * latency, whose rest the two links share equally. A node that has an internet stack keeps it; it
 * gets one more interface, and one route: to this network's addresses, through the router.
 * @param nodes each once
 * @param links what they are like, but for their delay
 * @param latency from any node to any other, one way, beside what the bits last; 3 ps or more
 * @param network where the addresses begin; each link takes 4
 * @param helper for whom, in words of errors
 * @param kind what the nodes are, in words of errors: "servers"
 * @return the network
 */
StarNetwork BuildStarNetwork(const NodeContainer& nodes,
                             PointToPointHelper links,
                             Picoseconds latency,
                             Ipv4Address network,
                             Ipv4Mask mask,
                             const std::string& helper,
                             const std::string& kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAR_NETWORK_HELPER_H */
