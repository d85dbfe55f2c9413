/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "standing-policies.h"

#include <algorithm>
#include <map>
#include <queue>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

/** Gives ports of a job's ranks to circuits, one after the other, lowest first. */
class PortSupply
{
  public:
    PortSupply(JobId job, const Cabling& cabling)
        : m_job(job),
          m_cabling(cabling)
    {
    }

    /** @return whether both ranks have a port left, and are on one rail */
    bool CanJoin(RankId one, RankId other)
    {
        return one != other && !FreeOf(one).empty() && !FreeOf(other).empty() &&
               m_cabling.GetRail(one) == m_cabling.GetRail(other);
    }

    /** @return a circuit of their next ports */
    RankCircuit Join(RankId one, RankId other)
    {
        return {one, TakeFrom(one), other, TakeFrom(other)};
    }

  private:
    std::vector<uint32_t>& FreeOf(RankId rank)
    {
        const auto [free, isNew] = m_free.try_emplace(rank);
        if (isNew)
        {
            free->second = m_cabling.GetOwnedPorts(m_job, rank);
        }
        return free->second;
    }

    uint32_t TakeFrom(RankId rank)
    {
        std::vector<uint32_t>& free = FreeOf(rank);
        const uint32_t port = free.front();
        free.erase(free.begin());
        return port;
    }

    JobId m_job;
    const Cabling& m_cabling;
    std::map<RankId, std::vector<uint32_t>> m_free;
};

/** @return the partners of each rank in a dimension */
std::map<RankId, uint32_t>
CountPartners(const DimensionDemand& dimension)
{
    std::map<RankId, uint32_t> partners;
    for (const auto& [one, other] : NormalizePairs(dimension.pairs))
    {
        ++partners[one];
        ++partners[other];
    }
    return partners;
}

} // namespace

CircuitTarget
StandingPolicy::GetTarget(const OpusPhase&,
                          const std::vector<JoinedRanks>& pairs,
                          const RailCircuits& circuits)
{
    CircuitTarget target;
    for (const JoinedRanks& pair : NormalizePairs(pairs))
    {
        const std::vector<RankCircuit> there = FindCircuits(pair, circuits, GetCabling());
        if (there.empty())
        {
            target.refusal = "no circuit joins rank " + std::to_string(pair.first.Get()) +
                             " and rank " + std::to_string(pair.second.Get()) +
                             ", and circuits are not changed";
            return target;
        }
        target.circuits.insert(target.circuits.end(), there.begin(), there.end());
    }
    return target;
}

CircuitTarget
DemandPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    struct Wish
    {
        uint64_t bytes; // both ways
        uint64_t links; // that the pair would have with the next one
        uint32_t one;
        uint32_t other;

        bool operator<(const Wish& later) const // the greatest comes first
        {
            const Wide mine = Wide{bytes} * later.links;
            const Wide its = Wide{later.bytes} * links;
            return mine != its ? mine < its
                               : std::tie(one, other) > std::tie(later.one, later.other);
        }
    };

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
    PortSupply supply(demand.job, GetCabling());
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
    return PlanTowards(wanted, circuits, GetCabling());
}

CircuitTarget
OneShotPolicy::GetTarget(const OpusPhase& phase,
                         const std::vector<JoinedRanks>& pairs,
                         const RailCircuits& circuits)
{
    const CircuitTarget standing = StandingPolicy::GetTarget(phase, pairs, circuits);
    if (standing.IsPossible())
    {
        return standing;
    }
    const CircuitTarget fresh = PlanCircuits(phase.job, pairs, circuits, GetCabling());
    const bool takesNothing =
        fresh.IsPossible() &&
        std::all_of(fresh.changes.begin(), fresh.changes.end(), [](const auto& change) {
            return change.second.GetDisconnects().empty();
        });
    return takesNothing ? fresh : standing;
}

StaticSplitPolicy::StaticSplitPolicy(std::shared_ptr<const Cabling> cabling, Division division)
    : StandingPolicy(std::move(cabling)),
      m_division(division)
{
}

bool
StaticSplitPolicy::Suffices(const JobDemand& demand, const std::vector<uint32_t>& links) const
{
    std::map<RankId, uint32_t> ports;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        for (const auto& [rank, partners] : CountPartners(demand.dimensions[i]))
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
    for (const DimensionDemand& dimension : demand.dimensions)
    {
        for (const auto& [rank, partners] : CountPartners(dimension))
        {
            degrees[rank] += partners;
            names[rank].push_back(dimension.name);
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
    std::vector<uint32_t> links(demand.dimensions.size(), 1);
    std::vector<bool> full(links.size(), false);
    const auto isWorse = [this, &demand, &links](std::size_t one, std::size_t other) {
        return m_division == Division::EQUALLY
                   ? links[one] < links[other]
                   : Wide{demand.dimensions[one].bytes} * links[other] >
                         Wide{demand.dimensions[other].bytes} * links[one];
    };
    while (true)
    {
        std::size_t next = links.size();
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            const bool joins = !full[i] && !demand.dimensions[i].pairs.empty();
            next = joins && (next == links.size() || isWorse(i, next)) ? i : next;
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
    CircuitTarget refused;
    refused.refusal = GetWhyNot(demand);
    if (!refused.IsPossible())
    {
        return refused;
    }
    const std::vector<uint32_t> links = Divide(demand);
    PortSupply supply(demand.job, GetCabling());
    std::vector<RankCircuit> wanted;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        for (const auto& [one, other] : NormalizePairs(demand.dimensions[i].pairs))
        {
            for (uint32_t link = 0; link < links[i] && supply.CanJoin(one, other); ++link)
            {
                wanted.push_back(supply.Join(one, other));
            }
        }
    }
    return PlanTowards(wanted, circuits, GetCabling());
}

std::unique_ptr<CircuitPolicy>
MakeStaticSplitByTraffic(std::shared_ptr<const Cabling> cabling)
{
    return std::make_unique<StaticSplitPolicy>(std::move(cabling),
                                               StaticSplitPolicy::Division::BY_TRAFFIC);
}

} // namespace ns3
