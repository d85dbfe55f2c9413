/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_AGENT_TIMELINE_H
#define PHOTONIC_RAILS_AGENT_TIMELINE_H

#include "endpoint-timeline.h"
#include "opus-plan-spans.h"

#include "ns3/ocs-agent.h"
#include "ns3/opus-message.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The agent of a switch: the spans in which its switch carried out a plan.
 */
class AgentTimeline : public EndpointTimeline
{
  public:
    /** @param marks of all messages @param rail the rail of the switch */
    AgentTimeline(std::shared_ptr<Timeline> timeline,
                  std::shared_ptr<OpusMarks> marks,
                  RailId rail);

    /** Connects to the trace sources of an agent. @param source receives the calls */
    static void Connect(OcsAgent& agent, const Ptr<AgentTimeline>& source);

    void Close(Time end) override;

  private:
    void Begun(const OpusMessage& program);
    void Ended(const OpusMessage& program, const OpusMessage& answer);

    OpusPlanSpans m_plans;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_AGENT_TIMELINE_H */
