/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "standing-policies.h"

#include "free-ports.h"

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

std::vector<RankCircuit>
StandingPolicy::FindStanding(const JoinedRanks& pair, const CircuitQuestion& question) const
{
    std::vector<RankCircuit> standing;
    for (const RankCircuit& there : FindCircuits(pair, question.circuits, GetCabling()))
    {
        const auto [one, other] = GetRailPorts(there, GetCabling());
        if (!question.use.IsReconfiguring(one) && !question.use.IsReconfiguring(other))
        {
            standing.push_back(there);
        }
    }
    return standing;
}

std::string
StandingPolicy::FindReconfiguring(const JoinedRanks& pair, const CircuitQuestion& question) const
{
    for (const RankId rank : {pair.first, pair.second})
    {
        for (const PortId number : GetCabling().GetPorts(rank))
        {
            const RailPort port{GetCabling().GetRail(rank), number};
            if (question.use.IsReconfiguring(port))
            {
                return question.use.GetWhyNot(port);
            }
        }
    }
    return "";
}

CircuitTarget
StandingPolicy::GetTarget(const CircuitQuestion& question)
{
    CircuitTarget target;
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        const std::vector<RankCircuit> there = FindStanding(pair, question);
        if (there.empty())
        {
            CircuitTarget none;
            none.waitsFor = FindReconfiguring(pair, question);
            if (none.waitsFor.empty())
            {
                none.refusal = "no circuit joins rank " + std::to_string(pair.first.Get()) +
                               " and rank " + std::to_string(pair.second.Get()) +
                               ", and circuits are not changed";
            }
            return none;
        }
        target.circuits.insert(target.circuits.end(), there.begin(), there.end());
    }
    return target;
}

bool
StandingPolicy::IsForGood() const
{
    return true;
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
            const bool first = links == 1; // before anybody has a second one
            const bool itsFirst = later.links == 1;
            const Wide mine = Wide{bytes} * later.links;
            const Wide its = Wide{later.bytes} * links;
            return first != itsFirst ? itsFirst
                   : mine != its     ? mine < its
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
    return PlanTowards(wanted, circuits, GetCabling());
}

CircuitTarget
OneShotPolicy::GetTarget(const CircuitQuestion& question)
{
    const CircuitTarget standing = StandingPolicy::GetTarget(question);
    if (standing.IsPossible())
    {
        return standing;
    }
    // without regard to what is in use: circuits that others have are not to be waited for
    const CircuitTarget fresh = PlanCircuits(
        {question.phase, question.pairs, question.links, question.circuits, IdlePorts()},
        GetCabling());
    const bool takesNothing =
        fresh.IsPossible() &&
        std::all_of(fresh.changes.begin(), fresh.changes.end(), [](const auto& change) {
            return change.second.GetDisconnects().empty();
        });
    return takesNothing && standing.waitsFor.empty() ? fresh : standing;
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
    const auto isWorse = [this, &demand, &links](std::size_t one, std::size_t other) {
        return m_division == Division::EQUALLY
                   ? links[one] < links[other]
                   : Wide{demand.parallelisms[one].bytes} * links[other] >
                         Wide{demand.parallelisms[other].bytes} * links[one];
    };
    while (true)
    {
        std::size_t next = links.size();
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            const bool joins = !full[i] && !demand.parallelisms[i].pairs.empty();
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
    return PlanTowards(wanted, circuits, GetCabling());
}

std::unique_ptr<CircuitPolicy>
MakeStaticSplitByTraffic(std::shared_ptr<const Cabling> cabling)
{
    return std::make_unique<StaticSplitPolicy>(std::move(cabling),
                                               StaticSplitPolicy::Division::BY_TRAFFIC);
}

} // namespace ns3
