/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-marks.h"

#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ns3
{

namespace
{

using Type = OpusMessage::Type;

TimelineArguments
ArgumentsOf(const OpusMessage& message)
{
    TimelineArguments arguments;
    const bool isOfAgent =
        message.type == Type::PROGRAM || message.type == Type::DONE || message.type == Type::ALARM;
    if (isOfAgent)
    {
        arguments.Add("rail", message.rail.Get());
        arguments.Add("plan", message.plan);
    }
    else
    {
        arguments.Add("server", message.server.Get());
    }
    if (message.type == Type::LEAVE)
    {
        return arguments.Add("job", message.phase.job.Get());
    }
    if (message.type == Type::REGISTER_GROUP)
    {
        return arguments.Add("group", message.reason);
    }
    arguments.Add("phase", ToWords(message.phase));
    if (!isOfAgent)
    {
        arguments.Add("ranks", ToWords(message.ranks));
        arguments.Add("until", message.until);
    }
    if (message.type == Type::REQUEST)
    {
        arguments.Add("in_advance", message.speculative);
    }
    if (message.type == Type::RELEASE)
    {
        arguments.Add("unused", message.speculative);
    }
    if (!message.reason.empty())
    {
        arguments.Add("why", message.reason);
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
    return message.type != Type::HEARTBEAT;
}

OpusMarks::Key
OpusMarks::KeyOf(const OpusMessage& message)
{
    return {static_cast<uint8_t>(message.type),
            message.term,
            message.server.Get(),
            message.rail.Get(),
            message.phase.AsTuple(),
            message.speculative,
            message.plan,
            message.until,
            message.ranks};
}

OpusMarks::Mark
OpusMarks::Draw(TimelineTrack track, const OpusMessage& message)
{
    const Picoseconds now = NowPicoseconds();
    m_timeline->Slice(track, ToString(message.type), now, now, ArgumentsOf(message));
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
    std::optional<Mark> last;
    for (const auto& [which, ask] : phase.asks)
    {
        const auto& [rank, number] = which;
        // a refusal answers all requests, and names ranks of other servers too
        const bool isAnswered =
            (message.type == Type::REFUSE || number == message.plan) &&
            ask.server == message.server &&
            std::find(message.ranks.begin(), message.ranks.end(), rank) != message.ranks.end();
        if (isAnswered && (!last || last->when < ask.request.when))
        {
            last = ask.request;
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
    const auto phase = m_phases.find(message.phase);
    const bool isAnswer = message.type == Type::GRANT || message.type == Type::REFUSE;
    if (phase != m_phases.end() && (isAnswer || message.type == Type::PROGRAM))
    {
        if (phase->second.cause)
        {
            Arrow("leads to", *phase->second.cause, flight.from);
        }
        if (isAnswer)
        {
            flight.request = FindRequest(phase->second, message);
        }
        if (message.type == Type::REFUSE && !message.speculative)
        {
            EndAsks(message);
        }
    }
    m_flights[KeyOf(message)].push_back(flight);
}

void
OpusMarks::EndAsks(const OpusMessage& refusal)
{
    auto& asks = m_phases[refusal.phase].asks;
    for (auto ask = asks.begin(); ask != asks.end();)
    {
        ask = ask->second.server == refusal.server ? asks.erase(ask) : std::next(ask);
    }
    if (asks.empty())
    {
        Forget(refusal.phase);
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
        Arrow(ToString(message.type), flight->from, mark);
        if (flight->request)
        {
            Arrow(message.type == Type::GRANT ? "granted" : "refused", *flight->request, mark);
        }
    }
    Note(message, mark, flight);
}

void
OpusMarks::Note(const OpusMessage& message, const Mark& mark, const std::optional<Flight>& flight)
{
    if (message.type == Type::REQUEST)
    {
        Phase& phase = m_phases[message.phase];
        phase.cause = mark;
        for (const RankId rank : message.ranks)
        {
            if (flight)
            {
                phase.asks[{rank, message.plan}] = {message.server, flight->from};
            }
        }
        return;
    }
    const auto phase = m_phases.find(message.phase);
    if (phase != m_phases.end() && (message.type == Type::DONE || message.type == Type::ALARM))
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
