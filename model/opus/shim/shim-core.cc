/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>

// What ranks say, in the order in which it happens.

namespace ns3
{

ShimCore::Rank::Rank(RankId id, const ShimSettings& settings)
    : rank(id),
      profile(id, settings.profileIterations, settings.ports)
{
}

ShimCore::ShimCore(const ShimSettings& settings)
    : m_settings(settings)
{
    NS_ABORT_MSG_IF(settings.ports == 0,
                    "ShimCore: the NICs of server " << settings.server
                                                    << " have 0 ports; give them 1 or more");
    NS_ABORT_MSG_IF(settings.profileIterations == 0,
                    "ShimCore: server " << settings.server
                                        << " is to profile 0 iterations; let it profile 1 or more");
    NS_ABORT_MSG_IF(settings.giveUpAfter <= 0 || settings.keepIdle < 0,
                    "ShimCore: server " << settings.server << " is to give up after "
                                        << settings.giveUpAfter
                                        << " ps and to keep idle circuits for " << settings.keepIdle
                                        << " ps; the first must be above 0, and neither below");
}

ShimCore::Rank&
ShimCore::RankOf(RankId rank)
{
    return m_ranks.try_emplace(rank, rank, m_settings).first->second;
}

OpusPhase
ShimCore::PhaseOf(const CircuitRequest& ask) const
{
    OpusPhase phase;
    phase.job = m_settings.job;
    phase.group = ask.group;
    phase.pointToPoint = ask.pointToPoint;
    phase.from = ask.pointToPoint ? ask.from : RankId(0);
    phase.to = ask.pointToPoint ? ask.to : RankId(0);
    phase.operation = ask.operation;
    phase.stage = ask.stage;
    return phase;
}

std::string
ShimCore::ParallelismOf(const CircuitRequest& ask) const
{
    const auto group = m_groups.find(ask.group);
    if (group == m_groups.end() || group->second.name.empty())
    {
        return ask.pointToPoint ? "sends" : "group " + std::to_string(ask.group.Get());
    }
    return group->second.name.substr(0, group->second.name.find(' '));
}

ProfiledCall
ShimCore::ProfileCall(const CircuitRequest& ask) const
{
    return {PhaseOf(ask), ask.stages, ask.pairs, ParallelismOf(ask), ask.bytes};
}

void
ShimCore::Join(RankId rank, const CommunicationGroup& group)
{
    NS_ABORT_MSG_UNLESS(std::count(group.GetRanks().begin(), group.GetRanks().end(), rank),
                        "ShimCore: rank " << rank << " joins \"" << group.GetName()
                                          << "\" and is not in it; name it among its ranks");
    RankOf(rank);
    Group& known = m_groups.try_emplace(group.GetId(), Group{group.GetName(), group.GetRanks(), {}})
                       .first->second;
    NS_ABORT_MSG_UNLESS(known.name == group.GetName() && known.ranks == group.GetRanks(),
                        "ShimCore: rank " << rank << " joins group " << group.GetId() << " as \""
                                          << group.GetName() << "\", which is \"" << known.name
                                          << "\" of " << ToWords(known.ranks)
                                          << " already; give each group a number of its own");
    if (std::count(known.here.begin(), known.here.end(), rank) == 0)
    {
        known.here.push_back(rank);
        m_news.push_back(RegistrationOf(group.GetId(), {rank}));
    }
}

void
ShimCore::BeginIteration(RankId id)
{
    Rank& rank = RankOf(id);
    if (m_settings.mode == ShimMode::CO_SCHEDULED)
    {
        return;
    }
    if (rank.profile.BeginIteration())
    {
        HandleMisprediction(rank, nullptr);
    }
    Guess(rank, rank.profile.ForeseeFirst());
}

void
ShimCore::End(RankId id)
{
    Rank& rank = RankOf(id);
    m_counters.wrongPredictions += rank.profile.End() ? 1 : 0;
    std::vector<OpusPhase> ending;
    for (auto& [phase, claim] : rank.claims)
    {
        claim.isReturning = claim.until != Claim::FOR_GOOD || !claim.isGranted;
        if (claim.speculative || claim.IsSpare())
        {
            ending.push_back(phase);
        }
    }
    for (const OpusPhase& phase : ending)
    {
        Release(rank, phase);
    }
}

void
ShimCore::Check(const Rank& rank, const OpusPhase& phase) const
{
    const Claim::Place place{phase.operation, phase.stage};
    const OpusPhase flowKey = GetFlowKey(phase);
    for (auto claim = rank.claims.lower_bound(flowKey);
         claim != rank.claims.end() && GetFlowKey(claim->first) == flowKey;
         ++claim)
    {
        NS_ABORT_MSG_IF(claim->second.calls.count(place),
                        "ShimCore: rank " << rank.rank << " requests twice " << ToWords(phase)
                                          << "; it must say that it has finished in between");
    }
    const auto through = rank.through.find(flowKey);
    NS_ABORT_MSG_IF(through != rank.through.end() && !(through->second < place),
                    "ShimCore: rank " << rank.rank << " requests " << ToWords(phase)
                                      << " and is through with operation " << through->second.first
                                      << ", stage " << through->second.second
                                      << "; operations must count up, and what is withdrawn be "
                                         "asked for again as soon as it is given back");
}

std::optional<ShimCore::Call>
ShimCore::TakeReturned(Rank& rank, const OpusPhase& phase)
{
    const Claim::Place place{phase.operation, phase.stage};
    const OpusPhase flowKey = GetFlowKey(phase);
    for (auto claim = rank.claims.lower_bound(flowKey);
         claim != rank.claims.end() && GetFlowKey(claim->first) == flowKey;
         ++claim)
    {
        const auto found = claim->second.calls.find(place);
        if (found != claim->second.calls.end() && found->second.state == Call::State::RETURNED)
        {
            const Call call = found->second;
            claim->second.calls.erase(found);
            claim->second.idleSince = m_now;
            Settle(rank, claim->second);
            return call;
        }
    }
    return std::nullopt;
}

ShimCore::Call
ShimCore::MakeCall(Rank& rank, const CircuitRequest& ask)
{
    const OpusPhase phase = PhaseOf(ask);
    Call call;
    call.ask = ask;
    call.asked = m_now;
    call.until = ask.operation;
    if (m_settings.mode != ShimMode::CO_SCHEDULED)
    {
        const CallForecast forecast = rank.profile.Ask(ProfileCall(ask));
        if (forecast.misprediction)
        {
            HandleMisprediction(rank, &phase);
        }
        call.until = forecast.until;
        call.run = forecast.run;
    }
    return call;
}

ShimOutcome
ShimCore::Ask(const CircuitRequest& ask, Picoseconds now)
{
    m_now = now;
    const auto takesPart = [&ask](const auto& pair) {
        return pair.first == ask.rank || pair.second == ask.rank;
    };
    if (!ask.pairs || std::none_of(ask.pairs->begin(), ask.pairs->end(), takesPart))
    {
        CircuitAnswer nothing; // is needed
        nothing.links = std::make_shared<GrantedCircuits>(std::vector<RankCircuit>());
        m_outcome.answers.push_back({ask, nothing, false});
        return TakeOutcome();
    }
    Rank& rank = RankOf(ask.rank);
    const OpusPhase phase = PhaseOf(ask);
    std::optional<Call> again = TakeReturned(rank, phase);
    if (again)
    {
        again->ask = ask;
        again->state = Call::State::WAITING;
        again->asked = now;
        again->isOnRail = false;
        if (!rank.profile.IsPredicting())
        {
            again->until = ask.operation;
            again->run = 0;
        }
        Put(rank, *again);
    }
    else
    {
        Check(rank, phase);
        Put(rank, MakeCall(rank, ask));
    }
    GiveWay(rank);
    return TakeOutcome();
}

ShimOutcome
ShimCore::Finish(const CircuitRequest& ask, Picoseconds now)
{
    m_now = now;
    Rank& rank = RankOf(ask.rank);
    const OpusPhase phase = PhaseOf(ask);
    const Claim::Place place{phase.operation, phase.stage};
    const OpusPhase flowKey = GetFlowKey(phase);
    Claim* claim = nullptr;
    for (auto& [key, one] : rank.claims)
    {
        if (one.calls.count(place) && GetFlowKey(key) == flowKey)
        {
            claim = &one;
        }
    }
    if (claim && claim->calls.at(place).state == Call::State::WITHDRAWN)
    {
        claim->calls.at(place).state = Call::State::RETURNED;
        m_hasReturned = true;
        return TakeOutcome();
    }
    if (claim)
    {
        Through(rank, *claim, place);
        Settle(rank, *claim);
    }
    Over(rank, phase);
    GiveWay(rank);
    return TakeOutcome();
}

ShimOutcome
ShimCore::Hint(const CircuitHint& hint, Picoseconds now)
{
    m_now = now;
    Rank& rank = RankOf(hint.first.rank);
    const OpusPhase phase = PhaseOf(hint.first);
    Call call;
    call.ask = hint.first;
    call.asked = now;
    call.isHint = true;
    const bool isRange = hint.first.stages == 1 && hint.first.stage == 0;
    call.until = isRange ? std::max(hint.until, phase.operation) : phase.operation;
    if (m_settings.mode != ShimMode::CO_SCHEDULED)
    {
        if (hint.kind == CircuitHint::Kind::ACQUIRE)
        {
            m_outcome.answers.push_back({hint.first, CircuitAnswer(), true});
        }
        return TakeOutcome();
    }
    if (hint.kind == CircuitHint::Kind::RELEASE)
    {
        const OpusPhase flowKey = GetFlowKey(phase);
        std::vector<OpusPhase> ending;
        for (auto& [key, claim] : rank.claims)
        {
            if (GetFlowKey(key) == flowKey && claim.until != Claim::FOR_GOOD)
            {
                claim.isReturning = true;
                ending.push_back(key);
            }
        }
        for (const OpusPhase& key : ending)
        {
            Settle(rank, rank.claims.at(key));
        }
        return TakeOutcome();
    }
    Claim* claim = FindCover(rank, call, phase);
    if (!claim)
    {
        claim = &Open(rank, call);
        claim->isHinted = true;
        claim->speculative = hint.kind == CircuitHint::Kind::PREFETCH;
        claim->isGuess = claim->speculative;
        m_counters.guesses += claim->isGuess ? 1 : 0;
    }
    if (hint.kind == CircuitHint::Kind::ACQUIRE)
    {
        MakeGood(rank, *claim);
        if (claim->isGranted)
        {
            AnswerWithCircuits(call, *claim, true);
        }
        else
        {
            claim->hint = call;
        }
        GiveWay(rank);
    }
    return TakeOutcome();
}

void
ShimCore::HandleMisprediction(Rank& rank, const OpusPhase* but)
{
    ++m_counters.wrongPredictions;
    std::vector<OpusPhase> guesses;
    for (const auto& [phase, claim] : rank.claims)
    {
        if (claim.speculative && (!but || !(phase == *but)))
        {
            guesses.push_back(phase);
        }
    }
    for (const OpusPhase& phase : guesses)
    {
        Release(rank, phase);
    }
}

void
ShimCore::Guess(Rank& rank, const std::vector<ForeseenCall>& calls)
{
    if (m_settings.mode != ShimMode::PROVISIONED)
    {
        return;
    }
    for (const ForeseenCall& foreseen : calls)
    {
        const OpusPhase& phase = foreseen.call.phase;
        Call call;
        call.ask.rank = rank.rank;
        call.ask.group = phase.group;
        call.ask.operation = phase.operation;
        call.ask.pointToPoint = phase.pointToPoint;
        call.ask.from = phase.from;
        call.ask.to = phase.to;
        call.ask.stage = phase.stage;
        call.ask.stages = foreseen.call.stages;
        call.ask.bytes = foreseen.call.bytes;
        call.ask.pairs = foreseen.call.pairs;
        call.asked = m_now;
        call.until = foreseen.until;
        call.run = foreseen.run;
        if (rank.claims.count(phase) || FindCover(rank, call, phase))
        {
            continue;
        }
        Claim& claim = Open(rank, call);
        claim.speculative = true;
        claim.isGuess = true;
        ++m_counters.guesses;
    }
}

void
ShimCore::Over(Rank& rank, const OpusPhase& phase)
{
    Guess(rank, rank.profile.Finish(phase));
}

} // namespace ns3
