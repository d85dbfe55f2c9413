/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-circuits.h"

#include "ns3/overloaded.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{

ShimCircuits::ShimCircuits(RankId rank, const Server& server, const ShimPrediction& prediction)
    : m_rank(rank),
      m_server(server),
      m_prediction(prediction),
      m_requests(rank, server.settings)
{
}

// --------------------------------------------------------------------- requests

void
ShimCircuits::Request(const ShimCall& call, Picoseconds now)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, call.request);
    if (ShimRequest* cover = m_requests.FindCover(call, phase))
    {
        const bool isFirstUse = cover->IsAhead();
        cover->Reach(call);
        BeCalled(*cover);
        ShimCall& mine = cover->Add(call);
        if (cover->IsGranted())
        {
            m_server.counters.covered += isFirstUse ? 0 : 1;
            m_server.answers.Cover(mine, *cover, !isFirstUse, now);
        }
        return;
    }
    if (ShimRequest* same = m_requests.Find(phase))
    {
        if (same->IsEnding())
        {
            same->Park(call);
            return;
        }
        Release(phase, now); // it was ahead of the call, with other pairs
    }
    Open(call).Add(call);
}

void
ShimCircuits::RequestAhead(const ShimCall& call)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, call.request);
    if (m_requests.Find(phase) || m_requests.FindCover(call, phase))
    {
        return;
    }
    Open(call).SetAhead(true);
    ++m_server.counters.guesses;
}

void
ShimCircuits::Hint(const ShimCall& call, CircuitHint::Kind kind, Picoseconds now)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, call.request);
    ShimRequest* request = m_requests.FindCover(call, phase);
    if (!request)
    {
        const bool isAhead = kind == CircuitHint::Kind::PREFETCH;
        request = &Open(call);
        request->SetHinted();
        request->SetAhead(isAhead);
        m_server.counters.guesses += isAhead ? 1 : 0;
    }
    if (kind != CircuitHint::Kind::ACQUIRE)
    {
        return;
    }
    BeCalled(*request);
    if (request->IsGranted())
    {
        ShimCall acquire = call;
        m_server.answers.Cover(acquire, *request, true, now);
    }
    else
    {
        request->SetAcquire(call);
    }
}

ShimRequest&
ShimCircuits::Open(const ShimCall& call)
{
    const OpusPhase phase = GetPhase(m_server.settings.job, call.request);
    ShimRequest& request = m_requests.Open(phase);
    request.Open(call, m_prediction.GetLinks(phase), m_history.GetNumber(phase));
    SetDue(request);
    return request;
}

void
ShimCircuits::BeCalled(ShimRequest& request)
{
    if (!request.IsAhead())
    {
        return;
    }
    request.SetAhead(false);
    ++m_server.counters.rightGuesses;
    if (!request.IsGranted())
    {
        SetDue(request);
    }
}

void
ShimCircuits::SetDue(ShimRequest& request)
{
    if (request.SetDue())
    {
        m_server.outbox.SetDue(m_rank, request.GetPhase());
    }
}

void
ShimCircuits::RequestAgain()
{
    for (auto& [phase, request] : m_requests.GetAll())
    {
        if (!request.IsGranted())
        {
            SetDue(request);
        }
    }
}

void
ShimCircuits::Send(const OpusPhase& phase, uint32_t term, Picoseconds now)
{
    ShimRequest* request = m_requests.Find(phase);
    if (!request || !request->TakeDue() || request->IsGranted())
    {
        return; // it was released, or granted, in the same instant
    }
    // other ranks may be through with an earlier grant, or a request of an earlier term
    const ShimHistory::Circuits* last = m_history.GetLast(phase);
    const bool isAgain = request->GetNumber() > 0 || request->IsSentBefore(term) ||
                         (last && phase.operation <= last->until);
    OpusRequest message;
    message.phase = phase;
    message.ranks = {m_rank};
    request->Send(message, term, now);
    m_server.outbox.AddRequest(std::move(message), request->GetPairs(), isAgain);
}

// ------------------------------------------------------------- calls that are over

std::optional<ShimCall>
ShimCircuits::TakeReturned(const OpusPhase& phase, Picoseconds now)
{
    ShimRequest* request = m_requests.FindCall(phase);
    std::optional<ShimCall> call =
        request ? request->TakeReturned(GetPlace(phase), now) : std::nullopt;
    if (call)
    {
        ReleaseIfOver(*request, now);
    }
    return call;
}

bool
ShimCircuits::GiveBack(const OpusPhase& phase)
{
    ShimRequest* request = m_requests.FindCall(phase);
    return request && request->GiveBack(GetPlace(phase));
}

