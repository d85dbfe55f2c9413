/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "group-register.h"

#include "opus-words.h"

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
GroupRegister::GetWhyNotRanks(const OpusMessage& message) const
{
    const std::string group = ToWords({message.phase.job, message.phase.group}, message.reason);
    std::set<RankId> seen;
    bool here = false;
    for (const RankId rank : message.ranks)
    {
        std::ostringstream why;
        why << group << ": ";
        if (!m_cabling->IsKnown(rank))
        {
            why << "there is no rank " << rank << " on any rail";
            return why.str();
        }
        if (m_cabling->GetOwnedPorts(message.phase.job, rank).empty())
        {
            why << "job " << message.phase.job << " owns no port of rank " << rank;
            return why.str();
        }
        if (!seen.insert(rank).second)
        {
            why << "rank " << rank << " is in it twice";
            return why.str();
        }
        here = here || m_cabling->GetServer(rank) == message.server;
    }
    std::ostringstream why;
    why << group << ": server " << message.server << " has no rank of it";
    return here ? "" : why.str();
}

GroupRegister::Verdict
GroupRegister::Register(const OpusMessage& message)
{
    const std::string whyNot = GetWhyNotRanks(message);
    if (!whyNot.empty())
    {
        return {whyNot, false};
    }
    const Key key{message.phase.job, message.phase.group};
    const auto [found, isNew] = m_groups.try_emplace(key);
    Group& group = found->second;
    if (isNew)
    {
        group.ranks = message.ranks;
        group.members = {message.ranks.begin(), message.ranks.end()};
        group.name = message.reason;
        group.first = message.server;
    }
    if (group.ranks != message.ranks)
    {
        std::ostringstream why;
        why << ToWords(key, group.name) << ": server " << message.server << " registers "
            << ns3::ToWords(message.ranks) << ", and server " << group.first << " registered "
            << ns3::ToWords(group.ranks);
        return {why.str(), false};
    }
    return {"", group.servers.insert(message.server).second};
}

std::string
GroupRegister::GetWhyNot(ServerId server,
                         const OpusPhase& phase,
                         const std::vector<JoinedRanks>& pairs) const
{
    if (phase.pointToPoint)
    {
        return "";
    }
    const Key key{phase.job, phase.group};
    std::ostringstream why;
    const auto group = m_groups.find(key);
    if (group == m_groups.end() || group->second.servers.count(server) == 0)
    {
        why << "server " << server << " has not registered " << ToWords(key, "");
        return why.str();
    }
    for (const auto& [one, other] : pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (group->second.members.count(rank) == 0)
            {
                why << ToWords(key, group->second.name) << " has no rank " << rank;
                return why.str();
            }
        }
    }
    return "";
}

std::string
GroupRegister::GetFamily(const OpusPhase& phase) const
{
    const auto group = m_groups.find({phase.job, phase.group});
    const std::string ofJob = " of job " + std::to_string(phase.job.Get());
    if (group == m_groups.end() && phase.pointToPoint)
    {
        return "sends" + ofJob;
    }
    const std::string name = group == m_groups.end() ? "" : group->second.name;
    return name.empty() ? ToWords({phase.job, phase.group}, "")
                        : name.substr(0, name.find(' ')) + ofJob;
}

std::string
GroupRegister::Describe() const
{
    std::ostringstream words;
    for (const auto& [key, group] : m_groups)
    {
        words << ToWords(key, group.name) << ": " << ns3::ToWords(group.ranks) << ", by servers";
        for (const ServerId server : group.servers)
        {
            words << " " << server;
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
