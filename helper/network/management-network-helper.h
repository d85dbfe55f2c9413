/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MANAGEMENT_NETWORK_HELPER_H
#define PHOTONIC_RAILS_MANAGEMENT_NETWORK_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/management-network.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds the network of the control plane, of ordinary ns-3 devices: each server, controller
 * and switch on a point-to-point link to one router, and IPv4.
 *
 * From one node to another, N bytes of UDP payload take the latency and, on each of the two links,
 * the time of N + 30 bytes at the rate (UDP 8, IPv4 20, PPP 2), where nothing queues.
 *
 * Queues of the links have room for all that OpusChannels of all nodes may have on its way to one:
 * OpusHeader::WINDOW datagrams each and as many acknowledgements. So many requests of one instant
 * wait there, and none is dropped; what is lost is lost by SetLoss() and by Cut().
 *
 * A node that has an internet stack keeps it; it gets one more interface and one route, to this
 * network's addresses, through the router. A node that is given twice, such as a server that has a
 * controller too, gets one link.
 *
 * @code
 * NodeContainer nodes(servers, NodeContainer(controller, switchNode));
 * ManagementNetworkHelper helper;
 * helper.SetLatency(MicroSeconds(20));
 * const ManagementNetwork network = helper.Install(nodes);
 * const OpusPeer peer{network.GetAddress(controller), 4791};
 * @endcode
 */
class ManagementNetworkHelper
{
  public:
    ManagementNetworkHelper();

    /** @param rate of each link. The default is 1 Gb/s, what management ports have. */
    void SetRate(DataRate rate);

    /**
     * @param latency from any node to any other, one way, without the time that the bits last: half
     * of it on each link, but for a picosecond or two by which the router ends an instant before it
     * sends on, by link, what came at it. The default
     * is 10 us: a hundred metres of cable each way are 1 us, the rest is the switches that the
     * router stands for.
     */
    void SetLatency(Time latency);

    /** @param loss share of the packets that each link loses, each way, 0 to 1; 0 by default */
    void SetLoss(double loss);

    /**
     * @param network where the addresses begin. The default is 10.255.0.0/16; each link takes 4.
     */
    void SetNetwork(Ipv4Address network, Ipv4Mask mask);

    /**
     * @param there bytes on the link to a node, all at once, from any others
     * @param back bytes on that link from it, in answer
     * @return from the instant at which others send, to the last answer at the latest, where each
     * of them has little to send
     */
    Time GetRoundTrip(uint64_t there, uint64_t back) const;

    /** @return the network */
    ManagementNetwork Install(const NodeContainer& nodes) const;

    /**
     * Fixes the random losses of a network.
     * @param network a network that such a helper built
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const ManagementNetwork& network, int64_t stream);

  private:
    DataRate m_rate;
    Time m_latency;
    double m_loss{0};
    Ipv4Address m_network;
    Ipv4Mask m_mask;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MANAGEMENT_NETWORK_HELPER_H */
