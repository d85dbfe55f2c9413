/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-attempt.h"

#include <algorithm>

namespace ns3
{

std::optional<uint32_t>
JobAttempt::FindPlace(uint32_t server) const
{
    const auto found = std::find(servers.begin(), servers.end(), server);
    return found == servers.end() ? std::nullopt : std::optional<uint32_t>(found - servers.begin());
}

Ptr<CollectiveApplication>
JobAttempt::FindRank(uint32_t server, uint32_t gpu) const
{
    const std::optional<uint32_t> place = FindPlace(server);
    return place ? run->collectives->Get(*place * run->rails.size() + gpu) : nullptr;
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
