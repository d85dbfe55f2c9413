/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <set>

// What becomes of claims, in the order in which it happens.

namespace ns3
{

ShimCore::Claim*
ShimCore::FindCover(Rank& rank, const Call& call, const OpusPhase& phase)
{
    const OpusPhase flowKey = GetFlowKey(phase);
    for (auto claim = rank.claims.lower_bound(flowKey);
         claim != rank.claims.end() && GetFlowKey(claim->first) == flowKey;
         ++claim)
    {
        if (claim->second.Covers(call, phase))
        {
            return &claim->second;
        }
    }
    return nullptr;
}

void
ShimCore::Put(Rank& rank, const Call& call)
{
    const OpusPhase phase = PhaseOf(call.ask);
    const Claim::Place place{phase.operation, phase.stage};
    if (Claim* cover = FindCover(rank, call, phase))
    {
        const bool isFirstUse = cover->speculative;
        if (isFirstUse && !cover->isGranted)
        {
            cover->until = call.until;
            cover->run = call.run;
        }
        MakeGood(rank, *cover);
        Call& mine = cover->calls.emplace(place, call).first->second;
        if (cover->isGranted)
        {
            m_counters.covered += isFirstUse ? 0 : 1;
            AnswerWithCircuits(mine, *cover, !isFirstUse);
        }
        return;
    }
    const auto same = rank.claims.find(phase);
    if (same != rank.claims.end())
    {
        if (same->second.isReturning)
        {
            same->second.parked.push_back(call);
            return;
        }
        Release(rank, phase); // it was a guess, with other pairs
    }
    Open(rank, call).calls.emplace(place, call);
}

ShimCore::Claim&
ShimCore::Open(Rank& rank, const Call& call)
{
    const OpusPhase phase = PhaseOf(call.ask);
    Claim& claim = rank.claims[phase];
    claim.phase = phase;
    claim.pairs = call.ask.pairs;
    claim.bytes = call.ask.bytes;
    claim.links = phase.pointToPoint ? rank.profile.GetLinks(phase.group) : 0;
    const auto number = rank.numbers.find(phase);
    claim.number = number == rank.numbers.end() ? 0 : number->second;
    claim.until = call.until;
    claim.run = call.run;
    Request(rank, claim);
    return claim;
}

void
ShimCore::MakeGood(Rank& rank, Claim& claim)
{
    if (!claim.speculative)
    {
        return;
    }
    claim.speculative = false;
    m_counters.rightGuesses += claim.isGuess ? 1 : 0;
    if (!claim.isGranted)
    {
        Request(rank, claim);
    }
}

void
ShimCore::Request(Rank& rank, Claim& claim)
{
    if (!claim.isDue)
    {
        claim.isDue = true;
        m_requests.emplace_back(rank.rank, claim.phase);
    }
}

void
ShimCore::Through(Rank& rank, Claim& claim, const Claim::Place& place)
{
    claim.calls.erase(place);
    claim.idleSince = m_now;
    claim.through = std::max(claim.through.value_or(0), place.first);
    const OpusPhase flowKey = GetFlowKey(claim.phase);
    Claim::Place& through = rank.through.try_emplace(flowKey, place).first->second;
    through = std::max(through, place);
    OpusPhase last = flowKey;
    last.operation = through.first;
    last.stage = through.second;
    rank.numbers.erase(rank.numbers.lower_bound(flowKey), rank.numbers.upper_bound(last));
}

void
ShimCore::Settle(Rank& rank, Claim& claim)
{
    if (claim.IsUnderWay())
    {
        return;
    }
    if (!claim.isGranted)
    {
        // nobody answered, and it went on without; or it was asked for in advance
        if (claim.through || (claim.isReturning && claim.speculative))
        {
            Release(rank, claim.phase);
        }
        return;
    }
    if (claim.isReturning || (claim.through && *claim.through >= claim.until))
    {
        Release(rank, claim.phase);
    }
}

std::optional<uint64_t>
ShimCore::GetThrough(const Rank& rank, const Claim& claim) const
{
    if (!claim.through)
    {
        return std::nullopt;
    }
    const OpusPhase flowKey = GetFlowKey(claim.phase);
    uint64_t next = *claim.through + 1;
    const auto through = rank.through.find(flowKey);
    if (claim.phase.stage == 0 && through != rank.through.end())
    {
        next = std::max(next, through->second.first + 1);
    }
    const Claim::Place first{claim.phase.operation, claim.phase.stage};
    const auto stopAt = [&next, &first](const Claim::Place& open) {
        if (!(open < first)) // what is before the claim does not concern it
        {
            next = std::min(next, open.second > first.second ? open.first + 1 : open.first);
        }
    };
    for (auto other = rank.claims.lower_bound(flowKey);
         other != rank.claims.end() && GetFlowKey(other->first) == flowKey;
         ++other)
    {
        for (const auto& [place, call] : other->second.calls)
        {
            stopAt(place);
        }
        for (const Call& call : other->second.parked)
        {
            stopAt({call.ask.operation, call.ask.stage});
        }
    }
    return next > claim.phase.operation ? std::optional<uint64_t>(next - 1) : std::nullopt;
}

void
ShimCore::Release(Rank& rank, const OpusPhase& which)
{
    const OpusPhase phase = which; // it may be that of the claim that goes
    Claim& claim = rank.claims.at(phase);
    claim.through = GetThrough(rank, claim);
    m_counters.withdrawnGuesses += claim.isGuess && claim.speculative ? 1 : 0;
    if (claim.isSent)
    {
        OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::RELEASE, phase);
        outgoing.speculative = !claim.through;
        outgoing.plan = claim.number;
        outgoing.until = claim.through.value_or(phase.operation);
        m_news.push_back(outgoing);
        if (!claim.through)
        {
            rank.numbers[phase] = claim.number + 1;
            m_counters.unusedGrants += claim.isGranted ? 1 : 0;
        }
    }
    Drop(rank, phase);
}

