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
                           PhaseOutcomes& outcomes)
    : m_phases(phases),
      m_turns(turns),
      m_ledger(ledger),
      m_traffic(traffic),
      m_outcomes(outcomes)
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
        phase.linkUp = 0;
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
    m_outcomes.Refuse(phase, reason, isFinal);
    Forget(phase.phase);
}

void
PhaseEndings::Finish(ControllerPhase& phase)
{
    m_outcomes.Finish(phase.phase);
    Forget(phase.phase);
}

void
PhaseEndings::Forget(const OpusPhase& phase)
{
    const OpusPhase key = phase; // the reference may be to the phase that is removed
    m_turns.Leave(m_phases.At(key));
    m_ledger.EndPrepared(key);
    m_phases.Close(key);
    m_turns.Review(key);
}

} // namespace ns3
