/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "giant-ring-reaction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GiantRingReaction);

TypeId
GiantRingReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GiantRingReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<GiantRingReaction>();
    return tid;
}

Recovery
GiantRingReaction::Decide(const FailureCase&) const
{
    return End("a giant ring replaces a controller, not a GPU");
}

FailureReaction::InPlace
GiantRingReaction::GetInPlace() const
{
    return InPlace::RINGS;
}

} // namespace ns3
