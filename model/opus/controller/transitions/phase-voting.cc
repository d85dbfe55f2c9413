/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-voting.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

namespace ns3
{

PhaseVoting::PhaseVoting(const ControllerSettings& settings,
                         OpenPhases& phases,
                         PhaseTurns& turns,
                         PhaseEndings& endings,
                         PortLedger& ledger,
                         ControllerRecord& record)
    : m_speculation(settings.speculation),
      m_limits(settings.limits),
      m_phases(phases),
      m_turns(turns),
      m_endings(endings),
      m_ledger(ledger),
      m_record(record)
{
}

bool
PhaseVoting::IsFirm(const ControllerPhase& phase) const
{
    return m_speculation == SpeculationRule::GRANT ||
           phase.votes.Count(PhaseVote::SPECULATIVE) == 0;
}

void
PhaseVoting::NoteFirm(ControllerPhase& phase)
{
    if (phase.state == ControllerPhase::State::GRANTED)
    {
        return; // its votes were firm when it was granted
    }
    const bool isFirm = phase.votes.IsComplete() && IsFirm(phase);
    if (!isFirm)
    {
        phase.firm = NEVER;
    }
    else if (phase.firm == NEVER)
    {
        phase.firm = m_record.GetTime();
    }
}

bool
PhaseVoting::IsStillHeld(ControllerPhase& phase)
{
    const PhaseVotes& votes = phase.votes;
    if (votes.CountHolding() > 0)
    {
        if (votes.Count(PhaseVote::NONE) > 0) // it may be called back for others
        {
            m_turns.LookAround(phase);
        }
        return true;
    }
    m_endings.FreeCircuits(phase);
    phase.state = ControllerPhase::State::VOTING;
    phase.isResumed = false;
    phase.firstVote = m_record.GetTime(); // of the ranks that request again
    phase.firstRequested = m_record.GetTime();
    NoteFirm(phase);
    return false;
}

void
PhaseVoting::Update(ControllerPhase& phase)
{
    using State = ControllerPhase::State;
    const OpusPhase key = phase.phase;
    const PhaseVotes& votes = phase.votes;
    NoteFirm(phase);
    if (phase.state == State::PROGRAMMING)
    {
        return; // when its circuits are up, the votes of that time count
    }
    if (phase.state == State::GRANTED && IsStillHeld(phase))
    {
        return;
    }
    const uint32_t wanting =
        votes.Count(PhaseVote::SPECULATIVE) + votes.Count(PhaseVote::REQUESTED);
    if (votes.IsOver())
    {
        m_endings.Finish(phase);
        return;
    }
    if (wanting + votes.Count(PhaseVote::FINISHED) == 0)
    {
        m_endings.Forget(key);
        return;
    }
    if (!votes.IsComplete())
    {
        m_turns.Leave(phase);
        m_ledger.EndPrepared(key);
        phase.state = State::VOTING;
        AwaitVotes(phase);
    }
    else if (phase.state == State::VOTING || (IsFirm(phase) && phase.state == State::PREPARED) ||
             (IsFirm(phase) && phase.turn.guess))
    {
        Complete(phase);
    }
    else if (phase.state == State::PREPARED)
    {
        AwaitVotes(phase); // a rank may have called it only now
    }
    m_turns.Review(key);
}

void
PhaseVoting::AwaitVotes(ControllerPhase& phase)
{
    m_phases.SetDeadline(phase, GetVoteDeadline(phase));
}

Picoseconds
PhaseVoting::GetVoteDeadline(const ControllerPhase& phase) const
{
    if (phase.votes.Count(PhaseVote::REQUESTED) > 0)
    {
        return AddSaturating(phase.firstRequested, m_limits.votes);
    }
    return phase.votes.Count(PhaseVote::SPECULATIVE) > 0
               ? AddSaturating(phase.firstVote, m_limits.votes)
               : NEVER; // no rank waits
}

void
PhaseVoting::Complete(ControllerPhase& phase)
{
    m_turns.Leave(phase);
    phase.pairs = phase.named.Get();
    phase.state = ControllerPhase::State::WAITING;
    m_turns.Complete(phase, !IsFirm(phase));
    phase.waitsFor = "an earlier operation of its group has not been granted";
    m_phases.SetDeadline(phase, AddSaturating(m_record.GetTime(), m_limits.ports));
    m_record.Note(ControllerNote::Kind::VOTES_COMPLETE, phase.phase);
}

void
PhaseVoting::Expire(ControllerPhase& phase)
{
    m_record.counters.expiredGuesses += phase.votes.IsGuess() ? 1 : 0;
    m_endings.Refuse(phase, DescribeMissing(phase));
}

std::string
PhaseVoting::DescribeMissing(const ControllerPhase& phase) const
{
    const std::vector<RankId> missing = phase.votes.GetRanks(PhaseVote::NONE);
    const std::vector<RankId> guessing = phase.votes.GetRanks(PhaseVote::SPECULATIVE);
    const uint32_t unknown = phase.votes.CountWhole() - phase.votes.CountKnown();
    const std::vector<RankId>& blamed = missing.empty() ? guessing : missing;
    std::string words = missing.empty() && unknown > 0 ? "" : ToWords(blamed);
    if (unknown > 0)
    {
        words += (words.empty() ? "" : " and ") + std::to_string(unknown) +
                 " ranks that no other has named";
    }
    words += missing.empty() && unknown == 0 ? " asked only in advance" : " did not request";
    return words + " within " + ToMilliseconds(m_limits.votes);
}

void
PhaseVoting::Raise(const OpusPhase& phase, RankId rank, uint64_t operation)
{
    m_progress.Raise(phase, rank, operation, phase.stage);
}

bool
PhaseVoting::CountFurther(ControllerPhase& phase, const std::vector<RankId>& ranks) const
{
    bool isNews = false;
    for (const RankId rank : ranks)
    {
        if (m_progress.IsThrough(phase.phase, rank))
        {
            isNews = phase.votes.Finish(rank) || isNews;
        }
    }
    return isNews;
}

void
PhaseVoting::CountFurther(const OpusPhase& ofFlow, const std::vector<RankId>& ranks)
{
    ControllerPhase* next = m_phases.FindFirst(ofFlow);
    while (next)
    {
        const OpusPhase key = next->phase; // an update may close phases of the flow
        if (CountFurther(*next, ranks))
        {
            Update(*next);
        }
        next = m_phases.FindNext(key);
    }
}

void
PhaseVoting::CountHolding(ControllerPhase& phase,
                          const std::vector<RankId>& ranks,
                          PhaseRequest request)
{
    request.when = m_record.GetTime();
    for (const RankId rank : ranks)
    {
        if (phase.votes.Has(rank))
        {
            phase.votes.Request(rank, request);
            phase.votes.Hold(rank, true);
        }
    }
    CountFurther(phase, phase.votes.GetRanks());
    m_turns.Review(phase.phase);
}

const RankProgress&
PhaseVoting::GetProgress() const
{
    return m_progress;
}

} // namespace ns3
