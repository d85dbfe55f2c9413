/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "granted-circuits.h"

#include <algorithm>

namespace ns3
{

GrantedCircuits::GrantedCircuits(const std::vector<RankCircuit>& circuits)
{
    for (const RankCircuit& circuit : circuits)
    {
        m_links[{circuit.one, circuit.other}].push_back({circuit.onePort, circuit.otherPort});
        m_links[{circuit.other, circuit.one}].push_back({circuit.otherPort, circuit.onePort});
    }
    for (auto& [ranks, links] : m_links)
    {
        std::sort(links.begin(), links.end());
    }
}

std::vector<RailLink>
GrantedCircuits::GetLinks(RankId from, RankId to) const
{
    const auto links = m_links.find({from, to});
    return links == m_links.end() ? std::vector<RailLink>() : links->second;
}

std::vector<uint32_t>
GrantedCircuits::GetPorts(RankId rank) const
{
    std::vector<uint32_t> ports;
    for (auto links = m_links.lower_bound({rank, RankId(0)});
         links != m_links.end() && links->first.first == rank;
         ++links)
    {
        for (const RailLink& link : links->second)
        {
            ports.push_back(link.here);
        }
    }
    std::sort(ports.begin(), ports.end());
    return ports;
}

std::vector<RankCircuit>
GrantedCircuits::GetCircuits(RankId rank) const
{
    std::vector<RankCircuit> circuits;
    for (auto links = m_links.lower_bound({rank, RankId(0)});
         links != m_links.end() && links->first.first == rank;
         ++links)
    {
        for (const RailLink& link : links->second)
        {
            const RankId other = links->first.second;
            circuits.push_back(rank < other ? RankCircuit{rank, link.here, other, link.there}
                                            : RankCircuit{other, link.there, rank, link.here});
        }
    }
    return circuits;
}

EqualPorts::EqualPorts(uint32_t ports)
    : m_ports(ports)
{
}

std::vector<RailLink>
EqualPorts::GetLinks(RankId from, RankId to) const
{
    std::vector<RailLink> links;
    for (uint32_t port = 0; from != to && port < m_ports; ++port)
    {
        links.push_back({port, port});
    }
    return links;
}

} // namespace ns3
