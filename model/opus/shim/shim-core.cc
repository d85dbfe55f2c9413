/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-core.h"

#include "shim-statement.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace ns3
{

ShimCore::ShimCore(const ShimSettings& settings)
    : m_settings(settings),
      m_groups(m_settings),
      m_answers(m_settings, m_groups, m_statistics),
      m_outbox(settings.server, m_statistics.Count()),
      m_inbox(m_settings, m_statistics.Count()),
      m_fallback(m_settings)
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

ShimRank&
ShimCore::RankOf(RankId rank)
{
    const ShimCircuits::Server server{m_settings, m_answers, m_outbox, m_statistics.Count()};
    m_fallback.AddRank(rank);
    return m_ranks.try_emplace(rank, rank, server, m_groups).first->second;
}

// --------------------------------------------------------------------------- ranks

void
ShimCore::Join(RankId rank, const CommunicationGroup& group)
{
    if (m_groups.Join(rank, group))
    {
        RankOf(rank);
        m_outbox.Add(m_groups.MakeRegistration(group.GetId(), {rank}));
    }
}

void
ShimCore::BeginIteration(RankId rank)
{
    RankOf(rank).BeginIteration(m_now);
}

void
ShimCore::End(RankId rank)
{
    m_calls.Leave(rank);
    RankOf(rank).End(m_now);
}

ShimOutcome
ShimCore::Request(const CircuitRequest& request, Picoseconds now)
{
    m_now = now;
    if (!request.NeedsCircuits())
    {
        m_answers.AddNoCircuits(request);
    }
    for (const CircuitRequest& complete : m_calls.Call(request))
    {
        RankOf(complete.rank).Request(complete, now);
    }
    return TakeAnswers();
}

ShimOutcome
ShimCore::Finish(const CircuitRequest& request, Picoseconds now)
{
    m_now = now;
    if (!m_calls.Take(request))
    {
        RankOf(request.rank).Finish(request, now);
    }
    return TakeAnswers();
}

ShimOutcome
ShimCore::Hint(const CircuitHint& hint, Picoseconds now)
{
    m_now = now;
    RankOf(hint.first.rank).Hint(hint, now);
    return TakeAnswers();
}

ShimOutcome
ShimCore::Called(const CallNotice& notice, Picoseconds now)
{
    m_now = now;
    const RankCall& call = notice.call;
    if (!notice.isInServer)
    {
        OpusCalled called;
        called.phase.job = m_settings.job;
        called.phase.group = notice.group;
        called.phase.operation = call.operation;
        called.ranks = {call.rank};
        called.whole = call.ranks;
        called.slot = call.slot;
        called.at = call.at;
        called.chooses = notice.chooses;
        m_outbox.Add(std::move(called));
        return TakeAnswers();
    }
    if (notice.chooses)
    {
        m_choose[notice.group] = call.rank;
    }
    const std::optional<LatenessSample> sample = m_comparisons[notice.group].Take(call);
    const auto chooser = m_choose.find(notice.group);
    ShimOutcome outcome = TakeAnswers();
    if (sample && chooser != m_choose.end())
    {
        outcome.samples.push_back({chooser->second, notice.group, call.operation, *sample});
    }
    return outcome;
}

void
ShimCore::LinkUp(const CircuitRequest& request, const LinkUpWatch::Outcome& outcome)
{
    LinkUpNote note;
    note.rank = request.rank;
    note.parallelism = m_groups.GetParallelism(request);
    note.phase = GetPhase(m_settings.job, request);
    note.answered = ToTime(outcome.answered);
    note.waited = ToTime(outcome.waited);
    note.exposedFrom = ToTime(outcome.exposedFrom);
    note.exposedTo = ToTime(outcome.exposedTo);
    note.hidden = ToTime(outcome.hidden);
    m_statistics.AddLinkUp(std::move(note));
}

void
ShimCore::LinkFailed(const CircuitRequest& request, const RankCircuit& circuit)
{
    const auto rank = m_ranks.find(request.rank);
    if (rank == m_ranks.end())
    {
        return;
    }
    ForgetOutages();
    const OpusPhase phase = GetPhase(m_settings.job, request);
    if (const ShimRequest* grant = rank->second.GetCircuits().GetRequests().FindGrantOf(phase))
    {
        m_outages.push_back({grant->GetPhase(), {request.rank}, grant->GetNumber(), {circuit}});
        m_outbox.Add(m_outages.back());
    }
}

void
ShimCore::ForgetOutages()
{
    const auto isOver = [this](const OpusOutage& outage) {
        const ShimRank& rank = m_ranks.at(outage.ranks.front());
        return !rank.GetCircuits().GetRequests().IsGranted(outage.phase, outage.number);
    };
    m_outages.erase(std::remove_if(m_outages.begin(), m_outages.end(), isOver), m_outages.end());
}

// ------------------------------------------------------------------ the controller

ShimOutcome
ShimCore::Take(const OpusMessage& message, Picoseconds now)
{
    m_now = now;
    if (m_fallback.IsOn())
    {
        ++m_statistics.Count().stale;
        return TakeAnswers();
    }
    switch (m_inbox.Receive(message))
    {
    case ShimInbox::Sender::REPLACED:
        return TakeAnswers();
    case ShimInbox::Sender::NEW:
        BeginTerm();
        break;
    case ShimInbox::Sender::IN_CHARGE:
        break;
    }
    if (const OpusLateness* lateness = m_inbox.FindLateness(message))
    {
        ShimOutcome outcome = TakeAnswers();
        for (const RankId rank : lateness->ranks)
        {
            outcome.samples.push_back({rank,
                                       lateness->phase.group,
                                       lateness->phase.operation,
                                       {RankId(lateness->last), lateness->lateness}});
        }
        return outcome;
    }
    for (const RankId id : m_inbox.GetRanks(message))
    {
        const auto rank = m_ranks.find(id);
        if (rank != m_ranks.end()) // a refusal names all ranks of a group
        {
            rank->second.Take(message, now);
        }
    }
    return TakeAnswers();
}

void
ShimCore::BeginTerm()
{
    ShimStatement statement(m_settings);
    statement.AddGroups(m_groups);
    for (auto& [id, rank] : m_ranks)
    {
        rank.RequestAgain();
        statement.AddHeld(id, rank.GetCircuits().GetRequests());
    }
    for (const auto& [id, rank] : m_ranks)
    {
        statement.AddHistory(id, rank.GetCircuits().GetRequests(), rank.GetCircuits().GetHistory());
    }
    m_outbox.BeginTerm(statement.Finish());
    ForgetOutages();
    for (const OpusOutage& outage : m_outages)
    {
        m_outbox.Add(outage);
    }
}

// ---------------------------------------------------------------------------- time

ShimOutcome
ShimCore::TimePassed(Picoseconds now)
{
    m_now = now;
    const bool isRing = m_settings.whenGivenUp == ShimSettings::WhenGivenUp::RING;
    for (auto& [id, rank] : m_ranks)
    {
        if (isRing && !rank.GetCircuits().GetRequests().GetLate(now).empty())
        {
            LeaveController();
        }
    }
    for (auto& [id, rank] : m_ranks)
    {
        rank.TimePassed(now);
    }
    return TakeAnswers();
}

ShimOutcome
ShimCore::Flush(Picoseconds now)
{
    m_now = now;
    for (auto& [id, rank] : m_ranks)
    {
        rank.DecideReturned(now);
        if (m_statistics.HasManyWaits(id))
        {
            const Picoseconds called = rank.GetCircuits().GetRequests().GetFirstCalled();
            m_statistics.WaitsAfter(id, std::min(called, now));
        }
    }
    std::vector<ShimAnswer> answers = TakeAnswers().answers;
    SendDue();
    if (m_fallback.IsOn())
    {
        GrantOverRings(answers);
        return {{}, std::move(answers), {}};
    }
    return {m_outbox.Take(m_inbox.GetTerm()), std::move(answers), {}};
}

void
ShimCore::SendDue()
{
    for (const auto& [id, phase] : m_outbox.TakeDue())
    {
        m_ranks.at(id).Send(phase, m_inbox.GetTerm(), m_now);
    }
}

// ------------------------------------------------------------------ without controller

void
ShimCore::LeaveController()
{
    if (!m_fallback.Begin())
    {
        return;
    }
    m_settings.giveUpAfter = NEVER; // whatever waits gets rings
    for (auto& [id, rank] : m_ranks)
    {
        rank.LeaveAll(m_now);
    }
}

ShimOutcome
ShimCore::TakeFallback(RailId rail, const OpusFallback& fallback, Picoseconds now)
{
    m_now = now;
    LeaveController();
    if (fallback.isUp && m_fallback.TakeUp(rail, fallback.dark))
    {
        for (auto& [id, rank] : m_ranks)
        {
            rank.RequestAgain();
        }
    }
    return TakeAnswers();
}

std::map<RailId, OpusFallback>
ShimCore::TakeFallbacks()
{
    std::map<RailId, OpusFallback> fallbacks;
    const bool isIdle = std::none_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return rank.second.GetCircuits().GetRequests().HasGranted();
    });
    if (m_fallback.TakeReady(isIdle))
    {
        for (auto& [rail, wanted] : m_fallback.GetWanted())
        {
            fallbacks[rail].up = std::move(wanted);
        }
    }
    return fallbacks;
}

