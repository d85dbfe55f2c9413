/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HELD_PHASES_H
#define PHOTONIC_RAILS_HELD_PHASES_H

#include "report-admission.h"

#include "ns3/circuit-setup.h"
#include "ns3/controller-phase.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-grants.h"
#include "ns3/phase-ranks.h"
#include "ns3/phase-voting.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The phases that ranks hold, or are through with, from an earlier term: takes the HOLDs of
 * shims.
 *
 * A phase that a rank holds counts as granted from the first HOLD on. Its circuits are those that
 * HOLDs name, and it goes no further than the first of its ranks. Its state is not complete
 * (ControllerPhase::isResumed): ResumedPhases continues it. A request for other pairs under its
 * name is refused.
 */
class HeldPhases
{
  public:
    HeldPhases(ReportAdmission& admission,
               PhaseRanks& phaseRanks,
               PhaseVoting& voting,
               PhaseEndings& endings,
               PhaseGrants& grants,
               CircuitSetup& setup);

    /** Takes a phase that ranks hold or are through with. @param server of the shim */
    void TakeHold(ServerId server, const OpusHold& hold);

  private:
    /** Notes that ranks are through with a phase. */
    void TakeThrough(const OpusHold& hold);
    /** @return the phase of a HOLD, granted in an earlier term */
    ControllerPhase& FindOrTakeOver(const OpusHold& hold);
    /** @return the phase of a HOLD, for the same pairs, which may be new */
    ControllerPhase& FindOrOpen(const OpusHold& hold);
    /** Adds the circuits that a HOLD names to a phase. */
    void TakeCircuits(ControllerPhase& phase, const OpusHold& hold);
    /** Notes that ranks hold a phase, up to an operation. */
    void TakeVotes(ControllerPhase& phase, const OpusHold& hold);

    ReportAdmission& m_admission;
    PhaseRanks& m_phaseRanks;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    CircuitSetup& m_setup;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HELD_PHASES_H */
