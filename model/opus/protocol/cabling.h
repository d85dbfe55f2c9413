/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CABLING_H
#define PHOTONIC_RAILS_CABLING_H

#include "opus-contents.h"

#include "ns3/fabric-description.h"
#include "ns3/identifier.h"
#include "ns3/rank-places.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>
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
 * @brief The fibers between the ports of NICs and of switches, the servers of ranks, and the ports
 * of each job.
 *
 * It is the installation record of a cluster: a controller gets it at set-up, and never detects it
 * from the network. Ranks are GPUs of the whole cluster; all ports of one are on one rail. It also
 * has whether a fabric joins the GPUs of each server, over which they forward for each other: for
 * the ranks of their own job only. For switches that do not set all circuits together it has a
 * description of what they set, which never changes; no switch is asked.
 * @code
 * Cabling cabling = Cabling::OfRails(4, 8, 2); // 4 servers of 8 GPUs with 2 ports each
 * for (uint32_t rank = 0; rank < 32; ++rank)
 * {
 *     cabling.Own(JobId(0), RankId(rank));
 * }
 * @endcode
 */
class Cabling : public RankPlaces
{
  public:
    /**
     * The cabling that RailHelper makes: rank k is on rail k modulo the rails, on server k / rails.
     * @param servers number of servers
     * @param rails number of rails, and of GPUs in each server
     * @param ports of each NIC
     * @return the cabling; no job owns a port
     */
    static Cabling OfRails(uint32_t servers, uint32_t rails, uint32_t ports);

    /**
     * Adds the fiber of a rank's next NIC port.
     * @param server of the rank; always the same for a rank
     * @param port of the switch; on the same rail as the rank's other ports
     */
    void Join(RankId rank, ServerId server, const RailPort& port);

    /** Notes that a fabric inside each server joins its GPUs, which forward messages. */
    void SetForwarding();

    /**
     * Notes that the GPUs of a job forward messages on their rails, around giant rings
     * (GiantRings): ranks of a rail need no circuit of their own.
     */
    void SetMultiHop();
    /** @return whether they do */
    bool IsMultiHop() const;

    /** Notes what the switch of a rail sets together. @param fabric null: any circuits */
    void SetFabric(RailId rail, std::shared_ptr<const FabricDescription> fabric);
    /** @return what the switch of a rail sets together; null: any circuits */
    const FabricDescription* FindFabric(RailId rail) const;
    /** @return whether there are switches that do not set all circuits together */
    bool HasFabrics() const;

    /** Gives a job all ports of a rank, which must have ports. */
    void Own(JobId job, RankId rank);
    /** Gives a job one port. @param port to which a rank is joined */
    void Own(JobId job, const RailPort& port);
    /** Takes a port from its job, if it has one: nothing uses it from now on. */
    void Disown(const RailPort& port);

    /** @return the ranks of which a job owns a port, in order */
    std::vector<RankId> GetRanks(JobId job) const;
    /** @return whether a rank has ports */
    bool IsKnown(RankId rank) const;
    /**
     * @param rank that has ports
     * @return its server
     */
    ServerId GetServer(RankId rank) const;
    /**
     * @param rank that has ports
     * @return the switch ports of its fibers, by port of the NIC
     */
    const std::vector<PortId>& GetPorts(RankId rank) const;
    /** @return whether there are ranks, and all are on a server */
    bool AreOnServer(const std::vector<RankId>& ranks, ServerId server) const;
    /** @return whether a rank's NIC has a port of this number */
    bool HasPort(RankId rank, uint32_t port) const;
    /** @return the ports of a rank's NIC that a job may use */
    std::vector<uint32_t> GetOwnedPorts(JobId job, RankId rank) const;
    /** @return the number of these ports */
    uint32_t CountOwnedPorts(JobId job, RankId rank) const;

    /** @return the NIC port that a switch port is joined to, if there is one */
    std::optional<NicPort> FindNicPort(const RailPort& port) const;
    /** @return the job that owns a port, if there is one */
    std::optional<JobId> FindOwner(const RailPort& port) const;

    // RankPlaces, of ranks that have ports
    RailId GetRail(RankId rank) const override;
    bool AreIntraNode(RankId one, RankId other) const override;
    std::optional<RankId> FindRelay(RankId here, RankId there) const override;

    /** @return the rank on a rail in the server of another rank, if there is one */
    std::optional<RankId> FindOnRail(RankId here, RailId rail) const;

    /** @return one more than the greatest rail */
    uint32_t GetRails() const;
    /** @return one more than the greatest port in use on a rail */
    uint32_t GetSwitchPorts(RailId rail) const;

  private:
    /** The place of a rank. */
    struct Place
    {
        ServerId server;
        RailId rail;
        std::vector<PortId> ports;    //!< by port of the NIC
        std::optional<JobId> owner{}; //!< of its ports
        bool isShared{false};         //!< its ports do not have one owner
    };

    /** The far end of a fiber at a switch port. */
    struct End
    {
        bool hasFiber{false};
        NicPort nic;
        std::optional<JobId> owner;
    };

    /** Notes the owner of a rank's ports after a change. */
    void NoteOwner(Place& place) const;
    /** @return the place of a rank; null if it has no ports */
    const Place* FindPlace(RankId rank) const;
    /** @return the place of a rank; aborts if it is not known */
    const Place& PlaceOf(RankId rank) const;
    /** @return the end of the fiber of a switch port; null if it has no fiber */
    const End* FindEnd(const RailPort& port) const;

    // ranks and ports are counted from 0, and are looked up several times for each message
    std::vector<Place> m_places;                           //!< by rank
    std::map<std::pair<ServerId, RailId>, RankId> m_ranks; //!< the first one of a server on a rail
    bool m_forwarding{false};
    bool m_multiHop{false};
    std::map<RailId, std::shared_ptr<const FabricDescription>> m_fabrics; //!< that may block
    std::vector<std::vector<End>> m_ends;                                 //!< by rail and port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CABLING_H */