bool
ShimCore::HasFallenBack() const
{
    return m_fallback.IsOn();
}

void
ShimCore::GrantOverRings(std::vector<ShimAnswer>& answers)
{
    // a grant may have the ranks request more
    for (std::vector<OpusMessage> messages = m_outbox.Take(0); !messages.empty();
         messages = m_outbox.Take(0))
    {
        for (const OpusMessage& message : messages)
        {
            const OpusRequest* request = message.Find<OpusRequest>();
            if (!request || !m_fallback.IsUp())
            {
                continue; // nobody gets it; when the rings are up, requests are due again
            }
            OpusMessage grant = message;
            grant.content = m_fallback.MakeGrant(*request);
            for (const RankId id : request->ranks)
            {
                m_ranks.at(id).Take(grant, m_now);
            }
        }
        const std::vector<ShimAnswer> more = TakeAnswers().answers;
        answers.insert(answers.end(), more.begin(), more.end());
        SendDue();
    }
}

Picoseconds
ShimCore::GetNextDeadline() const
{
    Picoseconds next = NEVER;
    for (const auto& [id, rank] : m_ranks)
    {
        next = std::min(next, rank.GetCircuits().GetRequests().GetNextDeadline());
    }
    return next;
}

// -------------------------------------------------------------------------- results

