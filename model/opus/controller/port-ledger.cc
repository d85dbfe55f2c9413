/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-ledger.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <sstream>

// Ports one by one. What plans make of them is in port-ledger-plans.cc.

namespace ns3
{

PortLedger::PortLedger(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch)
    : m_cabling(std::move(cabling)),
      m_wholeSwitch(std::move(wholeSwitch)),
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
    const auto reconfiguration = m_reconfiguring.find(port);
    return reconfiguration == m_reconfiguring.end()
               ? std::nullopt
               : std::optional<Picoseconds>(m_plans.at(reconfiguration->second).busyUntil);
}

bool
PortLedger::HasTraffic() const
{
    return !m_ports.empty() || !m_unconfirmed.empty();
}

std::optional<uint64_t>
PortLedger::FindPlan(const RailPort& port) const
{
    const bool whole = m_wholeSwitch.count(port.rail) != 0;
    const auto reconfiguration =
        whole ? m_reconfiguring.lower_bound({port.rail, PortId(0)}) : m_reconfiguring.find(port);
    return reconfiguration != m_reconfiguring.end() && reconfiguration->first.rail == port.rail
               ? std::optional<uint64_t>(reconfiguration->second)
               : std::nullopt;
}

const PortLedger::LostCircuit*
PortLedger::FindLost(const RailPort& port) const
{
    const auto lost = std::find_if(m_lost.begin(), m_lost.end(), [&port](const LostCircuit& one) {
        return one.rail == port.rail &&
               (one.circuit.low == port.port || one.circuit.high == port.port);
    });
    return lost == m_lost.end() ? nullptr : &*lost;
}

RankId
PortLedger::RankAt(const RailPort& port) const
{
    return m_cabling->FindNicPort(port)->rank;
}

const OpusPhase*
PortLedger::FindTraffic(const RailPort& port) const
{
    const bool whole = m_wholeSwitch.count(port.rail) != 0;
    const auto inFlight =
        whole ? m_inFlight.lower_bound({port.rail, PortId(0)}) : m_inFlight.find(port);
    return inFlight != m_inFlight.end() && inFlight->first.rail == port.rail
               ? &*inFlight->second.begin()
               : nullptr;
}

bool
PortLedger::IsReconfiguring(const RailPort& port) const
{
    return !IsKnown(port.rail) || FindPlan(port).has_value() || FindLost(port);
}

bool
PortLedger::IsInFlight(const RailPort& port) const
{
    return m_inFlight.count(port) != 0 || MayBeUsed(port);
}

bool
PortLedger::IsPrepared(const RailPort& port) const
{
    return m_prepared.count(port) != 0;
}

void
PortLedger::Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    EndPrepared(phase);
    for (const RankCircuit& circuit : circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            m_guesses[phase].insert(port);
            ++m_prepared[port];
        }
    }
}

void
PortLedger::EndPrepared(const OpusPhase& phase)
{
    const auto guess = m_guesses.find(phase);
    if (guess == m_guesses.end())
    {
        return;
    }
    for (const RailPort& port : guess->second)
    {
        const auto prepared = m_prepared.find(port);
        if (--prepared->second == 0)
        {
            m_prepared.erase(prepared);
        }
    }
    m_guesses.erase(guess);
}

std::optional<PortId>
PortLedger::FindComing(const RailPort& port) const
{
    const auto reconfiguration = m_reconfiguring.find(port);
    if (reconfiguration == m_reconfiguring.end() || m_plans.at(reconfiguration->second).uncertain)
    {
        return std::nullopt;
    }
    for (const Circuit& circuit : m_plans.at(reconfiguration->second).plan.GetConnects())
    {
        if (circuit.low == port.port || circuit.high == port.port)
        {
            return circuit.low == port.port ? circuit.high : circuit.low;
        }
    }
    return std::nullopt;
}

std::string
PortLedger::GetWhyNot(const RailPort& port) const
{
    std::ostringstream why;
    if (!IsKnown(port.rail))
    {
        why << "the agent of rail " << port.rail << " has not accepted the term yet";
        return why.str();
    }
    const std::optional<uint64_t> plan = FindPlan(port);
    const OpusPhase* traffic = plan ? nullptr : FindTraffic(port);
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
            << (m_plans.at(*plan).uncertain ? ", which its agent has not answered" : "");
    }
    else if (traffic)
    {
        why << " has traffic of " << ToWords(*traffic);
    }
    else if (const LostCircuit* lost = FindLost(port))
    {
        why << " may still have circuit " << lost->circuit << ", which was to be taken down";
    }
    else if (MayBeUsed(port))
    {
        why << " may have traffic of a shim that has not said in this term what it holds";
    }
    else
    {
        return "";
    }
    return why.str();
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
              << open.busyUntil << (open.uncertain ? ", uncertain" : "");
        for (const Circuit& circuit : open.taken)
        {
            words << ", else " << circuit;
        }
        words << "\n";
    }
    for (const LostCircuit& lost : m_lost)
    {
        words << "perhaps " << lost.circuit << " on rail " << lost.rail << "\n";
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
    for (const RailId rail : m_unknown)
    {
        words << "rail " << rail << " is not known\n";
    }
    for (const auto& [job, server] : m_unconfirmed)
    {
        words << "job " << job << " on server " << server << " has not said what it holds\n";
    }
    for (const auto& [phase, ports] : m_guesses)
    {
        words << "for " << ToWords(phase) << ":";
        for (const RailPort& port : ports)
        {
            words << " " << port << ";";
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
