/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-releases.h"

#include <algorithm>
#include <utility>

namespace ns3
{

PhaseReleases::PhaseReleases(std::shared_ptr<const Cabling> cabling,
                             OpenPhases& phases,
                             PhaseVoting& voting,
                             const PhaseOutcomes& outcomes,
                             GrantRecalls& recalls,
                             ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_phases(phases),
      m_voting(voting),
      m_outcomes(outcomes),
      m_recalls(recalls),
      m_record(record)
{
}

bool
PhaseReleases::Release(ControllerPhase& phase, const OpusRelease& release)
{
    bool isNews = false;
    bool takesPart = false;
    for (const RankId rank : release.ranks)
    {
        isNews = phase.votes.Release(rank, release.isUnused, release.number) || isNews;
        takesPart = takesPart || phase.votes.Has(rank);
    }
    // also if the rank had a second grant to release, and that release came first
    if (takesPart && !release.isUnused && phase.state == ControllerPhase::State::GRANTED)
    {
        m_recalls.Shorten(phase, std::max(release.until, phase.phase.operation));
    }
    return isNews;
}

void
PhaseReleases::TakeRelease(ServerId server, const OpusRelease& release)
{
    if (!m_cabling->AreOnServer(release.ranks, server))
    {
        ++m_record.counters.unknown;
        return;
    }
    if (!release.isUnused)
    {
        for (const RankId rank : release.ranks)
        {
            const uint64_t until = std::max(release.until, release.phase.operation);
            m_voting.Raise(release.phase,
                           rank,
                           m_phases.GetLastBeforeRequested(release.phase, rank, until));
        }
    }
    ControllerPhase* phase = m_phases.Find(release.phase);
    if (!phase)
    {
        ++(m_outcomes.Find(release.phase) ? m_record.counters.duplicates
                                          : m_record.counters.unknown);
    }
    else if (!Release(*phase, release))
    {
        ++m_record.counters.duplicates;
    }
    else
    {
        m_voting.Update(*phase);
        ControllerPhase* held = m_phases.Find(release.phase);
        if (held && held->calledIn)
        {
            m_recalls.CallBackIfTorn(*held); // what waits for its rails may not be at its ranks
        }
    }
    m_voting.CountFurther(release.phase, release.ranks);
}

} // namespace ns3
