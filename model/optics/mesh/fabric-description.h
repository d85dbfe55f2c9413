/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FABRIC_DESCRIPTION_H
#define PHOTONIC_RAILS_FABRIC_DESCRIPTION_H

#include "mesh-graph.h"
#include "optical-circuit.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The routes of a circuit through a fabric. */
struct FabricRoute
{
    Circuit circuit;
    /** One for both directions; or two, from the lower port to the higher one first. */
    std::vector<MeshRoute> ways;
};

/** What light meets on the route of a circuit, the worse of both directions. */
struct FabricPath
{
    uint32_t cells{0};     //!< that it passes
    Picoseconds delay{0};  //!< from port to port
    double lossDb{0};      //!< from fiber to fiber
    double crosstalkDb{0}; //!< light of other circuits, below its own; infinity: none
};

/** The answer of a fabric to the question for routes. */
struct FabricAnswer
{
    std::string why; //!< the reason why there are none, with circuits; empty: there are
    std::vector<FabricRoute> routes; //!< of the circuits, in their order
    uint64_t steps{0};               //!< of the search
};

/**
 * @ingroup photonic-rails
 * @brief What the fabric of an optical switch can set at once, and by which routes. Plain C++.
 *
 * It never changes: a controller on another node gets it at set-up, as it gets the cabling, and
 * equal questions have equal answers. So the switch and its controller agree on what can be set.
 */
class FabricDescription
{
  public:
    virtual ~FabricDescription() = default;

    /** @return the fabric in words, such as "hexagonal mesh of 278 cells" */
    virtual std::string GetName() const = 0;

    /** @return the number of ports */
    virtual uint32_t GetPorts() const = 0;

    /** @return the number of cells */
    virtual uint32_t GetCells() const = 0;

    /** @return whether it sets any circuits beside any others, so that no question is needed */
    virtual bool IsNonBlocking() const = 0;

    /**
     * Finds routes.
     * @param kept routes that stay as they are
     * @param added circuits whose ports have no other circuit
     */
    virtual FabricAnswer FindRoutes(const std::vector<FabricRoute>& kept,
                                    const std::vector<Circuit>& added) const = 0;

    /**
     * @param route of a circuit
     * @param all routes of the fabric, for crosstalk
     */
    virtual FabricPath GetPath(const FabricRoute& route,
                               const std::vector<FabricRoute>& all) const = 0;

    /**
     * @param way a direction: 0 from the lower port
     * @return the time light takes from port to port
     */
    virtual Picoseconds GetDelay(const FabricRoute& route, uint32_t way) const = 0;

    /** @return the reason why circuits cannot be set all at once, routed anew; empty if they can */
    std::string GetWhyNot(const std::vector<Circuit>& circuits) const
    {
        return IsNonBlocking() ? "" : FindRoutes({}, circuits).why;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FABRIC_DESCRIPTION_H */
