/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_ENDS_H
#define PHOTONIC_RAILS_JOB_ENDS_H

#include "circuit-setup.h"

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/controller-record.h"
#include "ns3/open-phases.h"
#include "ns3/opus-phase.h"
#include "ns3/phase-endings.h"
#include "ns3/port-ledger.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes down all circuits after the last rank has left, so that the ports can be given to
 * other jobs.
 *
 * It waits until no phase is open, no port has traffic and every plan is answered; grants that a
 * policy gives for good end first, and all others if the ranks have been stopped. When the agents
 * of all rails have answered, or at once if no circuit stands, it notes RETURNED. If one can't take
 * its circuits down, it notes FAILED, and the ports are not returned.
 */
class JobEnds
{
  public:
    JobEnds(const CircuitPolicy& policy,
            OpenPhases& phases,
            PhaseEndings& endings,
            PortLedger& ledger,
            CircuitSetup& setup,
            ControllerRecord& record);

    /** @return whether a phase stands for the end of all jobs */
    static bool IsFor(const OpusPhase& phase);

    /** All ranks have left. Requests that come nevertheless are served before the end. */
    void AllLeft();
    /**
     * The ranks have been stopped: nothing uses circuits any more, whatever they have requested or
     * hold. Their phases are refused. @param reason in words
     */
    void Abandon(const std::string& reason);
    /** Takes the circuits down, if that is due and possible. */
    void GoOn();
    /** All plans of an end are done. */
    void Programmed(ControllerPhase& end);
    /** A plan of an end has failed. @param reason in words */
    void Fail(ControllerPhase& end, const std::string& reason);

  private:
    /** Ends the grants that ranks keep for good. */
    void EndGrants();
    /** Refuses the phases that wait for votes or ports, of ranks that have been stopped. */
    void RefuseAll();
    /** @return whether nothing uses circuits, or is going to */
    bool IsPossible() const;
    /** @return the plans that take all circuits down */
    CircuitTarget MakeTarget() const;
    /** Removes an end. */
    void Forget(ControllerPhase& end);

    const CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PhaseEndings& m_endings;
    PortLedger& m_ledger;
    CircuitSetup& m_setup;
    ControllerRecord& m_record;
    bool m_isDue{false};
    std::string m_abandoned; //!< why the ranks were stopped; empty: they were not
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_ENDS_H */
