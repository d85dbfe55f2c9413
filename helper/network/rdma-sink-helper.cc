/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-sink-helper.h"

#include "attribute-check.h"
#include "named-node.h"

#include "ns3/rdma-sink-application.h"

namespace ns3
{

RdmaSinkHelper::RdmaSinkHelper()
{
    m_factory.SetTypeId(RdmaSinkApplication::GetTypeId());
}

void
RdmaSinkHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    RequireAttribute(m_factory.GetTypeId(), name, value);
    m_factory.Set(name, value);
}

ApplicationContainer
RdmaSinkHelper::Install(const NodeContainer& nodes) const
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
RdmaSinkHelper::Install(Ptr<Node> node) const
{
    return Install(NodeContainer(node));
}

ApplicationContainer
RdmaSinkHelper::Install(const std::string& node) const
{
    return Install(FindNamedNode(node, "RdmaSinkHelper"));
}

} // namespace ns3
