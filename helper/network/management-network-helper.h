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
 * @brief Builds the network of the control plane, from ordinary ns-3 devices: each server,
 * controller and switch on a point-to-point link to one router, and IPv4.
 *
 * From one node to another, N bytes of UDP payload take the latency and, on each of the two links,
 * the time of N + 30 bytes at the rate (UDP 8, IPv4 20, PPP 2), without queueing.
 *
 * The queues of the links hold all datagrams that the OpusChannels of all nodes may have in flight
 * to one node: OpusHeader::WINDOW datagrams each and as many acknowledgements. So simultaneous
 * requests wait in queues, and none is dropped; losses come only from SetLoss() and Cut().
 *
 * A node that has an internet stack keeps it; it gets one more interface and one route, to this
 * network's addresses, through the router. A node that is listed twice, such as a server with a
 * controller, gets one link.
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

    /** @param rate of each link. The default is 1 Gb/s, as usual for management ports. */
    void SetRate(DataRate rate);

    /**
     * @param latency from any node to any other, in one direction, without the serialisation time:
     *        half of it on each link, except for a picosecond or two in which the router ends an
     *        instant before it forwards the packets of that instant by link. The default is 10 us:
     *        a hundred metres of cable on each link are 1 us, the rest is the switches that the
     *        router represents.
     */
    void SetLatency(Time latency);

    /**
     * @param loss share of the packets that each link loses, in each direction, 0 to 1; 0 by
     *        default
     */
    void SetLoss(double loss);

    /** @return share of the packets that each link loses */
    double GetLoss() const
    {
        return m_loss;
    }

    /**
     * @param network first address. The default is 10.255.0.0/16; each link takes 4.
     */
    void SetNetwork(Ipv4Address network, Ipv4Mask mask);

    /**
     * @param there bytes on the link to a node, all at once, from any other nodes
     * @param back bytes on that link from it, in answer
     * @return the largest time from the sending to the last answer, if each node has little to send
     */
    Time GetRoundTrip(uint64_t there, uint64_t back) const;

    /** @param bytes on a link @return the time that it takes to send them */
    Time GetTransmissionTime(uint64_t bytes) const;

    /** @return the network */
    ManagementNetwork Install(const NodeContainer& nodes) const;

    /**
     * Fixes the random losses of a network.
     * @param network built by a ManagementNetworkHelper
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
