/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_SETUP_H
#define PHOTONIC_RAILS_CIRCUIT_SETUP_H

#include "program-plans.h"

#include "ns3/circuit-planner.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/open-phases.h"
#include "ns3/picoseconds.h"
#include "ns3/port-ledger.h"
#include "ns3/rail-traffic.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sets up the circuits that were chosen for a phase.
 *
 * It reserves the circuits that stand for the phase, and sends plans to the agents of all rails
 * that change. A plan without an answer within the limit is given up.
 */
class CircuitSetup
{
  public:
    /** @param limit in picoseconds for an agent to answer a plan */
    CircuitSetup(Picoseconds limit,
                 OpenPhases& phases,
                 PortLedger& ledger,
                 RailTraffic& traffic,
                 ProgramPlans& plans,
                 ControllerRecord& record);

    /**
     * Sets up circuits for a phase that is in no queue. PortLedger::GetWhyNot() must allow them.
     * ControllerPhase::changes has whether any circuit changes.
     */
    void Program(ControllerPhase& phase, const CircuitTarget& target);
    /** Notes that a phase of an earlier term, whose circuits are reserved later, is under way. */
    void TakeOver(const ControllerPhase& phase);
    /** Reserves further circuits for a phase that is under way. */
    void Reserve(ControllerPhase& phase, const std::vector<RankCircuit>& circuits);
    /**
     * Notes the reconfiguration time of a phase's circuits.
     * @param firm the time from which ranks waited for them; NEVER: none did
     */
    void NoteReconfigured(ControllerPhase& phase, Picoseconds firm);
    /**
     * Gives up the plans of a phase, which were not answered in time.
     * @return the reason in words
     */
    std::string GiveUp(const ControllerPhase& phase);

  private:
    Picoseconds m_limit;
    OpenPhases& m_phases;
    PortLedger& m_ledger;
    RailTraffic& m_traffic;
    ProgramPlans& m_plans;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_SETUP_H */
