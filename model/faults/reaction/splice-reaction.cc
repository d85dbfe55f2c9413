/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "splice-reaction.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SpliceReaction);

TypeId
SpliceReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SpliceReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<SpliceReaction>();
    return tid;
}

Recovery
SpliceReaction::Decide(const FailureCase& failure) const
{
    Recovery recovery = Keep(failure);
    std::vector<uint32_t> spares = failure.spares;
    if (!failure.lost.empty())
    {
        const uint32_t rack = failure.GetRack(*failure.lost.begin());
        std::stable_partition(spares.begin(), spares.end(), [&failure, rack](uint32_t server) {
            return failure.GetRack(server) == rack;
        });
    }
    Replace(recovery, failure, spares);
    return recovery;
}

} // namespace ns3
