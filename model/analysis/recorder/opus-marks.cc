/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-marks.h"

#include "ns3/opus-encoding.h"
#include "ns3/opus-words.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

using Type = OpusMessageType;

/** @return the fields of a message's record that a mark shows */
TimelineArguments
ArgumentsOf(const OpusRecord& record)
{
    TimelineArguments arguments;
    const bool isOfAgent =
        record.type == Type::PROGRAM || record.type == Type::DONE || record.type == Type::ALARM;
    if (isOfAgent)
    {
        arguments.Add("rail", record.rail.Get());
        arguments.Add("plan", record.number);
    }
    else
    {
        arguments.Add("server", record.server.Get());
    }
    if (record.type == Type::LEAVE)
    {
        return arguments.Add("job", record.phase.job.Get());
    }
    if (record.type == Type::REGISTER_GROUP)
    {
        return arguments.Add("group", record.reason);
    }
    arguments.Add("phase", ToWords(record.phase));
    if (!isOfAgent)
    {
        arguments.Add("ranks", ToWords(record.ranks));
        arguments.Add("until", record.until);
    }
    if (record.type == Type::REQUEST)
    {
        arguments.Add("in_advance", record.flag);
    }
    if (record.type == Type::RELEASE)
    {
        arguments.Add("unused", record.flag);
    }
    if (!record.reason.empty())
    {
        arguments.Add("why", record.reason);
    }
    return arguments;
}

} // namespace

OpusMarks::OpusMarks(std::shared_ptr<Timeline> timeline)
    : m_timeline(std::move(timeline))
{
}

bool
OpusMarks::IsDrawn(const OpusMessage& message)
{
    return !message.Is<OpusHeartbeat>();
}

OpusMarks::Key
OpusMarks::KeyOf(const OpusMessage& message)
{
    const OpusRecord record = OpusEncoding::MakeRecord(message);
    return {static_cast<uint8_t>(record.type),
            record.term,
            record.server.Get(),
            record.rail.Get(),
            record.phase.AsTuple(),
            record.flag,
            record.number,
            record.until,
            record.ranks};
}

OpusMarks::Mark
OpusMarks::Draw(TimelineTrack track, const OpusMessage& message)
{
    const Time now = Simulator::Now();
    const TimelineArguments arguments = ArgumentsOf(OpusEncoding::MakeRecord(message));
    m_timeline->Slice(track, ToString(message.GetType()), now, now, arguments);
    return {track, now};
}

void
OpusMarks::Arrow(const char* name, const Mark& from, const Mark& to)
{
    m_timeline->Arrow(name, from.track, from.when, to.track, to.when);
}

std::optional<OpusMarks::Mark>
OpusMarks::FindRequest(const Phase& phase, const OpusMessage& message) const
{
    const OpusGrant* grant = message.Find<OpusGrant>();
    const std::vector<RankId>& ranks = message.GetRanks();
    std::optional<Mark> last;
    for (const auto& [which, request] : phase.requests)
    {
        const auto& [rank, number] = which;
        // a refusal answers all requests, and names ranks of other servers too
        const bool isAnswered = (!grant || number == grant->number) &&
                                request.server == message.server &&
                                std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
        if (isAnswered && (!last || last->when < request.request.when))
        {
            last = request.request;
        }
    }
    return last;
}

void
OpusMarks::Sent(TimelineTrack track, const OpusMessage& message)
{
    if (!IsDrawn(message))
    {
        return;
    }
    Flight flight{Draw(track, message), std::nullopt};
    const OpusPhase* key = message.FindPhase();
    const auto phase = key ? m_phases.find(*key) : m_phases.end();
    const OpusRefuse* refusal = message.Find<OpusRefuse>();
    const bool isAnswer = message.Is<OpusGrant>() || refusal;
    if (phase != m_phases.end() && (isAnswer || message.Is<OpusProgram>()))
    {
        if (phase->second.cause)
        {
            Arrow("leads to", *phase->second.cause, flight.from);
        }
        if (isAnswer)
        {
            flight.request = FindRequest(phase->second, message);
        }
        if (refusal && refusal->isFinal)
        {
            EndRequests(message.server, refusal->phase);
        }
    }
    m_flights[KeyOf(message)].push_back(flight);
}

void
OpusMarks::EndRequests(ServerId server, const OpusPhase& phase)
{
    auto& requests = m_phases[phase].requests;
    for (auto request = requests.begin(); request != requests.end();)
    {
        request = request->second.server == server ? requests.erase(request) : std::next(request);
    }
    if (requests.empty())
    {
        Forget(phase);
    }
}

void
OpusMarks::Received(TimelineTrack track, const OpusMessage& message)
{
    if (!IsDrawn(message))
    {
        return;
    }
    const Mark mark = Draw(track, message);
    std::optional<Flight> flight;
    const auto found = m_flights.find(KeyOf(message));
    if (found != m_flights.end())
    {
        flight = found->second.front();
        Failed(message);
        Arrow(ToString(message.GetType()), flight->from, mark);
        if (flight->request)
        {
            Arrow(message.Is<OpusGrant>() ? "granted" : "refused", *flight->request, mark);
        }
    }
    Note(message, mark, flight);
}

void
OpusMarks::Note(const OpusMessage& message, const Mark& mark, const std::optional<Flight>& flight)
{
    if (const OpusRequest* request = message.Find<OpusRequest>())
    {
        Phase& phase = m_phases[request->phase];
        phase.cause = mark;
        for (const RankId rank : request->ranks)
        {
            if (flight)
            {
                phase.requests[{rank, request->number}] = {message.server, flight->from};
            }
        }
        return;
    }
    const OpusPhase* key = message.FindPhase();
    const auto phase = key ? m_phases.find(*key) : m_phases.end();
    if (phase != m_phases.end() && (message.Is<OpusDone>() || message.Is<OpusAlarm>()))
    {
        phase->second.cause = mark;
    }
}

void
OpusMarks::Failed(const OpusMessage& message)
{
    const auto found = m_flights.find(KeyOf(message));
    if (found == m_flights.end())
    {
        return;
    }
    found->second.pop_front();
    if (found->second.empty())
    {
        m_flights.erase(found);
    }
}

void
OpusMarks::Forget(const OpusPhase& phase)
{
    m_phases.erase(phase);
}

} // namespace ns3
