/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-fabric.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchFabric");

NS_OBJECT_ENSURE_REGISTERED(SwitchFabric);

TypeId
SwitchFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SwitchFabric").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

SwitchFabric::SwitchFabric()
{
    NS_LOG_FUNCTION(this);
}

SwitchFabric::~SwitchFabric()
{
    NS_LOG_FUNCTION(this);
}

std::shared_ptr<const FabricDescription>
SwitchFabric::Describe(uint32_t) const
{
    return nullptr;
}

std::optional<Time>
SwitchFabric::GetTuningTime() const
{
    return std::nullopt;
}

} // namespace ns3
