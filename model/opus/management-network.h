/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MANAGEMENT_NETWORK_H
#define PHOTONIC_RAILS_MANAGEMENT_NETWORK_H

#include "ns3/error-model.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/star-network.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The management network, as it was built. Indices are those of the nodes. */
struct ManagementNetwork : public StarNetwork
{
    NodeContainer nodes;                       //!< at the ends, each once
    std::vector<Ptr<RateErrorModel>> toNodes;  //!< what is lost on the way to each node
    std::vector<Ptr<RateErrorModel>> toRouter; //!< what is lost on the way from each node
    double loss{0};                            //!< of a link that is not cut

    /** @return the address of a node on this network @param node one that is on it */
    Ipv4Address GetAddress(Ptr<Node> node) const;

    /**
     * From now on nothing reaches a node over this network, and nothing from it gets through; what
     * is on its link now is lost. Its interface stays up: it is not told.
     * @param node one that is on it
     */
    void Cut(Ptr<Node> node) const;

    /** Nothing reaches a node any more, and what it says gets through. @param node one on it */
    void CutTo(Ptr<Node> node) const;

    /** What a node says does not get through, and others reach it. @param node one on it */
    void CutFrom(Ptr<Node> node) const;

    /** Mends what was cut, in both directions. @param node one that is on it */
    void Restore(Ptr<Node> node) const;

    /**
     * @param stream the first random stream that losses take
     * @return how many they take
     */
    int64_t AssignStreams(int64_t stream) const;

  private:
    /** @return the index of a node; aborts if it is not on this network */
    uint32_t IndexOf(Ptr<Node> node) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MANAGEMENT_NETWORK_H */
