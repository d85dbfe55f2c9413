/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-links.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ns3
{

RailLinks::RailLinks(const std::vector<Rail>& rails, bool forwarding)
    : m_rails(rails),
      m_forwarding(forwarding),
      m_owners(rails.size())
{
    NS_ABORT_MSG_IF(rails.empty(), "RailLinks: there are no rails");
    for (std::size_t r = 0; r < rails.size(); ++r)
    {
        NS_ABORT_MSG_UNLESS(rails[r].GetGpus() == rails[0].GetGpus(),
                            "RailLinks: rail " << r << " joins " << rails[r].GetGpus()
                                               << " GPUs and rail 0 " << rails[0].GetGpus()
                                               << "; all rails of a job join as many");
        for (uint32_t gpu = 0; gpu < rails[r].GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rails[r].GetPortsPerGpu(); ++port)
            {
                m_owners[r][rails[r].GetSwitchPort(gpu, port).Get()] = {gpu, port};
            }
        }
    }
}

void
RailLinks::SetMultiHop(bool multiHop)
{
    m_multiHop = multiHop;
}

uint32_t
RailLinks::GetRanks() const
{
    return m_rails.size() * m_rails[0].GetGpus();
}

const Rail&
RailLinks::FindRail(RankId rank) const
{
    NS_ABORT_MSG_UNLESS(rank.Get() < GetRanks(),
                        "RailLinks: there is no rank " << rank << "; there are " << GetRanks()
                                                       << ", counted from 0");
    return m_rails[rank.Get() % m_rails.size()];
}

uint32_t
RailLinks::GetPlace(RankId rank) const
{
    return rank.Get() / m_rails.size();
}

bool
RailLinks::AreIntraNode(RankId one, RankId other) const
{
    return m_forwarding && GetPlace(one) == GetPlace(other);
}

RailId
RailLinks::GetRail(RankId rank) const
{
    return RailId(rank.Get() % m_rails.size());
}

std::optional<RankId>
RailLinks::FindRelay(RankId here, RankId there) const
{
    const uint32_t rails = m_rails.size();
    const RankId relay(here.Get() - here.Get() % rails + there.Get() % rails);
    return m_forwarding || relay == here ? std::optional<RankId>(relay) : std::nullopt;
}

Ptr<Node>
RailLinks::GetNode(RankId rank) const
{
    return FindRail(rank).GetGpu(GetPlace(rank));
}

JoinedRanks
RailLinks::FindRoute(RankId from, RankId to) const
{
    JoinedRanks best{from, to};
    std::size_t most = 0;
    std::size_t least = SIZE_MAX; // links of a path
    for (const JoinedRanks& route : GetRoutes({from, to}, *this))
    {
        const std::size_t links = GetDirectLinks(route.first, route.second).size();
        if (links > most)
        {
            best = route;
            most = links;
        }
        const std::vector<RailPath> paths =
            most > 0 ? std::vector<RailPath>() : FindPaths(route.first, route.second);
        if (!paths.empty() && paths.front().links.size() < least)
        {
            best = route;
            least = paths.front().links.size();
        }
    }
    return best;
}

std::optional<RailLinks::NicEnd>
RailLinks::FindFarEnd(const NicEnd& end) const
{
    const auto& [rank, port] = end;
    const Rail& rail = FindRail(rank);
    const auto peer =
        rail.GetOpticalSwitch()->GetMap().GetPeer(rail.GetSwitchPort(GetPlace(rank), port));
    const auto& owners = m_owners[rank.Get() % m_rails.size()];
    const auto owner = peer ? owners.find(peer->Get()) : owners.end();
    if (owner == owners.end())
    {
        return std::nullopt;
    }
    const auto& [place, there] = owner->second;
    return NicEnd(RankId(place * m_rails.size() + rank.Get() % m_rails.size()), there);
}

std::vector<RailLinks::NicLink>
RailLinks::ListLinks(RankId rank) const
{
    std::vector<NicLink> links;
    for (uint32_t port = 0; port < FindRail(rank).GetPortsPerGpu(); ++port)
    {
        if (const std::optional<NicEnd> end = FindFarEnd({rank, port}))
        {
            links.push_back({end->first, {port, end->second}});
        }
    }
    return links;
}

