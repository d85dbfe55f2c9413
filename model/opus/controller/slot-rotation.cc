/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "slot-rotation.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ns3
{

namespace
{

/** The group of the phases that represent changes of slots. */
constexpr uint32_t ROTATION_GROUP = UINT32_MAX - 1;

} // namespace

SlotRotation::SlotRotation(CircuitPolicy& policy,
                           OpenPhases& phases,
                           PhaseTurns& turns,
                           PhaseEndings& endings,
                           PhaseGrants& grants,
                           PortLedger& ledger,
                           CircuitSetup& setup,
                           ControllerRecord& record)
    : m_policy(policy),
      m_phases(phases),
      m_turns(turns),
      m_endings(endings),
      m_grants(grants),
      m_ledger(ledger),
      m_setup(setup),
      m_record(record)
{
}

bool
SlotRotation::Rotates() const
{
    return m_policy.GetSlot() > 0;
}

bool
SlotRotation::IsInTheWay() const
{
    return Rotates() && m_state != State::STANDING;
}

Picoseconds
SlotRotation::GetSlotEnd() const
{
    return m_end;
}

bool
SlotRotation::IsChange(const OpusPhase& phase)
{
    return phase.group == GroupId(ROTATION_GROUP);
}

bool
SlotRotation::IsWanted() const
{
    const OpenPhases::Phases& phases = m_phases.Get();
    return std::any_of(phases.begin(), phases.end(), [](const auto& open) {
        return open.second.state == ControllerPhase::State::GRANTED ||
               !open.second.votes.GetWanting().empty();
    });
}

void
SlotRotation::GoOn()
{
    if (!Rotates())
    {
        return;
    }
    if (m_phases.Get().empty())
    {
        m_state = State::RESTING;
        m_end = NEVER;
    }
    else if (m_state == State::RESTING && IsWanted())
    {
        RotateTo(m_record.GetTime() / m_policy.GetSlot());
    }
    else if (m_state == State::RECALLING && !m_ledger.HasTraffic())
    {
        RotateTo(m_slot + 1);
    }
}

void
SlotRotation::EndSlotIfOver()
{
    if (m_end > m_record.GetTime())
    {
        return;
    }
    m_end = NEVER;
    if (!IsWanted())
    {
        m_state = State::RESTING;
        return;
    }
    m_state = State::RECALLING;
    for (auto& [key, phase] : m_phases)
    {
        if (phase.state == ControllerPhase::State::GRANTED)
        {
            m_grants.CallBack(phase, "slot " + std::to_string(m_slot) + " is over");
        }
    }
}

void
SlotRotation::RotateTo(uint64_t slot)
{
    m_state = State::RECONFIGURING;
    m_slot = slot;
    m_end = NEVER;
    CircuitTarget target = m_policy.GetRotation(slot, m_ledger.GetCircuits());
    for (auto change = target.changes.begin(); change != target.changes.end();)
    {
        // a switch whose agent has not answered stays as it is
        const bool canRotate = m_ledger.GetWhyNot(change->first, change->second).empty();
        change = canRotate ? std::next(change) : target.changes.erase(change);
    }
    if (target.changes.empty())
    {
        BeginSlot();
        return;
    }
    target.circuits.clear(); // a change has no traffic
    OpusPhase change;
    change.group = GroupId(ROTATION_GROUP);
    change.operation = slot;
    m_setup.Program(m_phases.Open(change, 0, 0).first, target);
}

void
SlotRotation::BeginSlot()
{
    const Picoseconds slot = m_policy.GetSlot();
    // a slot that began late ends with the slot of the present time
    const uint64_t last = std::max<uint64_t>(m_slot, m_record.GetTime() / slot);
    m_state = State::STANDING;
    m_end = static_cast<Picoseconds>(last + 1) * slot;
    m_turns.LookAtAll();
}

void
SlotRotation::Programmed(ControllerPhase& change)
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
    EndChange(change);
}

void
SlotRotation::EndChange(ControllerPhase& change)
{
    m_endings.FreeCircuits(change);
    change.plans.clear();
    m_endings.Forget(change.phase);
    BeginSlot();
    GoOn(); // there may be no phase left
}

std::string
SlotRotation::Describe() const
{
    std::ostringstream words;
    words << "rotation " << static_cast<int>(m_state) << ", slot " << m_slot << " until " << m_end
          << "\n";
    return words.str();
}

} // namespace ns3
