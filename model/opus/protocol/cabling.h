/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CABLING_H
#define PHOTONIC_RAILS_CABLING_H

#include "opus-message.h"

#include "ns3/identifier.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3
{

/** A port of the switch of a rail. */
struct RailPort
{
    RailId rail;
    PortId port;

    bool operator==(const RailPort& other) const
    {
        return rail == other.rail && port == other.port;
    }

    bool operator<(const RailPort& other) const
    {
        return rail < other.rail || (rail == other.rail && port < other.port);
    }

    friend std::ostream& operator<<(std::ostream& os, const RailPort& port)
    {
        return os << "port " << port.port << " of rail " << port.rail;
    }
};

/** A port of a rank's NIC, counted from 0. */
struct NicPort
{
    RankId rank;
    uint32_t port{0};
};

/**
 * @ingroup photonic-rails
 * @brief Which port of a switch each port of each NIC has its fiber to, which server a rank is on,
 * and which ports a job may use.
 *
 * It is what whoever laid the fibers wrote down: a controller is given it at set-up, and never asks
 * the network. Ranks are GPUs of the whole cluster; all ports of one are on one rail.
 * @code
 * Cabling cabling = Cabling::OfRails(4, 8, 2); // 4 servers of 8 GPUs with 2 ports each
 * for (uint32_t rank = 0; rank < 32; ++rank)
 * {
 *     cabling.Own(JobId(0), RankId(rank));
 * }
 * @endcode
 */
class Cabling
{
  public:
    /**
     * The cabling that RailHelper makes: rank k is on rail k modulo the rails, on server k / rails.
     * @param servers how many
     * @param rails of as many GPUs in each server
     * @param ports of a NIC
     * @return it; no job owns a port
     */
    static Cabling OfRails(uint32_t servers, uint32_t rails, uint32_t ports);

    /**
     * Writes down the fiber of a rank's next NIC port.
     * @param rank whose NIC
     * @param server that it is on; always the same for a rank
     * @param port where the fiber ends; on the same rail as the rank's other ports
     */
    void Join(RankId rank, ServerId server, const RailPort& port);

    /** Gives a job all ports of a rank. @param job it @param rank one that has ports */
    void Own(JobId job, RankId rank);
    /** Gives a job one port. @param job it @param port one that a rank is joined to */
    void Own(JobId job, const RailPort& port);

    /** @return whether a rank has ports @param rank any */
    bool IsKnown(RankId rank) const;
    /** @return the rail that a rank is on @param rank one that has ports */
    RailId GetRail(RankId rank) const;
    /** @return the server that a rank is on @param rank one that has ports */
    ServerId GetServer(RankId rank) const;
    /** @return where a rank's ports lead to, by port @param rank one that has ports */
    const std::vector<PortId>& GetPorts(RankId rank) const;
    /** @return ports of its NIC that a job may use @param job it @param rank any */
    std::vector<uint32_t> GetOwnedPorts(JobId job, RankId rank) const;

    /** @return the NIC port that a switch port leads to, if any @param port any */
    std::optional<NicPort> FindNicPort(const RailPort& port) const;
    /** @return whose port it is, if anybody's @param port any */
    std::optional<JobId> FindOwner(const RailPort& port) const;

    /** @return one more than the greatest rail */
    uint32_t GetRails() const;
    /** @return one more than the greatest port in use @param rail a rail */
    uint32_t GetSwitchPorts(RailId rail) const;

  private:
    /** Where a rank is. */
    struct Place
    {
        ServerId server;
        RailId rail;
        std::vector<PortId> ports; //!< by port of the NIC
    };

    /** What is at a port of a switch. */
    struct End
    {
        NicPort nic;
        std::optional<JobId> owner;
    };

    /** @return where a rank is; aborts if nobody wrote it down */
    const Place& PlaceOf(RankId rank) const;

    std::map<RankId, Place> m_places;
    std::map<RailPort, End> m_ends;
    std::vector<uint32_t> m_switchPorts; //!< by rail
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CABLING_H */
