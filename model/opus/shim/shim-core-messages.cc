/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>

// What the controller says, and what becomes of waits for it.

namespace ns3
{

ShimOutcome
ShimCore::Take(const OpusMessage& message, Picoseconds now)
{
    m_now = now;
    if (message.term < m_term)
    {
        ++m_counters.stale;
        return TakeOutcome();
    }
    if (message.term > m_term)
    {
        BeginTerm(message.term);
    }
    if (message.type == OpusMessage::Type::HEARTBEAT || message.type == OpusMessage::Type::TERM)
    {
        return TakeOutcome(); // all that it says is the term
    }
    const bool isForMe =
        message.server == m_settings.server && message.phase.job == m_settings.job &&
        (message.type == OpusMessage::Type::GRANT || message.type == OpusMessage::Type::REFUSE ||
         message.type == OpusMessage::Type::RECALL);
    m_counters.unknown += isForMe ? 0 : 1;
    for (const RankId id : isForMe ? message.ranks : std::vector<RankId>())
    {
        const auto found = m_ranks.find(id);
        if (found == m_ranks.end())
        {
            continue; // a refusal names all ranks of a group
        }
        Rank& rank = found->second;
        switch (message.type)
        {
        case OpusMessage::Type::GRANT:
            Grant(rank, message);
            break;
        case OpusMessage::Type::REFUSE:
            Refuse(rank, message);
            break;
        default:
            Recall(rank, message);
            break;
        }
        GiveWay(rank);
    }
    return TakeOutcome();
}

void
ShimCore::Grant(Rank& rank, const OpusMessage& message)
{
    const auto found = rank.claims.find(message.phase);
    if (found == rank.claims.end())
    {
        GrantNobodyWants(rank, message);
        return;
    }
    Claim& claim = found->second;
    if (message.plan != claim.number || !claim.isSent)
    {
        ++m_counters.stale;
        return;
    }
    const uint64_t until = std::max(message.until, claim.phase.operation);
    if (claim.isGranted)
    {
        Shorten(rank, claim, until); // said again, and perhaps a RECALL was lost
        return;
    }
    claim.isGranted = true;
    claim.until = until;
    claim.circuits = std::make_shared<GrantedCircuits>(message.circuits);
    claim.othersFrom = message.speculative ? claim.foretold : claim.requested;
    claim.othersUntil = claim.othersFrom == NEVER ? 0 : claim.othersFrom + message.others;
    claim.reconfiguration = message.reconfiguration;
    claim.isFresh = true;
    claim.idleSince = m_now;
    LastCircuits& last = rank.last[GetFlowKey(claim.phase)];
    last = {claim.pairs, claim.circuits, std::max(last.until, until)};
    if (claim.hint)
    {
        AnswerWithCircuits(*claim.hint, claim, false);
        claim.hint.reset();
    }
    std::vector<Call> beyond;
    for (auto entry = claim.calls.begin(); entry != claim.calls.end();)
    {
        Call& call = entry->second;
        if (call.state == Call::State::WAITING && call.ask.operation > until)
        {
            beyond.push_back(call);
            entry = claim.calls.erase(entry);
            continue;
        }
        if (call.state == Call::State::WAITING)
        {
            AnswerWithCircuits(call, claim, false);
        }
        ++entry;
    }
    Settle(rank, claim);
    for (const Call& call : beyond)
    {
        Put(rank, call);
    }
}

void
ShimCore::GrantNobodyWants(Rank& rank, const OpusMessage& message)
{
    OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::RELEASE, message.phase);
    outgoing.plan = message.plan;
    const auto through = rank.through.find(GetFlowKey(message.phase));
    const Claim::Place place{message.phase.operation, message.phase.stage};
    if (through != rank.through.end() && !(through->second < place))
    {
        ++m_counters.stale; // the release was lost, or is on its way
        const uint64_t until = std::min(through->second.first, message.until);
        outgoing.until = std::max(until, message.phase.operation);
    }
    else
    {
        uint64_t& next = rank.numbers[message.phase];
        m_counters.unusedGrants += next <= message.plan ? 1 : 0;
        m_counters.stale += next <= message.plan ? 0 : 1;
        next = std::max(next, message.plan + 1);
        outgoing.speculative = true;
        outgoing.until = message.phase.operation;
    }
    m_news.push_back(outgoing);
}

