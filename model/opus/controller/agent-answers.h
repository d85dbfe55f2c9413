/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_AGENT_ANSWERS_H
#define PHOTONIC_RAILS_AGENT_ANSWERS_H

#include "circuit-setup.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-turns.h"
#include "port-ledger.h"
#include "program-plans.h"
#include "slot-rotation.h"

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/opus-message.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes the answers of agents to plans, and applies them to the phases of each plan.
 *
 * If a plan fails for some circuits, the phases that need those are refused, and the others
 * continue. If a plan is refused as a whole, each of its phases gets separate plans, so that a
 * mistake in one of them does not affect the others; a phase that had a separate plan is refused. A
 * change of slots continues with the circuits of the other rails.
 */
class AgentAnswers
{
  public:
    AgentAnswers(std::shared_ptr<const Cabling> cabling,
                 OpenPhases& phases,
                 PhaseTurns& turns,
                 PhaseEndings& endings,
                 PortLedger& ledger,
                 ProgramPlans& plans,
                 CircuitSetup& setup,
                 SlotRotation& rotation,
                 ControllerRecord& record);

    void TakeDone(const OpusMessage& message);
    void TakeAlarm(const OpusMessage& message);

  private:
    /** Adds a note about an answer. */
    void Note(ControllerNote::Kind kind, const OpusMessage& message, const std::string& words);
    /** Continues with a phase of which all plans are done. */
    void Programmed(ControllerPhase& phase);
    /** @return whether a phase needs one of these circuits */
    bool NeedsAny(const ControllerPhase& phase,
                  RailId rail,
                  const std::vector<Circuit>& circuits) const;

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PhaseEndings& m_endings;
    PortLedger& m_ledger;
    ProgramPlans& m_plans;
    CircuitSetup& m_setup;
    SlotRotation& m_rotation;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_AGENT_ANSWERS_H */
