/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_TRAFFIC_H
#define PHOTONIC_RAILS_RAIL_TRAFFIC_H

#include "controller-phase.h"

#include "ns3/identifier.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The rails that phases share as wholes, and the phases under way on each rail, counted by
 * parallelism.
 *
 * A phase has to wait for a whole rail for two reasons. With CircuitGranularity::RAIL parallelisms
 * do not share any rail. Where a switch reconfigures as a whole, no phase shares the rail with
 * another that changes circuits. With CircuitGranularity::NETWORK any phase may have to wait for
 * any other (WholeNetwork).
 */
class RailTraffic
{
  public:
    /**
     * @param wholeRails whether parallelisms do not share rails
     * @param wholeSwitch rails whose switch reconfigures as a whole
     * @param wholeNetwork whether all rails are reconfigured as one network
     */
    RailTraffic(bool wholeRails, std::set<RailId> wholeSwitch, bool wholeNetwork = false);

    /** @return whether parallelisms do not share rails */
    bool HasWholeRails() const;
    /** @return whether a phase may have to wait for a whole rail */
    bool IsWhole(RailId rail) const;
    /** @return whether a phase may have to wait for any whole rail, or for the network */
    bool HasAnyWhole() const;
    /** @return those of some rails that a phase may have to wait for as wholes */
    std::set<RailId> SelectWhole(const std::set<RailId>& rails) const;

    /** Notes that a phase is under way on its rails. */
    void Begin(const ControllerPhase& phase);
    /** Notes that a phase is no longer under way on its rails. */
    void End(const ControllerPhase& phase);
    /** @return whether no phase of another parallelism is under way on a rail */
    bool IsFreeFor(const std::string& parallelism, RailId rail) const;
    /** @return whether a granted phase keeps a waiting one from a rail, or from the network */
    bool IsInTheWay(const ControllerPhase& granted, const ControllerPhase& waiting) const;

  private:
    bool m_wholeRails;
    std::set<RailId> m_wholeSwitch;
    bool m_wholeNetwork;
    std::map<RailId, std::map<std::string, uint32_t>> m_underWay;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_TRAFFIC_H */
