/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_TIMELINE_H
#define PHOTONIC_RAILS_SWITCH_TIMELINE_H

#include "ns3/optical-circuit-switch.h"
#include "ns3/rail.h"
#include "ns3/timeline-recording.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
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
    /** The state of a port. */
    enum class State
    {
        FREE,          //!< no circuit
        LIT,           //!< it has a circuit
        RECONFIGURING, //!< it reconfigures
        DARK,          //!< its circuit carries no light, because of a fault
    };

    /** A port, its state and the begin of that state. */
    struct Port
    {
        TimelineTrack track;
        State state{State::FREE};
        Time since{0};
        std::string circuit{}; //!< of a port that is lit
        uint64_t epoch{0};     //!< the same
    };

    void CircuitUp(PortId low, PortId high, uint64_t epoch);
    void CircuitDown(PortId low, PortId high, uint64_t epoch);
    void PlanAccepted(uint64_t plan, const CircuitPlan& what);
    void PlanQueued(uint64_t plan, const CircuitPlan& what);
    void PlanRefused(const CircuitPlanReport& report);
    void PlanEnded(const CircuitPlanReport& report);
    /** Records a plan. */
    void Note(const char* name, uint64_t plan, const CircuitPlan& what);
    /** @return a port */
    Port& At(PortId port);
    /** The state of a port changes, now: the old state is drawn. */
    void Turn(PortId port, State state);
    /** Draws the state of a port, up to an instant. */
    void Draw(const Port& port, Time end);

    std::shared_ptr<Timeline> m_timeline;
    OpticalCircuitSwitch* m_switch; //!< which holds the callbacks to this object
    TimelineProcess m_process;
    std::vector<Port> m_ports;
    TimelineTrack m_plans;
    std::set<PortId> m_reconfiguring;
    std::set<PortId> m_joined;      //!< ports that the last plan gives a circuit
    std::optional<Time> m_accepted; //!< instant of the last plan
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_TIMELINE_H */
