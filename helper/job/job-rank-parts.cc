/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-rank-parts.h"

#include "ns3/job-layout.h"

#include <utility>

namespace ns3
{

std::vector<std::shared_ptr<const CommunicationGroup>>
MakeGroupsOf(const JobPrograms& job, uint32_t perServer)
{
    std::vector<std::shared_ptr<const CommunicationGroup>> groups;
    for (const JobPrograms::Group& group : job.groups)
    {
        groups.push_back(std::make_shared<const CommunicationGroup>(
            GroupId(groups.size()),
            group.name,
            std::vector<RankId>(group.ranks.begin(), group.ranks.end()),
            CountRanksPerServer(group.ranks, perServer)));
    }
    return groups;
}

std::vector<RankPart>
MakeRankParts(const JobPrograms& job,
              const std::vector<std::shared_ptr<const CommunicationGroup>>& groups)
{
    std::vector<RankPart> parts;
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        RankPart part{RankId(rank), job.ranks[rank].program, {}};
        for (const uint32_t group : job.ranks[rank].groups)
        {
            part.groups.push_back(groups[group]);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace ns3
