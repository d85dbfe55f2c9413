/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-planner.h"

#include "ns3/mix-bits.h"
#include "ns3/pair-ports.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ns3
{

namespace
{

/**
 * The most plans in the cache. A job has a few hundred different plans, unless none is repeated.
 */
constexpr std::size_t REMEMBERED = 1 << 14;

/** @return the reason why a rank has no ports for a job; empty if it has some */
std::string
GetWhyNotRank(JobId job, RankId rank, const Cabling& cabling)
{
    if (!cabling.IsKnown(rank))
    {
        return "there is no rank " + std::to_string(rank.Get()) + " on any rail";
    }
    if (cabling.CountOwnedPorts(job, rank) == 0)
    {
        return "job " + std::to_string(job.Get()) + " owns no port of rank " +
               std::to_string(rank.Get());
    }
    return "";
}

/**
 * @param stands whether a circuit joins two ranks
 * @return the routes of pairs, or the reason why they can never be joined at once
 */
RoutedPairs
ChooseRoutesFor(JobId job,
                const std::vector<JoinedRanks>& pairs,
                const Cabling& cabling,
                const std::function<bool(const JoinedRanks&)>& stands)
{
    for (const auto& [one, other] : pairs)
    {
        for (const RankId rank : {one, other})
        {
            const std::string why = GetWhyNotRank(job, rank, cabling);
            if (!why.empty())
            {
                return {{}, why};
            }
        }
    }
    const auto portsOf = [&](RankId rank) { return cabling.CountOwnedPorts(job, rank); };
    return ChooseRoutes(pairs, cabling, {portsOf, stands});
}

/**
 * @return whether pairs can certainly be joined at once: each by a circuit of its own rail, and no
 * rank has more partners than ports. This is the usual case, and found without a list of routes.
 */
bool
AreDirect(JobId job, const std::vector<JoinedRanks>& pairs, const Cabling& cabling)
{
    constexpr std::size_t FEW = 4; // each is compared with each
    if (pairs.size() > FEW)
    {
        return false;
    }
    const auto hasPorts = [&](RankId rank) {
        const auto partners =
            std::count_if(pairs.begin(), pairs.end(), [rank](const JoinedRanks& pair) {
                return pair.first == rank || pair.second == rank;
            });
        return cabling.CountOwnedPorts(job, rank) >= partners;
    };
    return std::all_of(pairs.begin(), pairs.end(), [&](const JoinedRanks& pair) {
        const auto& [one, other] = pair;
        return one != other && cabling.IsKnown(one) && cabling.IsKnown(other) &&
               cabling.GetRail(one) == cabling.GetRail(other) &&
               !cabling.AreIntraNode(one, other) && hasPorts(one) && hasPorts(other);
    });
}

/** @return the circuits that join the NICs of two ranks of a rail, by the first one's ports */
std::vector<RankCircuit>
FindDirect(const JoinedRanks& route, const RailCircuits& circuits, const Cabling& cabling)
{
    std::vector<RankCircuit> found;
    const RailId rail = cabling.GetRail(route.first);
    const std::vector<PortId>& ports = cabling.GetPorts(route.first);
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        const std::optional<PortId> peer = circuits[rail.Get()].GetPeer(ports[port]);
        const std::optional<NicPort> there =
            peer ? cabling.FindNicPort({rail, *peer}) : std::optional<NicPort>();
        if (there && there->rank == route.second)
        {
            found.push_back({route.first, port, route.second, there->port});
        }
    }
    return found;
}

/** The numbers of a loss of a change of a port, below which ports differ by preference only. */
constexpr uint32_t LOSS = 1024;

/** Joins routes in steps. */
class PairJoiner
{
  public:
    /** @param attempt others prefer other ports */
    PairJoiner(const CircuitQuestion& question,
               const std::vector<JoinedRanks>& routes,
               const Cabling& cabling,
               uint32_t attempt)
        : m_question(question),
          m_pairs(routes),
          m_cabling(cabling),
          m_attempt(attempt),
          m_ports(
              routes,
              [&](RankId rank) { return cabling.GetOwnedPorts(question.phase.job, rank); },
              question.links)
    {
    }

    /** @return circuits for all pairs, or the reason of their wait */
    CircuitTarget Join()
    {
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            KeepStanding(i);
        }
        // circuits that fit are all kept by now, so none of them changes for another pair
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            if (!JoinAnew(i))
            {
                CircuitTarget waiting;
                waiting.waitsFor = m_waitsFor;
                return waiting;
            }
        }
        return PlanTowards(m_wanted, m_question.circuits, m_cabling);
    }

  private:
    /**
     * Keeps circuits of a pair that stand; first those in use by others, so that more can change.
     */
    void KeepStanding(std::size_t pair)
    {
        std::vector<RankCircuit> standing =
            FindDirect(m_pairs[pair], m_question.circuits, m_cabling);
        std::stable_partition(standing.begin(), standing.end(), [this](const RankCircuit& there) {
            return m_question.use.IsInFlight(GetRailPorts(there, m_cabling).first);
        });
        for (const RankCircuit& there : standing)
        {
            const auto [one, other] = GetRailPorts(there, m_cabling);
            if (m_attempt == 0 && !m_question.use.IsReconfiguring(one) &&
                !m_question.use.IsReconfiguring(other) &&
                m_ports.Keep(pair, {there.onePort, there.otherPort}))
            {
                m_wanted.push_back(there);
            }
        }
    }

    /** Adds circuits for a pair. @return whether it has all its links */
    bool JoinAnew(std::size_t pair)
    {
        const auto& [one, other] = m_pairs[pair];
        if (m_ports.CountDue(pair) > 0 && IsComing(m_pairs[pair]))
        {
            return false;
        }
        while (m_ports.CountDue(pair) > 0)
        {
            const std::optional<RailLink> link =
                m_ports.Join(pair,
                             [this](RankId rank, uint32_t port) { return FindLoss(rank, port); });
            if (!link)
            {
                return false;
            }
            m_wanted.push_back({one, link->here, other, link->there});
        }
        return true;
    }

    /** @return whether a circuit of a pair is being set up */
    bool IsComing(const JoinedRanks& pair)
    {
        const RailId rail = m_cabling.GetRail(pair.first);
        for (const PortId port : m_cabling.GetPorts(pair.first))
        {
            const std::optional<PortId> peer = m_question.use.FindComing({rail, port});
            const std::optional<NicPort> there =
                peer ? m_cabling.FindNicPort({rail, *peer}) : std::nullopt;
            if (there && there->rank == pair.second)
            {
                m_waitsFor = m_question.use.GetWhyNot({rail, port});
                return true;
            }
        }
        return false;
    }

    /**
     * @return the loss of a change of a port: 0 if it is dark; more if it is prepared; empty if it
     * must not be changed now
     */
    std::optional<uint32_t> FindLoss(RankId rank, uint32_t number)
    {
        const RailPort port{m_cabling.GetRail(rank), m_cabling.GetPorts(rank)[number]};
        const std::string whyNot = m_question.use.GetWhyNot(port);
        if (!whyNot.empty())
        {
            m_waitsFor = whyNot;
            return std::nullopt;
        }
        const auto ports = static_cast<uint32_t>(m_cabling.GetPorts(rank).size());
        const uint32_t preference = (number + m_attempt * (rank.Get() + 1)) % ports;
        const uint32_t by = m_attempt == 0 ? 0 : preference;
        if (!m_question.circuits[port.rail.Get()].GetPeer(port.port))
        {
            return by;
        }
        return by + LOSS * (m_question.use.IsPrepared(port) ? 2 : 1);
    }

    const CircuitQuestion& m_question;
    const std::vector<JoinedRanks>& m_pairs; //!< routes
    const Cabling& m_cabling;
    uint32_t m_attempt;
    PairPorts m_ports;
    std::vector<RankCircuit> m_wanted;
    std::string m_waitsFor;
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

