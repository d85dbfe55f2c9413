/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "other-rails.h"

#include "ns3/abort.h"
#include "ns3/pair-routes.h"
#include "ns3/rail-detours.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** The ports of ranks that pairs have not taken yet. */
class PortsLeft
{
  public:
    PortsLeft(JobId job, const Cabling& left)
        : m_job(job),
          m_cabling(left)
    {
    }

    /** @return whether each rank of a route has a port left */
    bool HasFor(const JoinedRanks& route)
    {
        return Count(route.first) > 0 && Count(route.second) > 0;
    }

    /** Takes a port of each rank. */
    void Take(const JoinedRanks& route)
    {
        --Count(route.first);
        --Count(route.second);
    }

  private:
    int64_t& Count(RankId rank)
    {
        const auto [left, isNew] = m_left.try_emplace(rank, 0);
        if (isNew)
        {
            left->second = m_cabling.CountOwnedPorts(m_job, rank);
        }
        return left->second;
    }

    JobId m_job;
    const Cabling& m_cabling;
    std::map<RankId, int64_t> m_left;
};

} // namespace

OtherRails::OtherRails(const ControllerSettings& settings,
                       const CircuitPolicy& policy,
                       std::shared_ptr<const Cabling> cabling,
                       OpenPhases& phases,
                       PhaseTurns& turns,
                       GrantRecalls& recalls,
                       const PortLedger& ledger,
                       ControllerOutbox& outbox,
                       ControllerRecord& record)
    : m_isOn(settings.otherRails),
      m_policyFactory(settings.policy),
      m_cabling(std::move(cabling)),
      m_phases(phases),
      m_turns(turns),
      m_recalls(recalls),
      m_ledger(ledger),
      m_outbox(outbox),
      m_record(record)
{
    NS_ABORT_MSG_IF(m_isOn && !policy.AllowsDetours(),
                    "OpusControllerApp: Fallback is OtherRail, and the circuits of the policy "
                        << policy.GetInstanceTypeId().GetName()
                        << " don't depend on which ports have light; use on-demand, provisioned "
                           "or co-scheduled");
    NS_ABORT_MSG_IF(m_isOn && (settings.granularity != CircuitGranularity::GROUP ||
                               !settings.wholeSwitch.empty()),
                    "OpusControllerApp: Fallback is OtherRail, and rails or switches are "
                    "reconfigured as a whole; use Granularity Group, and switches that "
                    "reconfigure port by port");
}

// ------------------------------------------------------------------------- what is dark

bool
OtherRails::Stands(const RankCircuit& circuit, JobId job) const
{
    if (!m_cabling->HasPort(circuit.one, circuit.onePort) ||
        !m_cabling->HasPort(circuit.other, circuit.otherPort) ||
        m_cabling->GetRail(circuit.one) != m_cabling->GetRail(circuit.other))
    {
        return false;
    }
    const auto [one, other] = GetRailPorts(circuit, *m_cabling);
    const CircuitMap& circuits = m_ledger.GetCircuits()[one.rail.Get()];
    return m_ledger.FindOwner(one) == job && m_ledger.FindOwner(other) == job &&
           circuits.GetPeer(one.port) == other.port && !m_ledger.IsReconfiguring(one) &&
           !m_ledger.IsReconfiguring(other);
}

bool
OtherRails::AddDark(RailId rail, PortId one, PortId other)
{
    if (m_dark.count({rail, one}) != 0 || m_dark.count({rail, other}) != 0)
    {
        return false;
    }
    m_dark[{rail, one}] = {other, false};
    m_dark[{rail, other}] = {one, false};
    return true;
}

bool
OtherRails::MarkDark(const RankCircuit& circuit, JobId job)
{
    const auto [one, other] = GetRailPorts(circuit, *m_cabling);
    if (!AddDark(one.rail, one.port, other.port))
    {
        return false;
    }
    ++m_record.counters.outages;
    m_outbox.SendWatch(m_cabling->GetServer(circuit.one),
                       one.rail,
                       {0, {{one.port, other.port}}, job});
    m_outbox.SendWatch(m_cabling->GetServer(circuit.other),
                       one.rail,
                       {0, {{other.port, one.port}}, job});
    return true;
}

