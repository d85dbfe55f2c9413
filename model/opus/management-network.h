/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MANAGEMENT_NETWORK_H
#define PHOTONIC_RAILS_MANAGEMENT_NETWORK_H

#include "ns3/error-model.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/star-network.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The management network of a cluster. Indices are those of the nodes. */
struct ManagementNetwork : public StarNetwork
{
    NodeContainer nodes;                       //!< at the ends of the links, each once
    std::vector<Ptr<RateErrorModel>> toNodes;  //!< losses on the link to each node
    std::vector<Ptr<RateErrorModel>> toRouter; //!< losses on the link from each node
    double loss{0};                            //!< loss rate of a link that is not cut

    /**
     * @param node one on the network
     * @return the address of the node on this network
     */
    Ipv4Address GetAddress(Ptr<Node> node) const;

    /**
     * Cuts the link of a node in both directions, now; packets on the link are lost. The node's
     * interface stays up: it gets no report of the cut.
     * @param node one on the network
     */
    void Cut(Ptr<Node> node) const;

    /**
     * Cuts the link to a node; packets from it still get through.
     * @param node one on the network
     */
    void CutTo(Ptr<Node> node) const;

    /**
     * Cuts the link from a node; packets to it still get through.
     * @param node one on the network
     */
    void CutFrom(Ptr<Node> node) const;

    /** Restores the link of a node in both directions. @param node one on the network */
    void Restore(Ptr<Node> node) const;

    /**
     * Sets further losses of the link of a node, in both directions, beside those of the network,
     * for packets that come to the router from now on.
     * @param node one on the network
     * @param rate share of the packets, 0 to 1; 0: none
     */
    void SetLoss(Ptr<Node> node, double rate) const;

    /**
     * Sets a further delay of the link of a node, in both directions, for packets that come to the
     * router from now on. Packets are not reordered.
     * @param node one on the network
     * @param extra beside the latency; 0: none
     */
    void SetExtraDelay(Ptr<Node> node, Time extra) const;

    /**
     * Divides the network, now: no packet gets from one part to another.
     * @param parts nodes that are apart from all others; none: the network is whole
     */
    void Divide(const std::vector<NodeContainer>& parts) const;

    /**
     * @param stream the first random stream of the losses
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;

  private:
    /** @return the index of a node; aborts if it is not on this network */
    uint32_t IndexOf(Ptr<Node> node) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MANAGEMENT_NETWORK_H */
