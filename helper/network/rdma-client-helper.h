/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H
#define PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H

#include "ns3/address.h"
#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs an RdmaClientApplication on nodes: each sends messages to the same NIC port.
 *
 * @code
 * RdmaClientHelper client(rail.GetNic(1)->GetAddress());
 * client.SetAttribute("Messages", UintegerValue(10));
 * client.Install(hosts.Get(0)).Start(MicroSeconds(10));
 * @endcode
 */
class RdmaClientHelper
{
  public:
    /** @param remote the address of the receiving NIC port */
    explicit RdmaClientHelper(const Address& remote);

    /** Sets an attribute of RdmaClientApplication. */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param nodes nodes with an RdmaEngine
     * @return the applications, in the order of the nodes
     */
    ApplicationContainer Install(const NodeContainer& nodes) const;

    /** @param node a node with an RdmaEngine */
    ApplicationContainer Install(Ptr<Node> node) const;

    /** @param node a node with an RdmaEngine, by its name in ns-3's Names */
    ApplicationContainer Install(const std::string& node) const;

  private:
    ObjectFactory m_factory;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H */