void
ShimCircuits::Finish(const OpusPhase& phase, Picoseconds now)
{
    if (ShimRequest* request = m_requests.FindCall(phase))
    {
        Finish(*request, phase, now);
        ReleaseIfOver(*request, now);
    }
}

void
ShimCircuits::Finish(ShimRequest& request, const OpusPhase& phase, Picoseconds now)
{
    request.Finish(GetPlace(phase), now);
    m_history.Finish(phase);
}

// --------------------------------------------------------------------- releases

void
ShimCircuits::ReleaseFlow(const OpusPhase& phase, Picoseconds now)
{
    const OpusPhase flowKey = GetFlowKey(phase);
    std::vector<OpusPhase> ending;
    for (auto& [key, request] : m_requests.GetAll())
    {
        if (GetFlowKey(key) == flowKey && request.GetUntil() != ShimRequest::FOR_GOOD)
        {
            request.EndWhenIdle();
            ending.push_back(key);
        }
    }
    for (const OpusPhase& key : ending)
    {
        ReleaseIfOver(m_requests.At(key), now);
    }
}

void
ShimCircuits::ReleaseAhead(const OpusPhase* but, Picoseconds now)
{
    for (const OpusPhase& phase : m_requests.GetAhead())
    {
        if (!but || !(phase == *but))
        {
            Release(phase, now);
        }
    }
}

void
ShimCircuits::End(Picoseconds now)
{
    std::vector<OpusPhase> ending;
    for (auto& [phase, request] : m_requests.GetAll())
    {
        request.EndProgram();
        if (request.IsAhead() || request.IsSpare())
        {
            ending.push_back(phase);
        }
    }
    for (const OpusPhase& phase : ending)
    {
        Release(phase, now);
    }
}

void
ShimCircuits::ReleaseIfOver(ShimRequest& request, Picoseconds now)
{
    if (request.IsOver())
    {
        Release(request.GetPhase(), now);
    }
}

void
ShimCircuits::Release(const OpusPhase& which, Picoseconds now)
{
    const OpusPhase phase = which; // a copy: the reference may be into the request that is removed
    const ShimRequest& request = m_requests.At(phase);
    const std::optional<uint64_t> through = m_requests.GetThrough(request, m_history);
    m_server.counters.withdrawnGuesses += request.IsAhead() ? 1 : 0;
    if (request.IsSent())
    {
        AddRelease(phase, request.GetNumber(), through);
    }
    if (request.IsSent() && !through)
    {
        m_history.SetNumber(phase, request.GetNumber() + 1);
        m_server.counters.unusedGrants += request.IsGranted() ? 1 : 0;
    }
    Drop(phase, now);
}

void
ShimCircuits::AddRelease(const OpusPhase& phase, uint64_t number, std::optional<uint64_t> through)
{
    OpusRelease release;
    release.phase = phase;
    release.ranks = {m_rank};
    release.number = number;
    release.isUnused = !through;
    release.until = through.value_or(phase.operation);
    m_server.outbox.Add(std::move(release));
}

void
ShimCircuits::Drop(const OpusPhase& phase, Picoseconds now)
{
    const std::vector<ShimCall> again = m_requests.At(phase).GetUnanswered();
    m_requests.Remove(phase);
    for (const ShimCall& call : again)
    {
        Request(call, now);
    }
}

void
ShimCircuits::GiveWay(Picoseconds now)
{
    for (const OpusPhase& phase : m_requests.GetInTheWay(now))
    {
        const bool isUsed = m_requests.At(phase).GetThrough().has_value();
        m_server.counters.brokenPromises += isUsed ? 1 : 0;
        Release(phase, now);
    }
}

void
ShimCircuits::GiveUp(Picoseconds now)
{
    for (const OpusPhase& phase : m_requests.GetLate(now))
    {
        ShimRequest& request = m_requests.At(phase);
        for (const OpusPhase& failed :
             m_server.answers.GiveUp(request, m_history.GetLast(phase), now))
        {
            Finish(request, failed, now); // other ranks must not wait for it
        }
        ReleaseIfOver(request, now);
    }
}

// ------------------------------------------------------------------ the controller

void
ShimCircuits::Take(const OpusMessage& message, Picoseconds now)
{
    std::visit(Overloaded{[&](const OpusGrant& grant) { Grant(grant, now); },
                          [&](const OpusRefuse& refusal) { Refuse(refusal, now); },
                          [&](const OpusRecall& recall) { Recall(recall, now); },
                          [](const auto&) {}}, // ShimInbox passes no other
               message.content);
}

