/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-attempt.h"

#include <algorithm>

namespace ns3
{

Ptr<CollectiveApplication>
JobAttempt::FindRank(uint32_t server, uint32_t gpu) const
{
    const auto found = std::find(servers.begin(), servers.end(), server);
    const uint32_t place = found - servers.begin();
    return found == servers.end() ? nullptr
                                  : run->collectives->Get(place * run->rails.size() + gpu);
}

std::vector<Ptr<OpusShimApp>>
JobAttempt::FindShims(Ptr<Node> host) const
{
    std::vector<Ptr<OpusShimApp>> found;
    for (const Ptr<OpusShimApp>& shim : run->plane.shims)
    {
        if (shim->GetNode() == host)
        {
            found.push_back(shim);
        }
    }
    return found;
}

std::optional<uint32_t>
JobAttempt::FindCheckpoint() const
{
    const TrainingTask& task = GetTraining()->GetJob().GetTask();
    if (task.checkpointInterval == 0)
    {
        return std::nullopt;
    }
    // an iteration has ended when its checkpoint has
    const uint32_t ended = GetTraining()->GetIterations() / task.checkpointInterval;
    const bool hasFirst = task.checkpointsAtStart && copies == task.plan.GetRanks();
    return ended == 0 && !hasFirst ? std::nullopt
                                   : std::optional(doneBefore + ended * task.checkpointInterval);
}

} // namespace ns3
