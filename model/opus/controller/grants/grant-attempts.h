/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANT_ATTEMPTS_H
#define PHOTONIC_RAILS_GRANT_ATTEMPTS_H

#include "grant-decisions.h"
#include "grants-in-the-way.h"
#include "whole-network.h"

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-setup.h"
#include "ns3/phase-turns.h"
#include "ns3/picoseconds.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Carries out the decisions on phases that wait for their ports (GrantDecisions).
 *
 * A phase that may go leaves the queues, and its circuits are set up. If the phase that waits
 * longest has to wait on, the grants in its way end (GrantsInTheWay).
 */
class GrantAttempts
{
  public:
    /**
     * @param limit in picoseconds from complete votes to free ports; after it a phase is refused
     */
    GrantAttempts(Picoseconds limit,
                  const GrantDecisions& decisions,
                  GrantsInTheWay& inTheWay,
                  PhaseTurns& turns,
                  PhaseEndings& endings,
                  PhaseSetup& setup,
                  WholeNetwork& network,
                  ControllerRecord& record);

    /** Starts a phase in the queues, if it can go. */
    void Attempt(ControllerPhase& phase);
    /** Refuses a phase whose ports were not free within the limit. */
    void Expire(ControllerPhase& phase);

  private:
    /** Makes a phase wait. */
    void Delay(ControllerPhase& phase, const std::string& why);

    Picoseconds m_limit;
    const GrantDecisions& m_decisions;
    GrantsInTheWay& m_inTheWay;
    PhaseTurns& m_turns;
    PhaseEndings& m_endings;
    PhaseSetup& m_setup;
    WholeNetwork& m_network;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANT_ATTEMPTS_H */
