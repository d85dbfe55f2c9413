/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WHOLE_NETWORK_H
#define PHOTONIC_RAILS_WHOLE_NETWORK_H

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/controller-settings.h"
#include "ns3/open-phases.h"
#include "ns3/phase-turns.h"
#include "ns3/picoseconds.h"
#include "ns3/port-ledger.h"

#include <set>
#include <string>
#include <tuple>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The reconfigurations of all rails as one network, one at a time
 * (CircuitGranularity::NETWORK).
 *
 * - A phase whose circuits change waits until no phase is under way on any rail.
 * - Once a phase that all ranks have called waits for that, no other phase is granted: the network
 *   drains. It does not drain for a phase whose turn comes after another's that waits at its ports:
 *   the other would wait for the drain, and the phase for its turn.
 * - The drained network is reconfigured for all phases that wait, as far as their ports suffice. It
 *   begins when the first of them has waited for the gather time, so that requests of one instant,
 *   whose messages arrive one after another, share a reconfiguration.
 * - Until all agents have answered, no phase is granted.
 *
 * With another granularity it keeps no phase from anything. Circuits that a job starts with, and
 * those of policies that keep or rotate them, are not included.
 */
class WholeNetwork
{
  public:
    /**
     * @param enabled whether the network is reconfigured as a whole
     * @param gather in picoseconds
     */
    WholeNetwork(bool enabled,
                 Picoseconds gather,
                 OpenPhases& phases,
                 PhaseTurns& turns,
                 const PortLedger& ledger,
                 const ControllerRecord& record);

    /** Begins the decisions of an instant: marks all phases for a try if the network allows more.
     */
    void BeginInstant();

    /** @return the reason why no phase can go, whatever its circuits; empty if it can */
    std::string FindObstacle() const;
    /**
     * @param changes whether circuits change for a phase
     * @return the reason why it cannot go; empty if it can
     */
    std::string FindObstacle(bool changes) const;
    /** Notes that a phase waits for a reconfiguration of the network. */
    void Wait(const ControllerPhase& phase);
    /** Notes that a phase does not wait for a reconfiguration any more: its circuits stand now. */
    void Forget(const ControllerPhase& phase);
    /** Notes that the network is reconfigured for a phase, from this instant on. */
    void Change();

    /** @return the end of the gather time, in picoseconds; NEVER if no phase waits for it */
    Picoseconds GetDeadline() const;

    /** @return the state in words; equal states have equal words */
    std::string Describe() const;

  private:
    /** Whether it has open plans, and traffic, and drains, and gathers. */
    using Status = std::tuple<bool, bool, bool, bool>;

    /** @return whether phases still join the present round */
    bool IsGathering() const;
    /** @return the present status */
    Status GetStatus() const;
    /** Forgets phases that do not wait any more. */
    void Purge();

    bool m_enabled;
    Picoseconds m_gather;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    const PortLedger& m_ledger;
    const ControllerRecord& m_record;
    std::set<OpusPhase> m_waiting;  //!< phases that wait for a reconfiguration
    bool m_drains{false};           //!< all ranks have called one whose turn it is
    Picoseconds m_gatherEnd{NEVER}; //!< of the present round
    bool m_changes{false};          //!< a reconfiguration begins at this instant
    Status m_last{};                //!< at the last instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_WHOLE_NETWORK_H */
