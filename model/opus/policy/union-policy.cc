/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "union-policy.h"

#include "free-ports.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("UnionPolicy");

NS_OBJECT_ENSURE_REGISTERED(UnionPolicy);

namespace
{

/** @return the ports that each rank needs for links */
std::map<RankId, uint32_t>
CountPorts(const std::vector<LinkedPair>& links)
{
    std::map<RankId, uint32_t> ports;
    for (const LinkedPair& one : links)
    {
        ports[one.pair.first] += one.links;
        ports[one.pair.second] += one.links;
    }
    return ports;
}

/** Adds the links of pairs on rings. */
void
AddRings(std::vector<LinkedPair>& links, const std::vector<JoinedRanks>& rings, uint32_t nicPorts)
{
    std::map<RankId, uint32_t> neighbours;
    for (const JoinedRanks& pair : rings)
    {
        ++neighbours[pair.first];
        ++neighbours[pair.second];
    }
    for (const JoinedRanks& pair : rings)
    {
        const uint32_t most = std::max(neighbours[pair.first], neighbours[pair.second]);
        links.push_back({pair, std::max(1U, nicPorts / most)});
    }
}

} // namespace

std::vector<LinkedPair>
ListUnionLinks(const JobDemand& demand, uint32_t nicPorts)
{
    std::vector<LinkedPair> links;
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        const std::vector<JoinedRanks> rings = NormalizePairs(parallelism.rings);
        const std::set<JoinedRanks> onRings(rings.begin(), rings.end());
        AddRings(links, rings, nicPorts);
        for (const JoinedRanks& pair : NormalizePairs(parallelism.pairs))
        {
            if (onRings.count(pair) == 0)
            {
                links.push_back({pair, nicPorts});
            }
        }
    }
    return links;
}

uint32_t
CountPortsFor(const std::vector<LinkedPair>& links)
{
    uint32_t most = 0;
    for (const auto& [rank, ports] : CountPorts(links))
    {
        most = std::max(most, ports);
    }
    return most;
}

TypeId
UnionPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::UnionPolicy")
            .SetParent<StandingPolicy>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<UnionPolicy>()
            .AddAttribute("NicPorts",
                          "Ports of a NIC, among which a parallelism divides its links when it has "
                          "them alone.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&UnionPolicy::m_nicPorts),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

CircuitTarget
UnionPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << demand.job);
    const std::vector<LinkedPair> links = ListUnionLinks(demand, m_nicPorts);
    for (const auto& [rank, ports] : CountPorts(links))
    {
        const std::size_t owned = GetCabling().GetOwnedPorts(demand.job, rank).size();
        if (ports > owned)
        {
            std::ostringstream why;
            why << "the union of all links needs " << ports << " ports at rank " << rank
                << ", which has " << owned << "; give it " << CountPortsFor(links) << " ports";
            CircuitTarget refused;
            refused.refusal = why.str();
            return refused;
        }
    }
    FreePorts supply(demand.job, GetCabling());
    std::vector<RankCircuit> wanted;
    for (const LinkedPair& one : links)
    {
        for (uint32_t link = 0; link < one.links; ++link)
        {
            wanted.push_back(supply.Join(one.pair.first, one.pair.second));
        }
    }
    NS_LOG_INFO("job " << demand.job << " starts with " << wanted.size() << " circuits");
    return PlanTowards(wanted, circuits, GetCabling());
}

} // namespace ns3
