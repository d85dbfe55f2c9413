/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_REACTION_H
#define PHOTONIC_RAILS_FLEET_REACTION_H

#include "fleet-times.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** How all jobs of a fleet react to the loss of a server; see FleetReplay. */
enum class FleetReaction : uint8_t
{
    SPLICE, //!< a spare takes the place; without one the job waits
    DETOUR, //!< the same, over the GPUs between
    MOVE,   //!< the job moves to a rack of spares; without one it waits for its servers
    SHRINK, //!< a spare takes the place; without one the job goes on without the replica
    STOP,   //!< the job waits for its servers
};

/** @return the names: `splice`, `detour`, `move`, `shrink` and `stop` */
const std::vector<std::string>& GetFleetReactionNames();

/** @return the reaction of a name, which is one of GetFleetReactionNames() */
FleetReaction GetFleetReaction(const std::string& name);

/** @return whether the place of a lost server is free for a spare at once */
constexpr bool
VacatesPlaces(FleetReaction reaction)
{
    return reaction != FleetReaction::MOVE && reaction != FleetReaction::STOP;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_REACTION_H */
