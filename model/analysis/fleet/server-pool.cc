/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-pool.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

ServerPool::ServerPool(uint32_t servers, uint32_t serversPerRack)
    : m_serversPerRack(serversPerRack),
      m_faults(servers, 0),
      m_owners(servers)
{
    for (uint32_t server = 0; server < servers; ++server)
    {
        m_free.insert(server);
    }
}

bool
ServerPool::Break(uint32_t server)
{
    if (m_faults.at(server)++ > 0)
    {
        return false;
    }
    m_lost += m_free.erase(server);
    return true;
}

bool
ServerPool::Repair(uint32_t server)
{
    NS_ASSERT_MSG(m_faults.at(server) > 0, "a repair without a fault");
    if (--m_faults[server] > 0)
    {
        return false;
    }
    if (!m_owners[server])
    {
        --m_lost;
        m_free.insert(server);
    }
    return true;
}

void
ServerPool::Give(uint32_t server, uint32_t job)
{
    NS_ASSERT_MSG(m_free.count(server) == 1, "a server that is not free");
    m_free.erase(server);
    m_owners[server] = job;
}

void
ServerPool::Return(uint32_t server)
{
    NS_ASSERT_MSG(m_owners.at(server), "a server of no job");
    m_owners[server].reset();
    if (Works(server))
    {
        m_free.insert(server);
    }
    else
    {
        ++m_lost;
    }
}

std::optional<uint32_t>
ServerPool::FindFree(uint32_t near) const
{
    if (m_free.empty())
    {
        return std::nullopt;
    }
    const uint32_t rack = near / m_serversPerRack;
    const auto ofRack = m_free.lower_bound(rack * m_serversPerRack);
    return ofRack != m_free.end() && *ofRack / m_serversPerRack == rack ? *ofRack : *m_free.begin();
}

std::vector<uint32_t>
ServerPool::FindFreeInRack(uint32_t number) const
{
    std::vector<uint32_t> found;
    for (const uint32_t server : m_free)
    {
        if (!found.empty() && found.front() / m_serversPerRack != server / m_serversPerRack)
        {
            found.clear();
        }
        found.push_back(server);
        if (found.size() == number)
        {
            return found;
        }
    }
    return {};
}

} // namespace ns3
