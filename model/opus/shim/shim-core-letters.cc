/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <sstream>
#include <tuple>

// What goes out, and what a shim tells of itself.

namespace ns3
{

void
ShimCore::Answer(Call& call, const CircuitAnswer& answer, Claim* claim, bool covered)
{
    call.state = Call::State::ANSWERED;
    call.isOnRail = answer.network == CircuitAnswer::Network::RAIL;
    m_outcome.answers.push_back({call.ask, answer, call.isHint});
    ShimNote note;
    note.rank = call.ask.rank;
    note.parallelism = ParallelismOf(call.ask);
    note.phase = PhaseOf(call.ask);
    note.asked = call.asked;
    note.answered = m_now;
    note.covered = covered;
    note.network = answer.network;
    if (claim)
    {
        const Picoseconds from = std::max(claim->othersFrom, call.asked);
        note.others = std::max<Picoseconds>(0, std::min(claim->othersUntil, m_now) - from);
    }
    if (claim && claim->isFresh)
    {
        claim->isFresh = false;
        note.reconfiguration = claim->reconfiguration;
    }
    note.exposed = m_now - call.asked - note.others;
    note.hidden = std::max<Picoseconds>(0, note.reconfiguration - note.exposed);
    ParallelismTimes& times = m_counters.parallelisms[note.parallelism];
    ++times.answers;
    times.exposed += note.exposed;
    times.hidden += note.hidden;
    m_notes.push_back(note);
}

void
ShimCore::AnswerWithCircuits(Call& call, Claim& claim, bool covered)
{
    CircuitAnswer answer;
    answer.links = claim.circuits;
    Answer(call, answer, &claim, covered);
}

OpusMessage
ShimCore::OutgoingOf(RankId rank, OpusMessage::Type type, const OpusPhase& phase) const
{
    OpusMessage outgoing;
    outgoing.type = type;
    outgoing.server = m_settings.server;
    outgoing.phase = phase;
    outgoing.ranks = {rank};
    return outgoing;
}

OpusMessage
ShimCore::RegistrationOf(GroupId id, const std::vector<RankId>& ranks) const
{
    const Group& group = m_groups.at(id);
    OpusPhase phase;
    phase.job = m_settings.job;
    phase.group = id;
    OpusMessage outgoing = OutgoingOf(ranks.front(), OpusMessage::Type::REGISTER_GROUP, phase);
    outgoing.ranks = ranks;
    outgoing.whole = group.ranks.size();
    outgoing.digest = GetDigest(group.ranks);
    outgoing.reason = group.name;
    return outgoing;
}

WholePairs&
ShimCore::WholeOf(const CallPairs& pairs)
{
    constexpr std::size_t REMEMBERED = 1024;
    if (m_whole.size() >= REMEMBERED && m_whole.count(pairs) == 0)
    {
        m_whole.clear(); // a program that never repeats itself
    }
    return m_whole.try_emplace(pairs, pairs).first->second;
}

bool
ShimCore::IsAskedAgain(const Rank& rank, const Claim& claim) const
{
    const auto last = rank.last.find(GetFlowKey(claim.phase));
    return claim.number > 0 || (claim.isSent && claim.saidIn != m_term) ||
           (last != rank.last.end() && claim.phase.operation <= last->second.until);
}

void
ShimCore::Coalesce(std::vector<OpusMessage>& outbox, const OpusMessage& outgoing)
{
    const auto saysTheSame = [&outgoing](const OpusMessage& other) {
        return other.type == outgoing.type && other.phase == outgoing.phase &&
               other.speculative == outgoing.speculative && other.plan == outgoing.plan &&
               other.until == outgoing.until && other.links == outgoing.links &&
               other.whole == outgoing.whole && other.digest == outgoing.digest;
    };
    const bool isRequest = outgoing.type == OpusMessage::Type::REQUEST;
    const auto same = std::find_if(outbox.begin(), outbox.end(), saysTheSame);
    if (same == outbox.end())
    {
        m_counters.requests += isRequest ? 1 : 0;
        outbox.push_back(outgoing);
        outbox.back().term = m_term;
        return;
    }
    for (const RankId rank : outgoing.ranks)
    {
        if (std::find(same->ranks.begin(), same->ranks.end(), rank) == same->ranks.end())
        {
            m_counters.coalesced += isRequest ? 1 : 0;
            same->ranks.push_back(rank);
            same->bytes += outgoing.bytes;
        }
    }
    if (isRequest)
    {
        same->pairs.insert(same->pairs.end(), outgoing.pairs.begin(), outgoing.pairs.end());
        same->pairs = NormalizePairs(same->pairs);
    }
}

void
ShimCore::DecideReturned()
{
    if (!m_hasReturned)
    {
        return;
    }
    m_hasReturned = false;
    for (auto& [id, rank] : m_ranks)
    {
        std::vector<std::pair<OpusPhase, Claim::Place>> over;
        for (const auto& [phase, claim] : rank.claims)
        {
            for (const auto& [place, call] : claim.calls)
            {
                if (call.state == Call::State::RETURNED)
                {
                    over.emplace_back(phase, place);
                }
            }
        }
        for (const auto& [phase, place] : over)
        {
            Claim& claim = rank.claims.at(phase);
            OpusPhase ended = phase;
            ended.operation = place.first;
            ended.stage = place.second;
            Through(rank, claim, place);
            Settle(rank, claim);
            Over(rank, ended);
        }
    }
}

ShimOutcome
ShimCore::Flush(Picoseconds now)
{
    m_now = now;
    DecideReturned();
    // by rank and phase, not in the order in which events of an instant come
    const auto before = [](const OpusMessage& a, const OpusMessage& b) {
        const auto key = [](const OpusMessage& outgoing) {
            const bool isRelease = outgoing.type == OpusMessage::Type::RELEASE;
            return std::make_tuple(isRelease, outgoing.ranks.front(), outgoing.phase);
        };
        return key(a) < key(b);
    };
    std::stable_sort(m_news.begin(), m_news.end(), before);
    // what a rank calls first it needs first: a send before a gather for a later pass
    const auto isLower = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(m_requests.begin(), m_requests.end(), isLower);
    std::vector<OpusMessage> outbox;
    outbox.swap(m_statement);
    for (OpusMessage& outgoing : outbox)
    {
        outgoing.term = m_term;
    }
    for (const OpusMessage& outgoing : m_news)
    {
        Coalesce(outbox, outgoing);
    }
    for (const auto& [id, phase] : m_requests)
    {
        Rank& rank = m_ranks.at(id);
        const auto found = rank.claims.find(phase);
        if (found == rank.claims.end() || !found->second.isDue)
        {
            continue; // it has been taken back in the same instant
        }
        Claim& claim = found->second;
        claim.isDue = false;
        if (claim.isGranted)
        {
            continue;
        }
        Picoseconds& sent = claim.speculative ? claim.foretold : claim.requested;
        sent = std::min(sent, now); // what is said again for a new term counts as said at first
        OpusMessage outgoing = OutgoingOf(id, OpusMessage::Type::REQUEST, phase);
        outgoing.speculative = claim.speculative;
        outgoing.bytes = claim.bytes;
        outgoing.plan = claim.number;
        outgoing.until = claim.until;
        outgoing.links = claim.links;
        if (IsAskedAgain(rank, claim))
        {
            WholeOf(claim.pairs).NameAll(outgoing);
        }
        else
        {
            WholeOf(claim.pairs).Name(outgoing);
        }
        claim.isSent = true;
        claim.saidIn = m_term;
        Coalesce(outbox, outgoing);
    }
    m_news.clear();
    m_requests.clear();
    m_outcome.outbox = std::move(outbox);
    return TakeOutcome();
}

bool
ShimCore::HasOutgoing() const
{
    return m_hasReturned || !m_statement.empty() || !m_news.empty() || !m_requests.empty();
}

uint32_t
ShimCore::GetTerm() const
{
    return m_term;
}

const ShimCounters&
ShimCore::GetCounters() const
{
    return m_counters;
}

std::vector<ShimNote>
ShimCore::TakeNotes()
{
    std::vector<ShimNote> notes;
    notes.swap(m_notes);
    return notes;
}

ShimOutcome
ShimCore::TakeOutcome()
{
    ShimOutcome outcome;
    std::swap(outcome, m_outcome);
    return outcome;
}

bool
ShimCore::IsIdle() const
{
    return !HasOutgoing() && std::all_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return std::all_of(rank.second.claims.begin(),
                           rank.second.claims.end(),
                           [](const auto& entry) {
                               const Claim& claim = entry.second;
                               return claim.until == Claim::FOR_GOOD && claim.calls.empty();
                           });
    });
}

std::string
ShimCore::Describe() const
{
    std::ostringstream words;
    words << "server " << m_settings.server << ", term " << m_term << ", " << m_news.size()
          << " messages to send\n";
    for (const auto& [id, rank] : m_ranks)
    {
        words << rank.profile.Describe();
        for (const auto& [phase, claim] : rank.claims)
        {
            words << "  " << ToWords(phase) << " until " << claim.until << ", request "
                  << claim.number << ": "
                  << (claim.isGranted ? "held" : (claim.speculative ? "guessed" : "asked"))
                  << (claim.isReturning ? ", to be given back" : "");
            if (claim.through)
            {
                words << ", through with " << *claim.through;
            }
            for (const auto& [place, call] : claim.calls)
            {
                static constexpr const char* STATES[] = {"waits",
                                                         "is under way",
                                                         "is withdrawn",
                                                         "is given back"};
                words << "; operation " << place.first << ", stage " << place.second << " "
                      << STATES[static_cast<std::size_t>(call.state)];
            }
            words << (claim.hint ? "; an acquire waits\n" : "\n");
        }
    }
    return words.str();
}

} // namespace ns3
