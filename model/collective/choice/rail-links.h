/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_LINKS_H
#define PHOTONIC_RAILS_RAIL_LINKS_H

#include "circuit-broker.h"
#include "pair-routes.h"
#include "rank-places.h"

#include "ns3/rail.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The links between ranks that rails join: on an electrical rail all ranks, by ports of the
 * same number; on an optical rail the ranks that circuits join at the instant of the call.
 *
 * Ranks are GPUs, numbered server by server as RailHelper::InstallRails() takes them: with R rails,
 * rank k is on rail k modulo R, in place k / R.
 *
 * With multi-hop, the GPUs of a rail forward messages, too (MultiHopTransport): what comes in at
 * port 2j of a NIC leaves at port 2j + 1, and the other way round. So ranks without a link of their
 * own reach each other where such a chain of circuits joins them. The links with the shortest
 * chains are taken; of several routes, the one with the shortest.
 *
 * Where servers forward messages (ForwardingTransport), ranks of different rails reach each other
 * over a relay in either server (GetRoutes()): the one on the route with the most links, and of
 * equal ones the one at the sender. Ranks of one server need no rail: one link represents the
 * scale-up fabric.
 */
class RailLinks : public Connectivity, public RankPlaces
{
  public:
    /**
     * @param rails by number
     * @param forwarding whether servers forward messages
     */
    explicit RailLinks(const std::vector<Rail>& rails, bool forwarding = false);

    /** @param multiHop whether GPUs of a rail forward messages for others; false by default */
    void SetMultiHop(bool multiHop);

    /** @return the number of ranks */
    uint32_t GetRanks() const;
    /** @return the node of a rank's GPU */
    Ptr<Node> GetNode(RankId rank) const;
    /** @return the rail that a rank is on */
    const Rail& FindRail(RankId rank) const;
    /** @return the place of a rank on its rail, which is the number of its server */
    uint32_t GetPlace(RankId rank) const;
    /** @return the links between the NICs of two ranks */
    std::vector<RailLink> GetDirectLinks(RankId from, RankId to) const;

    // RankPlaces
    RailId GetRail(RankId rank) const override;
    std::optional<RankId> FindRelay(RankId here, RankId there) const override;

    // Connectivity and RankPlaces
    bool AreIntraNode(RankId one, RankId other) const override;

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;
    Relays GetRelays(RankId from, RankId to) const override;
    std::vector<SharedRailPath> GetPaths(RankId from, RankId to) const override;
    bool CanChange() const override;

  private:
    /** A NIC port, by the rank and the number of the port. */
    using NicEnd = std::pair<RankId, uint32_t>;

    /** @return the route from a rank to another, which may have no links */
    JoinedRanks FindRoute(RankId from, RankId to) const;
    /** @return the shortest paths between two NICs of a rail, over other NICs, by first port */
    std::vector<RailPath> FindPaths(RankId from, RankId to) const;
    /** @return the path that begins at a port; without links if it does not lead there */
    RailPath Follow(const NicEnd& from, RankId to) const;
    /** @return the NIC port that a circuit joins to another, if there is one */
    std::optional<NicEnd> FindFarEnd(const NicEnd& end) const;

    std::vector<Rail> m_rails;
    bool m_forwarding;
    bool m_multiHop{false};
    std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>>
        m_owners; //!< by rail and port of the switch: the place and the port of the NIC
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_LINKS_H */