std::map<RankId, std::size_t>
RailLinks::GetDistances(RankId to) const
{
    std::map<RankId, std::size_t> distances{{to, 0}};
    std::vector<RankId> front{to};
    for (std::size_t next = 0; next < front.size(); ++next)
    {
        for (const auto& [rank, link] : ListLinks(front[next]))
        {
            if (distances.emplace(rank, distances.at(front[next]) + 1).second)
            {
                front.push_back(rank);
            }
        }
    }
    return distances;
}

std::vector<RailPath>
RailLinks::FindPaths(RankId from, RankId to) const
{
    std::vector<RailPath> paths;
    if (!m_multiHop || from == to || !FindRail(from).GetOpticalSwitch())
    {
        return paths;
    }
    const std::map<RankId, std::size_t> distances = GetDistances(to);
    if (distances.count(from) == 0)
    {
        return paths;
    }
    const auto listNearer = [&](RankId rank) {
        std::vector<NicLink> nearer;
        for (const NicLink& link : ListLinks(rank))
        {
            if (distances.at(link.first) < distances.at(rank))
            {
                nearer.push_back(link);
            }
        }
        return nearer;
    };
    const std::vector<NicLink> first = listNearer(from);
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        RailPath path;
        path.ranks = {from, first[i].first};
        path.links = {first[i].second};
        while (path.ranks.back() != to)
        {
            const std::vector<NicLink> nearer = listNearer(path.ranks.back());
            const auto& [rank, link] = nearer[i % nearer.size()];
            path.ranks.push_back(rank);
            path.links.push_back(link);
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

std::vector<RailLink>
RailLinks::GetLinks(RankId from, RankId to) const
{
    if (AreIntraNode(from, to))
    {
        return {RailLink()};
    }
    const JoinedRanks route = FindRoute(from, to);
    std::vector<RailLink> links = GetDirectLinks(route.first, route.second);
    if (links.empty())
    {
        for (const RailPath& path : FindPaths(route.first, route.second))
        {
            links.push_back(path.links.front());
        }
    }
    return links;
}

std::vector<SharedRailPath>
RailLinks::GetPaths(RankId from, RankId to) const
{
    std::vector<SharedRailPath> paths;
    if (!m_multiHop || AreIntraNode(from, to))
    {
        return paths;
    }
    const JoinedRanks route = FindRoute(from, to);
    if (GetDirectLinks(route.first, route.second).empty())
    {
        for (const RailPath& path : FindPaths(route.first, route.second))
        {
            paths.push_back(std::make_shared<const RailPath>(path));
        }
    }
    return paths;
}

Relays
RailLinks::GetRelays(RankId from, RankId to) const
{
    return ns3::GetRelays(from, to, FindRoute(from, to));
}

std::vector<RailLink>
RailLinks::GetDirectLinks(RankId from, RankId to) const
{
    std::vector<RailLink> links;
    if (GetRail(from) != GetRail(to))
    {
        return links;
    }
    const Rail& rail = FindRail(from);
    const Ptr<OpticalCircuitSwitch> railSwitch = rail.GetOpticalSwitch();
    const auto& owners = m_owners[from.Get() % m_rails.size()];
    for (uint32_t port = 0; from != to && port < rail.GetPortsPerGpu(); ++port)
    {
        if (!railSwitch)
        {
            links.push_back({port, port});
            continue;
        }
        const auto peer = railSwitch->GetMap().GetPeer(rail.GetSwitchPort(GetPlace(from), port));
        if (!peer)
        {
            continue;
        }
        const auto owner = owners.find(peer->Get());
        if (owner != owners.end() && owner->second.first == GetPlace(to))
        {
            links.push_back({port, owner->second.second});
        }
    }
    return links;
}

bool
RailLinks::CanChange() const
{
    return std::any_of(m_rails.begin(), m_rails.end(), [](const Rail& rail) {
        return rail.GetOpticalSwitch() != nullptr;
    });
}

} // namespace ns3
