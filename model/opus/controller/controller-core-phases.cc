/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

// What becomes of phases, in the order in which it happens.

namespace ns3
{

bool
ControllerCore::IsFirm(const ControllerPhase& phase) const
{
    return m_settings.speculation == SpeculationRule::GRANT ||
           phase.votes.Count(PhaseVote::SPECULATIVE) == 0;
}

void
ControllerCore::NoteFirm(ControllerPhase& phase)
{
    if (phase.state == State::GRANTED)
    {
        return; // it was when it was granted
    }
    const bool isFirm = phase.votes.IsComplete() && IsFirm(phase);
    if (!isFirm)
    {
        phase.firm = NEVER;
    }
    else if (phase.firm == NEVER)
    {
        phase.firm = m_now;
    }
}

void
ControllerCore::Update(ControllerPhase& phase)
{
    const OpusPhase key = phase.phase;
    const PhaseVotes& votes = phase.votes;
    NoteFirm(phase);
    if (phase.state == State::PROGRAMMING)
    {
        return; // Programmed() looks at the votes as they are then
    }
    if (phase.state == State::GRANTED)
    {
        if (votes.CountHolding() > 0)
        {
            if (votes.Count(PhaseVote::NONE) > 0) // it may be called back for others
            {
                const std::vector<RankId> ranks = votes.GetRanks();
                m_waiting.LookAt({ranks.begin(), ranks.end()});
                LookAtRails(phase.rails);
            }
            return;
        }
        EndFlight(phase);
        phase.state = State::VOTING;
        phase.isResumed = false;
        phase.firstVote = m_now; // of those that ask again
        phase.firstAsked = m_now;
        NoteFirm(phase);
    }
    const uint32_t wanting = votes.Count(PhaseVote::SPECULATIVE) + votes.Count(PhaseVote::ASKED);
    if (votes.IsOver() || wanting + votes.Count(PhaseVote::FINISHED) == 0)
    {
        if (votes.IsOver())
        {
            Note(ControllerNote::Kind::OVER, key);
            m_history.Add(key, "");
        }
        Forget(key);
        return;
    }
    if (!votes.IsComplete())
    {
        LeaveQueues(phase);
        m_ledger.EndPrepared(key);
        phase.state = State::VOTING;
        SetDeadline(phase, GetVoteDeadline(phase));
    }
    else if (phase.state == State::VOTING || (IsFirm(phase) && phase.state == State::PREPARED) ||
             (IsFirm(phase) && phase.turn.guess))
    {
        Complete(phase);
    }
    else if (phase.state == State::PREPARED)
    {
        SetDeadline(phase, GetVoteDeadline(phase)); // somebody may have called it only now
    }
    Review(GetFlowKey(key));
}

Picoseconds
ControllerCore::GetVoteDeadline(const ControllerPhase& phase) const
{
    if (phase.votes.Count(PhaseVote::ASKED) > 0)
    {
        return AddSaturating(phase.firstAsked, m_settings.limits.votes);
    }
    return phase.votes.Count(PhaseVote::SPECULATIVE) > 0
               ? AddSaturating(phase.firstVote, m_settings.limits.votes)
               : NEVER; // nobody waits
}

void
ControllerCore::Complete(ControllerPhase& phase)
{
    LeaveQueues(phase);
    phase.pairs = phase.named.Get();
    phase.state = State::WAITING;
    phase.turn = {!IsFirm(phase), 0};
    if (std::find(m_completed.begin(), m_completed.end(), phase.phase) == m_completed.end())
    {
        m_completed.push_back(phase.phase);
    }
    phase.waitsFor = "an earlier operation of its group has not been granted";
    SetDeadline(phase, AddSaturating(m_now, m_settings.limits.ports));
    Note(ControllerNote::Kind::VOTES_COMPLETE, phase.phase);
}

void
ControllerCore::LeaveQueues(ControllerPhase& phase)
{
    if (phase.queued)
    {
        phase.queued = false;
        m_waiting.Remove(phase.turn);
    }
}

bool
ControllerCore::IsHeld(const ControllerPhase& phase) const
{
    for (const OpusPhase& key : m_byFlow.at(GetFlowKey(phase.phase)))
    {
        if (key == phase.phase)
        {
            return false;
        }
        const ControllerPhase& earlier = m_phases.at(key);
        if (earlier.state != State::GRANTED && earlier.votes.Count(PhaseVote::ASKED) > 0 &&
            earlier.votes.SharesRankWith(phase.votes))
        {
            return true;
        }
    }
    return false;
}

void
ControllerCore::Review(const OpusPhase& flowKey)
{
    const auto found = m_byFlow.find(flowKey);
    if (found == m_byFlow.end())
    {
        return;
    }
    for (const OpusPhase& key : found->second)
    {
        ControllerPhase& phase = m_phases.at(key);
        if (phase.state != State::WAITING || phase.turn.number == 0)
        {
            continue; // AssignTurns() comes back to it
        }
        const bool held = IsHeld(phase);
        if (held)
        {
            LeaveQueues(phase);
        }
        else if (!phase.queued)
        {
            phase.queued = true;
            m_waiting.Add(phase.turn,
                          {key, phase.votes.GetRanks(), phase.rails, phase.parallelism});
        }
    }
}

void
ControllerCore::Settle()
{
    Rotate();
    AssignTurns();
    while (m_waiting.HasCandidate())
    {
        Attempt(m_phases.at(m_waiting.TakeCandidate()));
        AssignTurns(); // a guess may have been granted, and its votes be others by now
    }
}

void
ControllerCore::Refuse(ControllerPhase& phase, const std::string& reason)
{
    Refuse(phase, reason, !phase.votes.IsGuess());
}

void
ControllerCore::Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    LeaveQueues(phase);
    EndFlight(phase);
    ++m_counters.refusals;
    Note(ControllerNote::Kind::REFUSED, phase.phase, reason);
    SendRefusal(phase, reason, isFinal);
    if (isFinal)
    {
        m_history.Add(phase.phase, reason);
    }
    Forget(OpusPhase(phase.phase));
}

