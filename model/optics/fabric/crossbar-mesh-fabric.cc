/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "crossbar-mesh-fabric.h"

#include "ns3/mesh-layouts.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CrossbarMeshFabric);

TypeId
CrossbarMeshFabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CrossbarMeshFabric")
                            .SetParent<MeshFabric>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<CrossbarMeshFabric>();
    return tid;
}

std::shared_ptr<const FabricDescription>
CrossbarMeshFabric::Describe(uint32_t ports) const
{
    return std::make_shared<MeshDescription>(MeshDescription::CROSSBAR,
                                             MakeCrossbarMesh(std::max(1U, ports)),
                                             ports,
                                             GetOptics(),
                                             GetEffort());
}

} // namespace ns3
