/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_SETUP_H
#define PHOTONIC_RAILS_PHASE_SETUP_H

#include "circuit-setup.h"
#include "other-rails.h"
#include "ring-fallback.h"

#include "ns3/circuit-planner.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-grants.h"
#include "ns3/phase-voting.h"
#include "ns3/port-ledger.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes a phase that ranks request from the choice of its circuits to the grant.
 *
 * The phase is granted when all its plans are done. If its votes are not firm then, it is prepared:
 * its circuits are up, and they are not reserved. If a guess was withdrawn meanwhile, it waits for
 * votes again. A phase that changes no circuit is granted at once.
 */
class PhaseSetup
{
  public:
    PhaseSetup(PhaseVoting& voting,
               PhaseEndings& endings,
               PhaseGrants& grants,
               PortLedger& ledger,
               CircuitSetup& setup,
               RingFallback& fallback,
               OtherRails& otherRails,
               ControllerRecord& record);

    /** Sets up circuits for a phase that is in no queue. PortLedger::GetWhyNot() must allow them.
     */
    void Program(ControllerPhase& phase, const CircuitTarget& target);
    /** Continues with a phase of which all plans are done. */
    void Programmed(ControllerPhase& phase);
    /** Makes separate plans for a phase, after a plan for it and others was refused. */
    void TryAlone(ControllerPhase& phase);
    /**
     * A plan of a phase has failed: its rails fall back on their rings (RingFallback), or it gets
     * circuits of other ports (OtherRails), or it is refused.
     * @param dark circuits of the plan that get no light
     */
    void Fail(ControllerPhase& phase,
              RailId rail,
              const std::vector<SwitchCircuit>& dark,
              const std::string& reason);
    /** A phase has had no answer to its plans in time. */
    void Expire(ControllerPhase& phase);

  private:
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    PortLedger& m_ledger;
    CircuitSetup& m_setup;
    RingFallback& m_fallback;
    OtherRails& m_otherRails;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_SETUP_H */
