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
 * @brief The wait of phases for their ports: whether a phase may go now, and otherwise the reason
 * of its wait.
 *
 * A phase that may go gets its circuits from the policy, and leaves the queues. If a phase has to
 * wait, grants on its ports that would not end otherwise are called back, and idle grants on its
 * whole rails are called in.
 */
class GrantAttempts
{
  public:
    /**
     * @param limit in picoseconds from complete votes to free ports; after it a phase is refused
     */
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

    /** Starts a phase in the queues, if it can go. */
    void Attempt(ControllerPhase& phase);
    /** Refuses a phase whose ports were not free within the limit. */
    void Expire(ControllerPhase& phase);

  private:
    /** @return the reason why a phase cannot go now with any circuits; empty if it can */
    std::string FindObstacle(const ControllerPhase& phase) const;
    /**
     * @return the reason why a phase cannot go now because parallelisms do not share rails; empty
     * if it can
     */
    std::string FindTrafficInTheWay(const ControllerPhase& phase) const;
    /** Makes a phase wait. */
    void Delay(ControllerPhase& phase, const std::string& why);
    /** Calls back the phases that delay a waiting one and would not end otherwise. */
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
