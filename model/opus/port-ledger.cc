/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-ledger.h"

#include "opus-words.h"

#include "ns3/abort.h"

#include <sstream>

namespace ns3
{

PortLedger::PortLedger(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling)),
      m_circuits(MakeDarkRails(*m_cabling))
{
}

const RailCircuits&
PortLedger::GetCircuits() const
{
    return m_circuits;
}

std::optional<JobId>
PortLedger::FindOwner(const RailPort& port) const
{
    return m_cabling->FindOwner(port);
}

std::vector<OpusPhase>
PortLedger::GetPhases(const RailPort& port) const
{
    const auto found = m_inFlight.find(port);
    return found == m_inFlight.end()
               ? std::vector<OpusPhase>()
               : std::vector<OpusPhase>(found->second.begin(), found->second.end());
}

std::optional<Picoseconds>
PortLedger::FindBusyUntil(const RailPort& port) const
{
    const auto turning = m_turning.find(port);
    return turning == m_turning.end()
               ? std::nullopt
               : std::optional<Picoseconds>(m_plans.at(turning->second).busyUntil);
}

bool
PortLedger::IsTurning(RankId rank) const
{
    for (const PortId port : m_cabling->GetPorts(rank))
    {
        if (m_turning.count({m_cabling->GetRail(rank), port}) != 0)
        {
            return true;
        }
    }
    return false;
}

std::string
PortLedger::GetWhyNot(RailId rail, const CircuitPlan& plan) const
{
    if (rail.Get() >= m_circuits.size())
    {
        return "there is no rail " + std::to_string(rail.Get());
    }
    const PlanVerdict verdict = m_circuits[rail.Get()].Check(plan);
    if (!verdict.IsAccepted())
    {
        return verdict.message;
    }
    std::ostringstream why;
    for (const PortId number : plan.GetPorts())
    {
        const RailPort port{rail, number};
        const auto turning = m_turning.find(port);
        if (turning != m_turning.end())
        {
            why << port << " is turned by plan " << turning->second;
            return why.str();
        }
        const auto inFlight = m_inFlight.find(port);
        if (inFlight != m_inFlight.end())
        {
            why << port << " has traffic of " << ToWords(*inFlight->second.begin());
            return why.str();
        }
    }
    return "";
}

void
PortLedger::Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil)
{
    const std::string whyNot = GetWhyNot(rail, plan);
    NS_ABORT_MSG_UNLESS(whyNot.empty(), "PortLedger: plan " << number << ": " << whyNot);
    NS_ABORT_MSG_UNLESS(m_plans.emplace(number, OpenPlan{rail, plan, busyUntil}).second,
                        "PortLedger: there is a plan " << number << " already");
    for (const PortId port : plan.GetPorts())
    {
        m_turning[{rail, port}] = number;
    }
}

bool
PortLedger::IsOpen(uint64_t number) const
{
    return m_plans.count(number) != 0;
}

RailId
PortLedger::GetRail(uint64_t number) const
{
    return m_plans.at(number).rail;
}

const CircuitPlan&
PortLedger::GetPlan(uint64_t number) const
{
    return m_plans.at(number).plan;
}

std::set<RankId>
PortLedger::Close(uint64_t number)
{
    std::set<RankId> ranks;
    const OpenPlan& open = m_plans.at(number);
    for (const PortId port : open.plan.GetPorts())
    {
        m_turning.erase({open.rail, port});
        ranks.insert(m_cabling->FindNicPort({open.rail, port})->rank);
    }
    m_plans.erase(number);
    return ranks;
}

std::set<RankId>
PortLedger::Done(uint64_t number)
{
    const OpenPlan& open = m_plans.at(number);
    const PlanVerdict verdict = m_circuits[open.rail.Get()].Check(open.plan);
    NS_ABORT_MSG_UNLESS(verdict.IsAccepted(),
                        "PortLedger: plan " << number << ": " << verdict.message);
    m_circuits[open.rail.Get()].Apply(open.plan);
    return Close(number);
}

std::set<RankId>
PortLedger::Abandon(uint64_t number)
{
    return Close(number);
}

void
PortLedger::Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    std::vector<RailPort>& ports = m_ports[phase];
    for (const RankCircuit& circuit : circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            m_inFlight[port].insert(phase);
            ports.push_back(port);
        }
    }
}

std::set<RankId>
PortLedger::End(const OpusPhase& phase)
{
    std::set<RankId> ranks;
    const auto ended = m_ports.find(phase);
    if (ended == m_ports.end())
    {
        return ranks;
    }
    for (const RailPort& port : ended->second)
    {
        ranks.insert(m_cabling->FindNicPort(port)->rank);
        const auto inFlight = m_inFlight.find(port);
        if (inFlight != m_inFlight.end() && inFlight->second.erase(phase) != 0 &&
            inFlight->second.empty())
        {
            m_inFlight.erase(inFlight);
        }
    }
    m_ports.erase(ended);
    return ranks;
}

std::string
PortLedger::Describe() const
{
    std::ostringstream words;
    for (uint32_t rail = 0; rail < m_circuits.size(); ++rail)
    {
        words << "rail " << rail << ":";
        for (const Circuit& circuit : m_circuits[rail].GetCircuits())
        {
            words << " " << circuit;
        }
        words << "\n";
    }
    for (const auto& [number, open] : m_plans)
    {
        words << "plan " << number << " of rail " << open.rail << ": " << open.plan << " until "
              << open.busyUntil << "\n";
    }
    for (const auto& [port, phases] : m_inFlight)
    {
        words << port << ":";
        for (const OpusPhase& phase : phases)
        {
            words << " " << ToWords(phase) << ";";
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
