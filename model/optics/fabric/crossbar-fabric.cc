/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "crossbar-fabric.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CrossbarFabric);

TypeId
CrossbarFabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CrossbarFabric")
                            .SetParent<SwitchFabric>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<CrossbarFabric>();
    return tid;
}

} // namespace ns3
