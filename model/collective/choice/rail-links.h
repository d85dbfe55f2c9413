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
 * @brief The links between ranks that rails join: on an electrical rail all ranks, by ports of the
 * same number; on an optical rail the ranks that circuits join at the instant of the call.
 *
 * Ranks are GPUs, numbered server by server as RailHelper::InstallRails() takes them: with R rails,
 * rank k is on rail k modulo R, in place k / R.
 *
 * Where servers forward messages (ForwardingTransport), a rank reaches another rail through the
 * rank of its own server that is on that rail, over the links of that relay. Ranks of one server
 * need no rail: one link represents the scale-up fabric.
 */
class RailLinks : public Connectivity
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
    const Rail& GetRail(RankId rank) const;
    /** @return the place of a rank on its rail, which is the number of its server */
    uint32_t GetPlace(RankId rank) const;
    /** @return whether two ranks reach each other inside their server */
    bool AreIntraNode(RankId one, RankId other) const;
    /** @return the rank in the server of `from` that is on the rail of `to` */
    RankId GetRelay(RankId from, RankId to) const;

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;
    bool CanChange() const override;

  private:
    std::vector<Rail> m_rails;
    bool m_forwarding;
    std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>>
        m_owners; //!< by rail and port of the switch: the place and the port of the NIC
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_LINKS_H */
