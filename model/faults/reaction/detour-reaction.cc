/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "detour-reaction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DetourReaction);

TypeId
DetourReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DetourReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<DetourReaction>();
    return tid;
}

Recovery
DetourReaction::Decide(const FailureCase& failure) const
{
    Recovery recovery = Keep(failure);
    Replace(recovery, failure, failure.spares);
    if (recovery.goesOn)
    {
        recovery.policy = "giant-ring";
        recovery.why += ", over the GPUs between";
    }
    return recovery;
}

} // namespace ns3