uint32_t
GetDegree(const std::vector<std::vector<JoinedRanks>>& groups)
{
    std::map<RankId, uint32_t> ports;
    uint32_t degree = 0;
    for (const std::vector<JoinedRanks>& pairs : groups)
    {
        for (const auto& [rank, partners] : PairPorts::CountPartners(NormalizePairs(pairs)))
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
    for (const JoinedRanks& route : GetRoutes(pair, cabling))
    {
        const std::vector<RankCircuit> some = FindDirect(route, circuits, cabling);
        found.insert(found.end(), some.begin(), some.end());
    }
    return found;
}

std::string
FindFabricRefusal(RailId rail,
                  const CircuitPlan& plan,
                  const CircuitMap& circuits,
                  const Cabling& cabling)
{
    const FabricDescription* fabric = cabling.FindFabric(rail);
    if (fabric == nullptr || plan.GetConnects().empty() || !circuits.Check(plan).IsAccepted())
    {
        return "";
    }
    CircuitMap after = circuits;
    after.Apply(plan);
    const std::string why = fabric->GetWhyNot(after.GetCircuits());
    return why.empty() ? "" : "rail " + std::to_string(rail.Get()) + ": " + why;
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
        const std::string why = FindFabricRefusal(rail, plan, circuits[rail.Get()], cabling);
        if (!why.empty() && target.refusal.empty())
        {
            target.refusal = why;
        }
    }
    return target;
}