void
ShimCore::Refuse(Rank& rank, const OpusMessage& message)
{
    const auto found = rank.claims.find(message.phase);
    if (found == rank.claims.end() || found->second.isGranted || !found->second.isSent)
    {
        return; // a refusal names all ranks that take part
    }
    Claim& claim = found->second;
    if (message.speculative)
    {
        AskAnew(rank, claim);
        return;
    }
    rank.refused.emplace_back(message.phase, message.reason);
    if (rank.refused.size() > PhaseHistory::KEPT)
    {
        rank.refused.pop_front();
    }
    CircuitAnswer answer;
    answer.network =
        m_settings.hostNetwork ? CircuitAnswer::Network::HOST : CircuitAnswer::Network::NONE;
    answer.why = message.reason;
    if (claim.hint)
    {
        Answer(*claim.hint, answer, nullptr, false);
        claim.hint.reset();
    }
    const auto first = claim.calls.find({claim.phase.operation, claim.phase.stage});
    if (first != claim.calls.end())
    {
        if (first->second.state == Call::State::WAITING)
        {
            ++m_counters.refused;
            Answer(first->second, answer, nullptr, false);
        }
        claim.calls.erase(first);
    }
    m_counters.withdrawnGuesses += claim.isGuess && claim.speculative ? 1 : 0;
    Drop(rank, message.phase);
}

void
ShimCore::AskAnew(Rank& rank, Claim& claim)
{
    rank.numbers[claim.phase] = claim.number + 1;
    if (claim.speculative)
    {
        m_counters.withdrawnGuesses += claim.isGuess ? 1 : 0;
        Drop(rank, OpusPhase(claim.phase));
        return;
    }
    ++claim.number;
    claim.requested = NEVER;
    Request(rank, claim);
}

void
ShimCore::ReturnUnused(Rank& rank, Claim& claim, const OpusMessage& recall)
{
    if (!claim.isSent || recall.plan != claim.number)
    {
        ++m_counters.stale;
        return;
    }
    OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::RELEASE, claim.phase);
    outgoing.speculative = true;
    outgoing.plan = claim.number;
    outgoing.until = claim.phase.operation;
    m_news.push_back(outgoing);
    AskAnew(rank, claim);
}

void
ShimCore::Recall(Rank& rank, const OpusMessage& message)
{
    const auto found = rank.claims.find(message.phase);
    if (found == rank.claims.end())
    {
        ++m_counters.stale; // it has been given back already
        return;
    }
    Claim& claim = found->second;
    if (!claim.isGranted)
    {
        ReturnUnused(rank, claim, message);
        return;
    }
    if (!message.speculative && message.until < claim.until)
    {
        Shorten(rank, claim, message.until);
        return;
    }
    claim.isReturning = true; // as soon as it is idle, if no more than that is asked for
    if (!message.speculative)
    {
        Settle(rank, claim);
        return;
    }
    for (auto& [place, call] : claim.calls)
    {
        Withdraw(call, "the controller needs the circuits for others");
    }
    Settle(rank, claim);
}

void
ShimCore::Shorten(Rank& rank, Claim& claim, uint64_t until)
{
    if (until >= claim.until)
    {
        return;
    }
    claim.until = until;
    claim.isReturning = claim.isReturning || until < claim.phase.operation;
    for (auto& [place, call] : claim.calls)
    {
        if (place.first > until)
        {
            Withdraw(call,
                     "a rank of its group has given up the circuits after operation " +
                         std::to_string(until));
        }
    }
    Settle(rank, claim);
}

