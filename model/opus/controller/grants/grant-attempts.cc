/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grant-attempts.h"

#include "ns3/opus-words.h"

namespace ns3
{

GrantAttempts::GrantAttempts(Picoseconds limit,
                             const GrantDecisions& decisions,
                             GrantsInTheWay& inTheWay,
                             PhaseTurns& turns,
                             PhaseEndings& endings,
                             PhaseSetup& setup,
                             WholeNetwork& network,
                             ControllerRecord& record)
    : m_limit(limit),
      m_decisions(decisions),
      m_inTheWay(inTheWay),
      m_turns(turns),
      m_endings(endings),
      m_setup(setup),
      m_network(network),
      m_record(record)
{
}

void
GrantAttempts::Attempt(ControllerPhase& phase)
{
    const GrantDecision decision = m_decisions.Decide(phase);
    if (!decision.refusal.empty())
    {
        m_endings.Refuse(phase, decision.refusal);
    }
    else if (!decision.waitsFor.empty())
    {
        if (decision.changes)
        {
            m_network.Wait(phase);
        }
        else if (decision.stands)
        {
            m_network.Forget(phase);
        }
        Delay(phase, decision.waitsFor);
    }
    else
    {
        if (decision.changes)
        {
            m_network.Change();
        }
        m_turns.Leave(phase);
        m_setup.Program(phase, decision.target);
    }
}

void
GrantAttempts::Delay(ControllerPhase& phase, const std::string& why)
{
    phase.waitsFor = why;
    if (!phase.delayed)
    {
        phase.delayed = true;
        ++m_record.counters.conflicts;
        m_record.Note(ControllerNote::Kind::CONFLICT, phase.phase, why);
    }
    if (m_decisions.IsNext(phase))
    {
        m_inTheWay.CallBack(phase);
    }
}

void
GrantAttempts::Expire(ControllerPhase& phase)
{
    m_endings.Refuse(phase,
                     "its ports were not free within " + ToMilliseconds(m_limit) + ": " +
                         phase.waitsFor);
}

} // namespace ns3