namespace
{

/** @return whether a circuit must not be changed now, or is not the job's */
bool
IsInUse(const Circuit& circuit,
        RailId rail,
        const CircuitQuestion& question,
        const Cabling& cabling)
{
    for (const PortId port : {circuit.low, circuit.high})
    {
        if (!question.use.GetWhyNot({rail, port}).empty() ||
            question.use.IsInFlight({rail, port}) ||
            cabling.FindOwner({rail, port}) != question.phase.job)
        {
            return true;
        }
    }
    return false;
}

/**
 * Takes down idle circuits of the job that keep others of the target from having routes.
 * @return whether the fabrics of all its rails can set it then
 */
bool
FitFabrics(CircuitTarget& target, const CircuitQuestion& question, const Cabling& cabling)
{
    target.refusal.clear();
    for (auto& [rail, plan] : target.changes)
    {
        const CircuitMap& circuits = question.circuits[rail.Get()];
        if (FindFabricRefusal(rail, plan, circuits, cabling).empty())
        {
            continue;
        }
        std::set<PortId> named;
        for (const PortId port : plan.GetPorts())
        {
            named.insert(port);
        }
        for (const RankCircuit& wanted : target.circuits)
        {
            const auto [one, other] = GetRailPorts(wanted, cabling);
            named.insert({one.port, other.port});
        }
        for (const Circuit& circuit : circuits.GetCircuits())
        {
            if (named.count(circuit.low) == 0 && named.count(circuit.high) == 0 &&
                !IsInUse(circuit, rail, question, cabling))
            {
                plan.Disconnect(circuit.low, circuit.high);
            }
        }
        target.refusal = FindFabricRefusal(rail, plan, circuits, cabling);
        if (!target.refusal.empty())
        {
            return false;
        }
    }
    return true;
}

/** @return whether circuits of the rails of a target must not be changed now */
bool
IsAnyInFlight(const CircuitTarget& target, const CircuitQuestion& question, const Cabling& cabling)
{
    return std::any_of(target.changes.begin(), target.changes.end(), [&](const auto& change) {
        const RailId rail = change.first;
        const std::vector<Circuit> circuits = question.circuits[rail.Get()].GetCircuits();
        return cabling.FindFabric(rail) != nullptr &&
               std::any_of(circuits.begin(), circuits.end(), [&](const Circuit& circuit) {
                   return !question.use.GetWhyNot({rail, circuit.low}).empty() ||
                          question.use.IsInFlight({rail, circuit.low});
               });
    });
}

} // namespace

CircuitTarget
PlanCircuits(const CircuitQuestion& question, const Cabling& cabling)
{
    const auto stands = [&](const JoinedRanks& route) {
        const std::vector<RankCircuit> standing = FindDirect(route, question.circuits, cabling);
        return std::any_of(standing.begin(), standing.end(), [&](const RankCircuit& there) {
            const auto [one, other] = GetRailPorts(there, cabling);
            return !question.use.IsReconfiguring(one) && !question.use.IsReconfiguring(other);
        });
    };
    const RoutedPairs routed = ChooseRoutesFor(question.phase.job, question.pairs, cabling, stands);
    CircuitTarget refused;
    refused.refusal = routed.why;
    if (!refused.IsPossible())
    {
        return refused;
    }
    CircuitTarget target = PairJoiner(question, routed.routes, cabling, 0).Join();
    if (target.refusal.empty())
    {
        return target;
    }
    constexpr uint32_t ATTEMPTS = 8;
    const bool hasChoice =
        std::any_of(routed.routes.begin(), routed.routes.end(), [&](const JoinedRanks& route) {
            return cabling.GetPorts(route.first).size() > 1 ||
                   cabling.GetPorts(route.second).size() > 1;
        });
    for (uint32_t attempt = 0; attempt < (hasChoice ? ATTEMPTS : 1); ++attempt)
    {
        CircuitTarget other =
            attempt == 0 ? target : PairJoiner(question, routed.routes, cabling, attempt).Join();
        if (other.waitsFor.empty() && FitFabrics(other, question, cabling))
        {
            return other;
        }
    }
    if (IsAnyInFlight(target, question, cabling))
    {
        std::swap(target.waitsFor, target.refusal); // it may be free later
        target.circuits.clear();
        target.changes.clear();
    }
    return target;
}

std::vector<JoinedRanks>
ChooseRoutes(JobId job, const std::vector<JoinedRanks>& pairs, const Cabling& cabling)
{
    return ChooseRoutesFor(job, pairs, cabling, {}).routes;
}

