/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAFFIC_PATH_H
#define PHOTONIC_RAILS_TRAFFIC_PATH_H

#include "ns3/collective-schedule.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/** The path that the traffic of an operation took, for counts. */
enum class TrafficPath : uint8_t
{
    INSIDE,       //!< the fabrics inside servers only
    CIRCUITS,     //!< one set of circuits; on electrical rails, the packet switches
    RING,         //!< one set of circuits, over which ranks forward the data of others
    MATCHINGS,    //!< several sets of circuits, one after another
    RELAYS,       //!< circuits of several rails, and the fabrics inside servers
    HOST_NETWORK, //!< the network of the hosts
    MULTI_HOP,    //!< circuits, over GPUs of the rail that forward
};

/** The number of paths of traffic. */
constexpr std::size_t TRAFFIC_PATHS = 7;

/** @return the name of a path: inside, circuits, ring, matchings, relays, host-network, multi-hop
 */
const char* ToString(TrafficPath trafficPath);

/** @return whether a schedule uses the scale-up fabric of servers */
bool UsesScaleUp(const CollectiveSchedule& schedule);

/** @return whether ranks forward data of other ranks, in an operation that need not */
bool IsForwarded(const CollectiveSchedule& schedule);

/**
 * @param stages number of stages whose pairs of ranks are not all inside servers
 * @return the path of a schedule over rails
 */
TrafficPath GetTrafficPath(const CollectiveSchedule& schedule, std::size_t stages);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAFFIC_PATH_H */
