/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "resumed-phases.h"

#include "ns3/giant-ring-policy.h"
#include "ns3/giant-rings.h"

#include <algorithm>
#include <vector>

namespace ns3
{

ResumedPhases::ResumedPhases(std::shared_ptr<const Cabling> cabling,
                             OpenPhases& phases,
                             const PortLedger& ledger,
                             CircuitSetup& setup,
                             GrantExtent& extent,
                             GrantRecalls& recalls,
                             PhaseGrants& grants)
    : m_cabling(std::move(cabling)),
      m_phases(phases),
      m_ledger(ledger),
      m_setup(setup),
      m_extent(extent),
      m_recalls(recalls),
      m_grants(grants)
{
}

void
ResumedPhases::GoOn()
{
    for (auto& [key, phase] : m_phases)
    {
        if (phase.isResumed && IsKnown(phase))
        {
            Resume(phase);
        }
    }
}

bool
ResumedPhases::IsKnown(const ControllerPhase& phase) const
{
    return std::all_of(phase.rails.begin(),
                       phase.rails.end(),
                       [this](RailId rail) { return m_ledger.IsKnown(rail); }) &&
           m_ledger.IsKnown(phase.phase.job, phase.votes.GetRanks());
}

bool
ResumedPhases::CompleteRings(ControllerPhase& phase)
{
    const GiantRings rings(phase.phase.job, m_cabling);
    phase.gaps = FindRingGaps(rings, phase.rails, m_ledger.GetCircuits());
    return std::all_of(phase.pairs.begin(), phase.pairs.end(), [&](const JoinedRanks& pair) {
        return m_cabling->AreIntraNode(pair.first, pair.second) ||
               rings.FindEnds(pair.first, pair.second, phase.gaps);
    });
}

bool
ResumedPhases::CompleteCircuits(ControllerPhase& phase)
{
    if (phase.isOverRings)
    {
        return CompleteRings(phase);
    }
    bool hasAll = true;
    for (const JoinedRanks& pair : phase.pairs)
    {
        const auto joins = [this, &pair](const RankCircuit& circuit) {
            return m_ledger.IsOnRoute(circuit, pair);
        };
        if (std::any_of(phase.circuits.begin(), phase.circuits.end(), joins))
        {
            continue;
        }
        // its ends have not received the grant, and no plan has changed its circuits since
        const std::vector<RankCircuit> standing = m_ledger.FindCircuits(pair);
        m_setup.Reserve(phase, standing);
        hasAll = hasAll && !standing.empty();
    }
    return hasAll;
}

void
ResumedPhases::Resume(ControllerPhase& phase)
{
    phase.isResumed = false;
    m_extent.AgreeAgain(phase);
    if (CompleteCircuits(phase))
    {
        m_grants.Resume(phase);
    }
    else
    {
        m_recalls.CallBack(phase, "not all that was granted in an earlier term is there");
    }
}

} // namespace ns3
