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

ShimStatement::ShimStatement(const ShimSettings& settings, const ShimOutbox& outbox)
    : m_settings(settings),
      m_outbox(outbox)
{
}

void
ShimStatement::AddGroups(const ShimGroups& groups)
{
    for (const OpusMessage& registration : groups.MakeRegistrations())
    {
        m_messages.push_back(registration);
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
        OpusMessage message = m_outbox.Make(rank, OpusMessage::Type::HOLD, phase);
        message.speculative = request.IsAhead();
        message.plan = request.GetNumber();
        message.until = request.GetUntil();
        message.pairs = pairs;
        message.whole = PhaseVotes(pairs).CountWhole();
        message.digest = GetDigest(pairs);
        message.circuits = request.GetCircuits()->GetCircuits(rank);
        m_messages.push_back(message);
    }
}

void
ShimStatement::AddHistory(RankId rank, const ShimRequestTable& requests, const ShimHistory& history)
{
    for (const auto& [phase, reason] : history.GetRefused())
    {
        OpusMessage message = m_outbox.Make(rank, OpusMessage::Type::REFUSE, phase);
        message.reason = reason;
        m_messages.push_back(message);
    }
    for (const auto& [flowKey, through] : history.GetAllThrough())
    {
        // what was withdrawn is requested again, and may come before what is over
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
        OpusMessage message = m_outbox.Make(rank, OpusMessage::Type::HOLD, phase);
        message.until = operation;
        m_messages.push_back(message);
    }
}

std::vector<OpusMessage>
ShimStatement::Finish()
{
    OpusMessage all;
    all.type = OpusMessage::Type::TERM;
    all.server = m_settings.server;
    all.phase.job = m_settings.job;
    m_messages.push_back(all);
    return std::move(m_messages);
}

} // namespace ns3
