/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_SETUP_H
#define PHOTONIC_RAILS_CIRCUIT_SETUP_H

#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-voting.h"
#include "port-ledger.h"
#include "program-plans.h"
#include "rail-traffic.h"

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sets up the circuits of phases: from the choice of circuits to the grant.
 *
 * The circuits that stand are claimed, the agents of all rails that change get plans, and when all
 * plans of a phase are done, it is granted. If its votes are not firm then, it is prepared: its
 * circuits are up, and it has no claim to them. A phase for which nothing changes is granted at
 * once.
 */
class CircuitSetup
{
  public:
    /** @param limit for an agent to answer a plan, in picoseconds */
    CircuitSetup(std::shared_ptr<const Cabling> cabling,
                 Picoseconds limit,
                 OpenPhases& phases,
                 PhaseVoting& voting,
                 PhaseEndings& endings,
                 PhaseGrants& grants,
                 PortLedger& ledger,
                 RailTraffic& traffic,
                 ProgramPlans& plans,
                 ControllerRecord& record);

    /** @return why circuits cannot be made now; empty if they can */
    std::string GetWhyNot(const CircuitTarget& target) const;
    /** @return the words on a port that changes and is not the job's; empty if there is none */
    std::string FindForeignPort(JobId job, const CircuitTarget& target) const;

    /** Sets up circuits, which can be made now, for a phase that stands in no queue. */
    void Program(ControllerPhase& phase, const CircuitTarget& target);
    /** All agents have done their part for a phase. */
    void Programmed(ControllerPhase& phase);
    /**
     * Notes how long the circuits of a phase took.
     * @param firm since when there is a wait for them; NEVER: there is none
     */
    void NoteReconfigured(ControllerPhase& phase, Picoseconds firm);
    /** A plan for a phase and others was refused: the phase gets plans of its own. */
    void TryAlone(ControllerPhase& phase);
    /** No answer came in time to the plans of a phase. @return the words on that */
    std::string GiveUp(const ControllerPhase& phase);

  private:
    std::shared_ptr<const Cabling> m_cabling;
    Picoseconds m_limit;
    OpenPhases& m_phases;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    PortLedger& m_ledger;
    RailTraffic& m_traffic;
    ProgramPlans& m_plans;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_SETUP_H */
