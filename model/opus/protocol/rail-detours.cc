/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-detours.h"

#include <algorithm>
#include <optional>

namespace ns3
{

std::vector<JoinedRanks>
ListDetours(const JoinedRanks& pair, const Cabling& cabling)
{
    std::vector<JoinedRanks> detours;
    const auto& [one, other] = pair;
    if (cabling.GetServer(one) == cabling.GetServer(other))
    {
        return detours;
    }
    const std::vector<JoinedRanks> routes = GetRoutes(pair, cabling);
    for (uint32_t rail = 0; rail < cabling.GetRails(); ++rail)
    {
        const std::optional<RankId> first = cabling.FindOnRail(one, RailId(rail));
        const std::optional<RankId> last = cabling.FindOnRail(other, RailId(rail));
        const auto forwards = [&cabling](RankId rank, std::optional<RankId> relay) {
            return relay && (*relay == rank || cabling.AreIntraNode(rank, *relay));
        };
        const JoinedRanks route{first.value_or(one), last.value_or(other)};
        if (forwards(one, first) && forwards(other, last) &&
            std::find(routes.begin(), routes.end(), route) == routes.end())
        {
            detours.push_back(route);
        }
    }
    return detours;
}

} // namespace ns3
