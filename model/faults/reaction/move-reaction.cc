/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "move-reaction.h"

#include <map>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MoveReaction);

TypeId
MoveReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MoveReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<MoveReaction>();
    return tid;
}

Recovery
MoveReaction::Decide(const FailureCase& failure) const
{
    std::map<uint32_t, std::vector<uint32_t>> racks;
    for (const uint32_t spare : failure.spares)
    {
        racks[failure.GetRack(spare)].push_back(spare);
    }
    for (const auto& [rack, spares] : racks)
    {
        if (spares.size() >= failure.servers.size())
        {
            Recovery recovery = Keep(failure);
            recovery.servers.assign(spares.begin(), spares.begin() + failure.servers.size());
            recovery.why = "the job moves to rack " + std::to_string(rack);
            return recovery;
        }
    }
    return End("no rack has " + std::to_string(failure.servers.size()) + " servers in reserve");
}

} // namespace ns3
