/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"
#include "opus-words.h"

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
ControllerCore::Update(ControllerPhase& phase)
{
    const OpusPhase key = phase.phase;
    const PhaseVotes& votes = phase.votes;
    const uint32_t wanting = votes.Count(PhaseVote::SPECULATIVE) + votes.Count(PhaseVote::ASKED);
    if (phase.state == State::PROGRAMMING)
    {
        return; // Programmed() looks at the votes as they are then
    }
    if (phase.state == State::GRANTED)
    {
        if (wanting > 0)
        {
            return;
        }
        EndFlight(phase);
        phase.state = State::VOTING;
    }
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
    Review(GetConversation(key));
}

Picoseconds
ControllerCore::GetVoteDeadline(const ControllerPhase& phase) const
{
    if (phase.votes.Count(PhaseVote::ASKED) > 0)
    {
        return phase.firstAsked + m_settings.limits.votes;
    }
    return phase.votes.Count(PhaseVote::SPECULATIVE) > 0 ? phase.firstVote + m_settings.limits.votes
                                                         : NEVER; // nobody waits
}

void
ControllerCore::Complete(ControllerPhase& phase)
{
    LeaveQueues(phase);
    phase.state = State::WAITING;
    phase.turn = {!IsFirm(phase), ++m_turns};
    phase.waitsFor = "an earlier operation of its group has not been granted";
    SetDeadline(phase, m_now + m_settings.limits.ports);
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
    for (const OpusPhase& key : m_conversations.at(GetConversation(phase.phase)))
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
ControllerCore::Review(const OpusPhase& conversation)
{
    const auto found = m_conversations.find(conversation);
    if (found == m_conversations.end())
    {
        return;
    }
    for (const OpusPhase& key : found->second)
    {
        ControllerPhase& phase = m_phases.at(key);
        if (phase.state != State::WAITING)
        {
            continue;
        }
        const bool held = IsHeld(phase);
        if (held)
        {
            LeaveQueues(phase);
        }
        else if (!phase.queued)
        {
            phase.queued = true;
            m_waiting.Add(phase.turn, {key, phase.votes.GetRanks(), phase.rails, phase.family});
        }
    }
}

void
ControllerCore::Settle()
{
    while (m_waiting.HasCandidate())
    {
        Attempt(m_phases.at(m_waiting.TakeCandidate()));
    }
}

std::string
ControllerCore::FindObstacle(const ControllerPhase& phase) const
{
    if (!m_waiting.IsFirst(phase.turn))
    {
        return "phases whose votes were complete earlier wait for its ports";
    }
    for (const RankId rank : phase.votes.GetRanks())
    {
        if (m_ledger.IsTurning(rank))
        {
            return "circuits of rank " + std::to_string(rank.Get()) +
                   " are being turned, or the agent of rail " +
                   std::to_string(m_cabling->GetRail(rank).Get()) + " has not answered";
        }
    }
    if (m_settings.granularity == CircuitGranularity::RAIL)
    {
        for (const RailId rail : phase.rails)
        {
            const auto flights = m_railFlights.find(rail);
            const bool isFree =
                flights == m_railFlights.end() || flights->second.empty() ||
                (flights->second.size() == 1 && flights->second.begin()->first == phase.family);
            if (!isFree)
            {
                return "rail " + std::to_string(rail.Get()) + " has traffic of another parallelism";
            }
        }
    }
    return "";
}

std::string
ControllerCore::FindObstacle(const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        const std::string whyNot = m_ledger.GetWhyNot(rail, plan);
        if (!whyNot.empty())
        {
            return whyNot;
        }
    }
    return "";
}

std::string
ControllerCore::FindForeignPort(const OpusPhase& phase, const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        for (const PortId port : plan.GetPorts())
        {
            if (m_ledger.FindOwner({rail, port}) != phase.job)
            {
                std::ostringstream words;
                words << "job " << phase.job << " does not own " << RailPort{rail, port};
                return words.str();
            }
        }
    }
    return "";
}

void
ControllerCore::Delay(ControllerPhase& phase, const std::string& why)
{
    phase.waitsFor = why;
    if (!phase.delayed)
    {
        phase.delayed = true;
        ++m_counters.conflicts;
        Note(ControllerNote::Kind::CONFLICT, phase.phase, why);
    }
}

void
ControllerCore::Attempt(ControllerPhase& phase)
{
    const std::string obstacle = FindObstacle(phase);
    if (!obstacle.empty())
    {
        Delay(phase, obstacle);
        return;
    }
    const CircuitTarget target =
        m_policy->GetTarget(phase.phase, phase.pairs, m_ledger.GetCircuits());
    const std::string refusal =
        target.IsPossible() ? FindForeignPort(phase.phase, target) : target.refusal;
    if (!refusal.empty())
    {
        Refuse(phase, refusal);
        return;
    }
    const std::string inTheWay = FindObstacle(target);
    if (!inTheWay.empty())
    {
        Delay(phase, inTheWay);
        return;
    }
    LeaveQueues(phase);
    Program(phase, target);
}

