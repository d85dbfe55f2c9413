/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "equal-rails.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/** @return whether all ranks have the same remainder, or, divided, the same quotient */
template <typename Part>
bool
HaveEqual(const std::vector<uint32_t>& ranks, Part part)
{
    return std::all_of(ranks.begin(), ranks.end(), [&](uint32_t rank) {
        return part(rank) == part(ranks.front());
    });
}

/** @return whether one group is the other one, moved to another rail */
bool
IsMoved(const std::vector<uint32_t>& ranks, const std::vector<uint32_t>& leading, uint32_t rail)
{
    return std::equal(ranks.begin(),
                      ranks.end(),
                      leading.begin(),
                      leading.end(),
                      [rail](uint32_t one, uint32_t other) { return one == other + rail; });
}

} // namespace

EqualRails
EqualRails::Find(const JobPrograms& job, uint32_t perServer)
{
    EqualRails equal;
    equal.groups.resize(job.groups.size());
    std::ostringstream why;
    if (perServer < 2)
    {
        equal.why = "there is one rail";
        return equal;
    }
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        const uint32_t rail = rank % perServer;
        const JobPrograms::Rank& one = job.ranks[rank];
        const JobPrograms::Rank& leader = job.ranks[rank - rail];
        if (one.program != leader.program || one.groups.size() != leader.groups.size())
        {
            why << "rank " << rank << " has another program than rank " << rank - rail
                << " of its server";
            equal.why = why.str();
            return equal;
        }
        std::set<std::pair<uint32_t, uint32_t>> pairs; // of groups on the rail
        for (std::size_t g = 0; g < one.groups.size(); ++g)
        {
            const JobPrograms::Group& group = job.groups[one.groups[g]];
            const JobPrograms::Group& leading = job.groups[leader.groups[g]];
            const auto server = [perServer](uint32_t member) { return member / perServer; };
            const auto railOf = [perServer](uint32_t member) { return member % perServer; };
            if (HaveEqual(group.ranks, server) && group.ranks == leading.ranks)
            {
                continue;
            }
            if (!HaveEqual(group.ranks, railOf))
            {
                equal.why = "group \"" + group.name + "\" is on several rails";
                return equal;
            }
            if (!IsMoved(group.ranks, leading.ranks, rail))
            {
                equal.why = "group \"" + group.name + "\" is none of rail 0, moved to its rail";
                return equal;
            }
            equal.groups[one.groups[g]] = {rail, leader.groups[g]};
            pairs.emplace(leader.groups[g], one.groups[g]);
        }
        const auto before = [](const auto& first, const auto& second) {
            return first.second < second.second;
        };
        if (!std::is_sorted(pairs.begin(), pairs.end(), before))
        {
            why << "rank " << rank << " has its groups in another order than rank " << rank - rail;
            equal.why = why.str();
            return equal;
        }
    }
    return equal;
}

} // namespace ns3
