/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-statement.h"

#include "ns3/named-pairs.h"
#include "ns3/phase-votes.h"

#include <limits>
#include <utility>

namespace ns3
{

ShimStatement::ShimStatement(const ShimSettings& settings)
    : m_settings(settings)
{
}

void
ShimStatement::Add(OpusMessage::Content content)
{
    m_messages.push_back({0, m_settings.server, RailId(), std::move(content)});
}

void
ShimStatement::AddGroups(const ShimGroups& groups)
{
    for (const OpusRegisterGroup& registration : groups.MakeRegistrations())
    {
        Add(registration);
    }
}

void
ShimStatement::AddHeld(RankId rank, const ShimRequestTable& requests)
{
    for (const auto& [phase, request] : requests.GetAll())
    {
        if (!request.IsGranted())
        {
            continue;
        }
        const auto& pairs = *request.GetPairs();
        OpusHold hold;
        hold.phase = phase;
        hold.ranks = {rank};
        hold.circuits = request.GetCircuits()->GetCircuits(rank, pairs);
        hold.isOverRings = request.GetCircuits()->IsOverRings();
        hold.pairs = pairs;
        hold.whole = PhaseVotes(pairs).CountWhole();
        hold.digest = GetDigest(pairs);
        hold.isAhead = request.IsAhead();
        hold.number = request.GetNumber();
        hold.until = request.GetUntil();
        Add(std::move(hold));
    }
}

void
ShimStatement::AddHistory(RankId rank, const ShimRequestTable& requests, const ShimHistory& history)
{
    for (const auto& [phase, reason] : history.GetRefused())
    {
        Add(OpusRefuse{phase, {rank}, reason});
    }
    for (const auto& [flowKey, through] : history.GetAllThrough())
    {
        // a withdrawn call is requested again, and may come before one that is over
        AddThrough(rank,
                   flowKey,
                   requests.GetFirstOpen(flowKey, {through.first, through.second + 1}));
    }
}

void
ShimStatement::AddThrough(RankId rank, const OpusPhase& flowKey, const ShimCall::Place& next)
{
    std::vector<ShimCall::Place> over;
    if (next.first > 0)
    {
        over.emplace_back(next.first - 1, 0);
    }
    if (next.first > 0 && next.second == 0)
    {
        // all stages of earlier operations, whatever their number, and none of its own
        over.emplace_back(next.first, std::numeric_limits<uint32_t>::max());
    }
    for (uint32_t stage = 0; stage < next.second; ++stage)
    {
        over.emplace_back(next.first, stage);
    }
    for (const auto& [operation, stage] : over)
    {
        OpusHold through; // without circuits
        through.phase = flowKey;
        through.phase.operation = operation;
        through.phase.stage = stage;
        through.ranks = {rank};
        through.until = operation;
        Add(std::move(through));
    }
}

std::vector<OpusMessage>
ShimStatement::Finish()
{
    Add(OpusTerm{m_settings.job});
    return std::move(m_messages);
}

} // namespace ns3
