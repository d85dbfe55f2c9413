/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include <algorithm>
#include <string>
#include <vector>

// What agents answer to plans, and what becomes of the phases that a plan is for.

namespace ns3
{

std::vector<OpusPhase>
ControllerCore::CloseAnswered(const OpusMessage& message)
{
    std::vector<OpusPhase> waiting;
    for (const OpusPhase& key : m_plans.at(message.plan))
    {
        const auto found = m_phases.find(key);
        if (found != m_phases.end() && found->second.plans.erase(message.plan) != 0)
        {
            waiting.push_back(key);
        }
    }
    m_plans.erase(message.plan);
    return waiting;
}

void
ControllerCore::TakeDone(const OpusMessage& message)
{
    if (!m_ledger.IsOpen(message.plan) || m_ledger.GetRail(message.plan) != message.rail)
    {
        ++m_counters.duplicates;
        return;
    }
    Note(ControllerNote::Kind::PROGRAMMED, m_plans.at(message.plan).front());
    m_notes.back().plan = message.plan;
    m_notes.back().rail = message.rail;
    m_waiting.LookAt(m_ledger.Done(message.plan));
    LookAtRails({message.rail});
    for (const OpusPhase& key : CloseAnswered(message))
    {
        ControllerPhase& phase = m_phases.at(key);
        if (phase.plans.empty())
        {
            Programmed(phase);
        }
    }
}

bool
ControllerCore::NeedsAny(const ControllerPhase& phase,
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
ControllerCore::TakeAlarm(const OpusMessage& message)
{
    if (!m_ledger.IsOpen(message.plan) || m_ledger.GetRail(message.plan) != message.rail)
    {
        ++m_counters.duplicates;
        return;
    }
    const bool isShared = m_plans.at(message.plan).size() > 1;
    ++m_counters.alarms;
    Note(ControllerNote::Kind::FAILED, m_plans.at(message.plan).front(), message.reason);
    m_notes.back().plan = message.plan;
    m_notes.back().rail = message.rail;
    std::vector<Circuit> dark;
    for (const SwitchCircuit& circuit : message.down)
    {
        dark.emplace_back(circuit.one, circuit.other);
    }
    m_waiting.LookAt(message.speculative ? m_ledger.Done(message.plan, dark)
                                         : m_ledger.Abandon(message.plan));
    LookAtRails({message.rail});
    for (const OpusPhase& key : CloseAnswered(message))
    {
        ControllerPhase& phase = m_phases.at(key);
        const bool isSpared =
            isShared && message.speculative && !NeedsAny(phase, message.rail, dark);
        if (isShared && !message.speculative)
        {
            TryAlone(phase);
        }
        else if (!isSpared && !IsRotation(key))
        {
            Refuse(phase, "rail " + std::to_string(message.rail.Get()) + ": " + message.reason);
        }
        else if (phase.plans.empty())
        {
            // of a rotation, other rails have turned, and what this one has is in the ledger
            isSpared ? Programmed(phase) : EndRotation(phase);
        }
    }
}

} // namespace ns3
