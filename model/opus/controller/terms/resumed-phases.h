/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESUMED_PHASES_H
#define PHOTONIC_RAILS_RESUMED_PHASES_H

#include "ns3/cabling.h"
#include "ns3/circuit-setup.h"
#include "ns3/controller-phase.h"
#include "ns3/grant-extent.h"
#include "ns3/grant-recalls.h"
#include "ns3/open-phases.h"
#include "ns3/phase-grants.h"
#include "ns3/port-ledger.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The phases of an earlier term whose state is not complete (ControllerPhase::isResumed),
 * and their continuation.
 *
 * The state of a phase is complete when all agents of its rails and all shims of its ranks have
 * reported. Then it is granted to all its ranks again, once. If a pair of it has no circuit, it is
 * called back instead.
 */
class ResumedPhases
{
  public:
    ResumedPhases(std::shared_ptr<const Cabling> cabling,
                  OpenPhases& phases,
                  const PortLedger& ledger,
                  CircuitSetup& setup,
                  GrantExtent& extent,
                  GrantRecalls& recalls,
                  PhaseGrants& grants);

    /** Continues all phases of an earlier term whose state has become complete. */
    void GoOn();

  private:
    /** @return whether the state of a phase of an earlier term is complete */
    bool IsKnown(const ControllerPhase& phase) const;
    /** Continues a phase of an earlier term whose state is complete. */
    void Resume(ControllerPhase& phase);
    /**
     * Adds the circuits that stand to the pairs without a circuit.
     * @return whether each pair has a circuit
     */
    bool CompleteCircuits(ControllerPhase& phase);
    /** Finds the gaps in its rings. @return whether they join each pair */
    bool CompleteRings(ControllerPhase& phase);

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    const PortLedger& m_ledger;
    CircuitSetup& m_setup;
    GrantExtent& m_extent;
    GrantRecalls& m_recalls;
    PhaseGrants& m_grants;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESUMED_PHASES_H */
