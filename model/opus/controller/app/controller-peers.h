/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_PEERS_H
#define PHOTONIC_RAILS_CONTROLLER_PEERS_H

#include "active-shims.h"

#include "ns3/controller-outbox.h"
#include "ns3/identifier.h"
#include "ns3/opus-channel.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The addresses of the shims and agents of a controller, which it gets at set-up.
 */
class ControllerPeers
{
  public:
    void AddShim(const ShimName& shim, const OpusPeer& peer);
    void AddAgent(RailId rail, const OpusPeer& peer);

    /** @return the address of each shim */
    const std::map<ShimName, OpusPeer>& GetShims() const;
    /** @return the address of each rail's agent */
    const std::map<RailId, OpusPeer>& GetAgents() const;
    /** @return the address of a message's receiver; null if it is not known */
    const OpusPeer* FindReceiver(const OutgoingMessage& outgoing) const;
    /** @return the shims at an address */
    std::vector<ShimName> FindShims(const OpusPeer& peer) const;
    /** @return whether a shim or an agent has an address */
    bool Has(const OpusPeer& peer) const;

  private:
    std::map<ShimName, OpusPeer> m_shims;
    std::map<RailId, OpusPeer> m_agents;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_PEERS_H */
