/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "on-demand-policy.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OnDemandPolicy");

NS_OBJECT_ENSURE_REGISTERED(OnDemandPolicy);

TypeId
OnDemandPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OnDemandPolicy")
                            .SetParent<CircuitPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OnDemandPolicy>();
    return tid;
}

void
OnDemandPolicy::NotifyCabling()
{
    NS_LOG_FUNCTION(this);
    m_planner = std::make_unique<CircuitPlanner>(ShareCabling());
}

CircuitTarget
OnDemandPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
    return m_planner->Plan(question);
}

bool
OnDemandPolicy::AllowsDetours() const
{
    return true;
}

uint64_t
OnDemandPolicy::GetCacheHits() const
{
    return m_planner->GetCacheHits();
}

} // namespace ns3
