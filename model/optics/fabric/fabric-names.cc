/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-names.h"

#include "benes-fabric.h"
#include "crossbar-fabric.h"
#include "crossbar-mesh-fabric.h"
#include "hexagonal-mesh-fabric.h"

namespace ns3
{

const TypeAliases&
GetFabricAliases()
{
    static const TypeAliases aliases("fabric",
                                     SwitchFabric::GetTypeId(),
                                     {
                                         {"crossbar", &CrossbarFabric::GetTypeId},
                                         {"hexagonal", &HexagonalMeshFabric::GetTypeId},
                                         {"benes", &BenesFabric::GetTypeId},
                                         {"crossbar-mesh", &CrossbarMeshFabric::GetTypeId},
                                     });
    return aliases;
}

ObjectFactory
MakeFabricFactory(const std::string& name)
{
    return GetFabricAliases().MakeFactory(name);
}

} // namespace ns3
