/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "static-split-policy.h"

#include "free-ports.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StaticSplitPolicy");

namespace
{

__extension__ using Wide = unsigned __int128;

/** @return the partners of each rank in a parallelism */
std::map<RankId, uint32_t>
CountPartners(const ParallelismDemand& parallelism)
{
    std::map<RankId, uint32_t> partners;
    for (const auto& [one, other] : NormalizePairs(parallelism.pairs))
    {
        ++partners[one];
        ++partners[other];
    }
    return partners;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(StaticSplitPolicy);

TypeId
StaticSplitPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StaticSplitPolicy")
            .SetParent<StandingPolicy>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<StaticSplitPolicy>()
            .AddAttribute(
                "Division",
                "Where the ports go that are left when each pair has a link: to "
                "the parallelism with the fewest links a pair (Equally), with the most "
                "bytes for each link (ByTraffic), or for each square of links (ByRoot).",
                EnumValue(EQUALLY),
                MakeRailsEnumAccessor<Division>(&StaticSplitPolicy::m_division),
                MakeEnumChecker(EQUALLY, "Equally", BY_TRAFFIC, "ByTraffic", BY_ROOT, "ByRoot"));
    return tid;
}

bool
StaticSplitPolicy::IsBefore(const ParallelismDemand& one,
                            uint32_t itsLinks,
                            const ParallelismDemand& other,
                            uint32_t otherLinks) const
{
    if (m_division == EQUALLY)
    {
        return itsLinks < otherLinks;
    }
    const bool squares = m_division == BY_ROOT;
    return Wide{one.bytes} * otherLinks * (squares ? otherLinks : 1) >
           Wide{other.bytes} * itsLinks * (squares ? itsLinks : 1);
}

bool
StaticSplitPolicy::Suffices(const JobDemand& demand, const std::vector<uint32_t>& links) const
{
    std::map<RankId, uint32_t> ports;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        for (const auto& [rank, partners] : CountPartners(demand.parallelisms[i]))
        {
            ports[rank] += partners * links[i];
        }
    }
    return std::all_of(ports.begin(), ports.end(), [this, &demand](const auto& need) {
        return need.second <= GetCabling().GetOwnedPorts(demand.job, need.first).size();
    });
}

std::string
StaticSplitPolicy::GetWhyNot(const JobDemand& demand) const
{
    std::map<RankId, std::vector<std::string>> names;
    std::map<RankId, uint32_t> degrees;
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        for (const auto& [rank, partners] : CountPartners(parallelism))
        {
            degrees[rank] += partners;
            names[rank].push_back(parallelism.name);
        }
    }
    for (const auto& [rank, degree] : degrees)
    {
        const std::size_t ports = GetCabling().GetOwnedPorts(demand.job, rank).size();
        if (degree > ports)
        {
            std::ostringstream why;
            why << "a static split for";
            for (const std::string& name : names[rank])
            {
                why << " " << name;
            }
            why << " needs " << degree << " ports at rank " << rank << ", which has " << ports
                << ": " << degree << " > " << ports;
            return why.str();
        }
    }
    return "";
}

std::vector<uint32_t>
StaticSplitPolicy::Divide(const JobDemand& demand) const
{
    std::vector<uint32_t> links(demand.parallelisms.size(), 1);
    std::vector<bool> full(links.size(), false);
    const auto isBefore = [this, &demand, &links](std::size_t one, std::size_t other) {
        return IsBefore(demand.parallelisms[one],
                        links[one],
                        demand.parallelisms[other],
                        links[other]);
    };
    while (true)
    {
        std::size_t next = links.size();
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            const bool joins = !full[i] && !demand.parallelisms[i].pairs.empty();
            next = joins && (next == links.size() || isBefore(i, next)) ? i : next;
        }
        if (next == links.size())
        {
            return links;
        }
        ++links[next];
        if (!Suffices(demand, links))
        {
            --links[next];
            full[next] = true;
        }
    }
}

CircuitTarget
StaticSplitPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << demand.job);
    CircuitTarget refused;
    refused.refusal = GetWhyNot(demand);
    if (!refused.IsPossible())
    {
        return refused;
    }
    const std::vector<uint32_t> links = Divide(demand);
    FreePorts supply(demand.job, GetCabling());
    std::vector<RankCircuit> wanted;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        for (const auto& [one, other] : NormalizePairs(demand.parallelisms[i].pairs))
        {
            for (uint32_t link = 0; link < links[i] && supply.CanJoin(one, other); ++link)
            {
                wanted.push_back(supply.Join(one, other));
            }
        }
    }
    NS_LOG_INFO("job " << demand.job << " starts with " << wanted.size() << " circuits");
    return PlanTowards(wanted, circuits, GetCabling());
}

} // namespace ns3
