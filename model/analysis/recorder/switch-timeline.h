/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_TIMELINE_H
#define PHOTONIC_RAILS_SWITCH_TIMELINE_H

#include "optical-port-states.h"

#include "ns3/rail.h"
#include "ns3/timeline-recording.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of an optical switch: a process, with a track for each port.
 */
class SwitchTimeline : public TimelineSource
{
  public:
    /** @param rail the rail of the switch */
    SwitchTimeline(std::shared_ptr<Timeline> timeline, const Rail& rail);

    /** Records the circuits of a rail with an optical switch on a timeline that is on. */
    static void Record(const Rail& rail, TimelineRecording& recording);

    void Close(Time end) override;

  private:
    using Kind = OpticalPortStates::Kind;

    /** A port, its state and the begin of that state. */
    struct Port
    {
        TimelineTrack track;
        OpticalPortStates::State state{};
        Time since{0};
    };

    void PlanAccepted(uint64_t plan, const CircuitPlan& what);
    void PlanQueued(uint64_t plan, const CircuitPlan& what);
    void PlanRefused(const CircuitPlanReport& report);
    /** Records a plan. */
    void Note(const char* name, uint64_t plan, const CircuitPlan& what);
    /** @return a port */
    Port& At(PortId port);
    /** The state of a port changes, now: the old state is drawn. */
    void Turn(PortId id, const OpticalPortStates::State& state);
    /** Draws the state of a port, up to an instant. */
    void Draw(PortId id, Time end);

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::vector<Port> m_ports;
    TimelineTrack m_plans;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_TIMELINE_H */
