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
    for (auto last = checkpoints.rbegin(); last != checkpoints.rend(); ++last)
    {
        // a rank may have made its copy while the last send of the iteration is not settled
        if (last->second.ranks == task.plan.GetRanks() &&
            last->first <= GetTraining()->GetIterations())
        {
            return doneBefore + last->first;
        }
    }
    return std::nullopt;
}

} // namespace ns3