std::string
ControllerCore::DescribeDisagreement(const ControllerPhase& phase, const OpusMessage& message) const
{
    const auto inWords = [](uint32_t ranks, uint64_t digest) {
        return "those of " + std::to_string(ranks) + " ranks with " + DigestToWords(digest);
    };
    std::ostringstream words;
    words << ToWords(message.phase) << ": server " << message.server << " ("
          << ToWords(message.ranks) << ") wants other pairs joined than those who asked before: "
          << inWords(message.whole, message.digest);
    for (const RankId rank : phase.votes.GetRanks())
    {
        if (phase.votes.Get(rank) != PhaseVote::NONE)
        {
            words << ", and server " << m_cabling->GetServer(rank) << " (rank " << rank << ") "
                  << inWords(phase.named.GetRanks(), phase.named.GetDigest());
            break; // all others said the same
        }
    }
    return words.str();
}

bool
ControllerCore::Disagree(ControllerPhase& phase, const OpusMessage& message)
{
    const std::string words = DescribeDisagreement(phase, message);
    const bool isUnderWay = phase.IsUnderWay();
    const bool isGuess = phase.votes.Count(PhaseVote::ASKED) == 0;
    if (message.speculative)
    {
        RefuseSender(message, words, false);
        return false;
    }
    if (isGuess && !isUnderWay)
    {
        Refuse(phase, words, false); // those that have not called it were wrong
        return true;
    }
    if (isGuess)
    {
        if (phase.state == State::GRANTED)
        {
            CallBack(phase, words);
        }
        RefuseSender(message, words, false); // it asks again until the guess is out of the way
        return false;
    }
    RefuseSender(message, words, true);
    if (!isUnderWay)
    {
        Refuse(phase, words, true);
    }
    return false;
}

void
ControllerCore::Forget(const OpusPhase& phase)
{
    const OpusPhase key = phase; // it may be that of the phase that goes
    ControllerPhase& gone = m_phases.at(key);
    LeaveQueues(gone);
    m_ledger.EndPrepared(key);
    SetDeadline(gone, NEVER);
    const OpusPhase flowKey = GetFlowKey(key);
    m_phases.erase(key);
    std::set<OpusPhase>& open = m_byFlow.at(flowKey);
    open.erase(key);
    if (open.empty())
    {
        m_byFlow.erase(flowKey);
    }
    Review(flowKey);
}

void
ControllerCore::SetDeadline(ControllerPhase& phase, Picoseconds deadline)
{
    m_deadlines.erase({phase.deadline, phase.phase});
    phase.deadline = deadline;
    if (deadline != NEVER)
    {
        m_deadlines.insert({deadline, phase.phase});
    }
}

std::string
ControllerCore::DescribeMissing(const ControllerPhase& phase) const
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
    return words + " within " + ToMilliseconds(m_settings.limits.votes);
}

void
ControllerCore::Expire(ControllerPhase& phase)
{
    switch (phase.state)
    {
    case State::VOTING:
    case State::PREPARED:
        m_counters.expiredGuesses += phase.votes.IsGuess() ? 1 : 0;
        Refuse(phase, DescribeMissing(phase));
        break;
    case State::WAITING:
        Refuse(phase,
               "its ports were not free within " + ToMilliseconds(m_settings.limits.ports) + ": " +
                   phase.waitsFor);
        break;
    case State::PROGRAMMING: {
        std::ostringstream reason;
        reason << "no answer within " << ToMilliseconds(m_settings.limits.program) << " to";
        for (const uint64_t plan : phase.plans)
        {
            reason << " plan " << plan << " from rail " << m_ledger.GetRail(plan);
            m_ledger.MarkUncertain(plan);
        }
        IsRotation(phase.phase) ? EndRotation(phase) : Refuse(phase, reason.str());
        break;
    }
    case State::GRANTED: {
        ++m_counters.notReleased;
        Note(ControllerNote::Kind::NOT_RELEASED,
             phase.phase,
             ToWords(phase.votes.GetHolding()) + " did not release it within " +
                 ToMilliseconds(m_settings.limits.traffic));
        SetDeadline(phase, NEVER);
        break;
    }
    }
}

} // namespace ns3
