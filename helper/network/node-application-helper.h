/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NODE_APPLICATION_HELPER_H
#define PHOTONIC_RAILS_NODE_APPLICATION_HELPER_H

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs one Application of a type on each of some nodes: the base of helpers for the
 * applications of a host, RdmaClientHelper and RdmaSinkHelper.
 *
 * It keeps nothing of what it installed.
 */
class NodeApplicationHelper
{
  public:
    /** Sets an attribute of the applications that are installed from now on. */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param nodes nodes that have what the application needs
     * @return the applications, in the order of the nodes
     */
    ApplicationContainer Install(const NodeContainer& nodes) const;

    /** @param node the only node */
    ApplicationContainer Install(Ptr<Node> node) const;

    /** @param node the only node, by its name in ns-3's Names */
    ApplicationContainer Install(const std::string& node) const;

  protected:
    /**
     * @param type of the applications
     * @param name of the helper, for errors
     */
    NodeApplicationHelper(TypeId type, const std::string& name);
    ~NodeApplicationHelper() = default;

  private:
    ObjectFactory m_factory;
    std::string m_name;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NODE_APPLICATION_HELPER_H */
