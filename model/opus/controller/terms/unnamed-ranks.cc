/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "unnamed-ranks.h"

#include <vector>

namespace ns3
{

UnnamedRanks::UnnamedRanks(OpenPhases& phases, PhaseRanks& phaseRanks, PhaseVoting& voting)
    : m_phases(phases),
      m_phaseRanks(phaseRanks),
      m_voting(voting)
{
}

void
UnnamedRanks::Find()
{
    std::vector<OpusPhase> open; // this may end some of them
    for (const auto& [key, phase] : m_phases.Get())
    {
        if (phase.votes.CountKnown() < phase.votes.CountWhole())
        {
            open.push_back(key);
        }
    }
    for (const OpusPhase& key : open)
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (phase && m_voting.CountFurther(*phase, m_phaseRanks.AddGroup(*phase)))
        {
            m_voting.Update(*phase);
        }
    }
}

} // namespace ns3