void
ShimCore::Drop(Rank& rank, const OpusPhase& phase)
{
    const auto found = rank.claims.find(phase);
    std::vector<Call> again;
    for (const auto& [place, call] : found->second.calls)
    {
        if (call.state == Call::State::WAITING)
        {
            again.push_back(call);
        }
    }
    again.insert(again.end(), found->second.parked.begin(), found->second.parked.end());
    rank.claims.erase(found);
    for (const Call& call : again)
    {
        Put(rank, call);
    }
}

bool
ShimCore::HasRoom(const Rank& rank, const Claim& waiting) const
{
    std::set<RankId> partners;
    for (const auto& [one, other] : *waiting.pairs)
    {
        if (one == rank.rank || other == rank.rank)
        {
            partners.insert(one == rank.rank ? other : one);
        }
    }
    std::set<uint32_t> used;
    std::set<RankId> joined;
    for (const auto& [phase, claim] : rank.claims)
    {
        if (!claim.isGranted)
        {
            continue;
        }
        if (IsSamePairs(claim.pairs, waiting.pairs))
        {
            return true;
        }
        const std::vector<uint32_t> ports = claim.circuits->GetPorts(rank.rank);
        used.insert(ports.begin(), ports.end());
        for (const RankId partner : partners)
        {
            if (!claim.circuits->GetLinks(rank.rank, partner).empty())
            {
                joined.insert(partner);
            }
        }
    }
    const std::size_t missing = partners.size() - joined.size();
    return waiting.links != 0 && used.size() + missing * waiting.links <= m_settings.ports;
}

Picoseconds
ShimCore::GetKeptUntil(const Rank& rank, const Claim& idle, const Claim& waiting) const
{
    const bool isWanted = idle.isHinted || (idle.run != 0 && idle.run == waiting.run);
    if (!isWanted || !HasRoom(rank, waiting))
    {
        return ALWAYS_BEFORE;
    }
    const Picoseconds since = std::max(idle.idleSince, waiting.GetWaitingSince());
    return m_settings.keepIdle < NEVER - since ? since + m_settings.keepIdle : NEVER;
}

void
ShimCore::GiveWay(Rank& rank)
{
    std::vector<OpusPhase> inTheWay;
    for (const auto& [phase, idle] : rank.claims)
    {
        const auto isInTheWay = [&, &mine = idle](const auto& other) {
            const Claim& claim = other.second;
            return !claim.isGranted && claim.IsWaiting() &&
                   GetKeptUntil(rank, mine, claim) <= m_now;
        };
        if (idle.IsSpare() && std::any_of(rank.claims.begin(), rank.claims.end(), isInTheWay))
        {
            inTheWay.push_back(phase);
        }
    }
    for (const OpusPhase& phase : inTheWay)
    {
        m_counters.brokenPromises += rank.claims.at(phase).through ? 1 : 0;
        Release(rank, phase);
    }
}

} // namespace ns3
