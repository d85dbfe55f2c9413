/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "co-scheduled-policy.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CoScheduledPolicy);

TypeId
CoScheduledPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CoScheduledPolicy")
                            .SetParent<OnDemandPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<CoScheduledPolicy>();
    return tid;
}

} // namespace ns3
