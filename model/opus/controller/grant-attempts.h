/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANT_ATTEMPTS_H
#define PHOTONIC_RAILS_GRANT_ATTEMPTS_H

#include "circuit-setup.h"
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
#include "slot-rotation.h"

#include "ns3/cabling.h"
#include "ns3/circuit-policy.h"
#include "ns3/picoseconds.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The wait of phases for their ports: whether one may go now, and if not, for what it waits.
 *
 * A phase that may go gets its circuits from the policy, and leaves the queues. One that has to
 * wait makes way for itself: of what is granted on its ports, what would not end else is called
 * back, and what is idle on its whole rails is called in.
 */
class GrantAttempts
{
  public:
    /** @param limit from complete votes to free ports, in picoseconds; then a phase is refused */
    GrantAttempts(std::shared_ptr<const Cabling> cabling,
                  Picoseconds limit,
                  CircuitPolicy& policy,
                  OpenPhases& phases,
                  PhaseTurns& turns,
                  PhaseVoting& voting,
                  PhaseEndings& endings,
                  PhaseGrants& grants,
                  PortLedger& ledger,
                  const RailTraffic& traffic,
                  CircuitSetup& setup,
                  const SlotRotation& rotation,
                  const JobStarts& starts,
                  ControllerRecord& record);

    /** A phase in the queues goes if it can. */
    void Attempt(ControllerPhase& phase);
    /** The ports of a phase were not free within the limit: it is refused. */
    void Expire(ControllerPhase& phase);

  private:
    /** @return why a phase cannot go now, whatever circuits it gets; empty if it can */
    std::string FindObstacle(const ControllerPhase& phase) const;
    /** @return why a phase cannot go now as parallelisms do not share rails; empty if it can */
    std::string FindTrafficInTheWay(const ControllerPhase& phase) const;
    /** A phase has to wait. */
    void Delay(ControllerPhase& phase, const std::string& why);
    /** Phases in the way of one that waits are called back where they would not end else. */
    void MakeWay(const ControllerPhase& waiting);

    std::shared_ptr<const Cabling> m_cabling;
    Picoseconds m_limit;
    CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    PortLedger& m_ledger;
    const RailTraffic& m_traffic;
    CircuitSetup& m_setup;
    const SlotRotation& m_rotation;
    const JobStarts& m_starts;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANT_ATTEMPTS_H */
