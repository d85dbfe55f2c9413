/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "agent-answers.h"

#include "ns3/circuit-planner.h"

#include <algorithm>
#include <utility>

namespace ns3
{

AgentAnswers::AgentAnswers(std::shared_ptr<const Cabling> cabling,
                           OpenPhases& phases,
                           PhaseTurns& turns,
                           PhaseEndings& endings,
                           PortLedger& ledger,
                           ProgramPlans& plans,
                           CircuitSetup& setup,
                           SlotRotation& rotation,
                           ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_phases(phases),
      m_turns(turns),
      m_endings(endings),
      m_ledger(ledger),
      m_plans(plans),
      m_setup(setup),
      m_rotation(rotation),
      m_record(record)
{
}

void
AgentAnswers::Note(ControllerNote::Kind kind, const OpusMessage& message, const std::string& words)
{
    ControllerNote& note = m_record.Note(kind, m_plans.GetPhases(message.plan).front(), words);
    note.plan = message.plan;
    note.rail = message.rail;
}

void
AgentAnswers::Programmed(ControllerPhase& phase)
{
    if (SlotRotation::IsChange(phase.phase))
    {
        m_rotation.Programmed(phase);
    }
    else
    {
        m_setup.Programmed(phase);
    }
}

void
AgentAnswers::TakeDone(const OpusMessage& message)
{
    if (!m_plans.IsAnswer(message))
    {
        ++m_record.counters.duplicates;
        return;
    }
    Note(ControllerNote::Kind::PROGRAMMED, message, "");
    m_turns.LookAt(m_ledger.Done(message.plan));
    m_turns.LookAtRails({message.rail});
    for (const OpusPhase& key : m_plans.Close(message.plan, m_phases))
    {
        ControllerPhase& phase = m_phases.At(key);
        if (phase.plans.empty())
        {
            Programmed(phase);
        }
    }
}

bool
AgentAnswers::NeedsAny(const ControllerPhase& phase,
                       RailId rail,
                       const std::vector<Circuit>& circuits) const
{
    return std::any_of(phase.circuits.begin(), phase.circuits.end(), [&](const auto& needed) {
        const auto [one, other] = GetRailPorts(needed, *m_cabling);
        const Circuit circuit(one.port, other.port);
        return one.rail == rail &&
               std::find(circuits.begin(), circuits.end(), circuit) != circuits.end();
    });
}

void
AgentAnswers::TakeAlarm(const OpusMessage& message)
{
    if (!m_plans.IsAnswer(message))
    {
        ++m_record.counters.duplicates;
        return;
    }
    const bool isPartial = message.speculative;
    const bool isShared = m_plans.GetPhases(message.plan).size() > 1;
    ++m_record.counters.alarms;
    Note(ControllerNote::Kind::FAILED, message, message.reason);
    std::vector<Circuit> dark;
    for (const SwitchCircuit& circuit : message.down)
    {
        dark.emplace_back(circuit.one, circuit.other);
    }
    m_turns.LookAt(isPartial ? m_ledger.Done(message.plan, dark) : m_ledger.Abandon(message.plan));
    m_turns.LookAtRails({message.rail});
    for (const OpusPhase& key : m_plans.Close(message.plan, m_phases))
    {
        ControllerPhase& phase = m_phases.At(key);
        const bool isSpared = isShared && isPartial && !NeedsAny(phase, message.rail, dark);
        if (isShared && !isPartial)
        {
            m_setup.TryAlone(phase);
        }
        else if (!isSpared && !SlotRotation::IsChange(key))
        {
            m_endings.Refuse(phase,
                             "rail " + std::to_string(message.rail.Get()) + ": " + message.reason);
        }
        else if (phase.plans.empty())
        {
            // in a rotation, other rails have changed, and the circuits of this one are in the
            // ledger
            isSpared ? Programmed(phase) : m_rotation.EndChange(phase);
        }
    }
}

} // namespace ns3
