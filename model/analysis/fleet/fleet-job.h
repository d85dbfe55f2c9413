/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_JOB_H
#define PHOTONIC_RAILS_FLEET_JOB_H

#include "fleet-time.h"
#include "fleet-times.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/** A place for a server in a job. */
struct FleetPlace
{
    std::optional<uint32_t> server{}; //!< none: it was lost, or the replica has ended
    uint32_t former{0};               //!< the last server, for the rack
};

/** A job of a FleetReplay: its servers, and what it does. */
struct FleetJob
{
    /** What it does. */
    enum class Phase : uint8_t
    {
        TRAINING, //!< in the steady state
        DOWN,     //!< from a fault until the circuits are down
        WAITING,  //!< for servers
        UP,       //!< from then on until the steady state
    };

    uint32_t number{0};
    uint32_t replicaServers{1};
    std::vector<FleetPlace> places{}; //!< of the first replica, by stage, then of the others
    std::vector<bool> trains{};       //!< by replica; false: it has ended
    bool isDetoured{false};
    Phase phase{Phase::TRAINING};
    FleetTime since{0};                //!< begin of the phase
    FleetTime until{FLEET_NEVER};      //!< its end, as far as it has one
    FleetTime lostAt{0};               //!< since when it lacks a server or a replica
    FleetTransitionCase step{};        //!< the present transition
    std::optional<uint32_t> growing{}; //!< the replica that begins again when `until` is over

    /** @return the number of replicas that train */
    uint32_t CountReplicas() const;

    /** @return what its iterations depend on */
    FleetForm GetForm() const
    {
        return {CountReplicas(), isDetoured};
    }

    /** @return the place of a server */
    uint32_t FindPlace(uint32_t server) const;
    /** @return the first replica that has ended; none: all train */
    std::optional<uint32_t> FindEnded() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_JOB_H */
