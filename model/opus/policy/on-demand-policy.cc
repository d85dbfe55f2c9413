/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "on-demand-policy.h"

namespace ns3
{

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
    m_planner = std::make_unique<CircuitPlanner>(ShareCabling());
}

CircuitTarget
OnDemandPolicy::GetTarget(const CircuitQuestion& question)
{
    return m_planner->Plan(question);
}

uint64_t
OnDemandPolicy::GetCacheHits() const
{
    return m_planner->GetCacheHits();
}

} // namespace ns3
