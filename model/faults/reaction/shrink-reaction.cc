/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shrink-reaction.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ShrinkReaction);

TypeId
ShrinkReaction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ShrinkReaction")
                            .SetParent<FailureReaction>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<ShrinkReaction>();
    return tid;
}

Recovery
ShrinkReaction::Decide(const FailureCase& failure) const
{
    const ParallelismPlan& plan = failure.plan;
    if (plan.ep > 1 || plan.replicas > 1)
    {
        return End("a plan with expert parallelism or replicas of shards does not shrink");
    }
    const RankLayout layout(plan);
    std::vector<uint32_t> placeOf(failure.servers.size()); // of a server, in data parallelism
    std::set<uint32_t> left;
    for (uint32_t rank = 0; rank < plan.GetRanks(); ++rank)
    {
        const uint32_t place = layout.GetPlace(rank, Parallelism::SHARD);
        uint32_t& known = placeOf[layout.GetServer(rank)];
        if (layout.GetRail(rank) > 0 && known != place)
        {
            return End("a server holds more than one data-parallel place of the plan");
        }
        known = place;
        left.insert(place);
    }
    for (std::size_t s = 0; s < failure.servers.size(); ++s)
    {
        if (failure.lost.count(failure.servers[s]) > 0)
        {
            left.erase(placeOf[s]);
        }
    }
    if (left.empty())
    {
        return End("every data-parallel replica has lost a server");
    }
    Recovery recovery;
    recovery.goesOn = true;
    recovery.plan = plan;
    recovery.plan.dp = left.size();
    for (std::size_t s = 0; s < failure.servers.size(); ++s)
    {
        if (left.count(placeOf[s]) > 0)
        {
            recovery.servers.push_back(failure.servers[s]);
            recovery.formerPlace.push_back(s);
        }
    }
    recovery.why = std::to_string(left.size()) + " of " + std::to_string(plan.dp) +
                   " data-parallel replicas go on";
    return recovery;
}

} // namespace ns3
