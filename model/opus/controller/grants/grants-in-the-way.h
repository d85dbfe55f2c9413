/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANTS_IN_THE_WAY_H
#define PHOTONIC_RAILS_GRANTS_IN_THE_WAY_H

#include "ns3/cabling.h"
#include "ns3/controller-phase.h"
#include "ns3/grant-recalls.h"
#include "ns3/open-phases.h"
#include "ns3/phase-voting.h"
#include "ns3/port-ledger.h"
#include "ns3/rail-traffic.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The grants that keep ports or rails from a waiting phase, and would not end otherwise.
 *
 * A grant in which a rank is missing is called back, if it has a port of a rank that waits or a
 * whole rail. An idle grant on a whole rail, or whose relay waits, is called in: its ranks have no
 * report of the wait.
 */
class GrantsInTheWay
{
  public:
    GrantsInTheWay(std::shared_ptr<const Cabling> cabling,
                   OpenPhases& phases,
                   const PhaseVoting& voting,
                   const PortLedger& ledger,
                   const RailTraffic& traffic,
                   GrantRecalls& recalls);

    /** Ends them for a phase that waits for its ports; does nothing for a guess. */
    void CallBack(const ControllerPhase& waiting);

  private:
    /** @return the phases with traffic at a rank, once for each port */
    std::vector<ControllerPhase*> FindAt(RankId rank) const;

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    const PhaseVoting& m_voting;
    const PortLedger& m_ledger;
    const RailTraffic& m_traffic;
    GrantRecalls& m_recalls;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANTS_IN_THE_WAY_H */
