/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cabling.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

Cabling
Cabling::OfRails(uint32_t servers, uint32_t rails, uint32_t ports)
{
    Cabling cabling;
    for (uint32_t rank = 0; rank < servers * rails; ++rank)
    {
        const uint32_t server = rank / rails;
        for (uint32_t port = 0; port < ports; ++port)
        {
            cabling.Join(RankId(rank),
                         ServerId(server),
                         {RailId(rank % rails), PortId(server * ports + port)});
        }
    }
    return cabling;
}

void
Cabling::Join(RankId rank, ServerId server, const RailPort& port)
{
    const auto [place, isNew] = m_places.try_emplace(rank, Place{server, port.rail, {}});
    m_ranks.try_emplace({server, port.rail}, rank);
    NS_ABORT_MSG_UNLESS(place->second.rail == port.rail,
                        "Cabling: rank " << rank << " is on rail " << place->second.rail << "; "
                                         << port << " is on another");
    NS_ABORT_MSG_UNLESS(place->second.server == server,
                        "Cabling: rank " << rank << " is on server " << place->second.server
                                         << ", and now on server " << server);
    const NicPort nic{rank, static_cast<uint32_t>(place->second.ports.size())};
    NS_ABORT_MSG_UNLESS(m_ends.emplace(port, End{nic, std::nullopt}).second,
                        "Cabling: " << port << " has a fiber already; name a free one");
    place->second.ports.push_back(port.port);
    m_switchPorts.resize(std::max<std::size_t>(m_switchPorts.size(), port.rail.Get() + 1));
    uint32_t& count = m_switchPorts[port.rail.Get()];
    count = std::max(count, port.port.Get() + 1);
}

void
Cabling::SetForwarding()
{
    m_forwarding = true;
}

void
Cabling::Own(JobId job, RankId rank)
{
    const Place& place = PlaceOf(rank);
    for (const PortId port : place.ports)
    {
        Own(job, RailPort{place.rail, port});
    }
}

void
Cabling::Own(JobId job, const RailPort& port)
{
    const auto end = m_ends.find(port);
    NS_ABORT_MSG_IF(end == m_ends.end(), "Cabling: " << port << " has no fiber; join it first");
    NS_ABORT_MSG_IF(end->second.owner && *end->second.owner != job,
                    "Cabling: " << port << " is owned by job " << *end->second.owner << "; job "
                                << job << " cannot have it too");
    end->second.owner = job;
}

const Cabling::Place&
Cabling::PlaceOf(RankId rank) const
{
    const auto place = m_places.find(rank);
    NS_ABORT_MSG_IF(place == m_places.end(),
                    "Cabling: rank " << rank << " has no ports; join them first");
    return place->second;
}

bool
Cabling::IsKnown(RankId rank) const
{
    return m_places.count(rank) != 0;
}

RailId
Cabling::GetRail(RankId rank) const
{
    return PlaceOf(rank).rail;
}

ServerId
Cabling::GetServer(RankId rank) const
{
    return PlaceOf(rank).server;
}

const std::vector<PortId>&
Cabling::GetPorts(RankId rank) const
{
    return PlaceOf(rank).ports;
}

bool
Cabling::AreOnServer(const std::vector<RankId>& ranks, ServerId server) const
{
    return !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), [this, server](RankId rank) {
        return IsKnown(rank) && GetServer(rank) == server;
    });
}

bool
Cabling::HasPort(RankId rank, uint32_t port) const
{
    return IsKnown(rank) && port < GetPorts(rank).size();
}

std::vector<uint32_t>
Cabling::GetOwnedPorts(JobId job, RankId rank) const
{
    std::vector<uint32_t> owned;
    const auto place = m_places.find(rank);
    if (place == m_places.end())
    {
        return owned;
    }
    for (uint32_t port = 0; port < place->second.ports.size(); ++port)
    {
        if (FindOwner({place->second.rail, place->second.ports[port]}) == job)
        {
            owned.push_back(port);
        }
    }
    return owned;
}

void
Cabling::SetMultiHop()
{
    m_multiHop = true;
}

bool
Cabling::IsMultiHop() const
{
    return m_multiHop;
}

std::vector<RankId>
Cabling::GetRanks(JobId job) const
{
    std::vector<RankId> ranks;
    for (const auto& [rank, place] : m_places)
    {
        if (CountOwnedPorts(job, rank) > 0)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

uint32_t
Cabling::CountOwnedPorts(JobId job, RankId rank) const
{
    const auto place = m_places.find(rank);
    return place == m_places.end()
               ? 0
               : std::count_if(place->second.ports.begin(),
                               place->second.ports.end(),
                               [&](PortId port) {
                                   return FindOwner({place->second.rail, port}) == job;
                               });
}

std::optional<NicPort>
Cabling::FindNicPort(const RailPort& port) const
{
    const auto end = m_ends.find(port);
    return end == m_ends.end() ? std::nullopt : std::optional<NicPort>(end->second.nic);
}

std::optional<JobId>
Cabling::FindOwner(const RailPort& port) const
{
    const auto end = m_ends.find(port);
    return end == m_ends.end() ? std::nullopt : end->second.owner;
}

bool
Cabling::AreIntraNode(RankId one, RankId other) const
{
    return m_forwarding && one != other && GetServer(one) == GetServer(other);
}

std::optional<RankId>
Cabling::FindRelay(RankId here, RankId there) const
{
    const RailId rail = GetRail(there);
    if (GetRail(here) == rail)
    {
        return here;
    }
    const auto relay = m_ranks.find({GetServer(here), rail});
    return m_forwarding && relay != m_ranks.end() ? std::optional<RankId>(relay->second)
                                                  : std::nullopt;
}

uint32_t
Cabling::GetRails() const
{
    return m_switchPorts.size();
}

uint32_t
Cabling::GetSwitchPorts(RailId rail) const
{
    return rail.Get() < m_switchPorts.size() ? m_switchPorts[rail.Get()] : 0;
}

} // namespace ns3
