/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-ledger.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/rail-detours.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

PortLedger::PortLedger(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch)
    : m_cabling(cabling),
      m_wholeSwitch(wholeSwitch),
      m_circuits(cabling, wholeSwitch),
      m_traffic(cabling, wholeSwitch),
      m_prepared(cabling),
      m_knowledge(cabling)
{
}

const RailCircuits&
PortLedger::GetCircuits() const
{
    return m_circuits.GetCircuits();
}

std::vector<RankCircuit>
PortLedger::FindCircuits(const JoinedRanks& pair) const
{
    return ns3::FindCircuits(pair, GetCircuits(), *m_cabling);
}

bool
PortLedger::IsOnRoute(const RankCircuit& circuit, const JoinedRanks& pair) const
{
    const auto isOnAny = [&circuit](const std::vector<JoinedRanks>& routes) {
        return std::any_of(routes.begin(), routes.end(), [&circuit](const JoinedRanks& route) {
            return (circuit.one == route.first && circuit.other == route.second) ||
                   (circuit.one == route.second && circuit.other == route.first);
        });
    };
    return isOnAny(GetRoutes(pair, *m_cabling)) || isOnAny(ListDetours(pair, *m_cabling));
}

std::optional<JobId>
PortLedger::FindOwner(const RailPort& port) const
{
    return m_cabling->FindOwner(port);
}

std::vector<OpusPhase>
PortLedger::GetPhases(const RailPort& port) const
{
    return m_traffic.GetPhases(port);
}

std::optional<Picoseconds>
PortLedger::FindBusyUntil(const RailPort& port) const
{
    return m_circuits.FindBusyUntil(port);
}

bool
PortLedger::HasTraffic() const
{
    return !m_traffic.IsEmpty() || !m_knowledge.AreShimsKnown();
}

bool
PortLedger::IsReconfiguring(const RailPort& port) const
{
    return m_circuits.FindPlan(port) || (m_circuits.HasLost() && m_circuits.FindLost(port)) ||
           !(m_knowledge.IsAllKnown() || IsKnown(port.rail));
}

bool
PortLedger::IsInFlight(const RailPort& port) const
{
    return m_traffic.IsOn(port) || MayBeUsed(port);
}

bool
PortLedger::IsPrepared(const RailPort& port) const
{
    return m_prepared.Has(port);
}

std::optional<PortId>
PortLedger::FindComing(const RailPort& port) const
{
    return m_circuits.FindComing(port);
}

bool
PortLedger::IsFree(const RailPort& port) const
{
    return !m_circuits.FindPlan(port) && !m_traffic.Find(port) &&
           !(m_circuits.HasLost() && m_circuits.FindLost(port)) &&
           (m_knowledge.IsAllKnown() || (IsKnown(port.rail) && !MayBeUsed(port)));
}

std::string
PortLedger::GetWhyNot(const RailPort& port) const
{
    if (IsFree(port))
    {
        return ""; // as most ports are
    }
    if (!IsKnown(port.rail))
    {
        return "the agent of rail " + std::to_string(port.rail.Get()) +
               " has not accepted the term yet";
    }
    const std::optional<uint64_t> plan = m_circuits.FindPlan(port);
    const OpusPhase* traffic = plan ? nullptr : m_traffic.Find(port);
    const std::optional<Circuit> lost = plan || traffic ? std::nullopt : m_circuits.FindLost(port);
    std::ostringstream why;
    if ((plan || traffic) && m_wholeSwitch.count(port.rail) != 0)
    {
        why << "the switch of rail " << port.rail << ", which reconfigures as a whole,";
    }
    else
    {
        why << port;
    }
    if (plan)
    {
        why << " is reconfigured by plan " << *plan
            << (m_circuits.IsUncertain(*plan) ? ", which its agent has not answered" : "");
    }
    else if (traffic)
    {
        why << " has traffic of " << ToWords(*traffic);
    }
    else if (lost)
    {
        why << " may still have circuit " << *lost << ", which was to be taken down";
    }
    else
    {
        why << " may have traffic of a shim that has not said in this term what it holds";
    }
    return why.str();
}

std::string
PortLedger::GetWhyNot(RailId rail, const CircuitPlan& plan) const
{
    if (rail.Get() >= GetCircuits().size())
    {
        return "there is no rail " + std::to_string(rail.Get());
    }
    const PlanCheck check = GetCircuits()[rail.Get()].Check(plan);
    if (!check.IsAccepted())
    {
        return check.message;
    }
    for (const PortId number : plan.GetPorts())
    {
        if (!IsFree({rail, number}))
        {
            return GetWhyNot({rail, number});
        }
    }
    return "";
}

