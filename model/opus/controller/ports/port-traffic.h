/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_TRAFFIC_H
#define PHOTONIC_RAILS_PORT_TRAFFIC_H

#include "port-table.h"

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The phases that have traffic in flight, by port.
 *
 * Traffic of a phase is in flight on its circuits from the decision to grant it to the release by
 * its last rank. So no other phase takes the circuits that stand while others are still
 * reconfiguring.
 */
class PortTraffic
{
  public:
    /** @param wholeSwitch rails whose ports count as one */
    PortTraffic(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch);

    /** Begins the traffic of a phase. */
    void Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** Ends the traffic of a phase. @return the ranks at its ports, in order */
    std::vector<RankId> End(const OpusPhase& phase);

    /** @return whether no phase has traffic in flight */
    bool IsEmpty() const;
    /** @return whether a phase has traffic in flight on a port */
    bool IsOn(const RailPort& port) const;
    /** @return the phases that have traffic in flight on a port */
    std::vector<OpusPhase> GetPhases(const RailPort& port) const;
    /** @return a phase with traffic on a port, or on its rail if that counts as one; else null */
    const OpusPhase* Find(const RailPort& port) const;

    /** @return the traffic in words; equal traffic has equal words */
    std::string Describe() const;

  private:
    using Phases = std::vector<const OpusPhase*>;

    /** @return the place of a phase, or of the next one */
    static Phases::iterator FindPlace(Phases& phases, const OpusPhase& phase);

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_wholeSwitch;
    PortTable<Phases> m_inFlight;                       //!< in order; keys of m_ports
    std::map<OpusPhase, std::vector<RailPort>> m_ports; //!< of each phase in flight
    std::set<RailPort> m_onWhole;                       //!< with traffic, of such rails
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_TRAFFIC_H */
