/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic-path.h"

#include <algorithm>

namespace ns3
{

const char*
ToString(TrafficPath trafficPath)
{
    const char* const names[] =
        {"inside", "circuits", "ring", "matchings", "relays", "host-network", "multi-hop"};
    return names[static_cast<std::size_t>(trafficPath)];
}

bool
UsesScaleUp(const CollectiveSchedule& schedule)
{
    const auto& all = schedule.GetTransfers();
    return std::any_of(all.begin(), all.end(), [](const CollectiveTransfer& one) {
        return one.wires == CollectiveTransfer::Wires::SCALE_UP;
    });
}

bool
IsForwarded(const CollectiveSchedule& schedule)
{
    const CollectiveKind kind = schedule.GetParameters().kind;
    const auto& all = schedule.GetTransfers();
    return (kind == CollectiveKind::ALL_TO_ALL || kind == CollectiveKind::ALL_TO_ALL_V) &&
           std::any_of(all.begin(), all.end(), [&schedule](const CollectiveTransfer& one) {
               return one.from != schedule.GetChunks()[one.chunk].home;
           });
}

TrafficPath
GetTrafficPath(const CollectiveSchedule& schedule, std::size_t stages)
{
    return stages == 0             ? TrafficPath::INSIDE
           : UsesScaleUp(schedule) ? TrafficPath::RELAYS
           : stages > 1            ? TrafficPath::MATCHINGS
           : IsForwarded(schedule) ? TrafficPath::RING
                                   : TrafficPath::CIRCUITS;
}

} // namespace ns3
