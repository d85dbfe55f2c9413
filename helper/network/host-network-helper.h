/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_NETWORK_HELPER_H
#define PHOTONIC_RAILS_HOST_NETWORK_HELPER_H

#include "suggestible-factory.h"

#include "ns3/data-rate.h"
#include "ns3/host-endpoint.h"
#include "ns3/host-transport.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/star-network.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The network of the hosts; all members are by server. */
struct HostNetwork : public StarNetwork
{
    std::vector<Ptr<HostEndpoint>> endpoints; //!< of the servers

    /**
     * Adds a rank to a server, and informs all servers.
     * @param server the index of its server
     * @param gpu the rank's node
     * @return the rank's transport over this network
     */
    Ptr<HostTransport> Join(RankId rank, uint32_t server, Ptr<Node> gpu) const;
    /**
     * Cuts the link of a server, for packets that come to the router from now on, unless its
     * process has ended (EndProcesses()).
     */
    void Cut(uint32_t server) const;
    /**
     * Ends the processes of all servers (HostEndpoint::EndProcess()). Links that were cut carry
     * packets again, so that the connections end: ns-3's sockets would repeat their last segment
     * for ever.
     */
    void EndProcesses() const;
};

/**
 * @ingroup photonic-rails
 * @brief Builds the network of the hosts: every server on a point-to-point link to one router,
 * IPv4, and a HostEndpoint on each.
 *
 * A server that has an internet stack keeps it; it gets one more interface, and one route: to this
 * network's addresses, through the router. The rest of its routing does not change. Servers have
 * static routing, the router StarRouting.
 *
 * @code
 * const HostNetwork network = HostNetworkHelper().Install(servers);
 * Ptr<HostTransport> transport = network.Join(RankId(0), 0, gpus.Get(0));
 * @endcode
 */
class HostNetworkHelper
{
  public:
    HostNetworkHelper();

    /**
     * @param rate of each link; 0: there is no such network
     * @return a helper with that rate; empty if there is no such network
     */
    static std::optional<HostNetworkHelper> OfRate(DataRate rate);

    /**
     * @param rate of each link. The default is 100 Gb/s, a usual rate of the NICs of a GPU server
     *        for storage and management.
     */
    void SetRate(DataRate rate);

    /**
     * @param delay of each link. The default is 1 us: about 10 m of cable, and the switch that the
     *        router represents.
     */
    void SetDelay(Time delay);

    /** @return the rate of each link */
    DataRate GetRate() const;

    /**
     * @return the least time from a GPU to another of a message without bytes: two links, and the
     *         HostLatency of both ends
     */
    Time GetHopLatency() const;

    /**
     * @param mtu of each link, in bytes. The default is 9000; endpoints derive the size of their
     *        segments from it.
     */
    void SetMtu(uint16_t mtu);

    /**
     * @param network first address. The default is 172.16.0.0/16; each link takes 4.
     */
    void SetNetwork(Ipv4Address network, Ipv4Mask mask);

    /**
     * @param name an attribute of HostEndpoint
     * @param value SegmentSize follows from the MTU if it is not set here. Port is the first one
     *        that is tried: servers that are on several such networks have others on the next
     */
    void SetEndpointAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param servers the nodes
     * @return the network
     */
    HostNetwork Install(const NodeContainer& servers) const;

  private:
    DataRate m_rate;
    Time m_delay;
    uint16_t m_mtu{9000};
    Ipv4Address m_network;
    Ipv4Mask m_mask;
    SuggestibleFactory m_endpoints;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_NETWORK_HELPER_H */
