/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "term-knowledge.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <vector>

namespace ns3
{

TermKnowledge::TermKnowledge(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

void
TermKnowledge::BeginTerm()
{
    for (uint32_t rail = 0; rail < m_cabling->GetRails(); ++rail)
    {
        m_unknown.insert(RailId(rail));
        for (uint32_t port = 0; port < m_cabling->GetSwitchPorts(RailId(rail)); ++port)
        {
            const RailPort one{RailId(rail), PortId(port)};
            const std::optional<JobId> owner = m_cabling->FindOwner(one);
            if (owner)
            {
                m_unconfirmed.insert(
                    {*owner, m_cabling->GetServer(m_cabling->FindNicPort(one)->rank)});
            }
        }
    }
}

void
TermKnowledge::Learn(RailId rail)
{
    m_unknown.erase(rail);
}

void
TermKnowledge::Learn(JobId job, ServerId server)
{
    m_unconfirmed.erase({job, server});
}

bool
TermKnowledge::IsKnown(RailId rail) const
{
    return m_unknown.count(rail) == 0;
}

bool
TermKnowledge::IsKnown(JobId job, ServerId server) const
{
    return m_unconfirmed.count({job, server}) == 0;
}

bool
TermKnowledge::AreShimsKnown() const
{
    return m_unconfirmed.empty();
}

bool
TermKnowledge::IsUnconfirmed(const RailPort& port) const
{
    const std::optional<JobId> owner = m_cabling->FindOwner(port);
    return owner && !IsKnown(*owner, m_cabling->GetServer(m_cabling->FindNicPort(port)->rank));
}

bool
TermKnowledge::MayBeUsed(RailId rail, const RailCircuits& circuits) const
{
    if (m_unconfirmed.empty())
    {
        return false;
    }
    const std::vector<Circuit> standing = circuits[rail.Get()].GetCircuits();
    return std::any_of(standing.begin(), standing.end(), [this, rail](const Circuit& circuit) {
        return IsUnconfirmed({rail, circuit.low}) || IsUnconfirmed({rail, circuit.high});
    });
}

bool
TermKnowledge::MayBeUsed(const RailPort& port, const RailCircuits& circuits) const
{
    if (m_unconfirmed.empty())
    {
        return false;
    }
    const std::optional<PortId> peer = circuits[port.rail.Get()].GetPeer(port.port);
    return peer && (IsUnconfirmed(port) || IsUnconfirmed({port.rail, *peer}));
}

std::string
TermKnowledge::Describe() const
{
    std::ostringstream words;
    for (const RailId rail : m_unknown)
    {
        words << "rail " << rail << " is not known\n";
    }
    for (const auto& [job, server] : m_unconfirmed)
    {
        words << "job " << job << " on server " << server << " has not said what it holds\n";
    }
    return words.str();
}

} // namespace ns3
