/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-setup.h"

#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

CircuitSetup::CircuitSetup(Picoseconds limit,
                           OpenPhases& phases,
                           PortLedger& ledger,
                           RailTraffic& traffic,
                           ProgramPlans& plans,
                           ControllerRecord& record)
    : m_limit(limit),
      m_phases(phases),
      m_ledger(ledger),
      m_traffic(traffic),
      m_plans(plans),
      m_record(record)
{
}

void
CircuitSetup::Program(ControllerPhase& phase, const CircuitTarget& target)
{
    phase.state = ControllerPhase::State::PROGRAMMING;
    phase.circuits = target.circuits;
    phase.isOverRings = target.isOverRings;
    phase.gaps = target.gaps;
    phase.programmed = m_record.GetTime();
    phase.changes = !target.changes.empty();
    phase.settled = 0;
    phase.linkUp = 0;
    m_phases.SetDeadline(phase, AddSaturating(m_record.GetTime(), m_limit));
    for (const auto& [rail, plan] : target.changes)
    {
        m_plans.Add(phase, rail, plan);
    }
    m_ledger.EndPrepared(phase.phase);
    m_ledger.Begin(phase.phase, phase.circuits);
    m_traffic.Begin(phase);
    m_record.counters.reconfigurations += phase.changes ? 1 : 0;
}

void
CircuitSetup::TakeOver(const ControllerPhase& phase)
{
    m_traffic.Begin(phase);
}

void
CircuitSetup::Reserve(ControllerPhase& phase, const std::vector<RankCircuit>& circuits)
{
    phase.circuits.insert(phase.circuits.end(), circuits.begin(), circuits.end());
    m_ledger.Begin(phase.phase, circuits);
}

void
CircuitSetup::NoteReconfigured(ControllerPhase& phase, Picoseconds firm)
{
    const Picoseconds now = m_record.GetTime();
    phase.reconfiguration = now - phase.programmed;
    phase.linkUp = phase.settled == 0 ? 0 : now - phase.settled;
    ControllerNote& note = m_record.Note(ControllerNote::Kind::RECONFIGURED, phase.phase);
    note.dark = ToTime(phase.reconfiguration);
    note.linkUp = ToTime(phase.linkUp);
    note.exposed = ToTime(firm == NEVER ? 0 : now - std::max(firm, phase.programmed));
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
