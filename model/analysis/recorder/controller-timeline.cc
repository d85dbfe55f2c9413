/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-timeline.h"

#include "ns3/opus-words.h"
#include "ns3/simulator.h"
#include "ns3/timeline-tracks.h"

#include <algorithm>
#include <utility>

namespace ns3
{

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
        if (note.linkUp.IsStrictlyPositive())
        {
            arguments.AddMicroseconds("link_up_us", note.linkUp);
        }
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
                            Simulator::Now(),
                            TimelineArguments().Add("term", term));
    }
}

void
ControllerTimeline::OtherRoleChanged(OpusControllerApp::Role role, uint32_t)
{
    if (role == OpusControllerApp::Role::IN_CHARGE)
    {
        m_plans.EndAll(Simulator::Now(), "taken_over");
    }
}

void
ControllerTimeline::Sent(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Sent(message, peer);
    if (message.Is<OpusProgram>())
    {
        m_plans.Begin(message);
    }
}

void
ControllerTimeline::Received(const OpusMessage& message, const OpusPeer& peer)
{
    EndpointTimeline::Received(message, peer);
    if (message.Is<OpusDone>() || message.Is<OpusAlarm>())
    {
        m_plans.End(message);
    }
}

void
ControllerTimeline::Close(Time end)
{
    m_plans.EndAll(end, "unfinished");
}

} // namespace ns3
