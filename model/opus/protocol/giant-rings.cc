/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "giant-rings.h"

#include "ns3/pair-routes.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace ns3
{

RingRoute
RingRoute::Of(const std::vector<RailPath>& paths)
{
    RingRoute route;
    for (const RailPath& path : paths)
    {
        route.links.push_back(path.links.front());
        route.hops = path.links.size();
        route.paths.push_back(path.links.size() > 1 ? std::make_shared<const RailPath>(path)
                                                    : nullptr);
    }
    return route;
}

GiantRings::GiantRings(JobId job, std::shared_ptr<const Cabling> cabling)
    : m_job(job),
      m_cabling(std::move(cabling)),
      m_ranks(m_cabling->GetRails()),
      m_ports(UINT32_MAX)
{
    for (const RankId rank : m_cabling->GetRanks(job))
    {
        std::vector<RankId>& rail = m_ranks[m_cabling->GetRail(rank).Get()];
        m_places[rank] = rail.size();
        rail.push_back(rank);
        m_ports = std::min(m_ports, m_cabling->CountOwnedPorts(job, rank));
    }
    m_ports = m_places.empty() ? 0 : m_ports;
}

const Cabling&
GiantRings::GetCabling() const
{
    return *m_cabling;
}

const std::vector<RankId>&
GiantRings::GetRanks(RailId rail) const
{
    return m_ranks.at(rail.Get());
}

uint32_t
GiantRings::CountRings() const
{
    return std::max(1U, m_ports / 2);
}

std::string
GiantRings::GetWhyNot() const
{
    for (uint32_t rail = 0; rail < m_ranks.size(); ++rail)
    {
        const std::size_t gpus = m_ranks[rail].size();
        if (m_ports < 2 && gpus > 2)
        {
            std::ostringstream why;
            why << "a giant ring over " << gpus << " GPUs of rail " << rail
                << " takes 2 ports of each, and the job has " << m_ports
                << " of one; give each NIC 2 ports or more";
            return why.str();
        }
    }
    return "";
}

RailLink
GiantRings::GetLink(uint32_t ring) const
{
    return m_ports < 2 ? RailLink{0, 0} : RailLink{2 * ring, 2 * ring + 1};
}

std::vector<RankCircuit>
GiantRings::GetCircuits(RailId rail) const
{
    const std::vector<RankId>& ranks = GetRanks(rail);
    std::vector<RankCircuit> circuits;
    const std::size_t links = m_ports < 2 ? ranks.size() / 2 : ranks.size(); // one joins two
    for (std::size_t i = 0; i < links && ranks.size() > 1; ++i)
    {
        for (uint32_t ring = 0; ring < CountRings(); ++ring)
        {
            const RailLink link = GetLink(ring);
            circuits.push_back({ranks[i], link.here, ranks[(i + 1) % ranks.size()], link.there});
        }
    }
    return circuits;
}

RingGaps
GiantRings::GetNeighbours(RailId rail) const
{
    RingGaps neighbours;
    for (const RankCircuit& circuit : GetCircuits(rail))
    {
        neighbours.insert(std::minmax(circuit.one, circuit.other));
    }
    return neighbours;
}

std::size_t
GiantRings::CountLinks(RankId from, RankId to, bool isForward, const RingGaps& gaps) const
{
    const std::vector<RankId>& ranks = GetRanks(m_cabling->GetRail(from));
    const std::size_t step = isForward ? 1 : ranks.size() - 1;
    std::size_t links = 0;
    for (std::size_t at = m_places.at(from); ranks[at] != to; ++links)
    {
        const std::size_t next = (at + step) % ranks.size();
        if (gaps.count(std::minmax(ranks[at], ranks[next])) != 0)
        {
            return SIZE_MAX;
        }
        at = next;
    }
    return links;
}

RailPath
GiantRings::MakePath(RankId from, std::size_t links, bool isForward, uint32_t ring) const
{
    const std::vector<RankId>& ranks = GetRanks(m_cabling->GetRail(from));
    const RailLink link = GetLink(ring);
    RailPath path;
    path.ranks.push_back(from);
    std::size_t at = m_places.at(from);
    for (std::size_t i = 0; i < links; ++i)
    {
        at = (at + (isForward ? 1 : ranks.size() - 1)) % ranks.size();
        path.ranks.push_back(ranks[at]);
        path.links.push_back(isForward ? link : RailLink{link.there, link.here});
    }
    return path;
}

std::vector<RailPath>
GiantRings::FindPaths(RankId from, RankId to, const RingGaps& gaps) const
{
    if (m_places.count(from) == 0 || m_places.count(to) == 0 || from == to ||
        m_cabling->GetRail(from) != m_cabling->GetRail(to) || !GetWhyNot().empty())
    {
        return {};
    }
    const std::size_t forward = CountLinks(from, to, true, gaps);
    const std::size_t backward = m_ports < 2 ? SIZE_MAX : CountLinks(from, to, false, gaps);
    const std::size_t least = std::min(forward, backward);
    if (least == SIZE_MAX)
    {
        return {};
    }
    std::vector<RailPath> paths;
    for (uint32_t ring = 0; ring < CountRings(); ++ring)
    {
        if (forward == least)
        {
            paths.push_back(MakePath(from, least, true, ring));
        }
        if (backward == least)
        {
            paths.push_back(MakePath(from, least, false, ring));
        }
    }
    return paths;
}

std::optional<std::pair<RankId, RankId>>
GiantRings::FindEnds(RankId from, RankId to, const RingGaps& gaps) const
{
    std::optional<std::pair<RankId, RankId>> best;
    std::size_t least = SIZE_MAX;
    for (const JoinedRanks& route : GetRoutes({from, to}, *m_cabling))
    {
        const std::vector<RailPath> paths = FindPaths(route.first, route.second, gaps);
        if (!paths.empty() && paths.front().links.size() < least)
        {
            least = paths.front().links.size();
            best = route;
        }
    }
    return best;
}

} // namespace ns3
