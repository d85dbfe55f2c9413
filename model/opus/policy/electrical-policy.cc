/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-policy.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ElectricalPolicy);

TypeId
ElectricalPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ElectricalPolicy")
                            .SetParent<CircuitPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<ElectricalPolicy>();
    return tid;
}

CircuitTarget
ElectricalPolicy::GetTarget(const CircuitQuestion&)
{
    CircuitTarget none;
    none.refusal = "electrical rails have no circuits: their ranks need not request any";
    return none;
}

bool
ElectricalPolicy::NeedsControlPlane() const
{
    return false;
}

} // namespace ns3
