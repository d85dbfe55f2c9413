/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_LINKS_H
#define PHOTONIC_RAILS_RAIL_LINKS_H

#include "circuit-broker.h"

#include "ns3/rail.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Which ranks rails join: on an electrical rail all, port by port of the same number; on an
 * optical rail those that circuits join at the moment of asking.
 *
 * Ranks are GPUs, numbered server by server as RailHelper::InstallRails() takes them: with R rails,
 * rank k is on rail k modulo R, in place k / R.
 *
 * Where servers forward inside (ForwardingTransport), a rank on another rail is reached by the rank
 * of the same server that is on that rail, over that one's links; and ranks of a server need none:
 * one link stands for the fabric inside it.
 */
class RailLinks : public Connectivity
{
  public:
    /**
     * @param rails by number
     * @param forwarding whether servers forward inside
     */
    explicit RailLinks(const std::vector<Rail>& rails, bool forwarding = false);

    /** @return the number of ranks */
    uint32_t GetRanks() const;
    /** @return the node of a rank's GPU @param rank it */
    Ptr<Node> GetNode(RankId rank) const;
    /** @return the rail that a rank is on @param rank it */
    const Rail& GetRail(RankId rank) const;
    /** @return a rank's place on its rail, which is its server @param rank it */
    uint32_t GetPlace(RankId rank) const;
    /** @return whether two ranks reach each other inside their server @param one @param other */
    bool AreIntraNode(RankId one, RankId other) const;
    /** @return the rank of a rank's server that is on another's rail @param from @param to */
    RankId GetRelay(RankId from, RankId to) const;

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;
    bool CanChange() const override;

  private:
    std::vector<Rail> m_rails;
    bool m_forwarding;
    std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>>
        m_owners; //!< by rail and port of
                  //!< the switch: place
                  //!< and port of the NIC
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_LINKS_H */
