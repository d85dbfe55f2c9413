/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_FALLBACK_H
#define PHOTONIC_RAILS_RING_FALLBACK_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/controller-phase.h"
#include "ns3/giant-rings.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Giant rings instead of circuits that fail: when circuits of a phase get no light, its
 * rails fall back on their rings, for the rest of the run.
 *
 * A phase on such a rail gets the ring instead of the policy's circuits, set up when all ports of
 * the rail are free: ranks that hold circuits on it are called in. Then GPUs forward messages of
 * ranks that are no neighbours. Where a circuit of the ring gets no light either, its neighbours
 * are a gap, and messages go the other way round.
 *
 * A phase fails as without a fallback if a pair of it is on no way round, if nothing new is known
 * to be dark, or if its policy keeps circuits for good or rotates them.
 */
class RingFallback
{
  public:
    /**
     * @param isOn whether phases fall back at all
     * @param phases all open ones
     */
    RingFallback(bool isOn,
                 std::shared_ptr<const Cabling> cabling,
                 OpenPhases& phases,
                 PhaseTurns& turns);

    /**
     * Circuits of a phase get no light.
     * @param dark circuits on a rail
     * @return whether its rails fall back on their rings, so that it can be tried again
     */
    bool Engage(ControllerPhase& phase, RailId rail, const std::vector<SwitchCircuit>& dark);
    /** @return whether a phase is on a rail that has fallen back */
    bool IsFor(const ControllerPhase& phase) const;
    /** Adds the ranks of its rails' rings to a phase, if it is on a rail that has fallen back. */
    void AddRanks(ControllerPhase& phase) const;
    /** @return the ring circuits of a phase on such a rail, and the changes that they need */
    CircuitTarget GetTarget(const CircuitQuestion& question) const;
    /** @return the rails that have fallen back */
    const std::set<RailId>& GetRails() const;

  private:
    /** @return the rings of a job */
    const GiantRings& GetRings(JobId job) const;
    /** Notes neighbours whose circuit is dark. @return whether it was not known */
    bool AddGaps(const GiantRings& rings, RailId rail, const std::vector<SwitchCircuit>& dark);

    bool m_isOn;
    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    std::set<RailId> m_rails; //!< that have fallen back
    RingGaps m_gaps;          //!< neighbours whose circuits get no light
    mutable std::map<JobId, std::unique_ptr<GiantRings>> m_rings;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_FALLBACK_H */
