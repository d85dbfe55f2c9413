/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-timeline.h"

#include "ns3/opus-words.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/** @return "waits for dp, operation 3" @param what "dp" */
std::string
NameOfWait(const std::string& what, const OpusPhase& phase)
{
    std::string name = "waits for " + what;
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
    Listen(shim, "LinkUp", MakeCallback(&ShimTimeline::LinkUp, source));
}

void
ShimTimeline::Draw(RankId rank,
                   const std::string& name,
                   Time from,
                   Time to,
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
    Draw(note.rank,
         NameOfWait(note.parallelism, note.phase),
         note.requested,
         note.answered,
         arguments);
}

void
ShimTimeline::LinkUp(const LinkUpNote& note)
{
    if (note.waited.IsStrictlyPositive())
    {
        TimelineArguments arguments;
        arguments.Add("phase", ToWords(note.phase));
        arguments.AddMicroseconds("exposed_us", note.exposedTo - note.exposedFrom);
        arguments.AddMicroseconds("hidden_us", note.hidden);
        Draw(note.rank,
             NameOfWait("link-up, " + note.parallelism, note.phase),
             note.answered,
             note.answered + note.waited,
             arguments);
    }
}

void
ShimTimeline::Sent(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Sent(message, peer);
    if (const OpusRegisterGroup* registration = message.Find<OpusRegisterGroup>())
    {
        const std::string& name = registration->name; // a parallelism is its first word
        m_parallelisms.emplace(registration->group, name.substr(0, name.find(' ')));
    }
    const OpusRequest* request = message.Find<OpusRequest>();
    for (const RankId rank : message.GetRanks())
    {
        if (request && !request->isAhead)
        {
            m_waiting.emplace(std::make_pair(rank, request->phase), Simulator::Now());
        }
        else if (const OpusRelease* release = message.Find<OpusRelease>())
        {
            m_waiting.erase({rank, release->phase});
        }
    }
}

void
ShimTimeline::Received(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Received(message, peer);
    const OpusRefuse* refusal = message.Find<OpusRefuse>();
    if (message.Is<OpusGrant>() || (refusal && refusal->isFinal))
    {
        for (const RankId rank : message.GetRanks())
        {
            m_waiting.erase({rank, *message.FindPhase()});
        }
    }
}

void
ShimTimeline::Close(Time end)
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
