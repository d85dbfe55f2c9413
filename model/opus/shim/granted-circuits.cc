/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "granted-circuits.h"

#include "ns3/rail-detours.h"

#include <algorithm>

namespace ns3
{

GrantedCircuits::GrantedCircuits(const std::vector<RankCircuit>& circuits,
                                 std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
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

std::vector<JoinedRanks>
GrantedCircuits::ListRoutes(RankId from, RankId to) const
{
    const auto hasNone = [this](const JoinedRanks& route) { return m_links.count(route) == 0; };
    std::vector<JoinedRanks> routes =
        m_cabling ? GetRoutes({from, to}, *m_cabling) : std::vector<JoinedRanks>{{from, to}};
    routes.erase(std::remove_if(routes.begin(), routes.end(), hasNone), routes.end());
    if (routes.empty() && m_cabling && !m_rings)
    {
        routes = ListDetours({from, to}, *m_cabling);
        routes.erase(std::remove_if(routes.begin(), routes.end(), hasNone), routes.end());
    }
    return routes;
}

std::optional<JoinedRanks>
GrantedCircuits::FindRoute(RankId from, RankId to) const
{
    const std::vector<JoinedRanks> routes = ListRoutes(from, to);
    return routes.empty() ? std::nullopt : std::optional<JoinedRanks>(routes.front());
}

void
GrantedCircuits::SetRings(std::shared_ptr<const GiantRings> rings, RingGaps gaps)
{
    m_rings = std::move(rings);
    m_gaps = std::move(gaps);
}

bool
GrantedCircuits::IsOverRings() const
{
    return m_rings != nullptr;
}

std::optional<JoinedRanks>
GrantedCircuits::FindRingEnds(RankId from, RankId to) const
{
    return m_rings && from != to ? m_rings->FindEnds(from, to, m_gaps) : std::nullopt;
}

RingRoute
GrantedCircuits::FindRingRoute(RankId from, RankId to) const
{
    const std::optional<JoinedRanks> ends = FindRingEnds(from, to);
    return ends ? RingRoute::Of(m_rings->FindPaths(ends->first, ends->second, m_gaps))
                : RingRoute();
}

std::vector<RailLink>
GrantedCircuits::GetLinks(RankId from, RankId to) const
{
    if (AreIntraNode(from, to))
    {
        return {RailLink()};
    }
    const std::optional<JoinedRanks> route = FindRoute(from, to);
    return route ? m_links.at(*route) : FindRingRoute(from, to).links;
}

std::vector<SharedRailPath>
GrantedCircuits::GetPaths(RankId from, RankId to) const
{
    return m_rings && !AreIntraNode(from, to) && !FindRoute(from, to)
               ? FindRingRoute(from, to).paths
               : std::vector<SharedRailPath>();
}

Relays
GrantedCircuits::GetRelays(RankId from, RankId to) const
{
    std::optional<JoinedRanks> route = FindRoute(from, to);
    route = route ? route : FindRingEnds(from, to);
    return route ? ns3::GetRelays(from, to, *route) : Relays();
}

bool
GrantedCircuits::AreIntraNode(RankId one, RankId other) const
{
    return m_cabling && m_cabling->AreIntraNode(one, other);
}

std::vector<RankCircuit>
GrantedCircuits::GetAll() const
{
    std::vector<RankCircuit> circuits;
    for (const auto& [ranks, links] : m_links)
    {
        for (const RailLink& link : links)
        {
            if (ranks.first < ranks.second)
            {
                circuits.push_back({ranks.first, link.here, ranks.second, link.there});
            }
        }
    }
    return circuits;
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
GrantedCircuits::GetCircuits(RankId rank, const std::vector<JoinedRanks>& pairs) const
{
    std::vector<RankCircuit> circuits;
    if (IsOverRings())
    {
        return GetAll();
    }
    for (const JoinedRanks& pair : NormalizePairs(pairs))
    {
        if (pair.first != rank && pair.second != rank)
        {
            continue;
        }
        for (const JoinedRanks& route : ListRoutes(pair.first, pair.second))
        {
            const auto [one, other] = NormalizePair(route);
            for (const RailLink& link : m_links.at({one, other}))
            {
                circuits.push_back({one, link.here, other, link.there});
            }
        }
    }
    return circuits;
}

EqualPorts::EqualPorts(uint32_t ports, std::shared_ptr<const Cabling> cabling)
    : m_ports(ports),
      m_cabling(std::move(cabling))
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

Relays
EqualPorts::GetRelays(RankId from, RankId to) const
{
    const std::vector<JoinedRanks> routes =
        m_cabling ? GetRoutes({from, to}, *m_cabling) : std::vector<JoinedRanks>();
    return routes.empty() ? Relays() : ns3::GetRelays(from, to, routes.front());
}

bool
EqualPorts::AreIntraNode(RankId one, RankId other) const
{
    return m_cabling && m_cabling->AreIntraNode(one, other);
}

} // namespace ns3
