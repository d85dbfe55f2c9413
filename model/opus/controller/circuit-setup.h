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
 * It reserves the circuits that stand for the phase, and sends plans to the agents of all rails
 * that change. The phase is granted when all its plans are done. If its votes are not firm then, it
 * is prepared: its circuits are up, and they are not reserved. A phase that changes no circuit is
 * granted at once.
 */
class CircuitSetup
{
  public:
    /** @param limit in picoseconds for an agent to answer a plan */
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

    /** @return the reason why circuits cannot be set up now; empty if they can */
    std::string GetWhyNot(const CircuitTarget& target) const;
    /**
     * @return the reason of a refusal because a port that changes is not the job's; empty if there
     * is no such port
     */
    std::string FindForeignPort(JobId job, const CircuitTarget& target) const;

    /** Sets up circuits for a phase that is in no queue. GetWhyNot() must allow them. */
    void Program(ControllerPhase& phase, const CircuitTarget& target);
    /** Continues with a phase of which all plans are done. */
    void Programmed(ControllerPhase& phase);
    /**
     * Notes the reconfiguration time of a phase's circuits.
     * @param firm the time from which ranks waited for them; NEVER: none did
     */
    void NoteReconfigured(ControllerPhase& phase, Picoseconds firm);
    /** Makes separate plans for a phase, after a plan for it and others was refused. */
    void TryAlone(ControllerPhase& phase);
    /**
     * Gives up the plans of a phase, which were not answered in time.
     * @return the reason in words
     */
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
