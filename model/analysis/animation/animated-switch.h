/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATED_SWITCH_H
#define PHOTONIC_RAILS_ANIMATED_SWITCH_H

#include "animation-source.h"
#include "rail-panel.h"

#include "ns3/circuit-plan-report.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/optical-port-states.h"
#include "ns3/rail.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace ns3
{

class OpticalCircuitSwitch;

/**
 * @ingroup photonic-rails
 * @brief The circuits of an optical switch in an animation: lines between ports that come and go
 * with the light, colours of ports, and notes with the reasons.
 */
class AnimatedSwitch : public AnimationSource
{
  public:
    AnimatedSwitch(std::shared_ptr<AnimationScene> scene, const Rail& rail, RailPanel panel);

    /** Animates the optical switch of a rail. @param panel of the rail */
    static void Animate(const Rail& rail,
                        const RailPanel& panel,
                        const std::shared_ptr<AnimationScene>& scene);

  private:
    using State = OpticalPortStates::State;
    using Kind = OpticalPortStates::Kind;

    /** A port enters a state. */
    void Enter(PortId port, const State& state);
    /** Draws the state of a port. */
    void Draw(uint32_t node, const State& state);
    void CircuitUp(PortId low, PortId high, uint64_t epoch);
    void CircuitDown(PortId low, PortId high, uint64_t epoch);
    void PlanAccepted(uint64_t plan, const CircuitPlan& what);
    void PlanQueued(uint64_t plan, const CircuitPlan& what);
    void PlanRefused(const CircuitPlanReport& report);
    void PlanEnded(const CircuitPlanReport& report);
    /** Adds a note of the rail. */
    void Note(const std::string& what);
    /** @return a plan in words */
    static std::string NamePlan(uint64_t plan);

    OpticalCircuitSwitch* m_switch; //!< which holds the callbacks to this object
    RailPanel m_panel;
    std::string m_name;
    uint32_t m_counter;     //!< of circuits
    std::set<PortId> m_lit; //!< ports
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATED_SWITCH_H */
