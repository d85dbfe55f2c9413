/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-rank.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/phase-history.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <optional>

namespace ns3
{

ShimRank::ShimRank(RankId rank, const ShimCircuits::Server& server, const ShimGroups& groups)
    : m_rank(rank),
      m_server(server),
      m_prediction(rank, server.settings, groups),
      m_circuits(rank, server, m_prediction)
{
}

// ------------------------------------------------------------------- calls of the rank

void
ShimRank::BeginIteration(Picoseconds now)
{
    if (m_prediction.BeginIteration())
    {
        HandleMisprediction(nullptr, now);
    }
    for (const ShimCall& call : m_prediction.GetFirst(now))
    {
        m_circuits.RequestAhead(call);
    }
}

void
ShimRank::End(Picoseconds now)
{
    m_server.counters.wrongPredictions += m_prediction.End() ? 1 : 0;
    m_circuits.End(now);
}

void
ShimRank::Request(const CircuitRequest& request, Picoseconds now)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, request);
    ShimCall call;
    call.request = request;
    call.requested = now;
    if (const std::optional<ShimCall> returned = m_circuits.TakeReturned(phase, now))
    {
        call.until = returned->until;
        call.run = returned->run;
        m_prediction.ForeseeAgain(call);
    }
    else
    {
        Check(phase);
        if (!m_prediction.Foresee(call))
        {
            HandleMisprediction(&phase, now);
        }
    }
    m_circuits.Request(call, now);
    m_circuits.GiveWay(now);
}

void
ShimRank::Check(const OpusPhase& phase) const
{
    NS_ABORT_MSG_IF(m_circuits.GetRequests().HasCall(phase),
                    "ShimCore: rank " << m_rank << " requests twice " << ToWords(phase)
                                      << "; it must finish the first in between");
    const ShimHistory& history = m_circuits.GetHistory();
    const ShimCall::Place* through = history.GetThrough(GetFlowKey(phase));
    NS_ABORT_MSG_IF(history.IsThrough(phase),
                    "ShimCore: rank " << m_rank << " requests " << ToWords(phase)
                                      << " and is through with operation " << through->first
                                      << ", stage " << through->second
                                      << "; operations must count up, and what is withdrawn be "
                                         "requested again as soon as it is given back");
}

void
ShimRank::HandleMisprediction(const OpusPhase* but, Picoseconds now)
{
    ++m_server.counters.wrongPredictions;
    m_circuits.ReleaseAhead(but, now);
}

void
ShimRank::Finish(const CircuitRequest& request, Picoseconds now)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, request);
    if (m_circuits.GiveBack(phase))
    {
        m_hasReturned = true;
        return;
    }
    EndCall(phase, now);
    m_circuits.GiveWay(now);
}

void
ShimRank::EndCall(const OpusPhase& phase, Picoseconds now)
{
    m_circuits.Finish(phase, now);
    for (const ShimCall& call : m_prediction.Finish(phase, now))
    {
        m_circuits.RequestAhead(call);
    }
}

void
ShimRank::Hint(const CircuitHint& hint, Picoseconds now)
{
    const CircuitRequest& first = hint.first;
    const bool isIntraNode = first.pairs && !first.NeedsCircuits();
    if (m_server.settings.mode != ShimMode::CO_SCHEDULED || isIntraNode)
    {
        if (hint.kind == CircuitHint::Kind::ACQUIRE)
        {
            m_server.answers.AddUnneeded(first);
        }
        return;
    }
    if (hint.kind == CircuitHint::Kind::RELEASE)
    {
        m_circuits.ReleaseFlow(GetPhase(m_server.settings.job, first), now);
        return;
    }
    const bool isRange = first.stages == 1 && first.stage == 0;
    ShimCall call;
    call.request = first;
    call.requested = now;
    call.isHint = true;
    call.due = hint.due.IsZero() ? 0 : AddSaturating(now, hint.due.GetTimeStep());
    call.until = isRange ? std::max(hint.until, first.operation) : first.operation;
    m_circuits.Hint(call, hint.kind, now);
    if (hint.kind == CircuitHint::Kind::ACQUIRE)
    {
        m_circuits.GiveWay(now);
    }
}

// ------------------------------------------------------------ the controller, and the time

void
ShimRank::Take(const OpusMessage& message, Picoseconds now)
{
    m_circuits.Take(message, now);
    m_circuits.GiveWay(now);
}

void
ShimRank::RequestAgain()
{
    m_circuits.RequestAgain();
}

void
ShimRank::LeaveAll(Picoseconds now)
{
    m_circuits.LeaveAll(now);
}

void
ShimRank::TimePassed(Picoseconds now)
{
    m_circuits.GiveUp(now);
    m_circuits.GiveWay(now);
}

void
ShimRank::DecideReturned(Picoseconds now)
{
    if (m_hasReturned)
    {
        m_hasReturned = false;
        for (const OpusPhase& phase : m_circuits.GetRequests().GetReturned())
        {
            EndCall(phase, now);
        }
    }
}

void
ShimRank::Send(const OpusPhase& phase, uint32_t term, Picoseconds now)
{
    m_circuits.Send(phase, term, now);
}

bool
ShimRank::HasReturned() const
{
    return m_hasReturned;
}

const ShimCircuits&
ShimRank::GetCircuits() const
{
    return m_circuits;
}

std::string
ShimRank::Describe() const
{
    return m_prediction.Describe() + m_circuits.GetRequests().Describe();
}

} // namespace ns3
