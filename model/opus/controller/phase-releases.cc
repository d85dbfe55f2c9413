/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-releases.h"

#include "ns3/phase-history.h"

#include <algorithm>

namespace ns3
{

PhaseReleases::PhaseReleases(const RequestAdmission& admission,
                             OpenPhases& phases,
                             PhaseVoting& voting,
                             const PhaseEndings& endings,
                             PhaseGrants& grants,
                             ControllerRecord& record)
    : m_admission(admission),
      m_phases(phases),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_record(record)
{
}

bool
PhaseReleases::Release(ControllerPhase& phase, const OpusMessage& message)
{
    bool isNews = false;
    bool takesPart = false;
    for (const RankId rank : message.ranks)
    {
        isNews = phase.votes.Release(rank, message.speculative, message.plan) || isNews;
        takesPart = takesPart || phase.votes.Has(rank);
    }
    // also if the rank had a second grant to release, and that release came first
    if (takesPart && !message.speculative && phase.state == ControllerPhase::State::GRANTED)
    {
        m_grants.Shorten(phase, std::max(message.until, phase.phase.operation));
    }
    return isNews;
}

void
PhaseReleases::TakeRelease(const OpusMessage& message)
{
    if (!m_admission.IsFromServer(message))
    {
        ++m_record.counters.unknown;
        return;
    }
    if (!message.speculative)
    {
        for (const RankId rank : message.ranks)
        {
            const uint64_t until = std::max(message.until, message.phase.operation);
            m_voting.Raise(message.phase,
                           rank,
                           m_phases.GetLastBeforeAsked(message.phase, rank, until));
        }
    }
    ControllerPhase* phase = m_phases.Find(message.phase);
    if (!phase)
    {
        ++(m_endings.FindOver(message.phase) ? m_record.counters.duplicates
                                             : m_record.counters.unknown);
    }
    else if (!Release(*phase, message))
    {
        ++m_record.counters.duplicates;
    }
    else
    {
        m_voting.Update(*phase);
    }
    m_voting.CountFurther(GetFlowKey(message.phase), message.ranks);
}

} // namespace ns3
