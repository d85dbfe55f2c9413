/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-work.h"

#include "job-layout.h"

#include "ns3/divide-up.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** The weight of a message over a rail; messages inside servers are few, and have no frames. */
constexpr uint64_t RAIL_WEIGHT = 16;

/**
 * @return messages of 1 MiB that a rank sends in an operation, by a ring
 * @param ranks number of its ranks
 */
uint64_t
CountMessages(const RankOperation& operation, uint64_t ranks)
{
    constexpr uint64_t MESSAGE = 1 << 20;
    const auto split = [](uint64_t bytes) { return DivideUp(bytes, MESSAGE); };
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
        return split(operation.bytes);
    case RankOperation::Kind::COLLECTIVE:
        return (operation.collective == CollectiveKind::ALL_REDUCE ? 2 : 1) * (ranks - 1) *
               std::max<uint64_t>(1, split(operation.bytes / ranks));
    default:
        return 0;
    }
}

} // namespace

Time
FindMostComputing(const JobPrograms& job)
{
    Picoseconds most = 0;
    for (const JobPrograms::Rank& rank : job.ranks)
    {
        Picoseconds sum = 0;
        for (const RankOperation& operation : rank.program->GetOperations())
        {
            sum += operation.duration.GetTimeStep();
        }
        most = std::max(most, sum);
    }
    return ToTime(most);
}

JobWork::JobWork(const JobPrograms& job, uint32_t perServer)
{
    for (const JobPrograms::Group& group : job.groups)
    {
        m_groups.push_back(
            {group.ranks.size(), AreInOneServer(group.ranks, perServer) ? 1 : RAIL_WEIGHT});
    }
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        m_groupsOf.push_back(job.ranks[rank].groups);
        for (const RankOperation& operation : job.ranks[rank].program->GetOperations())
        {
            m_all += GetWork(rank, operation);
        }
    }
}

uint64_t
JobWork::GetWork(uint32_t rank, const RankOperation& operation) const
{
    if (!operation.IsExchange())
    {
        return 0;
    }
    const Group& group = m_groups[m_groupsOf[rank][operation.group]];
    return CountMessages(operation, group.ranks) * group.weight;
}

} // namespace ns3
