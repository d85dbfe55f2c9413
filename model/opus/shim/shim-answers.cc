/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-answers.h"

#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"

#include <memory>
#include <optional>
#include <utility>

namespace ns3
{

ShimAnswers::ShimAnswers(const ShimSettings& settings,
                         const ShimGroups& groups,
                         ShimStatistics& statistics)
    : m_settings(settings),
      m_groups(groups),
      m_statistics(statistics)
{
}

void
ShimAnswers::AddNoCircuits(const CircuitRequest& request)
{
    CircuitAnswer nothing; // no circuit is needed
    nothing.links =
        std::make_shared<GrantedCircuits>(std::vector<RankCircuit>(), m_settings.cabling);
    m_answers.push_back({request, nothing, false, Time(0)});
}

void
ShimAnswers::AddUnneeded(const CircuitRequest& acquire)
{
    m_answers.push_back({acquire, CircuitAnswer(), true, Time(0)});
}

void
ShimAnswers::Cover(ShimCall& call, ShimRequest& request, bool covered, Picoseconds now)
{
    CircuitAnswer answer;
    answer.links = request.GetCircuits();
    Add(call, answer, &request, covered, now);
}

void
ShimAnswers::Grant(ShimRequest& request, Picoseconds now)
{
    if (std::optional<ShimCall> acquire = request.TakeAcquire())
    {
        Cover(*acquire, request, false, now);
    }
    for (auto& [place, call] : request.GetCalls())
    {
        if (call.state == ShimCall::State::WAITING)
        {
            Cover(call, request, false, now);
        }
    }
}

void
ShimAnswers::Refuse(ShimRequest& request, const std::string& reason, Picoseconds now)
{
    if (std::optional<ShimCall> acquire = request.TakeAcquire())
    {
        Refuse(*acquire, reason, now);
    }
    std::optional<ShimCall> first = request.TakeFirst();
    if (first && first->state == ShimCall::State::WAITING)
    {
        ++m_statistics.Count().refused;
        Refuse(*first, reason, now);
    }
}

void
ShimAnswers::Refuse(ShimCall& call, const std::string& reason, Picoseconds now)
{
    CircuitAnswer answer;
    answer.network =
        m_settings.hostNetwork ? CircuitAnswer::Network::HOST : CircuitAnswer::Network::NONE;
    answer.why = reason;
    Add(call, answer, nullptr, false, now);
}

std::vector<OpusPhase>
ShimAnswers::GiveUp(ShimRequest& request, const ShimHistory::Circuits* last, Picoseconds now)
{
    const auto isLate = [this, now](const ShimCall& call) {
        return call.state == ShimCall::State::WAITING &&
               call.requested <= now - m_settings.giveUpAfter;
    };
    const auto giveUp = [&](ShimCall& call) {
        ++m_statistics.Count().givenUp;
        Add(call, MakeDefault(call, last), nullptr, false, now);
    };
    if (request.GetAcquire() && isLate(*request.GetAcquire()))
    {
        ShimCall acquire = *request.TakeAcquire();
        giveUp(acquire);
    }
    std::vector<OpusPhase> failed;
    for (auto& [place, call] : request.GetCalls())
    {
        if (!isLate(call))
        {
            continue;
        }
        giveUp(call);
        if (m_settings.whenGivenUp == ShimSettings::WhenGivenUp::FAIL)
        {
            failed.push_back(GetPhase(m_settings.job, call.request));
        }
    }
    return failed;
}

CircuitAnswer
ShimAnswers::MakeDefault(const ShimCall& call, const ShimHistory::Circuits* last) const
{
    CircuitAnswer answer;
    answer.why = "no answer to rank " + std::to_string(call.request.rank.Get()) + " for " +
                 ToWords(GetPhase(m_settings.job, call.request)) + " within " +
                 ToMilliseconds(m_settings.giveUpAfter) +
                 "; is a controller there, and do all ranks call it?";
    switch (m_settings.whenGivenUp)
    {
    case ShimSettings::WhenGivenUp::HOST:
        answer.network = CircuitAnswer::Network::HOST;
        break;
    case ShimSettings::WhenGivenUp::RING: // ShimCore leaves the controller before that
    case ShimSettings::WhenGivenUp::FAIL:
        answer.network = CircuitAnswer::Network::NONE;
        break;
    case ShimSettings::WhenGivenUp::SEND:
        if (last && IsSamePairs(last->pairs, call.request.pairs))
        {
            answer.links = last->circuits;
        }
        else
        {
            answer.links = std::make_shared<EqualPorts>(m_settings.ports, m_settings.cabling);
        }
        break;
    }
    return answer;
}

void
ShimAnswers::Withdraw(ShimRequest& request, uint64_t first, const std::string& reason)
{
    for (auto& [place, call] : request.GetCalls())
    {
        if (place.first >= first)
        {
            Withdraw(call, reason);
        }
    }
}

void
ShimAnswers::Withdraw(ShimCall& call, const std::string& reason)
{
    if (call.state != ShimCall::State::ANSWERED || !call.isOnRail)
    {
        return;
    }
    call.state = ShimCall::State::WITHDRAWN;
    ++m_statistics.Count().withdrawn;
    CircuitAnswer answer;
    answer.network = CircuitAnswer::Network::WITHDRAWN;
    answer.why = reason;
    m_answers.push_back({call.request, answer, false, Time(0)});
}

void
ShimAnswers::Add(ShimCall& call,
                 const CircuitAnswer& answer,
                 ShimRequest* request,
                 bool covered,
                 Picoseconds now)
{
    call.state = ShimCall::State::ANSWERED;
    call.isOnRail = answer.network == CircuitAnswer::Network::RAIL;
    ShimNote note;
    note.rank = call.request.rank;
    note.parallelism = m_groups.GetParallelism(call.request);
    note.phase = GetPhase(m_settings.job, call.request);
    note.requested = ToTime(call.requested);
    note.answered = ToTime(now);
    note.covered = covered;
    note.others = ToTime(request ? request->GetOthers(call.requested, now) : 0);
    note.reconfiguration = ToTime(request ? request->TakeReconfiguration() : 0);
    note.linkUp = ToTime(request ? request->TakeLinkUp() : 0);
    note.network = answer.network;
    m_answers.push_back({call.request, answer, call.isHint, m_statistics.Answer(std::move(note))});
}

std::vector<ShimAnswer>
ShimAnswers::Take()
{
    return std::exchange(m_answers, {});
}

} // namespace ns3
