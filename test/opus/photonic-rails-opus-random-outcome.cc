/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-random-outcome.h"

#include "photonic-rails-opus-random.h"

#include <algorithm>
#include <vector>

namespace ns3
{

RandomOutcome
Foretell(const RandomJob& job)
{
    const bool matters = job.fault == RandomFault::AGENT || job.fault == RandomFault::SERVER ||
                         job.fault == RandomFault::PORT;
    const auto isBroken = [&](uint32_t rank) {
        return job.fault == RandomFault::AGENT    ? rank % job.rails == job.victim
               : job.fault == RandomFault::SERVER ? rank / job.rails == job.victim
                                                  : rank == job.victim;
    };
    RandomOutcome outcome;
    std::vector<bool> over(job.servers * job.rails);
    for (uint32_t o = 0; o < job.operations.size(); ++o)
    {
        const RandomOperation& operation = job.operations[o];
        const std::vector<uint32_t> ranks = job.RanksOf(operation);
        const bool exchanges = operation.kind != RandomOperation::Kind::COMPUTE;
        const bool can = std::none_of(ranks.begin(), ranks.end(), [&](uint32_t rank) {
            return over[rank] || (exchanges && matters && isBroken(rank));
        });
        for (const uint32_t rank : ranks)
        {
            if (can)
            {
                outcome.ended.emplace(rank, o);
            }
            else if (!over[rank])
            {
                outcome.failed.emplace(rank, o);
                over[rank] = true;
            }
        }
    }
    return outcome;
}

} // namespace ns3
