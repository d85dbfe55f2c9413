/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SLOT_ROTATION_H
#define PHOTONIC_RAILS_SLOT_ROTATION_H

#include "slot-change.h"

#include "ns3/circuit-policy.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/grant-recalls.h"
#include "ns3/open-phases.h"
#include "ns3/phase-turns.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The rotation of a policy that changes all circuits slot by slot, independent of requests
 * (CircuitPolicy::GetSlot); with other policies it does nothing.
 *
 * | state         | until                                                    |
 * |---------------|----------------------------------------------------------|
 * | RESTING       | a rank requests circuits; the present slot continues     |
 * | STANDING      | the slot is over; phases whose pairs are joined may go   |
 * | RECALLING     | all grants have been released                            |
 * | RECONFIGURING | the circuits of the next slot are up (SlotChange)        |
 */
class SlotRotation
{
  public:
    SlotRotation(const CircuitPolicy& policy,
                 OpenPhases& phases,
                 PhaseTurns& turns,
                 GrantRecalls& recalls,
                 SlotChange& change,
                 ControllerRecord& record);

    /** @return whether the policy rotates circuits */
    bool Rotates() const;
    /** @return whether the rotation allows no phase to go now */
    bool IsInTheWay() const;
    /** @return the end of the slot that stands, in picoseconds; NEVER if none does */
    Picoseconds GetSlotEnd() const;

    /** Ends the slot that stands, if it is over at this time. */
    void EndSlotIfOver();
    /** Continues the rotation, if possible. */
    void GoOn();
    /** Continues with a change of slots of which all plans are done. */
    void Programmed(ControllerPhase& change);
    /** Ends a change of slots, whether all plans were done or not. */
    void EndChange(ControllerPhase& change);

    /** @return the state in words; equal states have equal words */
    std::string Describe() const;

  private:
    /** The state of the rotation. */
    enum class State : uint8_t
    {
        RESTING,
        STANDING,
        RECALLING,
        RECONFIGURING,
    };

    /** @return whether any rank requests circuits or has them */
    bool IsWanted() const;
    /** Sets up the circuits of a slot. */
    void RotateTo(uint64_t slot);
    /** Begins a slot whose circuits are up. */
    void BeginSlot();

    const CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    GrantRecalls& m_recalls;
    SlotChange& m_change;
    ControllerRecord& m_record;
    State m_state{State::RESTING};
    uint64_t m_slot{0};
    Picoseconds m_end{NEVER}; //!< of the slot that stands
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SLOT_ROTATION_H */
