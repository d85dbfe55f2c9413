/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "request-checks.h"

#include <algorithm>

namespace ns3
{

RequestChecks::RequestChecks(std::shared_ptr<const Cabling> cabling,
                             const GroupRegister& groups,
                             const JobStarts& starts)
    : m_cabling(cabling),
      m_groups(groups),
      m_starts(starts),
      m_planner(cabling)
{
}

bool
RequestChecks::HasMeaning(ServerId server, const OpusRequest& request) const
{
    return m_cabling->AreOnServer(request.ranks, server) && !request.pairs.empty();
}

RequestObjection
RequestChecks::FindObjection(ServerId server, const OpusRequest& request) const
{
    const std::string foreign = FindForeignRank(request);
    if (!foreign.empty())
    {
        return {foreign, true, ConcernsAll(request)};
    }
    std::string whyNot = m_starts.GetWhyNot(request.phase.job);
    whyNot = whyNot.empty() ? m_groups.GetWhyNot(server, request.phase, request.ranks) : whyNot;
    if (!whyNot.empty())
    {
        return {whyNot, false, false};
    }
    // only the server's own pairs can be wrong here; other servers check theirs
    whyNot = m_groups.GetWhyNot(request.phase, request.pairs);
    whyNot = whyNot.empty() ? m_planner.GetWhyNot(request.phase.job, request.pairs) : whyNot;
    return {whyNot, false, !whyNot.empty() && ConcernsAll(request)};
}

std::string
RequestChecks::FindForeignRank(const OpusRequest& request) const
{
    for (const auto& [one, other] : request.pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (m_cabling->IsKnown(rank) &&
                m_cabling->CountOwnedPorts(request.phase.job, rank) == 0)
            {
                return "job " + std::to_string(request.phase.job.Get()) + " owns no port of rank " +
                       std::to_string(rank.Get());
            }
        }
    }
    return "";
}

bool
RequestChecks::ConcernsAll(const OpusRequest& request) const
{
    return !request.isAhead &&
           std::none_of(request.ranks.begin(), request.ranks.end(), [&](RankId rank) {
               return m_cabling->CountOwnedPorts(request.phase.job, rank) == 0;
           });
}

} // namespace ns3