std::string
PortLedger::GetWhyNot(const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        const std::string whyNot = GetWhyNot(rail, plan);
        if (!whyNot.empty())
        {
            return whyNot;
        }
    }
    for (const RankCircuit& circuit : target.circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            if (IsReconfiguring(port))
            {
                return GetWhyNot(port);
            }
        }
    }
    return "";
}

std::string
PortLedger::FindForeignPort(JobId job, const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        for (const PortId port : plan.GetPorts())
        {
            if (FindOwner({rail, port}) != job)
            {
                std::ostringstream words;
                words << "job " << job << " does not own " << RailPort{rail, port};
                return words.str();
            }
        }
    }
    return "";
}

void
PortLedger::Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil)
{
    m_circuits.Start(number, rail, busyUntil);
    Extend(number, plan);
}

void
PortLedger::Extend(uint64_t number, const CircuitPlan& plan)
{
    const std::string whyNot = GetWhyNot(GetRail(number), plan);
    NS_ABORT_MSG_UNLESS(whyNot.empty(), "PortLedger: plan " << number << ": " << whyNot);
    m_circuits.Extend(number, plan);
}

bool
PortLedger::IsOpen(uint64_t number) const
{
    return m_circuits.IsOpen(number);
}

bool
PortLedger::HasOpenPlans() const
{
    return m_circuits.HasOpen();
}

RailId
PortLedger::GetRail(uint64_t number) const
{
    return m_circuits.GetRail(number);
}

const CircuitPlan&
PortLedger::GetPlan(uint64_t number) const
{
    return m_circuits.GetPlan(number);
}

bool
PortLedger::HasUncertain() const
{
    return m_circuits.HasUncertain();
}

std::set<RailPort>
PortLedger::ListUncertain() const
{
    return m_circuits.ListUncertain();
}

void
PortLedger::MarkUncertain(uint64_t number)
{
    m_circuits.MarkUncertain(number);
}

std::vector<RankId>
PortLedger::Done(uint64_t number, const std::vector<Circuit>& dark)
{
    return m_circuits.Done(number, dark);
}

std::vector<RankId>
PortLedger::Abandon(uint64_t number)
{
    return m_circuits.Abandon(number);
}

void
PortLedger::Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    m_traffic.Begin(phase, circuits);
}

std::vector<RankId>
PortLedger::End(const OpusPhase& phase)
{
    return m_traffic.End(phase);
}

void
PortLedger::Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    m_prepared.Prepare(phase, circuits);
}

void
PortLedger::EndPrepared(const OpusPhase& phase)
{
    m_prepared.End(phase);
}

void
PortLedger::BeginTerm()
{
    m_knowledge.BeginTerm();
}

void
PortLedger::Learn(RailId rail, const std::vector<Circuit>& circuits)
{
    if (IsKnown(rail))
    {
        return;
    }
    CircuitPlan standing;
    for (const Circuit& circuit : circuits)
    {
        const bool isOurs = m_cabling->FindNicPort({rail, circuit.low}) &&
                            m_cabling->FindNicPort({rail, circuit.high});
        if (isOurs)
        {
            standing.Connect(circuit.low, circuit.high);
        }
    }
    if (m_circuits.Adopt(rail, standing)) // else the report is no possible state of a switch
    {
        m_knowledge.Learn(rail);
    }
}

void
PortLedger::Learn(JobId job, ServerId server)
{
    m_knowledge.Learn(job, server);
}

bool
PortLedger::IsKnown(RailId rail) const
{
    return m_knowledge.IsKnown(rail);
}

bool
PortLedger::IsKnown(JobId job, ServerId server) const
{
    return m_knowledge.IsKnown(job, server);
}

bool
PortLedger::IsKnown(JobId job, const std::vector<RankId>& ranks) const
{
    return std::all_of(ranks.begin(), ranks.end(), [this, job](RankId rank) {
        return IsKnown(job, m_cabling->GetServer(rank));
    });
}

bool
PortLedger::IsAllKnown() const
{
    return m_knowledge.IsAllKnown();
}

bool
PortLedger::MayBeUsed(RailId rail) const
{
    return m_knowledge.MayBeUsed(rail, GetCircuits());
}

bool
PortLedger::MayBeUsed(const RailPort& port) const
{
    return m_wholeSwitch.count(port.rail) != 0 ? MayBeUsed(port.rail)
                                               : m_knowledge.MayBeUsed(port, GetCircuits());
}

std::string
PortLedger::Describe() const
{
    return m_circuits.Describe() + m_traffic.Describe() + m_knowledge.Describe() +
           m_prepared.Describe();
}

} // namespace ns3
