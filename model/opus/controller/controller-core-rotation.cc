/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include <algorithm>
#include <cstdint>
#include <string>

// Circuits that a policy changes slot by slot, whatever phases want.

namespace ns3
{

namespace
{

/** Changes of slots are phases of this group, which nobody asks for. */
constexpr uint32_t ROTATION_GROUP = UINT32_MAX - 1;

} // namespace

bool
ControllerCore::Rotates() const
{
    return m_policy->GetSlot() > 0;
}

bool
ControllerCore::IsRotation(const OpusPhase& phase)
{
    return phase.group == GroupId(ROTATION_GROUP);
}

bool
ControllerCore::IsWanted() const
{
    return std::any_of(m_phases.begin(), m_phases.end(), [](const auto& open) {
        return open.second.state == State::GRANTED || !open.second.votes.GetWanting().empty();
    });
}

void
ControllerCore::Rotate()
{
    using Step = Rotation::State;
    if (!Rotates())
    {
        return;
    }
    if (m_phases.empty())
    {
        m_rotation = {Step::RESTING, m_rotation.slot, NEVER};
    }
    else if (m_rotation.state == Step::RESTING && IsWanted())
    {
        RotateTo(m_now / m_policy->GetSlot());
    }
    else if (m_rotation.state == Step::RECALLING && !m_ledger.HasTraffic())
    {
        RotateTo(m_rotation.slot + 1);
    }
}

void
ControllerCore::EndSlot()
{
    m_rotation.end = NEVER;
    if (!IsWanted())
    {
        m_rotation.state = Rotation::State::RESTING;
        return;
    }
    m_rotation.state = Rotation::State::RECALLING;
    for (auto& [key, phase] : m_phases)
    {
        if (phase.state == State::GRANTED)
        {
            CallBack(phase, "slot " + std::to_string(m_rotation.slot) + " is over");
        }
    }
}

void
ControllerCore::RotateTo(uint64_t slot)
{
    m_rotation = {Rotation::State::RECONFIGURING, slot, NEVER};
    CircuitTarget target = m_policy->GetRotation(slot, m_ledger.GetCircuits());
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
    target.circuits.clear(); // no traffic of its own
    OpusPhase turn;
    turn.group = GroupId(ROTATION_GROUP);
    turn.operation = slot;
    const auto opened = m_phases.emplace(turn, ControllerPhase(turn, 0, 0));
    m_byFlow[GetFlowKey(turn)].insert(turn);
    Program(opened.first->second, target);
}

void
ControllerCore::BeginSlot()
{
    const Picoseconds slot = m_policy->GetSlot();
    // a slot that began late ends with the one that it would be now
    const uint64_t last = std::max<uint64_t>(m_rotation.slot, m_now / slot);
    m_rotation.state = Rotation::State::STANDING;
    m_rotation.end = static_cast<Picoseconds>(last + 1) * slot;
    m_waiting.LookAtAll();
}

void
ControllerCore::EndRotation(ControllerPhase& phase)
{
    EndFlight(phase);
    phase.plans.clear();
    Forget(OpusPhase(phase.phase));
    BeginSlot();
    Rotate(); // there may be nobody left
}

} // namespace ns3
