/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tournament.h"

namespace ns3
{

std::vector<std::vector<std::pair<uint32_t, uint32_t>>>
MakeTournament(uint32_t members)
{
    if (members < 2)
    {
        return {};
    }
    // number of members that rotate; in round r two meet if the sum of their numbers is r
    const uint32_t going = members - (members % 2 == 0 ? 1 : 0);
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> rounds(going);
    for (uint32_t round = 0; round < going; ++round)
    {
        for (uint32_t member = 0; member < going; ++member)
        {
            const uint32_t other = (round + going - member) % going;
            if (member < other)
            {
                rounds[round].emplace_back(member, other);
            }
            else if (member == other && going < members)
            {
                rounds[round].emplace_back(member, going);
            }
        }
    }
    return rounds;
}

} // namespace ns3
