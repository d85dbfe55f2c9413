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
 * @brief How a controller that begins a term learns what agents and shims know.
 *
 * An ACCEPT of an agent says which circuits stand. HOLDs of a shim say what its ranks hold and are
 * through with, REFUSEs what was refused to them, and a TERM that this was all. A phase that is
 * held counts as granted, and is granted to no other rank until all agents of its rails and all
 * shims of its ranks have said so (ControllerPhase::isResumed). Then it goes on, or is called back
 * if its circuits are not all there. When everything is known, jobs start that did not.
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

    /** Nothing is known, neither of rails nor of shims. */
    void Begin();
    void TakeAccept(const OpusMessage& message);
    void TakeHold(const OpusMessage& message);
    void TakeRefusal(const OpusMessage& message);
    void TakeTerm(const OpusMessage& message);

  private:
    /** More is known of an agent or a shim. */
    void LookAtKnown();
    /** Ranks that are through with a phase and do not ask take part, when its group is whole. */
    void FindLateRanks();
    /** @return whether a HOLD makes sense: its ranks, its circuits, and what was said before */
    bool IsPossible(const OpusMessage& hold) const;
    /** @return the phase of a HOLD, granted in an earlier term */
    ControllerPhase& FindOrResume(const OpusMessage& message);
    /** Ranks hold a phase, up to an operation. */
    void TakeVotes(ControllerPhase& phase, const OpusMessage& message);
    /** A phase has the circuits that a HOLD names. */
    void TakeCircuits(ControllerPhase& phase, const OpusMessage& message);
    /** @return whether all is known of a phase that was granted in an earlier term */
    bool IsKnown(const ControllerPhase& phase) const;
    /** All is known of a phase that was granted in an earlier term: it goes on. */
    void Resume(ControllerPhase& phase);
    /** @return whether each pair of a phase has a circuit, those that stand included from now on */
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
