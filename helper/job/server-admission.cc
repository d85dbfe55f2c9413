/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-admission.h"

#include "ns3/abort.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/** @return such as "1 server" or "3 servers" */
std::string
CountServers(std::size_t servers)
{
    return std::to_string(servers) + (servers == 1 ? " server" : " servers");
}

} // namespace

ServerAdmission::ServerAdmission(uint32_t servers, bool overtaking)
    : m_overtaking(overtaking),
      m_owners(servers, FREE)
{
}

std::string
ServerAdmission::FindMistake(const ServerRequest& request) const
{
    std::ostringstream why;
    if (request.servers == 0 || request.servers > m_owners.size())
    {
        why << "job " << request.name << " needs " << CountServers(request.servers)
            << ", and there are " << m_owners.size() << "; give it 1 to " << m_owners.size();
        return why.str();
    }
    if (!request.named.empty() && request.named.size() != request.servers)
    {
        why << "job " << request.name << " needs " << CountServers(request.servers) << ", and "
            << request.named.size() << " are named; name each of them, or none";
        return why.str();
    }
    std::set<uint32_t> named;
    for (const uint32_t server : request.named)
    {
        if (server >= m_owners.size() || !named.insert(server).second)
        {
            why << "job " << request.name << ": server " << server
                << (server < m_owners.size() ? " is named twice" : " does not exist")
                << "; name different ones from 0 to " << m_owners.size() - 1;
            return why.str();
        }
    }
    return "";
}

uint32_t
ServerAdmission::Arrive(const ServerRequest& request)
{
    const std::string mistake = FindMistake(request);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "ServerAdmission: " << mistake);
    m_jobs.push_back({request});
    return m_jobs.size() - 1;
}

std::vector<uint32_t>
ServerAdmission::FindServers(const ServerRequest& request) const
{
    std::vector<uint32_t> servers;
    for (const uint32_t server : request.named)
    {
        if (m_owners[server] == FREE)
        {
            servers.push_back(server);
        }
    }
    for (uint32_t s = 0; request.named.empty() && s < m_owners.size(); ++s)
    {
        if (m_owners[s] == FREE && servers.size() < request.servers)
        {
            servers.push_back(s);
        }
    }
    return servers;
}

std::vector<ServerGrant>
ServerAdmission::Admit()
{
    std::vector<ServerGrant> grants;
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        if (!m_jobs[job].isWaiting)
        {
            continue;
        }
        const std::vector<uint32_t> servers = FindServers(m_jobs[job].request);
        if (servers.size() == m_jobs[job].request.servers)
        {
            m_jobs[job].isWaiting = false;
            for (const uint32_t server : servers)
            {
                m_owners[server] = job;
            }
            grants.push_back({job, servers});
        }
        else if (!m_overtaking)
        {
            break;
        }
    }
    return grants;
}

void
ServerAdmission::Return(uint32_t job)
{
    std::replace(m_owners.begin(), m_owners.end(), job, FREE);
}

uint32_t
ServerAdmission::CountFree() const
{
    return std::count(m_owners.begin(), m_owners.end(), FREE);
}

std::string
ServerAdmission::DescribeOwners() const
{
    std::map<uint32_t, uint32_t> servers; // by job
    for (const uint32_t owner : m_owners)
    {
        servers[owner] += owner == FREE ? 0 : 1;
    }
    servers.erase(FREE);
    std::ostringstream words;
    for (const auto& [job, count] : servers)
    {
        words << (words.str().empty() ? "" : ", ") << "job " << m_jobs[job].request.name << " has "
              << count;
    }
    return words.str();
}

std::string
ServerAdmission::GetWhyNot(uint32_t job) const
{
    const Job& waiting = m_jobs.at(job);
    if (!waiting.isWaiting)
    {
        return "";
    }
    for (const uint32_t server : waiting.request.named)
    {
        if (m_owners[server] != FREE)
        {
            return "job " + m_jobs[m_owners[server]].request.name + " has server " +
                   std::to_string(server);
        }
    }
    if (FindServers(waiting.request).size() < waiting.request.servers)
    {
        return "it needs " + CountServers(waiting.request.servers) + ", and " +
               std::to_string(CountFree()) + " of " + std::to_string(m_owners.size()) +
               " are free: " + DescribeOwners();
    }
    const auto first =
        std::find_if(m_jobs.begin(), m_jobs.end(), [](const Job& one) { return one.isWaiting; });
    return "job " + first->request.name + ", which waits too, came first";
}

} // namespace ns3
