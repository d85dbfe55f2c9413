/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-links.h"

#include "ns3/abort.h"

#include <algorithm>

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
    for (const JoinedRanks& route : GetRoutes({from, to}, *this))
    {
        const std::size_t links = GetDirectLinks(route.first, route.second).size();
        if (links > most)
        {
            best = route;
            most = links;
        }
    }
    return best;
}

std::vector<RailLink>
RailLinks::GetLinks(RankId from, RankId to) const
{
    if (AreIntraNode(from, to))
    {
        return {RailLink()};
    }
    const JoinedRanks route = FindRoute(from, to);
    return GetDirectLinks(route.first, route.second);
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
