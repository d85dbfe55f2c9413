/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-setup.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

CircuitSetup::CircuitSetup(std::shared_ptr<const Cabling> cabling,
                           Picoseconds limit,
                           OpenPhases& phases,
                           PhaseVoting& voting,
                           PhaseEndings& endings,
                           PhaseGrants& grants,
                           PortLedger& ledger,
                           RailTraffic& traffic,
                           ProgramPlans& plans,
                           ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_limit(limit),
      m_phases(phases),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_ledger(ledger),
      m_traffic(traffic),
      m_plans(plans),
      m_record(record)
{
}

std::string
CircuitSetup::GetWhyNot(const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        const std::string whyNot = m_ledger.GetWhyNot(rail, plan);
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
            if (m_ledger.IsReconfiguring(port))
            {
                return m_ledger.GetWhyNot(port);
            }
        }
    }
    return "";
}

std::string
CircuitSetup::FindForeignPort(JobId job, const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        for (const PortId port : plan.GetPorts())
        {
            if (m_ledger.FindOwner({rail, port}) != job)
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
CircuitSetup::Program(ControllerPhase& phase, const CircuitTarget& target)
{
    phase.state = ControllerPhase::State::PROGRAMMING;
    phase.circuits = target.circuits;
    phase.programmed = m_record.GetTime();
    phase.changes = !target.changes.empty();
    m_phases.SetDeadline(phase, AddSaturating(m_record.GetTime(), m_limit));
    for (const auto& [rail, plan] : target.changes)
    {
        m_plans.Add(phase, rail, plan);
    }
    m_ledger.EndPrepared(phase.phase);
    m_ledger.Begin(phase.phase, phase.circuits);
    m_traffic.Begin(phase);
    if (phase.changes)
    {
        ++m_record.counters.reconfigurations;
    }
    else
    {
        m_record.counters.noOpGrants += m_voting.IsFirm(phase) ? 1 : 0;
        Programmed(phase);
    }
}

void
CircuitSetup::NoteReconfigured(ControllerPhase& phase, Picoseconds firm)
{
    const Picoseconds now = m_record.GetTime();
    phase.reconfiguration = now - phase.programmed;
    ControllerNote& note = m_record.Note(ControllerNote::Kind::RECONFIGURED, phase.phase);
    note.dark = phase.reconfiguration;
    note.exposed = firm == NEVER ? 0 : now - std::max(firm, phase.programmed);
}

void
CircuitSetup::Programmed(ControllerPhase& phase)
{
    if (phase.changes)
    {
        NoteReconfigured(phase, phase.firm);
    }
    const bool isComplete = phase.votes.IsComplete();
    if (isComplete && m_voting.IsFirm(phase))
    {
        m_grants.Grant(phase);
        return;
    }
    if (isComplete)
    {
        m_ledger.Prepare(phase.phase, phase.circuits);
    }
    m_endings.FreeCircuits(phase);
    if (isComplete)
    {
        phase.state = ControllerPhase::State::PREPARED;
        m_voting.AwaitVotes(phase);
        m_record.Note(ControllerNote::Kind::PREPARED, phase.phase);
        return;
    }
    phase.state = ControllerPhase::State::VOTING; // a guess was withdrawn meanwhile
    m_voting.Update(phase);
}

void
CircuitSetup::TryAlone(ControllerPhase& phase)
{
    m_endings.FreeCircuits(phase);
    phase.plans.clear(); // plans on other rails are done or not, and no phase waits for them
    phase.alone = true;
    phase.state = ControllerPhase::State::VOTING;
    m_voting.Update(phase);
}

std::string
CircuitSetup::GiveUp(const ControllerPhase& phase)
{
    std::ostringstream reason;
    reason << "no answer within " << ToMilliseconds(m_limit) << " to";
    for (const uint64_t plan : phase.plans)
    {
        reason << " plan " << plan << " from rail " << m_ledger.GetRail(plan);
        m_ledger.MarkUncertain(plan);
    }
    return reason.str();
}

} // namespace ns3
