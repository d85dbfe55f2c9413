/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAR_NETWORK_HELPER_H
#define PHOTONIC_RAILS_STAR_NETWORK_HELPER_H

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/star-network.h"

#include <string>

namespace ns3
{

/** What holds the packets that a link of a star has no room for. */
enum class StarQueues
{
    QUEUE_DISCS,  //!< the queue of each device, and above it the queue disc that ns-3 installs
    DEVICES_ALONE //!< the queue of each device; what it has no room for is lost
};

/**
 * Builds a star network. The router forwards the packets of an instant when the instant is over, by
 * link and not in the order of events; this takes one or two picoseconds of the latency, whose rest
 * the two links share equally. A node that has an internet stack keeps it; it gets one more
 * interface, and one route: to this network's addresses, through the router. Nodes may run already.
 *
 * The router takes IPv4 alone, from the devices themselves: a Node asks the handlers of all its
 * devices for each packet.
 * @param nodes each once
 * @param links the type and attributes of all links, except for their delay
 * @param latency from any node to any other, in one direction, without the serialisation time; 3 ps
 *        or more
 * @param network first address; each link takes 4
 * @param queues what queues packets
 * @param helper name of the caller, for errors
 * @param kind the kind of the nodes, for errors: "servers"
 * @return the network
 */
StarNetwork BuildStarNetwork(const NodeContainer& nodes,
                             PointToPointHelper links,
                             Time latency,
                             Ipv4Address network,
                             Ipv4Mask mask,
                             StarQueues queues,
                             const std::string& helper,
                             const std::string& kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAR_NETWORK_HELPER_H */
