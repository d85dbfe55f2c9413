/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-timeline.h"

#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

using Type = OpusMessage::Type;

/** @return "waits for dp, operation 3" */
std::string
NameOfWait(const std::string& parallelism, const OpusPhase& phase)
{
    std::string name = "waits for " + parallelism;
    name += phase.pointToPoint ? ", send " : ", operation ";
    name += std::to_string(phase.operation);
    if (phase.pointToPoint)
    {
        name += " from rank " + std::to_string(phase.from.Get()) + " to rank " +
                std::to_string(phase.to.Get());
    }
    return name;
}

} // namespace

ShimTimeline::ShimTimeline(std::shared_ptr<Timeline> timeline,
                           std::shared_ptr<OpusMarks> marks,
                           const std::string& name)
    : EndpointTimeline(std::move(timeline), std::move(marks), name)
{
}

void
ShimTimeline::Connect(OpusShimApp& shim, const Ptr<ShimTimeline>& source)
{
    ConnectMessages(shim, source);
    Listen(shim, "Answered", MakeCallback(&ShimTimeline::Answered, source));
}

void
ShimTimeline::Draw(RankId rank,
                   const std::string& name,
                   Picoseconds from,
                   Picoseconds to,
                   const TimelineArguments& arguments)
{
    const std::string track = "rank " + std::to_string(rank.Get());
    TimelineTracks& tracks =
        m_ranks.try_emplace(rank, m_timeline, m_process, track, 1 + rank.Get()).first->second;
    m_timeline->Slice(tracks.Take(from, to), name, from, to, arguments);
}

void
ShimTimeline::Answered(const ShimNote& note)
{
    m_parallelisms[note.phase.group] = note.parallelism;
    m_waiting.erase({note.rank, note.phase});
    if (note.answered <= note.requested)
    {
        return;
    }
    TimelineArguments arguments;
    arguments.Add("phase", ToWords(note.phase));
    arguments.AddMicroseconds("exposed_us", note.exposed);
    arguments.AddMicroseconds("others_us", note.others);
    arguments.AddMicroseconds("reconfiguration_us", note.reconfiguration);
    if (note.network != CircuitAnswer::Network::RAIL)
    {
        arguments.Add("answer",
                      note.network == CircuitAnswer::Network::HOST ? "network of the hosts"
                                                                   : "refused");
    }
    Draw(note.rank, NameOfWait(note.parallelism, note.phase), note.requested, note.answered, arguments);
}

void
ShimTimeline::Sent(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Sent(message, peer);
    if (message.type == Type::REGISTER_GROUP)
    {
        const std::string& group = message.reason; // a parallelism is its first word
        m_parallelisms.emplace(message.phase.group, group.substr(0, group.find(' ')));
    }
    for (const RankId rank : message.ranks)
    {
        if (message.type == Type::REQUEST && !message.speculative)
        {
            m_waiting.emplace(std::make_pair(rank, message.phase), NowPicoseconds());
        }
        else if (message.type == Type::RELEASE)
        {
            m_waiting.erase({rank, message.phase});
        }
    }
}

void
ShimTimeline::Received(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Received(message, peer);
    const bool isFinal =
        message.type == Type::GRANT || (message.type == Type::REFUSE && !message.speculative);
    for (const RankId rank : isFinal ? message.ranks : std::vector<RankId>())
    {
        m_waiting.erase({rank, message.phase});
    }
}

void
ShimTimeline::Close(Picoseconds end)
{
    for (const auto& [who, since] : m_waiting)
    {
        const auto& [rank, phase] = who;
        const auto parallelism = m_parallelisms.find(phase.group);
        Draw(rank,
             NameOfWait(parallelism == m_parallelisms.end() ? "circuits" : parallelism->second,
                        phase),
             since,
             std::max(since, end),
             TimelineArguments().Add("phase", ToWords(phase)).Add("unfinished", true));
    }
    m_waiting.clear();
}

} // namespace ns3
