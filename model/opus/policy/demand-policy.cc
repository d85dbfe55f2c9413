/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "demand-policy.h"

#include "free-ports.h"

#include "ns3/log.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DemandPolicy");

namespace
{

__extension__ using Wide = unsigned __int128;

/** A pair that could have one more link. */
struct Wish
{
    uint64_t bytes; // of both directions
    uint64_t links; // of the pair, with the next one
    uint32_t one;
    uint32_t other;

    bool operator<(const Wish& later) const // the greatest is first
    {
        const bool first = links == 1; // before any pair has a second one
        const bool itsFirst = later.links == 1;
        const Wide mine = Wide{bytes} * later.links;
        const Wide its = Wide{later.bytes} * links;
        return first != itsFirst ? itsFirst
               : mine != its     ? mine < its
                                 : std::tie(one, other) > std::tie(later.one, later.other);
    }
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DemandPolicy);

TypeId
DemandPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DemandPolicy")
                            .SetParent<StandingPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<DemandPolicy>();
    return tid;
}

CircuitTarget
DemandPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << demand.job);
    std::priority_queue<Wish> wishes;
    for (uint32_t one = 0; one < demand.matrix.GetRanks(); ++one)
    {
        for (uint32_t other = one + 1; other < demand.matrix.GetRanks(); ++other)
        {
            const uint64_t bytes = demand.matrix.Get(one, other) + demand.matrix.Get(other, one);
            if (bytes > 0)
            {
                wishes.push({bytes, 1, one, other});
            }
        }
    }
    FreePorts supply(demand.job, GetCabling());
    std::vector<RankCircuit> wanted;
    while (!wishes.empty())
    {
        Wish wish = wishes.top();
        wishes.pop();
        const RankId one = demand.ranks.at(wish.one);
        const RankId other = demand.ranks.at(wish.other);
        if (supply.CanJoin(one, other))
        {
            wanted.push_back(supply.Join(one, other));
            ++wish.links;
            wishes.push(wish);
        }
    }
    NS_LOG_INFO("job " << demand.job << " starts with " << wanted.size() << " circuits");
    return PlanTowards(wanted, circuits, GetCabling());
}

} // namespace ns3
