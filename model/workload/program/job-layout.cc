/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-layout.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{

uint32_t
CountRanksPerServer(const std::vector<uint32_t>& ranks, uint32_t perServer)
{
    std::map<uint32_t, uint32_t> count; // by server
    for (std::size_t place = 0; place < ranks.size(); ++place)
    {
        const uint32_t server = ranks[place] / perServer;
        const bool isNext = place > 0 && ranks[place - 1] / perServer == server;
        if (!isNext && count[server] > 0)
        {
            return 1;
        }
        ++count[server];
    }
    const uint32_t first = count.begin()->second;
    const auto differs = [first](const auto& one) { return one.second != first; };
    return std::any_of(count.begin(), count.end(), differs) ? 1 : first;
}

bool
AreOnOneRail(const std::vector<uint32_t>& ranks, uint32_t perServer)
{
    return std::all_of(ranks.begin(), ranks.end(), [&ranks, perServer](uint32_t rank) {
        return rank % perServer == ranks[0] % perServer;
    });
}

bool
AreInOneServer(const std::vector<uint32_t>& ranks, uint32_t perServer)
{
    return std::all_of(ranks.begin(), ranks.end(), [&ranks, perServer](uint32_t rank) {
        return rank / perServer == ranks[0] / perServer;
    });
}

std::string
FindMisfit(const JobPrograms& job, uint32_t perServer)
{
    std::ostringstream why;
    if (job.ranks.size() % perServer != 0)
    {
        why << "the trace has " << job.ranks.size() << " ranks, which are no whole servers of "
            << perServer << " GPUs";
    }
    return why.str();
}

} // namespace ns3
