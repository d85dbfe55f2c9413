/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-timeline.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

using Type = OpusMessage::Type;

/** Connects a trace source that must be there. */
void
Listen(ObjectBase& source, const char* trace, const CallbackBase& callback)
{
    const bool connected = source.TraceConnectWithoutContext(trace, callback);
    NS_ABORT_MSG_UNLESS(connected, "TimelineRecorder: there is no trace source " << trace);
}

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

// -------------------------------------------------------------------------- anybody

EndpointTimeline::EndpointTimeline(std::shared_ptr<Timeline> timeline,
                                   std::shared_ptr<OpusMarks> marks,
                                   const std::string& name)
    : m_timeline(std::move(timeline)),
      m_marks(std::move(marks)),
      m_process(m_timeline->AddProcess(name)),
      m_messages(m_timeline->AddTrack(m_process, "messages", 0))
{
}

void
EndpointTimeline::ConnectMessages(OpusEndpoint& endpoint, const Ptr<EndpointTimeline>& source)
{
    Listen(endpoint, "MessageSent", MakeCallback(&EndpointTimeline::Sent, source));
    Listen(endpoint, "MessageReceived", MakeCallback(&EndpointTimeline::Received, source));
    Listen(endpoint, "MessageFailed", MakeCallback(&EndpointTimeline::Failed, source));
}

void
EndpointTimeline::Sent(const OpusMessage& message, const OpusPeer&)
{
    m_marks->Sent(m_messages, message);
}

void
EndpointTimeline::Received(const OpusMessage& message, const OpusPeer&)
{
    m_marks->Received(m_messages, message);
}

void
EndpointTimeline::Failed(const OpusMessage& message, const OpusPeer&, const std::string&)
{
    m_marks->Failed(message);
}

// ---------------------------------------------------------------------- controllers

ControllerTimeline::ControllerTimeline(std::shared_ptr<Timeline> timeline,
                                       std::shared_ptr<OpusMarks> marks,
                                       const std::string& name,
                                       uint32_t rails)
    : EndpointTimeline(std::move(timeline), std::move(marks), name),
      m_decisions(m_timeline->AddTrack(m_process, "decisions", 1)),
      m_plans(m_timeline, "plan")
{
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        const std::string name = "rail " + std::to_string(rail);
        m_plans.Add(RailId(rail), TimelineTracks(m_timeline, m_process, name, 1 + rail));
    }
}

void
ControllerTimeline::Connect(OpusControllerApp& controller,
                            const Ptr<ControllerTimeline>& source,
                            OpusControllerApp* other)
{
    ConnectMessages(controller, source);
    Listen(controller, "Decision", MakeCallback(&ControllerTimeline::Decided, source));
    Listen(controller, "RoleChanged", MakeCallback(&ControllerTimeline::RoleChanged, source));
    if (other)
    {
        Listen(*other, "RoleChanged", MakeCallback(&ControllerTimeline::OtherRoleChanged, source));
    }
}

void
ControllerTimeline::Decided(const ControllerNote& note)
{
    using Kind = ControllerNote::Kind;
    std::string name = ToString(note.kind);
    std::replace(name.begin(), name.end(), '-', ' ');
    TimelineArguments arguments;
    if (note.kind == Kind::TAKEOVER)
    {
        arguments.Add("term", note.words);
    }
    else
    {
        arguments.Add("phase", ToWords(note.phase));
    }
    if (note.kind == Kind::PROGRAM || note.kind == Kind::PROGRAMMED || note.kind == Kind::FAILED)
    {
        arguments.Add("rail", note.rail.Get()).Add("plan", note.plan);
    }
    if (note.kind == Kind::RECONFIGURED)
    {
        arguments.AddMicroseconds("dark_us", note.dark);
        arguments.AddMicroseconds("exposed_us", note.exposed);
    }
    if (note.kind != Kind::TAKEOVER && !note.words.empty())
    {
        arguments.Add("why", note.words);
    }
    m_timeline->Instant(m_decisions, name, note.when, arguments);
    if (note.kind == Kind::OVER)
    {
        m_marks->Forget(note.phase);
    }
}