void
ControllerCore::Program(ControllerPhase& phase, const CircuitTarget& target)
{
    const Picoseconds limit = m_now + m_settings.limits.program;
    phase.state = State::PROGRAMMING;
    phase.circuits = target.circuits;
    SetDeadline(phase, limit);
    for (const auto& [rail, plan] : target.changes)
    {
        const uint64_t number = uint64_t{m_term} << 32 | ++m_planNumbers;
        m_ledger.Start(number, rail, plan, limit);
        phase.plans.insert(number);
        m_plans.emplace(number, phase.phase);
        ++m_counters.programs;
        SendProgram(number);
        Note(ControllerNote::Kind::PROGRAM, phase.phase);
        m_notes.back().plan = number;
        m_notes.back().rail = rail;
    }
    m_ledger.Begin(phase.phase, phase.circuits);
    for (const RailId rail : phase.rails)
    {
        ++m_railFlights[rail][phase.family];
    }
    if (target.changes.empty())
    {
        m_counters.noOpGrants += IsFirm(phase) ? 1 : 0;
        Programmed(phase);
    }
    else
    {
        ++m_counters.reconfigurations;
    }
}

void
ControllerCore::Programmed(ControllerPhase& phase)
{
    if (phase.votes.IsComplete() && IsFirm(phase))
    {
        Grant(phase);
        return;
    }
    EndFlight(phase);
    if (phase.votes.IsComplete())
    {
        phase.state = State::PREPARED;
        SetDeadline(phase, GetVoteDeadline(phase));
        Note(ControllerNote::Kind::PREPARED, phase.phase);
        return;
    }
    phase.state = State::VOTING; // a guess was withdrawn meanwhile
    Update(phase);
}

void
ControllerCore::Grant(ControllerPhase& phase)
{
    phase.state = State::GRANTED;
    SetDeadline(phase, m_now + m_settings.limits.traffic);
    ++m_counters.grants;
    Note(ControllerNote::Kind::GRANTED, phase.phase);
    SendGrant(phase, phase.votes.GetRanks());
    Review(GetConversation(phase.phase));
}

void
ControllerCore::EndFlight(ControllerPhase& phase)
{
    if (phase.state != State::PROGRAMMING && phase.state != State::GRANTED)
    {
        return;
    }
    for (const RailId rail : phase.rails)
    {
        std::map<std::string, uint32_t>& flights = m_railFlights[rail];
        if (--flights[phase.family] == 0)
        {
            flights.erase(phase.family);
        }
    }
    m_waiting.LookAt(m_ledger.End(phase.phase));
    m_waiting.LookAtRails(phase.rails);
    phase.circuits.clear();
}

void
ControllerCore::Refuse(ControllerPhase& phase, const std::string& reason)
{
    const bool isFinal = !phase.votes.IsGuess();
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

void
ControllerCore::Forget(const OpusPhase& phase)
{
    const OpusPhase key = phase; // it may be that of the phase that goes
    ControllerPhase& gone = m_phases.at(key);
    LeaveQueues(gone);
    SetDeadline(gone, NEVER);
    const OpusPhase conversation = GetConversation(key);
    m_phases.erase(key);
    std::set<OpusPhase>& open = m_conversations.at(conversation);
    open.erase(key);
    if (open.empty())
    {
        m_conversations.erase(conversation);
    }
    Review(conversation);
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
    const std::vector<RankId>& blamed = missing.empty() ? guessing : missing;
    return ToWords(blamed) + (missing.empty() ? " asked only in advance" : " did not ask") +
           " within " + ToMilliseconds(m_settings.limits.votes);
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
        }
        Refuse(phase, reason.str());
        break;
    }
    case State::GRANTED: {
        std::vector<RankId> ranks = phase.votes.GetRanks(PhaseVote::ASKED);
        const std::vector<RankId> guessing = phase.votes.GetRanks(PhaseVote::SPECULATIVE);
        ranks.insert(ranks.end(), guessing.begin(), guessing.end());
        ++m_counters.notReleased;
        Note(ControllerNote::Kind::NOT_RELEASED,
             phase.phase,
             ToWords(ranks) + " did not release it within " +
                 ToMilliseconds(m_settings.limits.traffic));
        SetDeadline(phase, NEVER);
        break;
    }
    }
}

} // namespace ns3
