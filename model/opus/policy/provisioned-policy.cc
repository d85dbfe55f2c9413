/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "provisioned-policy.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProvisionedPolicy);

TypeId
ProvisionedPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ProvisionedPolicy")
                            .SetParent<OnDemandPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<ProvisionedPolicy>();
    return tid;
}

} // namespace ns3