void
ControllerTimeline::RoleChanged(OpusControllerApp::Role role, uint32_t term)
{
    if (role == OpusControllerApp::Role::RETIRED)
    {
        m_timeline->Instant(m_decisions,
                            "retired",
                            NowPicoseconds(),
                            TimelineArguments().Add("term", term));
    }
}

void
ControllerTimeline::OtherRoleChanged(OpusControllerApp::Role role, uint32_t)
{
    if (role == OpusControllerApp::Role::IN_CHARGE)
    {
        m_plans.EndAll(NowPicoseconds(), "taken_over");
    }
}

void
ControllerTimeline::Sent(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Sent(message, peer);
    if (message.type == Type::PROGRAM)
    {
        m_plans.Begin(message);
    }
}

void
ControllerTimeline::Received(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Received(message, peer);
    if (message.type == Type::DONE || message.type == Type::ALARM)
    {
        m_plans.End(message);
    }
}

void
ControllerTimeline::Close(Picoseconds end)
{
    m_plans.EndAll(end, "unfinished");
}

// ---------------------------------------------------------------------------- shims

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
    if (note.answered <= note.asked)
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
    Draw(note.rank, NameOfWait(note.parallelism, note.phase), note.asked, note.answered, arguments);
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

// --------------------------------------------------------------------------- agents

AgentTimeline::AgentTimeline(std::shared_ptr<Timeline> timeline,
                             std::shared_ptr<OpusMarks> marks,
                             RailId rail)
    : EndpointTimeline(std::move(timeline),
                       std::move(marks),
                       "rail " + std::to_string(rail.Get()) + " agent"),
      m_plans(m_timeline, "reconfiguring")
{
    m_plans.Add(rail, TimelineTracks(m_timeline, m_process, "agent", 1));
}

void
AgentTimeline::Connect(OcsAgent& agent, const Ptr<AgentTimeline>& source)
{
    ConnectMessages(agent, source);
    Listen(agent, "PlanBegun", MakeCallback(&AgentTimeline::Begun, source));
    Listen(agent, "PlanEnded", MakeCallback(&AgentTimeline::Ended, source));
}

void
AgentTimeline::Begun(const OpusMessage& program)
{
    m_plans.Begin(program);
}

void
AgentTimeline::Ended(const OpusMessage&, const OpusMessage& answer)
{
    m_plans.End(answer);
}

void
AgentTimeline::Close(Picoseconds end)
{
    m_plans.EndAll(end, "unfinished");
}

// ------------------------------------------------------------------ a control plane

std::vector<Ptr<TimelineSource>>
DrawControlPlane(const OpusControlPlane& plane, std::shared_ptr<Timeline> timeline)
{
    std::vector<Ptr<TimelineSource>> sources;
    if (!plane.controller)
    {
        return sources;
    }
    const auto marks = std::make_shared<OpusMarks>(timeline);
    const auto addController = [&](const Ptr<OpusControllerApp>& one,
                                   const Ptr<OpusControllerApp>& other,
                                   const char* name) {
        const auto source =
            Create<ControllerTimeline>(timeline, marks, name, uint32_t(plane.agents.size()));
        ControllerTimeline::Connect(*one, source, PeekPointer(other));
        sources.push_back(source);
    };
    addController(plane.controller, plane.standby, "controller");
    if (plane.standby)
    {
        addController(plane.standby, plane.controller, "standby");
    }
    std::set<JobId> jobs;
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        jobs.insert(shim->GetJob());
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        std::string name = "server " + std::to_string(shim->GetServer().Get()) + " shim";
        if (jobs.size() > 1)
        {
            name += " of job " + std::to_string(shim->GetJob().Get());
        }
        const auto source = Create<ShimTimeline>(timeline, marks, name);
        ShimTimeline::Connect(*shim, source);
        sources.push_back(source);
    }
    for (uint32_t rail = 0; rail < plane.agents.size(); ++rail)
    {
        const auto source = Create<AgentTimeline>(timeline, marks, RailId(rail));
        AgentTimeline::Connect(*plane.agents[rail], source);
        sources.push_back(source);
    }
    return sources;
}

} // namespace ns3
