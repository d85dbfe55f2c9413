/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_TIMELINE_H
#define PHOTONIC_RAILS_CONTROLLER_TIMELINE_H

#include "endpoint-timeline.h"
#include "opus-plan-spans.h"

#include "ns3/controller-note.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A controller: its decisions, and on a track for each rail its plans, from PROGRAM to DONE
 * or ALARM.
 */
class ControllerTimeline : public EndpointTimeline
{
  public:
    /**
     * @param marks of all messages
     * @param name "controller" or "standby"
     * @param rails number of rails
     */
    ControllerTimeline(std::shared_ptr<Timeline> timeline,
                       std::shared_ptr<OpusMarks> marks,
                       const std::string& name,
                       uint32_t rails);

    /**
     * Connects to the trace sources of a controller.
     * @param source receives the calls
     * @param other the other controller of a pair, or null
     */
    static void Connect(OpusControllerApp& controller,
                        const Ptr<ControllerTimeline>& source,
                        OpusControllerApp* other);

    void Close(Time end) override;

  private:
    void Sent(const OpusMessage& message, const OpusPeer& peer) override;
    void Received(const OpusMessage& message, const OpusPeer& peer) override;
    void Decided(const ControllerNote& note);
    void RoleChanged(OpusControllerApp::Role role, uint32_t term);
    /** The other controller of the pair takes over, or retires. */
    void OtherRoleChanged(OpusControllerApp::Role role, uint32_t term);

    TimelineTrack m_decisions;
    OpusPlanSpans m_plans;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_TIMELINE_H */
