/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-endings.h"

namespace ns3
{

PhaseEndings::PhaseEndings(OpenPhases& phases,
                           PhaseTurns& turns,
                           PortLedger& ledger,
                           RailTraffic& traffic,
                           ControllerRecord& record,
                           ControllerOutbox& outbox)
    : m_phases(phases),
      m_turns(turns),
      m_ledger(ledger),
      m_traffic(traffic),
      m_record(record),
      m_outbox(outbox)
{
}

void
PhaseEndings::FreeCircuits(ControllerPhase& phase)
{
    if (!phase.IsUnderWay())
    {
        return;
    }
    m_traffic.End(phase);
    m_turns.Reserve(phase);
    m_turns.LookAt(m_ledger.End(phase.phase));
    m_turns.LookAtRails(phase.rails);
    phase.circuits.clear();
    if (phase.state == ControllerPhase::State::GRANTED)
    {
        phase.reconfiguration = 0;
    }
}

void
PhaseEndings::Refuse(ControllerPhase& phase, const std::string& reason)
{
    Refuse(phase, reason, !phase.votes.IsGuess());
}

void
PhaseEndings::Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    m_turns.Leave(phase);
    FreeCircuits(phase);
    ++m_record.counters.refusals;
    m_record.Note(ControllerNote::Kind::REFUSED, phase.phase, reason);
    m_outbox.SendRefusal(phase, reason, isFinal);
    if (isFinal)
    {
        m_history.Add(phase.phase, reason);
    }
    Forget(phase.phase);
}

void
PhaseEndings::RefuseUnopened(const OpusPhase& phase, const std::string& reason)
{
    m_history.Add(phase, reason);
}

void
PhaseEndings::Finish(ControllerPhase& phase)
{
    m_record.Note(ControllerNote::Kind::OVER, phase.phase);
    m_history.Add(phase.phase, "");
    Forget(phase.phase);
}

void
PhaseEndings::Forget(const OpusPhase& phase)
{
    const OpusPhase key = phase; // the reference may be to the phase that is removed
    m_turns.Leave(m_phases.At(key));
    m_ledger.EndPrepared(key);
    m_phases.Close(key);
    m_turns.Review(GetFlowKey(key));
}

std::optional<std::string>
PhaseEndings::FindOver(const OpusPhase& phase) const
{
    return m_history.Find(phase);
}

std::string
PhaseEndings::Describe() const
{
    return m_history.Describe();
}

} // namespace ns3
