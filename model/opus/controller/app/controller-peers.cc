/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-peers.h"

#include <algorithm>

namespace ns3
{

void
ControllerPeers::AddShim(const ShimName& shim, const OpusPeer& peer)
{
    m_shims[shim] = peer;
}

void
ControllerPeers::AddAgent(RailId rail, const OpusPeer& peer)
{
    m_agents[rail] = peer;
}

const std::map<ShimName, OpusPeer>&
ControllerPeers::GetShims() const
{
    return m_shims;
}

const std::map<RailId, OpusPeer>&
ControllerPeers::GetAgents() const
{
    return m_agents;
}

const OpusPeer*
ControllerPeers::FindReceiver(const OutgoingMessage& outgoing) const
{
    const OpusMessage& message = outgoing.message;
    if (outgoing.toAgent)
    {
        const auto agent = m_agents.find(message.rail);
        return agent == m_agents.end() ? nullptr : &agent->second;
    }
    const auto shim = m_shims.find({message.GetJob(), message.server});
    return shim == m_shims.end() ? nullptr : &shim->second;
}

std::vector<ShimName>
ControllerPeers::FindShims(const OpusPeer& peer) const
{
    std::vector<ShimName> shims;
    for (const auto& [shim, where] : m_shims)
    {
        if (where == peer)
        {
            shims.push_back(shim);
        }
    }
    return shims;
}

bool
ControllerPeers::Has(const OpusPeer& peer) const
{
    const auto isIt = [&peer](const auto& one) { return one.second == peer; };
    return std::any_of(m_shims.begin(), m_shims.end(), isIt) ||
           std::any_of(m_agents.begin(), m_agents.end(), isIt);
}

} // namespace ns3
