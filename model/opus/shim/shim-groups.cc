/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-groups.h"

#include "ns3/abort.h"
#include "ns3/named-pairs.h"
#include "ns3/opus-words.h"

#include <algorithm>

namespace ns3
{

ShimGroups::ShimGroups(const ShimSettings& settings)
    : m_settings(settings)
{
}

bool
ShimGroups::Join(RankId rank, const CommunicationGroup& group)
{
    NS_ABORT_MSG_UNLESS(std::count(group.GetRanks().begin(), group.GetRanks().end(), rank),
                        "ShimCore: rank " << rank << " joins \"" << group.GetName()
                                          << "\" and is not in it; name it among its ranks");
    Group& known = m_groups.try_emplace(group.GetId(), Group{group.GetName(), group.GetRanks(), {}})
                       .first->second;
    NS_ABORT_MSG_UNLESS(known.name == group.GetName() && known.ranks == group.GetRanks(),
                        "ShimCore: rank " << rank << " joins group " << group.GetId() << " as \""
                                          << group.GetName() << "\", which is \"" << known.name
                                          << "\" of " << ToWords(known.ranks)
                                          << " already; give each group a number of its own");
    if (std::count(known.here.begin(), known.here.end(), rank) != 0)
    {
        return false;
    }
    known.here.push_back(rank);
    return true;
}

std::string
ShimGroups::GetParallelism(const CircuitRequest& request) const
{
    const auto group = m_groups.find(request.group);
    if (group == m_groups.end() || group->second.name.empty())
    {
        return request.pointToPoint ? "sends" : "group " + std::to_string(request.group.Get());
    }
    return group->second.name.substr(0, group->second.name.find(' '));
}

OpusRegisterGroup
ShimGroups::MakeRegistration(GroupId id, const std::vector<RankId>& ranks) const
{
    const Group& group = m_groups.at(id);
    OpusRegisterGroup registration;
    registration.job = m_settings.job;
    registration.group = id;
    registration.ranks = ranks;
    registration.whole = group.ranks.size();
    registration.digest = GetDigest(group.ranks);
    registration.name = group.name;
    return registration;
}

std::vector<OpusRegisterGroup>
ShimGroups::MakeRegistrations() const
{
    std::vector<OpusRegisterGroup> registrations;
    for (const auto& [id, group] : m_groups)
    {
        registrations.push_back(MakeRegistration(id, group.here));
    }
    return registrations;
}

} // namespace ns3
