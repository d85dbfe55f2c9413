/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-client-helper.h"

#include "attribute-check.h"
#include "named-node.h"

#include "ns3/abort.h"
#include "ns3/mac48-address.h"
#include "ns3/rdma-client-application.h"

namespace ns3
{

RdmaClientHelper::RdmaClientHelper(const Address& remote)
{
    NS_ABORT_MSG_UNLESS(Mac48Address::IsMatchingType(remote),
                        "RdmaClientHelper: " << remote
                                             << " is no MAC address; give GetAddress() of a NIC "
                                                "port");
    m_factory.SetTypeId(RdmaClientApplication::GetTypeId());
    SetAttribute("Remote", Mac48AddressValue(Mac48Address::ConvertFrom(remote)));
}

void
RdmaClientHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    RequireAttribute(m_factory.GetTypeId(), name, value);
    m_factory.Set(name, value);
}

ApplicationContainer
RdmaClientHelper::Install(const NodeContainer& nodes) const
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
RdmaClientHelper::Install(Ptr<Node> node) const
{
    return Install(NodeContainer(node));
}

ApplicationContainer
RdmaClientHelper::Install(const std::string& node) const
{
    return Install(FindNamedNode(node, "RdmaClientHelper"));
}

} // namespace ns3
