/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "ns3/named-pairs.h"
#include "ns3/phase-history.h"
#include "ns3/phase-votes.h"

#include <algorithm>
#include <limits>

// What a controller is told that begins a term.

namespace ns3
{

void
ShimCore::BeginTerm(uint32_t term)
{
    m_term = term;
    m_statement.clear();
    m_news.clear(); // what they say is in what follows, or does not matter to who knows nothing
    for (const auto& [id, group] : m_groups)
    {
        m_statement.push_back(RegistrationOf(id, group.here));
    }
    for (auto& [id, rank] : m_ranks)
    {
        SayClaims(rank);
    }
    for (const auto& [id, rank] : m_ranks)
    {
        SayRefused(rank);
        SayThrough(rank); // of who holds circuits it counts only when it is known that it does
    }
    OpusMessage all;
    all.type = OpusMessage::Type::TERM;
    all.server = m_settings.server;
    all.phase.job = m_settings.job;
    m_statement.push_back(all);
}

void
ShimCore::SayClaims(Rank& rank)
{
    for (auto& [phase, claim] : rank.claims)
    {
        if (!claim.isGranted)
        {
            Request(rank, claim);
            continue;
        }
        OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::HOLD, phase);
        outgoing.speculative = claim.speculative;
        outgoing.plan = claim.number;
        outgoing.until = claim.until;
        outgoing.pairs = *claim.pairs;
        outgoing.whole = PhaseVotes(*claim.pairs).CountWhole();
        outgoing.digest = GetDigest(*claim.pairs);
        outgoing.circuits = claim.circuits->GetCircuits(rank.rank);
        m_statement.push_back(outgoing);
    }
}

void
ShimCore::SayRefused(const Rank& rank)
{
    for (const auto& [phase, reason] : rank.refused)
    {
        OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::REFUSE, phase);
        outgoing.reason = reason;
        m_statement.push_back(outgoing);
    }
}

void
ShimCore::SayThrough(const Rank& rank)
{
    for (const auto& [flowKey, through] : rank.through)
    {
        // what was withdrawn is asked for again, and may come before what is over
        Claim::Place next{through.first, through.second + 1};
        for (auto claim = rank.claims.lower_bound(flowKey);
             claim != rank.claims.end() && GetFlowKey(claim->first) == flowKey;
             ++claim)
        {
            for (const auto& [place, call] : claim->second.calls)
            {
                next = std::min(next, place);
            }
            for (const Call& call : claim->second.parked)
            {
                next = std::min(next, Claim::Place{call.ask.operation, call.ask.stage});
            }
        }
        std::vector<Claim::Place> over;
        if (next.first > 0)
        {
            over.emplace_back(next.first - 1, 0);
        }
        if (next.first > 0 && next.second == 0)
        {
            // all stages before, how many there may be, and none of its own
            over.emplace_back(next.first, std::numeric_limits<uint32_t>::max());
        }
        for (uint32_t stage = 0; stage < next.second; ++stage)
        {
            over.emplace_back(next.first, stage);
        }
        for (const auto& [operation, stage] : over)
        {
            OpusPhase phase = flowKey;
            phase.operation = operation;
            phase.stage = stage;
            OpusMessage outgoing = OutgoingOf(rank.rank, OpusMessage::Type::HOLD, phase);
            outgoing.until = operation;
            m_statement.push_back(outgoing);
        }
    }
}

} // namespace ns3
