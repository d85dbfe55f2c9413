/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-grants.h"

#include "ns3/opus-words.h"
#include "ns3/phase-history.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <limits>

namespace ns3
{

PhaseGrants::PhaseGrants(Picoseconds limit,
                         const CircuitPolicy& policy,
                         const RankProgress& progress,
                         OpenPhases& phases,
                         PhaseTurns& turns,
                         ControllerRecord& record,
                         ControllerOutbox& outbox)
    : m_limit(limit),
      m_policy(policy),
      m_progress(progress),
      m_phases(phases),
      m_turns(turns),
      m_record(record),
      m_outbox(outbox)
{
}

uint64_t
PhaseGrants::AgreeOn(const ControllerPhase& phase) const
{
    if (m_policy.IsForGood())
    {
        return std::numeric_limits<uint64_t>::max();
    }
    uint64_t until = phase.votes.GetUntil();
    for (const RankId rank : phase.votes.GetRanks(PhaseVote::FINISHED))
    {
        until = std::min(until, m_progress.GetOperation(phase.phase, rank));
    }
    return until;
}

void
PhaseGrants::LimitUse(ControllerPhase& phase)
{
    m_phases.SetDeadline(phase,
                         m_policy.IsForGood() ? NEVER : AddSaturating(m_record.GetTime(), m_limit));
}

void
PhaseGrants::Grant(ControllerPhase& phase)
{
    phase.state = ControllerPhase::State::GRANTED;
    phase.alone = false;
    phase.until = AgreeOn(phase);
    phase.shortened = false;
    phase.recalled = false;
    phase.calledIn = false;
    LimitUse(phase);
    ++m_record.counters.grants;
    m_record.Note(ControllerNote::Kind::GRANTED, phase.phase);
    m_outbox.SendGrant(phase, phase.votes.GetRanks(), false);
    m_turns.Review(GetFlowKey(phase.phase));
}

void
PhaseGrants::Join(ControllerPhase& phase, const std::vector<RankId>& ranks)
{
    if (phase.state == ControllerPhase::State::GRANTED && !phase.recalled && !phase.isResumed)
    {
        m_outbox.SendGrant(phase, ranks, true);
    }
}

void
PhaseGrants::TakeOver(ControllerPhase& phase, uint64_t until)
{
    phase.state = ControllerPhase::State::GRANTED;
    phase.isResumed = true;
    phase.until = until;
    phase.firm = m_record.GetTime();
    LimitUse(phase);
}

void
PhaseGrants::AgreeAgain(ControllerPhase& phase)
{
    for (const RankId rank : phase.votes.GetRanks(PhaseVote::FINISHED))
    {
        const uint64_t through = m_progress.GetOperation(phase.phase, rank);
        phase.until = m_policy.IsForGood() ? phase.until : std::min(phase.until, through);
    }
    for (const RankId rank : phase.votes.GetHolding())
    {
        phase.shortened = phase.shortened || phase.votes.GetAsk(rank).until > phase.until;
    }
}

void
PhaseGrants::Resume(ControllerPhase& phase)
{
    if (phase.recalled)
    {
        m_outbox.SendRecall(phase, 0, true);
        return;
    }
    m_outbox.SendGrant(phase, phase.votes.GetRanks(), true);
    if (phase.shortened)
    {
        m_outbox.SendRecall(phase, phase.until, false);
    }
    if (phase.calledIn)
    {
        m_outbox.SendRecall(phase, std::numeric_limits<uint64_t>::max(), false);
    }
}

void
PhaseGrants::Recall(const ControllerPhase& phase, const std::string& why, uint64_t until, bool all)
{
    ++m_record.counters.recalls;
    m_record.Note(ControllerNote::Kind::RECALLED, phase.phase, why);
    m_outbox.SendRecall(phase, until, all);
}

void
PhaseGrants::Shorten(ControllerPhase& phase, uint64_t until)
{
    if (until >= phase.until)
    {
        return;
    }
    phase.until = until;
    phase.shortened = true;
    if (!phase.recalled && !phase.votes.GetHolding().empty())
    {
        Recall(phase, "a rank gave it back after operation " + std::to_string(until), until, false);
    }
}

void
PhaseGrants::CallBack(ControllerPhase& phase, const std::string& why)
{
    if (!phase.recalled)
    {
        phase.recalled = true;
        Recall(phase, why, 0, true);
    }
}

void
PhaseGrants::CallBackUntold(const std::set<OpusPhase>& untold)
{
    for (const OpusPhase& key : untold)
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (phase && phase->state == ControllerPhase::State::GRANTED)
        {
            CallBack(*phase, "a server of its ranks can't be told of the grant");
        }
    }
}

void
PhaseGrants::CallBackIfTorn(ControllerPhase& phase)
{
    if (phase.state == ControllerPhase::State::GRANTED && !phase.isResumed &&
        phase.votes.Count(PhaseVote::NONE) > 0)
    {
        CallBack(phase, "a rank gave it back unused, and others wait for its ports");
    }
}

void
PhaseGrants::CallIn(ControllerPhase& phase)
{
    if (!phase.recalled && !phase.calledIn)
    {
        phase.calledIn = true;
        Recall(phase, "others wait for its rails", std::numeric_limits<uint64_t>::max(), false);
    }
}

void
PhaseGrants::Expire(ControllerPhase& phase)
{
    ++m_record.counters.notReleased;
    m_record.Note(ControllerNote::Kind::NOT_RELEASED,
                  phase.phase,
                  ToWords(phase.votes.GetHolding()) + " did not release it within " +
                      ToMilliseconds(m_limit));
    m_phases.SetDeadline(phase, NEVER);
}

} // namespace ns3
