/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_SINK_HELPER_H
#define PHOTONIC_RAILS_RDMA_SINK_HELPER_H

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs an RdmaSinkApplication on nodes: each counts the messages that arrive at its
 * node.
 */
class RdmaSinkHelper
{
  public:
    RdmaSinkHelper();

    /** Sets an attribute of RdmaSinkApplication. */
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

#endif /* PHOTONIC_RAILS_RDMA_SINK_HELPER_H */
