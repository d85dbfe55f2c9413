/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-setup.h"

namespace ns3
{

PhaseSetup::PhaseSetup(PhaseVoting& voting,
                       PhaseEndings& endings,
                       PhaseGrants& grants,
                       PortLedger& ledger,
                       CircuitSetup& setup,
                       RingFallback& fallback,
                       OtherRails& otherRails,
                       ControllerRecord& record)
    : m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_ledger(ledger),
      m_setup(setup),
      m_fallback(fallback),
      m_otherRails(otherRails),
      m_record(record)
{
}

void
PhaseSetup::Program(ControllerPhase& phase, const CircuitTarget& target)
{
    m_setup.Program(phase, target);
    if (!phase.changes)
    {
        m_record.counters.noOpGrants += m_voting.IsFirm(phase) ? 1 : 0;
        Programmed(phase);
    }
}

void
PhaseSetup::Programmed(ControllerPhase& phase)
{
    if (phase.changes)
    {
        m_setup.NoteReconfigured(phase, phase.firm);
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
PhaseSetup::TryAlone(ControllerPhase& phase)
{
    m_endings.FreeCircuits(phase);
    phase.plans.clear(); // plans on other rails are done or not, and no phase waits for them
    phase.alone = true;
    phase.state = ControllerPhase::State::VOTING;
    m_voting.Update(phase);
}

void
PhaseSetup::Fail(ControllerPhase& phase,
                 RailId rail,
                 const std::vector<SwitchCircuit>& dark,
                 const std::string& reason)
{
    if (m_fallback.Engage(phase, rail, dark))
    {
        ++m_record.counters.fallbacks;
        m_record.Note(ControllerNote::Kind::FALLBACK, phase.phase, reason).rail = rail;
        TryAlone(phase);
    }
    else if (m_otherRails.Engage(phase, rail, dark))
    {
        m_record.Note(ControllerNote::Kind::OUTAGE, phase.phase, reason).rail = rail;
        TryAlone(phase);
    }
    else
    {
        m_endings.Refuse(phase, reason);
    }
}

void
PhaseSetup::Expire(ControllerPhase& phase)
{
    const std::string reason = m_setup.GiveUp(phase);
    if (m_otherRails.GoWithout(phase))
    {
        m_record.Note(ControllerNote::Kind::OUTAGE, phase.phase, reason);
        TryAlone(phase);
    }
    else
    {
        m_endings.Refuse(phase, reason);
    }
}

} // namespace ns3