void
ShimCircuits::Grant(const OpusGrant& grant, Picoseconds now)
{
    ShimRequest* request = m_requests.Find(grant.phase);
    if (!request)
    {
        ReturnUnrequested(grant);
        return;
    }
    if (grant.number != request->GetNumber() || !request->IsSent())
    {
        ++m_server.counters.stale;
        return;
    }
    if (request->IsGranted())
    {
        // a repeated GRANT; a RECALL before it may have been lost
        Shorten(*request, std::max(grant.until, grant.phase.operation), now);
        return;
    }
    request->Grant(grant, m_server.settings, now);
    m_history.Grant(*request);
    const std::vector<ShimCall> beyond = request->TakeBeyond();
    m_server.answers.Grant(*request, now);
    ReleaseIfOver(*request, now);
    for (const ShimCall& call : beyond)
    {
        Request(call, now);
    }
}

void
ShimCircuits::ReturnUnrequested(const OpusGrant& grant)
{
    const OpusPhase& phase = grant.phase;
    if (m_history.IsThrough(phase))
    {
        ++m_server.counters.stale; // the release was lost, or is on its way
        const uint64_t through = m_history.GetThrough(GetFlowKey(phase))->first;
        AddRelease(phase, grant.number, std::max(std::min(through, grant.until), phase.operation));
        return;
    }
    const uint64_t next = m_history.GetNumber(phase);
    m_server.counters.unusedGrants += next <= grant.number ? 1 : 0;
    m_server.counters.stale += next <= grant.number ? 0 : 1;
    m_history.SetNumber(phase, std::max(next, grant.number + 1));
    AddRelease(phase, grant.number, std::nullopt);
}

void
ShimCircuits::Refuse(const OpusRefuse& refusal, Picoseconds now)
{
    ShimRequest* request = m_requests.Find(refusal.phase);
    if (!request || request->IsGranted() || !request->IsSent())
    {
        return; // a refusal names all ranks that take part
    }
    if (!refusal.isFinal)
    {
        RequestNext(*request, now);
        return;
    }
    m_history.Refuse(refusal.phase, refusal.reason);
    m_server.answers.Refuse(*request, refusal.reason, now);
    m_server.counters.withdrawnGuesses += request->IsAhead() ? 1 : 0;
    Drop(refusal.phase, now);
}

void
ShimCircuits::RequestNext(ShimRequest& request, Picoseconds now)
{
    m_history.SetNumber(request.GetPhase(), request.GetNumber() + 1);
    if (request.IsAhead())
    {
        ++m_server.counters.withdrawnGuesses;
        Drop(OpusPhase(request.GetPhase()), now);
        return;
    }
    request.CountUp();
    SetDue(request);
}

void
ShimCircuits::Recall(const OpusRecall& recall, Picoseconds now)
{
    ShimRequest* request = m_requests.Find(recall.phase);
    if (!request)
    {
        ++m_server.counters.stale; // it has been given back already
        return;
    }
    if (!request->IsGranted())
    {
        ReturnUnused(*request, recall, now);
        return;
    }
    if (!recall.isWhole && recall.until < request->GetUntil())
    {
        Shorten(*request, recall.until, now);
        return;
    }
    request->EndWhenIdle(); // enough if the recall is no earlier than the end of the request
    if (recall.isWhole)
    {
        m_server.answers.Withdraw(*request, 0, "the controller needs the circuits for others");
    }
    ReleaseIfOver(*request, now);
}

void
ShimCircuits::LeaveAll(Picoseconds now)
{
    std::vector<OpusRecall> recalls;
    for (const auto& [phase, request] : m_requests.GetAll())
    {
        if (request.IsGranted())
        {
            OpusRecall recall;
            recall.phase = phase;
            recall.ranks = {m_rank};
            recall.number = request.GetNumber();
            recall.isWhole = true;
            recalls.push_back(recall);
        }
    }
    for (const OpusRecall& recall : recalls)
    {
        Recall(recall, now);
    }
}

void
ShimCircuits::ReturnUnused(ShimRequest& request, const OpusRecall& recall, Picoseconds now)
{
    if (!request.IsSent() || recall.number != request.GetNumber())
    {
        ++m_server.counters.stale;
        return;
    }
    AddRelease(request.GetPhase(), request.GetNumber(), std::nullopt);
    RequestNext(request, now);
}

void
ShimCircuits::Shorten(ShimRequest& request, uint64_t until, Picoseconds now)
{
    if (!request.Shorten(until))
    {
        return;
    }
    m_server.answers.Withdraw(request,
                              until + 1,
                              "a rank of its group has given up the circuits after operation " +
                                  std::to_string(until));
    ReleaseIfOver(request, now);
}

const ShimRequestTable&
ShimCircuits::GetRequests() const
{
    return m_requests;
}

const ShimHistory&
ShimCircuits::GetHistory() const
{
    return m_history;
}

} // namespace ns3
