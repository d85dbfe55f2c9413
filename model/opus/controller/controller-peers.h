/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_PEERS_H
#define PHOTONIC_RAILS_CONTROLLER_PEERS_H

#include "active-shims.h"
#include "controller-outbox.h"

#include "ns3/identifier.h"
#include "ns3/opus-channel.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Where the shims and agents listen that a controller was told of at set-up.
 */
class ControllerPeers
{
  public:
    void AddShim(const ShimName& shim, const OpusPeer& peer);
    void AddAgent(RailId rail, const OpusPeer& peer);

    /** @return where each shim listens */
    const std::map<ShimName, OpusPeer>& GetShims() const;
    /** @return where the agent of each rail listens */
    const std::map<RailId, OpusPeer>& GetAgents() const;
    /** @return where the receiver of a message listens; null if it is not known */
    const OpusPeer* FindReceiver(const OutgoingMessage& outgoing) const;
    /** @return the shims that listen there */
    std::vector<ShimName> FindShims(const OpusPeer& peer) const;
    /** @return whether a shim or an agent listens there */
    bool Has(const OpusPeer& peer) const;

  private:
    std::map<ShimName, OpusPeer> m_shims;
    std::map<RailId, OpusPeer> m_agents;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_PEERS_H */
