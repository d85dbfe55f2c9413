/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TERM_TAKEOVER_H
#define PHOTONIC_RAILS_TERM_TAKEOVER_H

#include "controller-phase.h"
#include "controller-record.h"
#include "job-starts.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-turns.h"
#include "phase-voting.h"
#include "port-ledger.h"
#include "rail-traffic.h"
#include "request-admission.h"

#include "ns3/cabling.h"
#include "ns3/opus-message.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Collects the state of agents and shims for a controller that begins a term.
 *
 * An ACCEPT of an agent has the circuits that stand. HOLDs of a shim have the phases that its ranks
 * hold or are through with, REFUSEs have the refused ones, and a TERM ends the list. A phase that
 * is held counts as granted, and is granted to no other rank until all agents of its rails and all
 * shims of its ranks have reported (ControllerPhase::isResumed). Then it continues, or is called
 * back if a circuit of it is missing. When everything is known, the jobs start that have not
 * started.
 */
class TermTakeover
{
  public:
    TermTakeover(std::shared_ptr<const Cabling> cabling,
                 RequestAdmission& admission,
                 OpenPhases& phases,
                 PhaseTurns& turns,
                 PhaseVoting& voting,
                 PhaseEndings& endings,
                 PhaseGrants& grants,
                 PortLedger& ledger,
                 RailTraffic& traffic,
                 JobStarts& starts,
                 ControllerRecord& record);

    /** Begins the term: the state of rails and shims is unknown. */
    void Begin();
    void TakeAccept(const OpusMessage& message);
    void TakeHold(const OpusMessage& message);
    void TakeRefusal(const OpusMessage& message);
    void TakeTerm(const OpusMessage& message);

  private:
    /** Continues after a report of an agent or a shim. */
    void LookAtKnown();
    /**
     * Adds ranks that are through with a phase and do not request it, when its group is complete.
     */
    void FindLateRanks();
    /** @return whether a HOLD is consistent: its ranks, its circuits, and the earlier reports */
    bool IsPossible(const OpusMessage& hold) const;
    /** @return the phase of a HOLD, granted in an earlier term */
    ControllerPhase& FindOrResume(const OpusMessage& message);
    /** Notes that ranks hold a phase, up to an operation. */
    void TakeVotes(ControllerPhase& phase, const OpusMessage& message);
    /** Adds the circuits that a HOLD names to a phase. */
    void TakeCircuits(ControllerPhase& phase, const OpusMessage& message);
    /** @return whether the state of a phase of an earlier term is complete */
    bool IsKnown(const ControllerPhase& phase) const;
    /** Continues a phase of an earlier term whose state is complete. */
    void Resume(ControllerPhase& phase);
    /** Adds the circuits that stand to a phase. @return whether each of its pairs has a circuit */
    bool FindCircuits(ControllerPhase& phase);

    std::shared_ptr<const Cabling> m_cabling;
    RequestAdmission& m_admission;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    PortLedger& m_ledger;
    RailTraffic& m_traffic;
    JobStarts& m_starts;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TERM_TAKEOVER_H */
