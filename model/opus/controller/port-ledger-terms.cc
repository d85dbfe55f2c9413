/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-ledger.h"

#include <algorithm>

// What is not known at the beginning of a term.

namespace ns3
{

void
PortLedger::BeginTerm()
{
    for (uint32_t rail = 0; rail < m_circuits.size(); ++rail)
    {
        m_unknown.insert(RailId(rail));
        for (uint32_t port = 0; port < m_cabling->GetSwitchPorts(RailId(rail)); ++port)
        {
            const RailPort one{RailId(rail), PortId(port)};
            const std::optional<JobId> owner = m_cabling->FindOwner(one);
            if (owner)
            {
                m_unconfirmed.insert({*owner, m_cabling->GetServer(RankAt(one))});
            }
        }
    }
}

void
PortLedger::Learn(RailId rail, const std::vector<Circuit>& circuits)
{
    if (m_unknown.erase(rail) == 0)
    {
        return;
    }
    CircuitPlan standing;
    for (const Circuit& circuit : circuits)
    {
        const bool isOurs = m_cabling->FindNicPort({rail, circuit.low}) &&
                            m_cabling->FindNicPort({rail, circuit.high});
        if (isOurs)
        {
            standing.Connect(circuit.low, circuit.high);
        }
    }
    if (m_circuits[rail.Get()].Check(standing).IsAccepted())
    {
        m_circuits[rail.Get()].Apply(standing);
    }
    else
    {
        m_unknown.insert(rail); // that is no state of a switch
    }
}

void
PortLedger::Learn(JobId job, ServerId server)
{
    m_unconfirmed.erase({job, server});
}

bool
PortLedger::IsKnown(RailId rail) const
{
    return m_unknown.count(rail) == 0;
}

bool
PortLedger::IsKnown(JobId job, ServerId server) const
{
    return m_unconfirmed.count({job, server}) == 0;
}

bool
PortLedger::IsAllKnown() const
{
    return m_unknown.empty() && m_unconfirmed.empty();
}

bool
PortLedger::IsUnconfirmed(const RailPort& port) const
{
    const std::optional<JobId> owner = m_cabling->FindOwner(port);
    return owner && !IsKnown(*owner, m_cabling->GetServer(RankAt(port)));
}

bool
PortLedger::MayBeUsed(RailId rail) const
{
    if (m_unconfirmed.empty())
    {
        return false;
    }
    const std::vector<Circuit> circuits = m_circuits[rail.Get()].GetCircuits();
    return std::any_of(circuits.begin(), circuits.end(), [this, rail](const Circuit& circuit) {
        return IsUnconfirmed({rail, circuit.low}) || IsUnconfirmed({rail, circuit.high});
    });
}

bool
PortLedger::MayBeUsed(const RailPort& port) const
{
    if (m_unconfirmed.empty())
    {
        return false;
    }
    if (m_wholeSwitch.count(port.rail) != 0)
    {
        return MayBeUsed(port.rail);
    }
    const std::optional<PortId> peer = m_circuits[port.rail.Get()].GetPeer(port.port);
    return peer && (IsUnconfirmed(port) || IsUnconfirmed({port.rail, *peer}));
}

} // namespace ns3
