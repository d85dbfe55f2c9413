/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-policy.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ElectricalPolicy");

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
ElectricalPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
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
