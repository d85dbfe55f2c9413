/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-fake-cluster.h"

#include "ns3/controller-core.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3
{

FakeCluster::FakeCluster(uint32_t seed,
                         std::shared_ptr<const Cabling> cabling,
                         const ControllerSettings& settings,
                         FakeFaults faults,
                         uint32_t guesses)
    : FakeNetwork(seed, cabling, settings, faults),
      m_guesses(guesses),
      m_limits(settings.limits)
{
}

FakeCluster::~FakeCluster() = default;

void
FakeCluster::AddPhase(const OpusPhase& phase,
                      const std::vector<JoinedRanks>& pairs,
                      std::optional<RankId> sender)
{
    m_pairs[phase] = pairs;
    m_senders[phase] = sender;
    for (const RankId rank : PhaseVotes(pairs).GetRanks())
    {
        m_ranks[rank].program.push_back(phase);
    }
}

void
FakeCluster::Run()
{
    for (auto& [rank, state] : m_ranks)
    {
        const RankId mine = rank;
        At(Draw(50 * MICROSECOND), [this, mine] { Call(mine); });
    }
    RunEvents();
}

void
FakeCluster::ExpectAllEnded() const
{
    for (const auto& [rank, state] : m_ranks)
    {
        EXPECT_TRUE(state.program.empty())
            << "rank " << rank << " is stuck in " << ToWords(state.program.front());
    }
    for (const auto& [phase, pairs] : m_pairs)
    {
        const std::size_t done = Count(m_done, phase);
        const std::size_t refused = Count(m_refused, phase);
        EXPECT_TRUE(done == 0 || refused == 0 || m_torn.count(phase) != 0) << ToWords(phase);
        EXPECT_EQ(done + refused, PhaseVotes(pairs).GetRanks().size()) << ToWords(phase);
    }
}

void
FakeCluster::NoteTerm()
{
    for (uint32_t rank = 0; m_cabling->IsKnown(RankId(rank)); ++rank)
    {
        const ServerId server = m_cabling->GetServer(RankId(rank));
        At(Draw(100 * MICROSECOND), [this, server] { NoteContact(server); });
    }
}

void
FakeCluster::NoteContact(ServerId server)
{
    const uint32_t term = m_inCharge->GetTerm();
    if (m_terms[server] == term)
    {
        return;
    }
    m_terms[server] = term;
    for (OpusMessage registration : m_registrations)
    {
        registration.term = term;
        if (registration.server == server)
        {
            ToController(registration);
        }
    }
    std::vector<RankId> ranks;
    for (auto& [rank, state] : m_ranks)
    {
        if (m_cabling->GetServer(rank) == server)
        {
            ranks.push_back(rank);
            state.term = term;
            ReportHolds(rank);
        }
    }
    for (const RankId rank : ranks)
    {
        ReportRefused(rank);
        ReportThrough(rank);
    }
    FlatMessage<OpusTerm> all;
    all.term = term;
    all.server = server;
    ToController(all);
    for (const RankId rank : ranks)
    {
        const Rank& state = m_ranks.at(rank);
        if (state.requested)
        {
            Request(rank, !IsNext(state, *state.requested));
        }
    }
}

void
FakeCluster::ReportHolds(RankId rank)
{
    for (const auto& [phase, hold] : m_ranks.at(rank).holds)
    {
        auto message = MessageOf<OpusHold>(rank, phase);
        message.isAhead = !hold.used && !(m_ranks.at(rank).with == phase);
        message.number = hold.request;
        message.until = hold.until;
        message.pairs = m_pairs.at(phase);
        message.whole = PhaseVotes(message.pairs).CountWhole();
        message.digest = GetDigest(message.pairs);
        message.circuits = hold.circuits;
        ToController(message);
    }
}

void
FakeCluster::ReportRefused(RankId rank)
{
    for (const auto& [phase, ranks] : m_refused)
    {
        if (ranks.count(rank) != 0)
        {
            auto message = MessageOf<OpusRefuse>(rank, phase);
            message.reason = "it was refused";
            ToController(message);
        }
    }
}

void
FakeCluster::ReportThrough(RankId rank)
{
    std::map<OpusPhase, OpusPhase> last; // by flow
    for (const auto& [operation, ranks] : m_done)
    {
        if (ranks.count(rank) != 0)
        {
            last[GetFlowKey(operation)] = operation; // they come in order
        }
    }
    for (const auto& [flowKey, operation] : last)
    {
        ToController(MessageOf<OpusHold>(rank, operation));
    }
}

std::size_t
FakeCluster::Count(const std::map<OpusPhase, std::set<RankId>>& ranks, const OpusPhase& phase)
{
    const auto found = ranks.find(phase);
    return found == ranks.end() ? 0 : found->second.size();
}

bool
FakeCluster::IsNext(const Rank& state, const OpusPhase& phase)
{
    return state.called && !state.with && state.program.front() == phase;
}

void
FakeCluster::Request(RankId rank, bool speculative)
{
    Rank& state = m_ranks.at(rank);
    const OpusPhase phase = *state.requested;
    const uint64_t further = Chance(m_faults.promises) ? m_random() % 8 : 0;
    const auto until = state.untils.try_emplace(phase, phase.operation + further);
    auto message = MessageOf<OpusRequest>(rank, phase);
    message.number = state.requests[phase];
    // others may be through with what was granted or requested before
    const auto granted = state.granted.find(GetFlowKey(phase));
    const bool isAgain =
        !until.second || (granted != state.granted.end() && phase.operation <= granted->second);
    WholePairs whole(m_pairs.at(phase));
    isAgain ? whole.NameAll(message) : whole.Name(message);
    message.isAhead = speculative;
    message.until = until.first->second;
    ToController(message);
}

void
FakeCluster::SendRelease(RankId rank, const OpusPhase& phase, const FakeHold& hold)
{
    auto message = MessageOf<OpusRelease>(rank, phase);
    message.isUnused = !hold.used;
    message.until = hold.through;
    message.number = hold.request;
    ToController(message);
}

void
FakeCluster::GiveBack(RankId rank, const OpusPhase& phase)
{
    Rank& state = m_ranks.at(rank);
    const FakeHold hold = state.holds.at(phase);
    state.holds.erase(phase);
    state.requests[phase] = hold.request + 1;
    SendRelease(rank, phase, hold);
}

void
FakeCluster::GiveBackIdle(RankId rank)
{
    Rank& state = m_ranks.at(rank);
    const std::map<OpusPhase, FakeHold> holds = state.holds;
    for (const auto& [phase, hold] : holds)
    {
        if (!(state.with == phase))
        {
            GiveBack(rank, phase);
        }
    }
}

void
FakeCluster::Withdraw(RankId rank)
{
    Rank& state = m_ranks.at(rank);
    if (state.requested)
    {
        FakeHold unused;
        unused.request = state.requests[*state.requested]++;
        SendRelease(rank, *state.requested, unused);
        state.requested.reset();
    }
}

void
FakeCluster::Call(RankId rank)
{
    Rank& state = m_ranks.at(rank);
    if (state.program.empty())
    {
        GiveBackIdle(rank);
        return Withdraw(rank);
    }
    const OpusPhase next = state.program.front();
    state.called = true;
    state.since = m_now;
    if (state.FindHold(next, m_pairs))
    {
        return Begin(rank);
    }
    if (!(state.requested == next))
    {
        Withdraw(rank);
    }
    state.requested = next;
    GiveBackIdle(rank);
    Request(rank, false);
}

void
FakeCluster::TakeByShim(const OpusMessage& message)
{
    if (message.term < m_terms[message.server])
    {
        return;
    }
    if (message.term > m_terms[message.server])
    {
        NoteContact(message.server);
    }
    for (const RankId rank : message.GetRanks())
    {
        if (const OpusRefuse* refusal = message.Find<OpusRefuse>())
        {
            if (m_ranks.at(rank).requested == refusal->phase)
            {
                TakeRefusal(rank, *refusal);
            }
        }
        else if (const OpusGrant* grant = message.Find<OpusGrant>())
        {
            TakeGrant(rank, *grant);
        }
        else if (const OpusRecall& recall = message.Get<OpusRecall>(); recall.isWhole)
        {
            TakeRecall(rank, recall);
        }
        else
        {
            TakeLimit(rank, recall);
        }
    }
}

void
FakeCluster::TakeRefusal(RankId rank, const OpusRefuse& refusal)
{
    Rank& state = m_ranks.at(rank);
    const bool isNext = IsNext(state, refusal.phase);
    if (isNext && !refusal.isFinal)
    {
        return;
    }
    EXPECT_FALSE(refusal.reason.empty());
    ++state.requests[refusal.phase];
    state.requested.reset();
    if (isNext)
    {
        ExpectInTime(state);
        m_refused[refusal.phase].insert(rank);
        Next(rank);
    }
}

void
FakeCluster::TakeGrant(RankId rank, const OpusGrant& grant)
{
    Rank& state = m_ranks.at(rank);
    EXPECT_GE(grant.until, grant.phase.operation);
    const auto held = state.holds.find(grant.phase);
    if (held != state.holds.end())
    {
        held->second.until = std::min(held->second.until, grant.until);
        return; // if it is less than what is under way, a RECALL follows
    }
    FakeHold hold;
    hold.request = grant.number;
    if (!(state.requested == grant.phase))
    {
        return SendRelease(rank, grant.phase, hold); // no rank wants it
    }
    if (grant.number != state.requests[grant.phase])
    {
        return;
    }
    const auto early = state.recalls.find(grant.phase);
    hold.until = grant.until;
    hold.circuits = grant.circuits;
    if (early != state.recalls.end())
    {
        hold.until = std::min(hold.until, early->second.until);
        hold.leave = early->second.leave && early->second.request == grant.number;
    }
    state.requested.reset();
    state.holds[grant.phase] = hold;
    uint64_t& granted = state.granted[GetFlowKey(grant.phase)];
    granted = std::max(granted, grant.until);
    if (state.called && !state.with)
    {
        Begin(rank);
    }
    else if (hold.leave)
    {
        GiveBack(rank, grant.phase);
    }
}

void
FakeCluster::TakeRecall(RankId rank, const OpusRecall& message)
{
    Rank& state = m_ranks.at(rank);
    const auto held = state.holds.find(message.phase);
    if (held != state.holds.end() && held->second.request == message.number)
    {
        Interrupt(rank, message.phase);
    }
    else if (state.requested == message.phase && message.number == state.requests[message.phase])
    {
        const bool isNext = IsNext(state, message.phase);
        Withdraw(rank);
        if (isNext)
        {
            Call(rank);
        }
    }
}

void
FakeCluster::TakeLimit(RankId rank, const OpusRecall& message)
{
    Rank& state = m_ranks.at(rank);
    const bool leave = message.until == UINT64_MAX;
    const auto held = state.holds.find(message.phase);
    if (held == state.holds.end())
    {
        const auto early = state.recalls.try_emplace(message.phase, FakeHold());
        FakeHold& recall = early.first->second;
        recall.until = early.second ? message.until : std::min(recall.until, message.until);
        recall.leave = recall.leave || leave;
        recall.request = message.number;
        return;
    }
    FakeHold& hold = held->second;
    hold.until = std::min(hold.until, message.until);
    hold.leave = hold.leave || (leave && hold.request == message.number);
    const bool isIdle = !(state.with == message.phase);
    const bool isOver = hold.used && hold.through >= hold.until;
    if (isIdle ? hold.leave || isOver : state.program.front().operation > hold.until)
    {
        Interrupt(rank, message.phase);
    }
}

void
FakeCluster::Interrupt(RankId rank, const OpusPhase& phase)
{
    Rank& state = m_ranks.at(rank);
    const bool isUnderWay = state.with == phase;
    if (isUnderWay)
    {
        const OpusPhase operation = state.program.front();
        m_switches.EndTraffic(operation, rank);
        state.with.reset();
        ++state.run;
        if (HaveAllBegun(operation) || Count(m_done, operation) > 0)
        {
            m_torn.insert(operation);
        }
        else
        {
            m_begun[operation].erase(rank);
        }
    }
    GiveBack(rank, phase);
    if (isUnderWay)
    {
        Call(rank);
    }
}

void
FakeCluster::ExpectInTime(const Rank& state) const
{
    // a phase may be complete, lose a guess and be complete again before it is answered
    EXPECT_LE(m_now - state.since,
              2 * (m_limits.votes + m_limits.ports + m_limits.program) + 1000 * MICROSECOND);
}

bool
FakeCluster::HaveAllBegun(const OpusPhase& operation) const
{
    return Count(m_begun, operation) == PhaseVotes(m_pairs.at(operation)).GetRanks().size();
}

void
FakeCluster::Begin(RankId rank)
{
    Rank& state = m_ranks.at(rank);
    const OpusPhase operation = state.program.front();
    state.with = state.FindHold(operation, m_pairs);
    ASSERT_TRUE(state.with) << "the grant does not cover what it was asked for";
    ExpectInTime(state);
    EXPECT_EQ(m_done[operation].count(rank), 0) << "granted twice";
    m_switches.BeginTraffic(operation, rank, state.holds.at(*state.with).circuits);
    ++state.run;
    const bool hadAll = HaveAllBegun(operation);
    m_begun[operation].insert(rank);
    for (const RankId one : PhaseVotes(m_pairs.at(operation)).GetRanks())
    {
        const Rank& other = m_ranks.at(one);
        const bool isIn = other.with && other.program.front() == operation;
        const bool ends = HaveAllBegun(operation) && (one == rank || !hadAll);
        if (isIn && (ends || (one == rank && m_senders.at(operation) == rank)))
        {
            const uint64_t run = other.run;
            At(Draw(100 * MICROSECOND), [this, one, run] { End(one, run); });
        }
    }
    Guess(rank, 1, m_guesses / 2);
}

void
FakeCluster::End(RankId rank, uint64_t run)
{
    Rank& state = m_ranks.at(rank);
    if (state.run != run)
    {
        return; // it was interrupted, or it was a sender's and is over
    }
    const OpusPhase operation = state.program.front();
    const OpusPhase phase = *state.with;
    FakeHold& hold = state.holds.at(phase);
    m_switches.EndTraffic(operation, rank);
    m_done[operation].insert(rank);
    if (!HaveAllBegun(operation))
    {
        m_torn.insert(operation); // it sent data that others may never take
    }
    hold.used = true;
    hold.through = operation.operation;
    state.with.reset();
    ++state.run;
    if (hold.through >= hold.until || hold.leave || state.requested)
    {
        GiveBack(rank, phase);
    }
    Next(rank);
}

void
FakeCluster::Guess(RankId rank, std::size_t first, uint32_t chance)
{
    Rank& state = m_ranks.at(rank);
    if (state.requested || state.program.size() <= first || !Chance(chance))
    {
        return;
    }
    const std::size_t others = state.program.size() - first;
    const std::size_t place = Chance(m_faults.wrongGuesses) ? m_random() % others : 0;
    const OpusPhase guess = state.program[first + place];
    if (!state.FindHold(guess, m_pairs) && state.holds.count(guess) == 0)
    {
        state.requested = guess;
        GiveBackIdle(rank);
        Request(rank, true);
    }
}

void
FakeCluster::Next(RankId rank)
{
    Rank& state = m_ranks.at(rank);
    state.program.pop_front();
    state.called = false;
    Guess(rank, 0, m_guesses);
    At(Draw(100 * MICROSECOND), [this, rank] { Call(rank); });
}

} // namespace ns3
