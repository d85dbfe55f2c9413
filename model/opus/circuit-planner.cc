/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-planner.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/** Plans that are remembered; a job has a few hundred, a job that never repeats itself none. */
constexpr std::size_t REMEMBERED = 1 << 14;

/** @return by rank, its partners */
std::map<RankId, uint32_t>
CountPartners(const std::vector<JoinedRanks>& normalized)
{
    std::map<RankId, uint32_t> partners;
    for (const auto& [one, other] : normalized)
    {
        ++partners[one];
        ++partners[other];
    }
    return partners;
}

/** @return why a rank cannot have so many partners, or nothing */
std::string
GetWhyNotRank(JobId job, RankId rank, uint32_t partners, const Cabling& cabling)
{
    std::ostringstream why;
    if (!cabling.IsKnown(rank))
    {
        why << "there is no rank " << rank << " on any rail";
        return why.str();
    }
    const std::size_t ports = cabling.GetOwnedPorts(job, rank).size();
    if (ports == 0)
    {
        why << "job " << job << " owns no port of rank " << rank;
    }
    else if (partners > ports)
    {
        why << "rank " << rank << " is to be joined to " << partners << " others at once, and has "
            << ports << " ports: " << partners << " > " << ports;
    }
    return why.str();
}

/** @return why pairs can never be joined at once, or nothing */
std::string
GetWhyNotPairs(JobId job, const std::vector<JoinedRanks>& normalized, const Cabling& cabling)
{
    for (const auto& [one, other] : normalized)
    {
        if (one == other)
        {
            return "rank " + std::to_string(one.Get()) + " is to be joined to itself";
        }
    }
    for (const auto& [rank, partners] : CountPartners(normalized))
    {
        const std::string why = GetWhyNotRank(job, rank, partners, cabling);
        if (!why.empty())
        {
            return why;
        }
    }
    for (const auto& [one, other] : normalized)
    {
        if (cabling.GetRail(one) != cabling.GetRail(other))
        {
            std::ostringstream why;
            why << "rank " << one << " is on rail " << cabling.GetRail(one) << " and rank " << other
                << " on rail " << cabling.GetRail(other) << ": no circuit joins two rails";
            return why.str();
        }
    }
    return "";
}

/** The ports of ranks while they are given to pairs. */
class FreePorts
{
  public:
    FreePorts(JobId job, const RailCircuits& circuits, const Cabling& cabling)
        : m_job(job),
          m_circuits(circuits),
          m_cabling(cabling)
    {
    }

    /** @return whether a port is the job's, and not taken yet */
    bool IsFree(RankId rank, uint32_t port)
    {
        const std::vector<uint32_t>& free = FreeOf(rank);
        return std::find(free.begin(), free.end(), port) != free.end();
    }

    /** Takes a port. */
    void Take(RankId rank, uint32_t port)
    {
        std::vector<uint32_t>& free = FreeOf(rank);
        free.erase(std::find(free.begin(), free.end(), port));
    }

    /** Takes a port: a dark one if there is one, so that fewer circuits are taken down. */
    uint32_t TakeOne(RankId rank)
    {
        const std::vector<uint32_t>& free = FreeOf(rank);
        const CircuitMap& map = m_circuits[m_cabling.GetRail(rank).Get()];
        const std::vector<PortId>& ports = m_cabling.GetPorts(rank);
        auto found = std::find_if(free.begin(), free.end(), [&map, &ports](uint32_t port) {
            return !map.GetPeer(ports[port]);
        });
        const uint32_t port = found == free.end() ? free.front() : *found;
        Take(rank, port);
        return port;
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

    JobId m_job;
    const RailCircuits& m_circuits;
    const Cabling& m_cabling;
    std::map<RankId, std::vector<uint32_t>> m_free;
};

} // namespace

std::vector<JoinedRanks>
MakeRingOf(const std::vector<RankId>& ranks)
{
    std::vector<JoinedRanks> ring;
    for (std::size_t i = 0; i + 1 < ranks.size(); ++i)
    {
        ring.emplace_back(ranks[i], ranks[i + 1]);
    }
    if (ranks.size() > 2)
    {
        ring.emplace_back(ranks.back(), ranks.front());
    }
    return ring;
}

std::vector<JoinedRanks>
NormalizePairs(const std::vector<JoinedRanks>& pairs)
{
    std::vector<JoinedRanks> normalized;
    for (const auto& [one, other] : pairs)
    {
        normalized.emplace_back(std::min(one, other), std::max(one, other));
    }
    std::sort(normalized.begin(), normalized.end());
    normalized.erase(std::unique(normalized.begin(), normalized.end()), normalized.end());
    return normalized;
}

uint32_t
GetDegree(const std::vector<std::vector<JoinedRanks>>& groups)
{
    std::map<RankId, uint32_t> ports;
    uint32_t degree = 0;
    for (const std::vector<JoinedRanks>& pairs : groups)
    {
        for (const auto& [rank, partners] : CountPartners(NormalizePairs(pairs)))
        {
            degree = std::max(degree, ports[rank] += partners);
        }
    }
    return degree;
}

RailCircuits
MakeDarkRails(const Cabling& cabling)
{
    RailCircuits rails(cabling.GetRails());
    for (uint32_t rail = 0; rail < rails.size(); ++rail)
    {
        while (rails[rail].GetPorts() < cabling.GetSwitchPorts(RailId(rail)))
        {
            rails[rail].AddPort();
        }
    }
    return rails;
}

