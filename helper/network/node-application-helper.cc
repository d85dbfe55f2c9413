/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "node-application-helper.h"

#include "attribute-check.h"
#include "named-node.h"

#include "ns3/application.h"
#include "ns3/node.h"

namespace ns3
{

NodeApplicationHelper::NodeApplicationHelper(TypeId type, const std::string& name)
    : m_name(name)
{
    m_factory.SetTypeId(type);
}

void
NodeApplicationHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    RequireAttribute(m_factory.GetTypeId(), name, value);
    m_factory.Set(name, value);
}

ApplicationContainer
NodeApplicationHelper::Install(const NodeContainer& nodes) const
{
    ApplicationContainer applications;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const Ptr<Application> application = m_factory.Create<Application>();
        (*node)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

ApplicationContainer
NodeApplicationHelper::Install(Ptr<Node> node) const
{
    return Install(NodeContainer(node));
}

ApplicationContainer
NodeApplicationHelper::Install(const std::string& node) const
{
    return Install(FindNamedNode(node, m_name));
}

} // namespace ns3
