/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "group-register.h"

#include "ns3/named-pairs.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace ns3
{

GroupRegister::GroupRegister(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

std::string
GroupRegister::ToWords(const Key& key, const std::string& name)
{
    std::ostringstream words;
    words << "group " << key.second << " of job " << key.first;
    if (!name.empty())
    {
        words << " (" << name << ")";
    }
    return words.str();
}

std::string
GroupRegister::GetWhyNotRanks(ServerId server, const OpusRegisterGroup& registration) const
{
    const std::string group = ToWords({registration.job, registration.group}, registration.name);
    std::set<RankId> seen;
    for (const RankId rank : registration.ranks)
    {
        std::ostringstream why;
        why << group << ": ";
        if (!m_cabling->IsKnown(rank))
        {
            why << "there is no rank " << rank << " on any rail";
            return why.str();
        }
        if (m_cabling->GetOwnedPorts(registration.job, rank).empty())
        {
            why << "job " << registration.job << " owns no port of rank " << rank;
            return why.str();
        }
        if (!seen.insert(rank).second)
        {
            why << "rank " << rank << " is in it twice";
            return why.str();
        }
        if (m_cabling->GetServer(rank) != server)
        {
            why << "server " << server << " registers rank " << rank << ", which is on server "
                << m_cabling->GetServer(rank);
            return why.str();
        }
    }
    std::ostringstream why;
    why << group << ": server " << server << " has no rank of it";
    return registration.ranks.empty() ? why.str() : "";
}

GroupRegister::Check
GroupRegister::Register(ServerId server, const OpusRegisterGroup& registration)
{
    const std::string whyNot = GetWhyNotRanks(server, registration);
    if (!whyNot.empty())
    {
        return {whyNot, false};
    }
    const Key key{registration.job, registration.group};
    const auto [found, isNew] = m_groups.try_emplace(key);
    Group& group = found->second;
    if (isNew)
    {
        group.whole = registration.whole;
        group.digest = registration.digest;
        group.name = registration.name;
        group.first = server;
    }
    const std::size_t added =
        std::count_if(registration.ranks.begin(), registration.ranks.end(), [&group](RankId rank) {
            return !group.members.Has(rank);
        });
    if (group.whole != registration.whole || group.digest != registration.digest ||
        group.members.size() + added > group.whole)
    {
        std::ostringstream why;
        why << ToWords(key, group.name) << ": server " << server << " ("
            << ns3::ToWords(registration.ranks) << ") registers " << registration.whole
            << " ranks with " << DigestToWords(registration.digest) << ", and server "
            << group.first << " registered " << group.whole << " with "
            << DigestToWords(group.digest);
        return {why.str(), false};
    }
    for (const RankId rank : registration.ranks)
    {
        group.members.Add(rank);
    }
    group.servers.Add(server);
    return {"", added > 0};
}

const GroupRegister::Group*
GroupRegister::Find(const OpusPhase& phase) const
{
    const auto group = m_groups.find({phase.job, phase.group});
    return group == m_groups.end() ? nullptr : &group->second;
}

std::string
GroupRegister::GetWhyNot(ServerId server,
                         const OpusPhase& phase,
                         const std::vector<RankId>& ranks) const
{
    if (phase.pointToPoint)
    {
        return "";
    }
    const Key key{phase.job, phase.group};
    const Group* group = Find(phase);
    if (!group || !group->servers.Has(server))
    {
        return "server " + std::to_string(server.Get()) + " has not registered " + ToWords(key, "");
    }
    for (const RankId rank : ranks)
    {
        if (!group->members.Has(rank))
        {
            return ToWords(key, group->name) + " has no rank " + std::to_string(rank.Get());
        }
    }
    return "";
}

std::string
GroupRegister::GetWhyNot(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs) const
{
    const Group* group = phase.pointToPoint ? nullptr : Find(phase);
    if (!group || group->members.size() < group->whole)
    {
        return "";
    }
    for (const auto& [one, other] : pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (!group->members.Has(rank))
            {
                return ToWords({phase.job, phase.group}, group->name) + " has no rank " +
                       std::to_string(rank.Get());
            }
        }
    }
    return "";
}

const std::vector<RankId>&
GroupRegister::FindAll(const OpusPhase& phase, uint32_t whole) const
{
    static const std::vector<RankId> none;
    const Group* group = phase.pointToPoint ? nullptr : Find(phase);
    const bool isAll = group && group->whole == whole && group->members.size() == whole;
    return isAll ? group->members.Get() : none;
}

std::string
GroupRegister::GetParallelism(const OpusPhase& phase) const
{
    const Group* group = Find(phase);
    if (!group && phase.pointToPoint)
    {
        return "sends of job " + std::to_string(phase.job.Get());
    }
    return !group || group->name.empty() ? ToWords({phase.job, phase.group}, "")
                                         : group->name.substr(0, group->name.find(' ')) +
                                               " of job " + std::to_string(phase.job.Get());
}

std::string
GroupRegister::Describe() const
{
    std::vector<std::pair<Key, const Group*>> groups;
    for (const auto& [key, group] : m_groups)
    {
        groups.emplace_back(key, &group);
    }
    std::sort(groups.begin(), groups.end());
    std::ostringstream words;
    for (const auto& [key, its] : groups)
    {
        const Group& group = *its;
        words << ToWords(key, group.name) << ": " << group.whole << " with "
              << DigestToWords(group.digest) << ", "
              << ns3::ToWords({group.members.begin(), group.members.end()}) << ", by servers";
        for (const ServerId server : group.servers)
        {
            words << " " << server;
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
