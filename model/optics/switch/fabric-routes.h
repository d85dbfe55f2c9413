/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FABRIC_ROUTES_H
#define PHOTONIC_RAILS_FABRIC_ROUTES_H

#include "circuit-map.h"

#include "ns3/fabric-description.h"
#include "ns3/picoseconds.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** The routes that a fabric changes for a change of circuits. */
struct RouteChange
{
    std::string why;            //!< the reason why it has none; empty: it has changed them
    std::vector<Circuit> moved; //!< other circuits that have another route for it
};

/**
 * @ingroup photonic-rails
 * @brief The routes of the circuits that are set in a switch, by its fabric. Plain C++.
 *
 * A circuit keeps its route as long as it is set, unless it is among those that may move.
 */
class FabricRoutes
{
  public:
    /** @param fabric null: circuits need no routes */
    explicit FabricRoutes(std::shared_ptr<const FabricDescription> fabric = nullptr);

    /** @return the fabric, or null */
    const std::shared_ptr<const FabricDescription>& GetFabric() const;

    /**
     * Gives new circuits their routes, or changes nothing.
     * @param change of the circuits of the switch
     * @param movable other circuits that may get another route if it cannot be done without
     */
    RouteChange Change(const CircuitChange& change, const std::vector<Circuit>& movable);

    /** @return the route of a circuit; null if it has none */
    const FabricRoute* Find(const Circuit& circuit) const;

    /** @return what light meets on the route of a circuit */
    FabricPath GetPath(const Circuit& circuit) const;

    /** @return the delays of a circuit's route, from its lower port and from the higher one */
    std::pair<Picoseconds, Picoseconds> GetDelays(const Circuit& circuit) const;

  private:
    using Routes = std::map<Circuit, FabricRoute>;

    /** @return the routes of a map */
    static std::vector<FabricRoute> List(const Routes& routes);

    std::shared_ptr<const FabricDescription> m_fabric;
    Routes m_routes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FABRIC_ROUTES_H */