CircuitPlanner::CircuitPlanner(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

std::string
CircuitPlanner::GetWhyNot(JobId job, const std::vector<JoinedRanks>& pairs) const
{
    if (m_cabling->HasFabrics() && !m_cabling->IsMultiHop())
    {
        OpusPhase phase;
        phase.job = job;
        const RailCircuits dark = MakeDarkRails(*m_cabling);
        return PlanCircuits({phase, pairs, 0, dark, IdlePorts()}, *m_cabling).refusal;
    }
    if (AreDirect(job, pairs, *m_cabling))
    {
        return "";
    }
    if (!m_cabling->IsMultiHop())
    {
        return ChooseRoutesFor(job, pairs, *m_cabling, {}).why;
    }
    for (const JoinedRanks& pair : pairs) // any number of pairs share the ports
    {
        const std::string why = ChooseRoutesFor(job, {pair}, *m_cabling, {}).why;
        if (!why.empty())
        {
            return why;
        }
    }
    return "";
}

std::size_t
CircuitPlanner::HashKey::operator()(const Key& key) const
{
    uint64_t hash = key.size();
    for (const uint32_t number : key)
    {
        hash = (hash ^ number) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return MixBits(hash);
}

CircuitPlanner::Key
CircuitPlanner::MakeKey(const CircuitQuestion& question) const
{
    constexpr uint32_t DARK = UINT32_MAX;
    constexpr uint32_t RECONFIGURING = 1;
    constexpr uint32_t IN_FLIGHT = 2;
    constexpr uint32_t PREPARED = 4;
    const std::vector<JoinedRanks> pairs = NormalizePairs(question.pairs);
    std::vector<RankId> ranks;
    ranks.reserve(2 * pairs.size());
    Key key;
    key.reserve(3 + (2 + 2 * 2 * 3) * pairs.size()); // with two ports a rank
    key.push_back(question.phase.job.Get());
    key.push_back(question.links);
    for (const auto& [one, other] : pairs)
    {
        key.push_back(one.Get());
        key.push_back(other.Get());
        ranks.push_back(one);
        ranks.push_back(other);
        const bool areKnown = m_cabling->IsKnown(one) && m_cabling->IsKnown(other);
        if (areKnown && m_cabling->GetRail(one) != m_cabling->GetRail(other))
        {
            for (const auto& [first, last] : GetRoutes({one, other}, *m_cabling))
            {
                ranks.push_back(first);
                ranks.push_back(last);
            }
        }
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    key.push_back(DARK);
    for (const RankId rank : ranks)
    {
        if (!m_cabling->IsKnown(rank))
        {
            continue; // refused with any circuits
        }
        const RailId rail = m_cabling->GetRail(rank);
        for (const PortId number : m_cabling->GetPorts(rank))
        {
            const RailPort port{rail, number};
            const auto peer = question.circuits[rail.Get()].GetPeer(number);
            const auto coming = question.use.FindComing(port);
            key.push_back(peer ? peer->Get() : DARK);
            key.push_back(coming ? coming->Get() : DARK);
            key.push_back((question.use.IsReconfiguring(port) ? RECONFIGURING : 0) |
                          (question.use.IsInFlight(port) ? IN_FLIGHT : 0) |
                          (question.use.IsPrepared(port) ? PREPARED : 0));
        }
    }
    if (!m_cabling->HasFabrics())
    {
        return key;
    }
    std::set<RailId> rails;
    for (const RankId rank : ranks)
    {
        if (m_cabling->IsKnown(rank) && m_cabling->FindFabric(m_cabling->GetRail(rank)) != nullptr)
        {
            rails.insert(m_cabling->GetRail(rank));
        }
    }
    for (const RailId rail : rails) // all its circuits are in each other's way
    {
        key.push_back(DARK);
        for (const Circuit& circuit : question.circuits[rail.Get()].GetCircuits())
        {
            const bool isFree = question.use.GetWhyNot({rail, circuit.low}).empty() &&
                                question.use.GetWhyNot({rail, circuit.high}).empty();
            key.insert(key.end(),
                       {circuit.low.Get(),
                        circuit.high.Get(),
                        (isFree ? 0U : RECONFIGURING) |
                            (question.use.IsInFlight({rail, circuit.low}) ? IN_FLIGHT : 0U)});
        }
    }
    return key;
}

const CircuitTarget&
CircuitPlanner::Plan(const CircuitQuestion& question)
{
    Key key = MakeKey(question);
    const auto known = m_plans.find(key);
    if (known != m_plans.end())
    {
        ++m_hits;
        return known->second;
    }
    ++m_misses;
    CircuitTarget target = PlanCircuits(question, *m_cabling);
    if (!target.waitsFor.empty())
    {
        m_waiting = std::move(target);
        return m_waiting;
    }
    if (m_plans.size() >= REMEMBERED)
    {
        m_plans.clear();
    }
    return m_plans.emplace(std::move(key), std::move(target)).first->second;
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
