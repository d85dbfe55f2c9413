/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SLOT_ROTATION_H
#define PHOTONIC_RAILS_SLOT_ROTATION_H

#include "circuit-setup.h"
#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-turns.h"
#include "port-ledger.h"

#include "ns3/circuit-policy.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The rotation of a policy that changes all circuits slot by slot, whatever phases want
 * (CircuitPolicy::GetSlot); with other policies it does nothing.
 *
 * | state         | until                                                    |
 * |---------------|----------------------------------------------------------|
 * | RESTING       | a rank wants circuits; then it goes on in the present slot |
 * | STANDING      | the slot is over; phases whose pairs are joined may go   |
 * | RECALLING     | what is granted has been given back                      |
 * | RECONFIGURING | the circuits of the next slot are up                     |
 *
 * A change of slots is a phase of a group of its own, for which no rank asks.
 */
class SlotRotation
{
  public:
    SlotRotation(CircuitPolicy& policy,
                 OpenPhases& phases,
                 PhaseTurns& turns,
                 PhaseEndings& endings,
                 PhaseGrants& grants,
                 PortLedger& ledger,
                 CircuitSetup& setup,
                 ControllerRecord& record);

    /** @return whether the policy rotates circuits */
    bool Rotates() const;
    /** @return whether the rotation does not let any phase go now */
    bool IsInTheWay() const;
    /** @return the end of the slot that stands, in picoseconds; NEVER if none does */
    Picoseconds GetSlotEnd() const;
    /** @return whether a phase stands for a change of slots */
    static bool IsChange(const OpusPhase& phase);

    /** The slot that stands ends, if it is over by now. */
    void EndSlotIfOver();
    /** The rotation goes on, if it can. */
    void GoOn();
    /** All agents have done their part for a change of slots. */
    void Programmed(ControllerPhase& change);
    /** A change of slots is over, whether all agents have done their part or not. */
    void EndChange(ControllerPhase& change);

    /** @return the state in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** How far the rotation is. */
    enum class State : uint8_t
    {
        RESTING,
        STANDING,
        RECALLING,
        RECONFIGURING,
    };

    /** @return whether any rank wants circuits or has them */
    bool IsWanted() const;
    /** The circuits of a slot are to be set up. */
    void RotateTo(uint64_t slot);
    /** The circuits of a slot are up. */
    void BeginSlot();

    CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    PortLedger& m_ledger;
    CircuitSetup& m_setup;
    ControllerRecord& m_record;
    State m_state{State::RESTING};
    uint64_t m_slot{0};
    Picoseconds m_end{NEVER}; //!< of the slot that stands
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SLOT_ROTATION_H */
