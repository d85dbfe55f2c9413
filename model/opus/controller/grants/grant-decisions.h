/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANT_DECISIONS_H
#define PHOTONIC_RAILS_GRANT_DECISIONS_H

#include "whole-network.h"

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/controller-phase.h"
#include "ns3/job-starts.h"
#include "ns3/other-rails.h"
#include "ns3/phase-turns.h"
#include "ns3/port-ledger.h"
#include "ns3/rail-traffic.h"
#include "ns3/ring-fallback.h"
#include "ns3/slot-rotation.h"

#include <string>

namespace ns3
{

/** Whether a phase may go: it is refused, or waits, or gets the circuits of the target. */
struct GrantDecision
{
    std::string refusal;  //!< the reason of a refusal; empty: none
    std::string waitsFor; //!< the reason of a wait; empty: none
    bool changes{false};  //!< it needs circuits that do not stand, or that others use
    bool stands{false};   //!< its circuits stand, and no other phase has their ports
    CircuitTarget target; //!< of a phase that is not refused and does not wait
};

/**
 * @ingroup photonic-rails
 * @brief Decides which phases in the queues may go now, and with which circuits.
 *
 * A phase waits while earlier phases need its ports, while a start or a rotation sets up circuits,
 * and while another parallelism has traffic on its whole rails. After that the policy chooses
 * circuits: all ports that they change must be the job's, and free, and the network must be drained
 * if it changes as a whole (WholeNetwork).
 *
 * A decision changes nothing. It is valid until the next change of any phase.
 */
class GrantDecisions
{
  public:
    GrantDecisions(CircuitPolicy& policy,
                   const PhaseTurns& turns,
                   const JobStarts& starts,
                   const SlotRotation& rotation,
                   const PortLedger& ledger,
                   const RailTraffic& traffic,
                   const RingFallback& fallback,
                   const OtherRails& otherRails,
                   const WholeNetwork& network);

    /** @return the decision for a phase in the queues */
    GrantDecision Decide(const ControllerPhase& phase) const;
    /**
     * @return whether grants in the way of a waiting phase have to end for it: no phase waits
     * longer, and no rotation ends them anyway
     */
    bool IsNext(const ControllerPhase& waiting) const;

  private:
    /** @return the reason why a phase cannot go now with any circuits; empty if it can */
    std::string FindObstacle(const ControllerPhase& phase) const;
    /**
     * @return the reason why a phase cannot go now because parallelisms do not share rails; empty
     * if it can
     */
    std::string FindTrafficInTheWay(const ControllerPhase& phase) const;

    CircuitPolicy& m_policy;
    const PhaseTurns& m_turns;
    const JobStarts& m_starts;
    const SlotRotation& m_rotation;
    const PortLedger& m_ledger;
    const RailTraffic& m_traffic;
    const RingFallback& m_fallback;
    const OtherRails& m_otherRails;
    const WholeNetwork& m_network;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANT_DECISIONS_H */
