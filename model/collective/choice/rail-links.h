/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_LINKS_H
#define PHOTONIC_RAILS_RAIL_LINKS_H

#include "circuit-broker.h"
#include "pair-routes.h"
#include "rank-places.h"

#include "ns3/rail.h"

#include <cstddef>
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
 * With multi-hop, the GPUs of a rail forward messages, too (MultiHopTransport): ranks without a
 * link of their own are joined by the shortest chains of circuits, one for each port of the sender
 * at which one begins. Of parallel circuits in a chain, the i-th chain takes the i-th one, modulo
 * their number. Of several routes, the one with the shortest chain is taken.
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
    /** A link to another NIC of the rail. */
    using NicLink = std::pair<RankId, RailLink>;

    /** @return the links of a NIC, in the order of its ports */
    std::vector<NicLink> ListLinks(RankId rank) const;
    /** @return the number of links from each NIC to one, on the shortest way */
    std::map<RankId, std::size_t> GetDistances(RankId to) const;
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
