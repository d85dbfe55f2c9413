/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SLOT_CHANGE_H
#define PHOTONIC_RAILS_SLOT_CHANGE_H

#include "circuit-setup.h"

#include "ns3/circuit-policy.h"
#include "ns3/controller-phase.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-endings.h"
#include "ns3/port-ledger.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The change from the circuits of one slot to those of the next, on all rails whose agents
 * have answered.
 *
 * A change is a phase of a separate group, which no rank requests. It has no traffic, and ends when
 * all its plans are answered or given up.
 */
class SlotChange
{
  public:
    SlotChange(CircuitPolicy& policy,
               OpenPhases& phases,
               PhaseEndings& endings,
               PortLedger& ledger,
               CircuitSetup& setup);

    /** @return whether a phase represents a change of slots */
    static bool IsFor(const OpusPhase& phase);

    /** @return whether no phase has traffic in flight */
    bool IsPossible() const;
    /** Sets up the circuits of a slot. @return whether any circuit changes */
    bool Begin(uint64_t slot);
    /** Notes the reconfiguration time of a change of which all plans are done. */
    void NoteReconfigured(ControllerPhase& change);
    /** Ends a change, whether all plans were done or not. */
    void End(ControllerPhase& change);

  private:
    CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PhaseEndings& m_endings;
    PortLedger& m_ledger;
    CircuitSetup& m_setup;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SLOT_CHANGE_H */
