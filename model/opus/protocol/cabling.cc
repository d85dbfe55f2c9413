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
    m_places.resize(std::max<std::size_t>(m_places.size(), std::size_t{rank.Get()} + 1));
    Place& place = m_places[rank.Get()];
    if (place.ports.empty())
    {
        place.server = server;
        place.rail = port.rail;
    }
    m_ranks.try_emplace({server, port.rail}, rank);
    NS_ABORT_MSG_UNLESS(place.rail == port.rail,
                        "Cabling: rank " << rank << " is on rail " << place.rail << "; " << port
                                         << " is on another");
    NS_ABORT_MSG_UNLESS(place.server == server,
                        "Cabling: rank " << rank << " is on server " << place.server
                                         << ", and now on server " << server);
    m_ends.resize(std::max<std::size_t>(m_ends.size(), std::size_t{port.rail.Get()} + 1));
    std::vector<End>& ends = m_ends[port.rail.Get()];
    ends.resize(std::max<std::size_t>(ends.size(), std::size_t{port.port.Get()} + 1));
    End& end = ends[port.port.Get()];
    NS_ABORT_MSG_IF(end.hasFiber, "Cabling: " << port << " has a fiber already; name a free one");
    end.hasFiber = true;
    end.nic = {rank, static_cast<uint32_t>(place.ports.size())};
    place.ports.push_back(port.port);
    NoteOwner(place);
}

void
Cabling::NoteOwner(Place& place) const
{
    place.owner = FindOwner({place.rail, place.ports.front()});
    place.isShared = std::any_of(place.ports.begin(), place.ports.end(), [&](PortId port) {
        return FindOwner({place.rail, port}) != place.owner;
    });
}

const Cabling::Place*
Cabling::FindPlace(RankId rank) const
{
    const bool isKnown = rank.Get() < m_places.size() && !m_places[rank.Get()].ports.empty();
    return isKnown ? &m_places[rank.Get()] : nullptr;
}

const Cabling::End*
Cabling::FindEnd(const RailPort& port) const
{
    if (port.rail.Get() >= m_ends.size() || port.port.Get() >= m_ends[port.rail.Get()].size())
    {
        return nullptr;
    }
    const End& end = m_ends[port.rail.Get()][port.port.Get()];
    return end.hasFiber ? &end : nullptr;
}

void
Cabling::SetForwarding()
{
    m_forwarding = true;
}

void
Cabling::SetFabric(RailId rail, std::shared_ptr<const FabricDescription> fabric)
{
    if (fabric && !fabric->IsNonBlocking())
    {
        m_fabrics[rail] = std::move(fabric);
    }
}

const FabricDescription*
Cabling::FindFabric(RailId rail) const
{
    const auto found = m_fabrics.find(rail);
    return found == m_fabrics.end() ? nullptr : found->second.get();
}

bool
Cabling::HasFabrics() const
{
    return !m_fabrics.empty();
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
    NS_ABORT_MSG_UNLESS(FindEnd(port), "Cabling: " << port << " has no fiber; join it first");
    std::optional<JobId>& owner = m_ends[port.rail.Get()][port.port.Get()].owner;
    NS_ABORT_MSG_IF(owner && *owner != job,
                    "Cabling: " << port << " is owned by job " << *owner << "; job " << job
                                << " cannot have it too");
    owner = job;
    NoteOwner(m_places[m_ends[port.rail.Get()][port.port.Get()].nic.rank.Get()]);
}

void
Cabling::Disown(const RailPort& port)
{
    NS_ABORT_MSG_UNLESS(FindEnd(port), "Cabling: " << port << " has no fiber; join it first");
    End& end = m_ends[port.rail.Get()][port.port.Get()];
    end.owner.reset();
    NoteOwner(m_places[end.nic.rank.Get()]);
}

const Cabling::Place&
Cabling::PlaceOf(RankId rank) const
{
    const Place* place = FindPlace(rank);
    NS_ABORT_MSG_UNLESS(place, "Cabling: rank " << rank << " has no ports; join them first");
    return *place;
}

bool
Cabling::IsKnown(RankId rank) const
{
    return FindPlace(rank) != nullptr;
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
    const Place* place = FindPlace(rank);
    if (!place)
    {
        return owned;
    }
    for (uint32_t port = 0; port < place->ports.size(); ++port)
    {
        if (FindOwner({place->rail, place->ports[port]}) == job)
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
    for (uint32_t rank = 0; rank < m_places.size(); ++rank)
    {
        if (CountOwnedPorts(job, RankId(rank)) > 0)
        {
            ranks.emplace_back(rank);
        }
    }
    return ranks;
}

uint32_t
Cabling::CountOwnedPorts(JobId job, RankId rank) const
{
    const Place* place = FindPlace(rank);
    if (place && !place->isShared)
    {
        return place->owner == job ? place->ports.size() : 0;
    }
    return place ? std::count_if(place->ports.begin(),
                                 place->ports.end(),
                                 [&](PortId port) {
                                     return FindOwner({place->rail, port}) == job;
                                 })
                 : 0;
}

std::optional<NicPort>
Cabling::FindNicPort(const RailPort& port) const
{
    const End* end = FindEnd(port);
    return end ? std::optional<NicPort>(end->nic) : std::nullopt;
}

std::optional<JobId>
Cabling::FindOwner(const RailPort& port) const
{
    const End* end = FindEnd(port);
    return end ? end->owner : std::nullopt;
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

std::optional<RankId>
Cabling::FindOnRail(RankId here, RailId rail) const
{
    if (GetRail(here) == rail)
    {
        return here;
    }
    const auto there = m_ranks.find({GetServer(here), rail});
    return there != m_ranks.end() ? std::optional<RankId>(there->second) : std::nullopt;
}

uint32_t
Cabling::GetRails() const
{
    return m_ends.size();
}

uint32_t
Cabling::GetSwitchPorts(RailId rail) const
{
    return rail.Get() < m_ends.size() ? m_ends[rail.Get()].size() : 0;
}

} // namespace ns3