bool
ShimCore::HasOutgoing() const
{
    return !m_outbox.IsEmpty() || std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return rank.second.HasReturned();
    });
}

uint32_t
ShimCore::GetTerm() const
{
    return m_inbox.GetTerm();
}

const ShimCounters&
ShimCore::GetCounters() const
{
    return m_statistics.GetCounters();
}

Time
ShimCore::GetExposed() const
{
    return m_statistics.GetExposed();
}

Time
ShimCore::GetExposedLinkUp() const
{
    return m_statistics.GetExposedLinkUp();
}

std::vector<LinkUpNote>
ShimCore::TakeLinkUps()
{
    return m_statistics.TakeLinkUps();
}

std::vector<ShimNote>
ShimCore::TakeNotes()
{
    return m_statistics.TakeNotes();
}

ShimOutcome
ShimCore::TakeAnswers()
{
    ShimOutcome outcome;
    for (std::vector<ShimAnswer> answers = m_answers.Take(); !answers.empty();
         answers = m_answers.Take())
    {
        for (const ShimAnswer& one : answers)
        {
            outcome.answers.push_back(one);
            if (one.isHint)
            {
                continue;
            }
            for (const CircuitRequest& later : m_calls.Answered(one.request))
            {
                RankOf(later.rank).Request(later, m_now);
            }
        }
    }
    return outcome;
}

bool
ShimCore::IsIdle() const
{
    return !HasOutgoing() && std::all_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return rank.second.GetCircuits().GetRequests().IsIdle();
    });
}

std::string
ShimCore::Describe() const
{
    std::ostringstream words;
    words << "server " << m_settings.server << ", term " << m_inbox.GetTerm() << ", "
          << m_outbox.GetSize() << " messages to send\n";
    for (const auto& [id, rank] : m_ranks)
    {
        words << rank.Describe();
    }
    return words.str();
}

} // namespace ns3
