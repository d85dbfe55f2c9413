/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "whole-network.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <sstream>

namespace ns3
{

WholeNetwork::WholeNetwork(bool enabled,
                           Picoseconds gather,
                           OpenPhases& phases,
                           PhaseTurns& turns,
                           const PortLedger& ledger,
                           const ControllerRecord& record)
    : m_enabled(enabled),
      m_gather(gather),
      m_phases(phases),
      m_turns(turns),
      m_ledger(ledger),
      m_record(record)
{
}

void
WholeNetwork::BeginInstant()
{
    if (!m_enabled)
    {
        return;
    }
    m_changes = false;
    Purge();
    const Status status = GetStatus();
    if (status != m_last)
    {
        if (std::get<0>(m_last) && !m_ledger.HasOpenPlans())
        {
            m_waiting.clear(); // circuits of some may stand now: all are tried anew, in order
            m_drains = false;
        }
        m_last = status;
        m_turns.LookAtAll();
    }
}

void
WholeNetwork::Purge()
{
    m_drains = false;
    for (auto key = m_waiting.begin(); key != m_waiting.end();)
    {
        const ControllerPhase* phase = m_phases.Find(*key);
        const bool waits = phase && phase->queued;
        m_drains = m_drains || (waits && !phase->turn.guess && m_turns.MayGo(*phase));
        key = waits ? ++key : m_waiting.erase(key);
    }
    m_gatherEnd = m_waiting.empty() ? NEVER : m_gatherEnd;
}

bool
WholeNetwork::IsGathering() const
{
    return m_gatherEnd == NEVER || m_record.GetTime() < m_gatherEnd;
}

WholeNetwork::Status
WholeNetwork::GetStatus() const
{
    return {m_ledger.HasOpenPlans(), m_ledger.HasTraffic(), m_drains, IsGathering()};
}

std::string
WholeNetwork::FindObstacle() const
{
    return m_enabled && !m_changes && m_ledger.HasOpenPlans() ? "the network is reconfigured" : "";
}

std::string
WholeNetwork::FindObstacle(bool changes) const
{
    if (!m_enabled || (changes && m_changes))
    {
        return "";
    }
    if (!changes)
    {
        return m_changes  ? "the network is reconfigured"
               : m_drains ? "the network drains for a reconfiguration"
                          : "";
    }
    if (m_ledger.HasTraffic())
    {
        return "the network has traffic, and is reconfigured as a whole";
    }
    return m_gather > 0 && IsGathering()
               ? "other phases may join the reconfiguration of the network"
               : "";
}

void
WholeNetwork::Wait(const ControllerPhase& phase)
{
    if (m_gatherEnd == NEVER)
    {
        m_gatherEnd = AddSaturating(m_record.GetTime(), m_gather);
    }
    m_waiting.insert(phase.phase);
    m_drains = m_drains || !phase.turn.guess;
}

void
WholeNetwork::Forget(const ControllerPhase& phase)
{
    if (m_waiting.erase(phase.phase) == 0)
    {
        return;
    }
    Purge();
    if (!m_drains)
    {
        m_turns.LookAtAll(); // it waited for itself, and so did others
    }
}

void
WholeNetwork::Change()
{
    m_changes = m_enabled;
}

Picoseconds
WholeNetwork::GetDeadline() const
{
    return m_enabled && m_gatherEnd > m_record.GetTime() ? m_gatherEnd : NEVER;
}

std::string
WholeNetwork::Describe() const
{
    std::ostringstream words;
    if (m_enabled)
    {
        words << "network: " << m_waiting.size() << " phases wait" << (m_drains ? ", drains" : "")
              << ", gathers until " << m_gatherEnd << "\n";
    }
    return words.str();
}

} // namespace ns3
