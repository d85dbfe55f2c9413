/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grants-in-the-way.h"

#include <algorithm>
#include <utility>

namespace ns3
{

GrantsInTheWay::GrantsInTheWay(std::shared_ptr<const Cabling> cabling,
                               OpenPhases& phases,
                               const PhaseVoting& voting,
                               const PortLedger& ledger,
                               const RailTraffic& traffic,
                               GrantRecalls& recalls)
    : m_cabling(std::move(cabling)),
      m_phases(phases),
      m_voting(voting),
      m_ledger(ledger),
      m_traffic(traffic),
      m_recalls(recalls)
{
}

std::vector<ControllerPhase*>
GrantsInTheWay::FindAt(RankId rank) const
{
    std::vector<ControllerPhase*> phases;
    for (const PortId port : m_cabling->GetPorts(rank))
    {
        for (const OpusPhase& key : m_ledger.GetPhases({m_cabling->GetRail(rank), port}))
        {
            phases.push_back(&m_phases.At(key));
        }
    }
    return phases;
}

void
GrantsInTheWay::CallBack(const ControllerPhase& waiting)
{
    if (!m_voting.IsFirm(waiting))
    {
        return;
    }
    // ranks release unused circuits themselves, except those of a phase that waits for one of these
    // ranks
    for (const RankId rank : waiting.votes.GetRanks())
    {
        for (ControllerPhase* phase : FindAt(rank))
        {
            m_recalls.CallBackIfTorn(*phase);
            if (std::count(phase->relays.begin(), phase->relays.end(), rank) > 0)
            {
                m_recalls.CallIn(*phase); // its own ranks have no report of the wait
            }
        }
    }
    // relays have no report of its wait
    for (const RankId relay : waiting.relays)
    {
        for (ControllerPhase* phase : FindAt(relay))
        {
            m_recalls.CallBackIfTorn(*phase);
            m_recalls.CallIn(*phase);
        }
    }
    if (!m_traffic.HasAnyWhole())
    {
        return;
    }
    // other ranks on its rails have no report of its wait
    for (auto& [key, phase] : m_phases)
    {
        if (phase.state == ControllerPhase::State::GRANTED && m_traffic.IsInTheWay(phase, waiting))
        {
            m_recalls.CallBackIfTorn(phase);
            m_recalls.CallIn(phase);
        }
    }
}

} // namespace ns3