void
OtherRails::TakeOutage(const OpusOutage& outage)
{
    if (!m_isOn)
    {
        ++m_record.counters.unknown;
        return;
    }
    bool isNews = false;
    for (const RankCircuit& circuit : outage.circuits)
    {
        if (Stands(circuit, outage.phase.job) && MarkDark(circuit, outage.phase.job))
        {
            std::ostringstream words;
            words << "messages failed on the circuit from port " << circuit.onePort << " of rank "
                  << circuit.one << " to port " << circuit.otherPort << " of rank "
                  << circuit.other;
            m_record.Note(ControllerNote::Kind::OUTAGE, outage.phase, words.str()).rail =
                m_cabling->GetRail(circuit.one);
            isNews = true;
        }
    }
    if (isNews)
    {
        ReviewAll();
    }
    for (auto& [key, phase] : m_phases)
    {
        const bool isDark =
            std::any_of(phase.circuits.begin(),
                        phase.circuits.end(),
                        [this](const RankCircuit& one) {
                            return m_dark.count(GetRailPorts(one, *m_cabling).first) != 0;
                        });
        // the ranks of the report wait for the recall, even if the circuit has light again
        if (phase.state == ControllerPhase::State::GRANTED && (isDark || key == outage.phase))
        {
            m_recalls.CallBack(phase, "its circuits have no light");
        }
    }
}

void
OtherRails::TakeCarrier(RailId rail, const OpusCarrier& carrier)
{
    std::set<RankId> repaired;
    for (const SwitchCircuit& circuit : carrier.circuits)
    {
        const auto here = m_dark.find({rail, circuit.one});
        if (here == m_dark.end() || !(here->second.other == circuit.other))
        {
            ++m_record.counters.duplicates;
            continue;
        }
        here->second.isLit = true;
        const auto there = m_dark.find({rail, circuit.other});
        if (!there->second.isLit)
        {
            continue;
        }
        for (const PortId port : {circuit.one, circuit.other})
        {
            repaired.insert(m_cabling->FindNicPort({rail, port})->rank);
            m_dark.erase({rail, port});
        }
        ++m_record.counters.repairs;
    }
    if (repaired.empty())
    {
        return;
    }
    for (auto& [key, phase] : m_phases)
    {
        const bool isTheirs =
            std::any_of(phase.pairs.begin(), phase.pairs.end(), [&](const JoinedRanks& pair) {
                return repaired.count(pair.first) + repaired.count(pair.second) > 0;
            });
        if (isTheirs && phase.state == ControllerPhase::State::GRANTED)
        {
            m_recalls.CallIn(phase);
        }
    }
    m_turns.LookAtAll();
}

bool
OtherRails::Engage(const ControllerPhase& phase,
                   RailId rail,
                   const std::vector<SwitchCircuit>& dark)
{
    if (!m_isOn)
    {
        return false;
    }
    bool isNews = false;
    for (const SwitchCircuit& circuit : dark)
    {
        isNews = AddDark(rail, circuit.one, circuit.other) || isNews;
    }
    if (!isNews || phase.pairs.empty())
    {
        return false;
    }
    m_record.counters.outages += dark.size();
    ReviewAll();
    return true;
}

bool
OtherRails::GoWithout(const ControllerPhase& phase)
{
    if (!m_isOn || phase.pairs.empty())
    {
        return false;
    }
    ReviewAll();
    return true;
}

void
OtherRails::ReviewAll()
{
    for (auto& [key, phase] : m_phases)
    {
        m_turns.Leave(phase); // it joins the queues of its relays too
        AddRanks(phase);
        m_turns.Review(key);
    }
    m_turns.LookAtAll();
}

std::set<RailPort>
OtherRails::ListUnusable() const
{
    std::set<RailPort> unusable = m_ledger.ListUncertain();
    for (const auto& [port, end] : m_dark)
    {
        unusable.insert(port);
    }
    return unusable;
}

