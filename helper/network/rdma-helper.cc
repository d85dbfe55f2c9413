/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-helper.h"

#include "named-node.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHelper");

RdmaHelper::RdmaHelper()
{
    m_factory.SetTypeId("ns3::RdmaEngine");
}

void
RdmaHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    RequireAttribute(m_factory.GetTypeId(), name, value);
    m_factory.Set(name, value);
}

void
RdmaHelper::Install(const NodeContainer& nodes) const
{
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        const Ptr<Node> node = *it;
        NS_ABORT_MSG_IF(node->GetObject<RdmaEngine>(),
                        "RdmaHelper: node " << node->GetId()
                                            << " has an RdmaEngine already; install one once");
        Ptr<RdmaEngine> engine = m_factory.Create<RdmaEngine>();
        for (uint32_t d = 0; d < node->GetNDevices(); ++d)
        {
            if (Ptr<RailNetDevice> nic = DynamicCast<RailNetDevice>(node->GetDevice(d)))
            {
                engine->AddPort(nic);
            }
        }
        NS_ABORT_MSG_IF(engine->GetPorts() == 0,
                        "RdmaHelper: node " << node->GetId()
                                            << " is on no rail; install the rails first");
        NS_LOG_INFO("node " << node->GetId() << " has an engine of " << engine->GetPorts()
                            << " ports");
        node->AggregateObject(engine);
    }
}

void
RdmaHelper::Install(Ptr<Node> node) const
{
    Install(NodeContainer(node));
}

void
RdmaHelper::Install(const std::string& node) const
{
    Install(FindNamedNode(node, "RdmaHelper"));
}

} // namespace ns3
