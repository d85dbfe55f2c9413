/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "stop-reaction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StopReaction);

TypeId
StopReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StopReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<StopReaction>();
    return tid;
}

Recovery
StopReaction::Decide(const FailureCase&) const
{
    return End("the job is not to go on after a failure");
}

} // namespace ns3
