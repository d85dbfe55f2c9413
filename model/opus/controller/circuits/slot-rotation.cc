/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "slot-rotation.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

SlotRotation::SlotRotation(const CircuitPolicy& policy,
                           OpenPhases& phases,
                           PhaseTurns& turns,
                           GrantRecalls& recalls,
                           SlotChange& change,
                           ControllerRecord& record)
    : m_policy(policy),
      m_phases(phases),
      m_turns(turns),
      m_recalls(recalls),
      m_change(change),
      m_record(record)
{
}

bool
SlotRotation::Rotates() const
{
    return m_policy.GetSlot().IsStrictlyPositive();
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
        RotateTo(m_record.GetTime() / m_policy.GetSlot().GetTimeStep());
    }
    else if (m_state == State::RECALLING && m_change.IsPossible())
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
            m_recalls.CallBack(phase, "slot " + std::to_string(m_slot) + " is over");
        }
    }
}

void
SlotRotation::RotateTo(uint64_t slot)
{
    m_state = State::RECONFIGURING;
    m_slot = slot;
    m_end = NEVER;
    if (!m_change.Begin(slot))
    {
        BeginSlot();
    }
}

void
SlotRotation::BeginSlot()
{
    const Picoseconds slot = m_policy.GetSlot().GetTimeStep();
    // a slot that began late ends with the slot of the present time
    const uint64_t last = std::max<uint64_t>(m_slot, m_record.GetTime() / slot);
    m_state = State::STANDING;
    m_end = static_cast<Picoseconds>(last + 1) * slot;
    m_turns.LookAtAll();
}

void
SlotRotation::Programmed(ControllerPhase& change)
{
    m_change.NoteReconfigured(change);
    EndChange(change);
}

void
SlotRotation::EndChange(ControllerPhase& change)
{
    m_change.End(change);
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
