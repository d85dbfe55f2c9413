/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_ENDINGS_H
#define PHOTONIC_RAILS_PHASE_ENDINGS_H

#include "phase-outcomes.h"

#include "ns3/controller-phase.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"
#include "ns3/port-ledger.h"
#include "ns3/rail-traffic.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ways in which a phase ends.
 *
 * A phase is over when all its ranks are through with it. It is refused when something fails. It is
 * forgotten, without an outcome, when no rank wants it any more. After each of these ends it holds
 * no place in the queues, no port and no rail.
 */
class PhaseEndings
{
  public:
    PhaseEndings(OpenPhases& phases,
                 PhaseTurns& turns,
                 PortLedger& ledger,
                 RailTraffic& traffic,
                 PhaseOutcomes& outcomes);

    /** Releases the circuits of a phase that is under way. */
    void FreeCircuits(ControllerPhase& phase);
    /** Refuses a phase; for good, unless it has guesses only. */
    void Refuse(ControllerPhase& phase, const std::string& reason);
    /** Refuses a phase. @param isFinal for good */
    void Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** Ends a phase that all ranks are through with. */
    void Finish(ControllerPhase& phase);
    /** Forgets an open phase. */
    void Forget(const OpusPhase& phase);

  private:
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PortLedger& m_ledger;
    RailTraffic& m_traffic;
    PhaseOutcomes& m_outcomes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_ENDINGS_H */
