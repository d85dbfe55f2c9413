/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "state-copy-job.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace ns3
{

std::vector<uint32_t>
ListServers(const std::vector<StateMove>& moves)
{
    std::set<uint32_t> servers;
    for (const StateMove& move : moves)
    {
        servers.insert({move.from, move.to});
    }
    return {servers.begin(), servers.end()};
}

JobPrograms
MakeStateCopyJob(const std::vector<StateMove>& moves,
                 const std::vector<uint32_t>& servers,
                 uint32_t rails,
                 CheckpointNetwork network)
{
    const auto placeOf = [&servers](uint32_t server) {
        return std::find(servers.begin(), servers.end(), server) - servers.begin();
    };
    std::vector<GroupedSend> sends;
    for (const StateMove& move : moves)
    {
        sends.push_back({static_cast<uint32_t>(placeOf(move.from)),
                         static_cast<uint32_t>(placeOf(move.to)),
                         move.bytes});
    }
    const auto program = std::make_shared<RankProgram>();
    const uint32_t copy = program->SendReceiveGroup(0, 0, servers.size(), sends);
    program->Edit(copy).isOverHosts = network == CheckpointNetwork::HOSTS;
    JobPrograms job;
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        JobPrograms::Group group;
        group.name = "state " + std::to_string(rail);
        for (uint32_t server = 0; server < servers.size(); ++server)
        {
            group.ranks.push_back(server * rails + rail);
        }
        job.groups.push_back(group);
    }
    for (uint32_t rank = 0; rank < servers.size() * rails; ++rank)
    {
        job.ranks.push_back({program, {rank % rails}});
    }
    return job;
}

} // namespace ns3
