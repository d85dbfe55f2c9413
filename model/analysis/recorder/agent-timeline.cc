/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "agent-timeline.h"

#include "ns3/timeline-tracks.h"

#include <string>
#include <utility>

namespace ns3
{

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
AgentTimeline::Close(Time end)
{
    m_plans.EndAll(end, "unfinished");
}

} // namespace ns3
