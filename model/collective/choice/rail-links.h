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
    bool CanChange() const override;

  private:
    /** @return the route from a rank to another, which may have no links */
    JoinedRanks FindRoute(RankId from, RankId to) const;

    std::vector<Rail> m_rails;
    bool m_forwarding;
    std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>>
        m_owners; //!< by rail and port of the switch: the place and the port of the NIC
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_LINKS_H */
