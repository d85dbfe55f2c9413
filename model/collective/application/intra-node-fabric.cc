/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-fabric.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IntraNodeFabric);

TypeId
IntraNodeFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IntraNodeFabric").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

} // namespace ns3
