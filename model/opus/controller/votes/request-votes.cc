/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "request-votes.h"

#include "ns3/saturating-sum.h"

#include <algorithm>

namespace ns3
{

RequestVotes::RequestVotes(RequestAdmission& admission,
                           PairAgreement& agreement,
                           PhaseVoting& voting,
                           PhaseGrants& grants,
                           ControllerRecord& record)
    : m_admission(admission),
      m_agreement(agreement),
      m_voting(voting),
      m_grants(grants),
      m_record(record)
{
}

void
RequestVotes::TakeRequest(ServerId server, const OpusRequest& request)
{
    if (!m_admission.IsAdmitted(server, request))
    {
        return;
    }
    ControllerPhase* phase = m_agreement.Join(server, request);
    if (!phase)
    {
        return;
    }
    if (!Vote(*phase, request))
    {
        ++m_record.counters.duplicates;
        return;
    }
    ++m_record.counters.requests;
    m_voting.Update(*phase);
}

bool
RequestVotes::Vote(ControllerPhase& phase, const OpusRequest& request)
{
    const Picoseconds now = m_record.GetTime();
    PhaseRequest vote;
    vote.vote = request.isAhead ? PhaseVote::SPECULATIVE : PhaseVote::REQUESTED;
    vote.number = request.number;
    vote.until = std::max(request.until, request.phase.operation);
    vote.links = request.links;
    vote.when = now;
    const Picoseconds due = request.due == 0 ? 0 : AddSaturating(now, request.due);
    bool isNews = false;
    for (const RankId rank : request.ranks)
    {
        const uint32_t guesses = phase.votes.Count(PhaseVote::SPECULATIVE);
        const uint32_t called = phase.votes.Count(PhaseVote::REQUESTED);
        if (phase.votes.Request(rank, vote))
        {
            isNews = true;
            phase.due = std::min(phase.due, due);
            phase.firstVote = guesses + called == 0 ? now : phase.firstVote;
            phase.firstRequested = called == 0 ? now : phase.firstRequested;
        }
    }
    m_grants.Join(phase, request.ranks);
    return isNews;
}

} // namespace ns3