bool
OtherRails::Apply() const
{
    return m_isOn && (!m_dark.empty() || m_ledger.HasUncertain());
}

// ------------------------------------------------------------------------- other circuits

void
OtherRails::AddRanks(ControllerPhase& phase) const
{
    if (!Apply())
    {
        return;
    }
    const Cabling& left = GetLeft();
    for (const JoinedRanks& pair : phase.pairs.empty() ? phase.named.Get() : phase.pairs)
    {
        const std::vector<JoinedRanks> routes = GetRoutes(pair, *m_cabling);
        const bool isWhole = std::all_of(routes.begin(), routes.end(), [&](const auto& route) {
            const auto hasAll = [&](RankId rank) {
                return left.CountOwnedPorts(phase.phase.job, rank) ==
                       m_cabling->CountOwnedPorts(phase.phase.job, rank);
            };
            return hasAll(route.first) && hasAll(route.second);
        });
        for (const auto& [first, last] :
             isWhole ? std::vector<JoinedRanks>() : ListDetours(pair, *m_cabling))
        {
            for (const RankId relay : {first, last})
            {
                if (relay != pair.first && relay != pair.second)
                {
                    phase.relays.insert(relay);
                }
            }
        }
    }
}

const Cabling&
OtherRails::GetLeft() const
{
    std::set<RailPort> unusable = ListUnusable();
    if (!m_left || unusable != m_unusable)
    {
        const auto left = std::make_shared<Cabling>(*m_cabling);
        for (const RailPort& port : unusable)
        {
            left->Disown(port);
        }
        m_left = left;
        m_policy = CircuitPolicy::Create(m_policyFactory, left);
        m_unusable = std::move(unusable);
    }
    return *m_left;
}

RoutedPairs
OtherRails::Route(const CircuitQuestion& question) const
{
    const JobId job = question.phase.job;
    PortsLeft ports(job, GetLeft());
    RoutedPairs routed;
    std::vector<JoinedRanks> away; // from their rail
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        const std::vector<JoinedRanks> routes = GetRoutes(pair, *m_cabling);
        const bool stays =
            routes.empty() || std::any_of(routes.begin(), routes.end(), [&](const auto& route) {
                return ports.HasFor(route);
            });
        if (stays && routes.size() == 1)
        {
            ports.Take(pair);
        }
        (stays ? routed.routes : away).push_back(pair);
    }
    std::set<JoinedRanks> taken(routed.routes.begin(), routed.routes.end());
    for (const JoinedRanks& pair : away)
    {
        std::vector<JoinedRanks> detours = ListDetours(pair, *m_cabling);
        const auto isFull = [&](const JoinedRanks& route) {
            return taken.count(NormalizePair(route)) == 0 && !ports.HasFor(route);
        };
        detours.erase(std::remove_if(detours.begin(), detours.end(), isFull), detours.end());
        if (detours.empty())
        {
            std::ostringstream why;
            why << "rank " << pair.first << " and rank " << pair.second
                << " have no ports with light on their rail, and their servers have none on "
                   "another";
            return {{}, why.str()};
        }
        const JoinedRanks route =
            NormalizePair(detours[m_cabling->GetRail(pair.first).Get() % detours.size()]);
        if (taken.insert(route).second)
        {
            ports.Take(route);
        }
    }
    routed.routes.assign(taken.begin(), taken.end());
    return routed;
}

CircuitTarget
OtherRails::GetTarget(const CircuitQuestion& question) const
{
    const RoutedPairs routed = Route(question);
    if (!routed.why.empty())
    {
        CircuitTarget refused;
        refused.refusal = routed.why;
        return refused;
    }
    return m_policy->GetTarget(
        {question.phase, routed.routes, question.links, question.circuits, question.use});
}

std::string
OtherRails::Describe() const
{
    std::ostringstream words;
    for (const auto& [port, end] : m_dark)
    {
        words << port << " is dark" << (end.isLit ? ", and has carrier again" : "") << "\n";
    }
    return words.str();
}

} // namespace ns3
