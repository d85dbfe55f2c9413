/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grant-extent.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <limits>

namespace ns3
{

GrantExtent::GrantExtent(Picoseconds limit,
                         bool isForGood,
                         const RankProgress& progress,
                         OpenPhases& phases,
                         ControllerRecord& record)
    : m_limit(limit),
      m_isForGood(isForGood),
      m_progress(progress),
      m_phases(phases),
      m_record(record)
{
}

uint64_t
GrantExtent::LimitByProgress(const ControllerPhase& phase, uint64_t until) const
{
    for (const RankId rank : phase.votes.GetRanks(PhaseVote::FINISHED))
    {
        until = std::min(until, m_progress.GetOperation(phase.phase, rank));
    }
    return until;
}

void
GrantExtent::LimitUse(ControllerPhase& phase)
{
    m_phases.SetDeadline(phase, m_isForGood ? NEVER : AddSaturating(m_record.GetTime(), m_limit));
}

void
GrantExtent::Begin(ControllerPhase& phase)
{
    phase.until = m_isForGood ? std::numeric_limits<uint64_t>::max()
                              : LimitByProgress(phase, phase.votes.GetUntil());
    phase.shortened = false;
    LimitUse(phase);
}

void
GrantExtent::TakeOver(ControllerPhase& phase, uint64_t until)
{
    phase.until = until;
    LimitUse(phase);
}

void
GrantExtent::AgreeAgain(ControllerPhase& phase)
{
    phase.until = m_isForGood ? phase.until : LimitByProgress(phase, phase.until);
    for (const RankId rank : phase.votes.GetHolding())
    {
        phase.shortened = phase.shortened || phase.votes.GetRequest(rank).until > phase.until;
    }
}

void
GrantExtent::Expire(ControllerPhase& phase)
{
    ++m_record.counters.notReleased;
    m_record.Note(ControllerNote::Kind::NOT_RELEASED,
                  phase.phase,
                  ToWords(phase.votes.GetHolding()) + " did not release it within " +
                      ToMilliseconds(m_limit));
    m_phases.SetDeadline(phase, NEVER);
}

} // namespace ns3
