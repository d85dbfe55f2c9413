/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_AGENT_ANSWERS_H
#define PHOTONIC_RAILS_AGENT_ANSWERS_H

#include "job-ends.h"
#include "phase-setup.h"
#include "program-plans.h"
#include "slot-change.h"
#include "slot-rotation.h"

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"

#include <cstdint>
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
                 PhaseTurns& turns,
                 ProgramPlans& plans,
                 PhaseSetup& setup,
                 SlotRotation& rotation,
                 JobEnds& ends,
                 ControllerRecord& record);

    /** Takes an answer. @param rail of the agent */
    void TakeDone(RailId rail, const OpusDone& done);
    /** Takes an alarm. @param rail of the agent */
    void TakeAlarm(RailId rail, const OpusAlarm& alarm);

  private:
    /** Adds a note about an answer. */
    void Note(ControllerNote::Kind kind, RailId rail, uint64_t plan, const std::string& words);
    /** Continues with a phase of which all plans are done. */
    void Programmed(ControllerPhase& phase);
    /** @return whether a phase needs one of these circuits */
    bool NeedsAny(const ControllerPhase& phase,
                  RailId rail,
                  const std::vector<Circuit>& circuits) const;

    std::shared_ptr<const Cabling> m_cabling;
    PhaseTurns& m_turns;
    ProgramPlans& m_plans;
    PhaseSetup& m_setup;
    SlotRotation& m_rotation;
    JobEnds& m_ends;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_AGENT_ANSWERS_H */
