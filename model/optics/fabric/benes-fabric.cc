/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "benes-fabric.h"

#include "ns3/mesh-layouts.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BenesFabric);

TypeId
BenesFabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BenesFabric")
                            .SetParent<MeshFabric>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<BenesFabric>();
    return tid;
}

std::shared_ptr<const FabricDescription>
BenesFabric::Describe(uint32_t ports) const
{
    uint32_t inputs = 2;
    while (inputs < ports)
    {
        inputs *= 2;
    }
    return std::make_shared<MeshDescription>(MeshDescription::BENES,
                                             MakeBenesMesh(inputs),
                                             ports,
                                             GetOptics(),
                                             GetEffort());
}

} // namespace ns3
