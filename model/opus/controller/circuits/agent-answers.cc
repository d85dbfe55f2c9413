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
                           PhaseTurns& turns,
                           ProgramPlans& plans,
                           PhaseSetup& setup,
                           SlotRotation& rotation,
                           JobEnds& ends,
                           ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_turns(turns),
      m_plans(plans),
      m_setup(setup),
      m_rotation(rotation),
      m_ends(ends),
      m_record(record)
{
}

void
AgentAnswers::Note(ControllerNote::Kind kind, RailId rail, uint64_t plan, const std::string& words)
{
    ControllerNote& note = m_record.Note(kind, m_plans.GetPhases(plan).front(), words);
    note.plan = plan;
    note.rail = rail;
}

void
AgentAnswers::Programmed(ControllerPhase& phase)
{
    if (SlotChange::IsFor(phase.phase))
    {
        m_rotation.Programmed(phase);
    }
    else if (JobEnds::IsFor(phase.phase))
    {
        m_ends.Programmed(phase);
    }
    else
    {
        m_setup.Programmed(phase);
    }
}

void
AgentAnswers::TakeDone(RailId rail, const OpusDone& done)
{
    if (!m_plans.IsAnswer(rail, done.plan))
    {
        ++m_record.counters.duplicates;
        return;
    }
    Note(ControllerNote::Kind::PROGRAMMED, rail, done.plan, "");
    const ProgramPlans::Closed plan = m_plans.Done(done.plan);
    m_turns.LookAt(plan.ranks);
    m_turns.LookAtRails({rail});
    for (ControllerPhase* phase : plan.waiting)
    {
        phase->settled = std::max(phase->settled, m_record.GetTime() - done.linkUp);
        if (phase->plans.empty())
        {
            Programmed(*phase);
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
AgentAnswers::TakeAlarm(RailId rail, const OpusAlarm& alarm)
{
    if (!m_plans.IsAnswer(rail, alarm.plan))
    {
        ++m_record.counters.duplicates;
        return;
    }
    const bool isPartial = alarm.isPartial;
    const bool isShared = m_plans.GetPhases(alarm.plan).size() > 1;
    ++m_record.counters.alarms;
    Note(ControllerNote::Kind::FAILED, rail, alarm.plan, alarm.reason);
    std::vector<Circuit> dark;
    for (const SwitchCircuit& circuit : alarm.dark)
    {
        dark.emplace_back(circuit.one, circuit.other);
    }
    const ProgramPlans::Closed plan =
        isPartial ? m_plans.Done(alarm.plan, dark) : m_plans.Abandon(alarm.plan);
    m_turns.LookAt(plan.ranks);
    m_turns.LookAtRails({rail});
    for (ControllerPhase* phase : plan.waiting)
    {
        phase->settled = m_record.GetTime();
        const bool isSpared = isShared && isPartial && !NeedsAny(*phase, rail, dark);
        if (JobEnds::IsFor(phase->phase))
        {
            m_ends.Fail(*phase, "rail " + std::to_string(rail.Get()) + ": " + alarm.reason);
        }
        else if (isShared && !isPartial)
        {
            m_setup.TryAlone(*phase);
        }
        else if (!isSpared && !SlotChange::IsFor(phase->phase))
        {
            m_setup.Fail(*phase,
                         rail,
                         alarm.dark,
                         "rail " + std::to_string(rail.Get()) + ": " + alarm.reason);
        }
        else if (phase->plans.empty())
        {
            // in a rotation, other rails have changed, and the circuits of this one are in the
            // ledger
            isSpared ? Programmed(*phase) : m_rotation.EndChange(*phase);
        }
    }
}

} // namespace ns3
