/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-job.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

uint32_t
FleetJob::CountReplicas() const
{
    return std::count(trains.begin(), trains.end(), true);
}

uint32_t
FleetJob::FindPlace(uint32_t server) const
{
    const auto found =
        std::find_if(places.begin(), places.end(), [server](const FleetPlace& place) {
            return place.server == server;
        });
    NS_ASSERT_MSG(found != places.end(), "a server that the job does not have");
    return found - places.begin();
}

std::optional<uint32_t>
FleetJob::FindEnded() const
{
    const auto found = std::find(trains.begin(), trains.end(), false);
    return found == trains.end() ? std::nullopt : std::optional<uint32_t>(found - trains.begin());
}

} // namespace ns3