void
ShimCore::Withdraw(Call& call, const std::string& why)
{
    if (call.state != Call::State::ANSWERED || !call.isOnRail)
    {
        return;
    }
    call.state = Call::State::WITHDRAWN;
    ++m_counters.withdrawn;
    CircuitAnswer answer;
    answer.network = CircuitAnswer::Network::WITHDRAWN;
    answer.why = why;
    m_outcome.answers.push_back({call.ask, answer, false});
}

CircuitAnswer
ShimCore::MakeDefault(const Rank& rank, const Call& call) const
{
    CircuitAnswer answer;
    answer.why = "no answer to rank " + std::to_string(rank.rank.Get()) + " for " +
                 ToWords(PhaseOf(call.ask)) + " within " + ToMilliseconds(m_settings.giveUpAfter) +
                 "; is a controller there, and do all ranks call it?";
    switch (m_settings.whenGivenUp)
    {
    case ShimSettings::WhenGivenUp::HOST:
        answer.network = CircuitAnswer::Network::HOST;
        break;
    case ShimSettings::WhenGivenUp::FAIL:
        answer.network = CircuitAnswer::Network::NONE;
        break;
    case ShimSettings::WhenGivenUp::SEND: {
        const auto last = rank.last.find(GetFlowKey(PhaseOf(call.ask)));
        if (last != rank.last.end() && IsSamePairs(last->second.pairs, call.ask.pairs))
        {
            answer.links = last->second.circuits;
        }
        else
        {
            answer.links = std::make_shared<EqualPorts>(m_settings.ports);
        }
        break;
    }
    }
    return answer;
}

void
ShimCore::GiveUp(Rank& rank, Claim& claim)
{
    const auto isOver = [this](const Call& call) {
        return call.state == Call::State::WAITING && call.asked <= m_now - m_settings.giveUpAfter;
    };
    if (claim.hint && isOver(*claim.hint))
    {
        ++m_counters.givenUp;
        Answer(*claim.hint, MakeDefault(rank, *claim.hint), nullptr, false);
        claim.hint.reset();
    }
    std::vector<Claim::Place> failed;
    for (auto& [place, call] : claim.calls)
    {
        if (!isOver(call))
        {
            continue;
        }
        ++m_counters.givenUp;
        Answer(call, MakeDefault(rank, call), nullptr, false);
        if (m_settings.whenGivenUp == ShimSettings::WhenGivenUp::FAIL)
        {
            failed.push_back(place);
        }
    }
    for (const Claim::Place& place : failed)
    {
        Through(rank, claim, place); // others must not wait for it
    }
    Settle(rank, claim);
}

ShimOutcome
ShimCore::TimePassed(Picoseconds now)
{
    m_now = now;
    for (auto& [id, rank] : m_ranks)
    {
        std::vector<OpusPhase> late;
        for (const auto& [phase, claim] : rank.claims)
        {
            const Picoseconds since = claim.GetWaitingSince();
            if (m_settings.giveUpAfter != NEVER && since != NEVER &&
                since <= now - m_settings.giveUpAfter)
            {
                late.push_back(phase);
            }
        }
        for (const OpusPhase& phase : late)
        {
            GiveUp(rank, rank.claims.at(phase));
        }
        GiveWay(rank);
    }
    return TakeOutcome();
}

Picoseconds
ShimCore::GetNextDeadline() const
{
    Picoseconds next = NEVER;
    for (const auto& [id, rank] : m_ranks)
    {
        for (const auto& [phase, claim] : rank.claims)
        {
            const Picoseconds since = claim.GetWaitingSince();
            if (since == NEVER || claim.isGranted)
            {
                continue;
            }
            if (m_settings.giveUpAfter < NEVER - since)
            {
                next = std::min(next, since + m_settings.giveUpAfter);
            }
            for (const auto& [other, idle] : rank.claims)
            {
                next = idle.IsSpare() ? std::min(next, GetKeptUntil(rank, idle, claim)) : next;
            }
        }
    }
    return next;
}

} // namespace ns3
