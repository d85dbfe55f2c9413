/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "slot-change.h"

#include "ns3/circuit-planner.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

/** The group of the phases that represent changes of slots. */
constexpr uint32_t ROTATION_GROUP = UINT32_MAX - 1;

} // namespace

SlotChange::SlotChange(CircuitPolicy& policy,
                       OpenPhases& phases,
                       PhaseEndings& endings,
                       PortLedger& ledger,
                       CircuitSetup& setup)
    : m_policy(policy),
      m_phases(phases),
      m_endings(endings),
      m_ledger(ledger),
      m_setup(setup)
{
}

bool
SlotChange::IsFor(const OpusPhase& phase)
{
    return phase.group == GroupId(ROTATION_GROUP);
}

bool
SlotChange::IsPossible() const
{
    return !m_ledger.HasTraffic();
}

bool
SlotChange::Begin(uint64_t slot)
{
    CircuitTarget target = m_policy.GetRotation(slot, m_ledger.GetCircuits());
    for (auto change = target.changes.begin(); change != target.changes.end();)
    {
        // a switch whose agent has not answered stays as it is
        const bool canRotate = m_ledger.GetWhyNot(change->first, change->second).empty();
        change = canRotate ? std::next(change) : target.changes.erase(change);
    }
    if (target.changes.empty())
    {
        return false;
    }
    target.circuits.clear(); // a change has no traffic
    OpusPhase change;
    change.group = GroupId(ROTATION_GROUP);
    change.operation = slot;
    m_setup.Program(m_phases.Open(change, 0, 0).first, target);
    return true;
}

void
SlotChange::NoteReconfigured(ControllerPhase& change)
{
    Picoseconds firm = change.firm; // the change is for all phases that wait
    for (const auto& [key, waiting] : m_phases.Get())
    {
        if (waiting.state == ControllerPhase::State::WAITING)
        {
            firm = std::min(firm, waiting.firm);
        }
    }
    m_setup.NoteReconfigured(change, firm);
}

void
SlotChange::End(ControllerPhase& change)
{
    m_endings.FreeCircuits(change);
    change.plans.clear();
    m_endings.Forget(change.phase);
}

} // namespace ns3
