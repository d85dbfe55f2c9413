/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-export.h"

#include <algorithm>
#include <set>

namespace ns3
{

std::vector<uint32_t>
StreamOrder::Follow(uint32_t number, const RankOperation& operation)
{
    std::vector<uint32_t> earlier = operation.after;
    const auto [last, isFirst] = m_last.try_emplace(operation.stream, number);
    if (!isFirst)
    {
        earlier.push_back(last->second);
        last->second = number;
    }
    std::sort(earlier.begin(), earlier.end());
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    return earlier;
}

std::string
FindFirst(const JobPrograms& job,
          const std::function<std::string(const RankOperation& operation)>& why)
{
    std::set<const RankProgram*> known; // ranks share programs
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        if (!known.insert(job.ranks[rank].program.get()).second)
        {
            continue;
        }
        const std::vector<RankOperation>& operations = job.ranks[rank].program->GetOperations();
        for (uint32_t number = 0; number < operations.size(); ++number)
        {
            const std::string reason = why(operations[number]);
            if (!reason.empty())
            {
                return "rank " + std::to_string(rank) + ", operation " + std::to_string(number) +
                       ": " + reason;
            }
        }
    }
    return "";
}

} // namespace ns3