std::pair<RailPort, RailPort>
GetRailPorts(const RankCircuit& circuit, const Cabling& cabling)
{
    const RailId rail = cabling.GetRail(circuit.one);
    return {{rail, cabling.GetPorts(circuit.one).at(circuit.onePort)},
            {rail, cabling.GetPorts(circuit.other).at(circuit.otherPort)}};
}

std::vector<RankCircuit>
FindCircuits(const JoinedRanks& pair, const RailCircuits& circuits, const Cabling& cabling)
{
    std::vector<RankCircuit> found;
    const RailId rail = cabling.GetRail(pair.first);
    const std::vector<PortId>& ports = cabling.GetPorts(pair.first);
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        const std::optional<PortId> peer = circuits[rail.Get()].GetPeer(ports[port]);
        const std::optional<NicPort> there =
            peer ? cabling.FindNicPort({rail, *peer}) : std::optional<NicPort>();
        if (there && there->rank == pair.second)
        {
            found.push_back({pair.first, port, pair.second, there->port});
        }
    }
    return found;
}

CircuitTarget
PlanTowards(const std::vector<RankCircuit>& wanted,
            const RailCircuits& circuits,
            const Cabling& cabling)
{
    CircuitTarget target;
    target.circuits = wanted;
    std::map<RailId, std::vector<Circuit>> byRail;
    for (const RankCircuit& circuit : wanted)
    {
        const auto [one, other] = GetRailPorts(circuit, cabling);
        byRail[one.rail].emplace_back(one.port, other.port);
    }
    for (const auto& [rail, some] : byRail)
    {
        const CircuitPlan plan = circuits[rail.Get()].PlanTowards(some, {});
        if (!plan.IsEmpty())
        {
            target.changes.emplace(rail, plan);
        }
    }
    return target;
}

CircuitTarget
PlanCircuits(JobId job,
             const std::vector<JoinedRanks>& pairs,
             const RailCircuits& circuits,
             const Cabling& cabling)
{
    const std::vector<JoinedRanks> normalized = NormalizePairs(pairs);
    CircuitTarget refused;
    refused.refusal = GetWhyNotPairs(job, normalized, cabling);
    if (!refused.IsPossible())
    {
        return refused;
    }
    const std::map<RankId, uint32_t> partners = CountPartners(normalized);
    std::vector<std::size_t> due; // links, by pair
    FreePorts free(job, circuits, cabling);
    std::vector<RankCircuit> wanted;
    for (const JoinedRanks& pair : normalized)
    {
        due.push_back(
            std::min(cabling.GetOwnedPorts(job, pair.first).size() / partners.at(pair.first),
                     cabling.GetOwnedPorts(job, pair.second).size() / partners.at(pair.second)));
        for (const RankCircuit& there : FindCircuits(pair, circuits, cabling))
        {
            if (due.back() > 0 && free.IsFree(there.one, there.onePort) &&
                free.IsFree(there.other, there.otherPort))
            {
                free.Take(there.one, there.onePort);
                free.Take(there.other, there.otherPort);
                wanted.push_back(there);
                --due.back();
            }
        }
    }
    // what is right already is all taken: now nothing that is right is changed for what is not
    for (std::size_t i = 0; i < normalized.size(); ++i)
    {
        for (const auto& [one, other] = normalized[i]; due[i] > 0; --due[i])
        {
            const uint32_t onePort = free.TakeOne(one);
            wanted.push_back({one, onePort, other, free.TakeOne(other)});
        }
    }
    return PlanTowards(wanted, circuits, cabling);
}

CircuitPlanner::CircuitPlanner(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

std::string
CircuitPlanner::GetWhyNot(JobId job, const std::vector<JoinedRanks>& pairs) const
{
    return GetWhyNotPairs(job, NormalizePairs(pairs), *m_cabling);
}

CircuitPlanner::Key
CircuitPlanner::MakeKey(JobId job,
                        const std::vector<JoinedRanks>& pairs,
                        const RailCircuits& circuits) const
{
    constexpr uint32_t DARK = UINT32_MAX;
    Key key{job.Get()};
    std::set<RankId> ranks;
    for (const auto& [one, other] : NormalizePairs(pairs))
    {
        key.insert(key.end(), {one.Get(), other.Get()});
        ranks.insert({one, other});
    }
    key.push_back(DARK);
    for (const RankId rank : ranks)
    {
        if (!m_cabling->IsKnown(rank))
        {
            continue; // refused whatever the circuits are
        }
        for (const PortId port : m_cabling->GetPorts(rank))
        {
            const auto peer = circuits[m_cabling->GetRail(rank).Get()].GetPeer(port);
            key.push_back(peer ? peer->Get() : DARK);
        }
    }
    return key;
}

const CircuitTarget&
CircuitPlanner::Plan(JobId job, const std::vector<JoinedRanks>& pairs, const RailCircuits& circuits)
{
    Key key = MakeKey(job, pairs, circuits);
    const auto known = m_plans.find(key);
    if (known != m_plans.end())
    {
        ++m_hits;
        return known->second;
    }
    ++m_misses;
    if (m_plans.size() >= REMEMBERED)
    {
        m_plans.clear();
    }
    return m_plans.emplace(std::move(key), PlanCircuits(job, pairs, circuits, *m_cabling))
        .first->second;
}

uint64_t
CircuitPlanner::GetCacheHits() const
{
    return m_hits;
}

uint64_t
CircuitPlanner::GetCacheMisses() const
{
    return m_misses;
}

} // namespace ns3
