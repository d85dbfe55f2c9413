/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animated-switch.h"

#include "ns3/optical-circuit-switch.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

AnimatedSwitch::AnimatedSwitch(std::shared_ptr<AnimationScene> scene,
                               const Rail& rail,
                               RailPanel panel)
    : AnimationSource(std::move(scene)),
      m_switch(PeekPointer(rail.GetOpticalSwitch())),
      m_panel(std::move(panel)),
      m_name("rail " + std::to_string(rail.GetId().Get())),
      m_counter(m_scene->AddCounter("circuits with light"))
{
}

void
AnimatedSwitch::Animate(const Rail& rail,
                        const RailPanel& panel,
                        const std::shared_ptr<AnimationScene>& scene)
{
    const auto source = Create<AnimatedSwitch>(scene, rail, panel);
    OpticalCircuitSwitch& railSwitch = *source->m_switch;
    OpticalPortStates::Observe(railSwitch, [source](PortId port, const State& state) {
        source->Enter(port, state);
    });
    Listen(railSwitch, "PlanAccepted", MakeCallback(&AnimatedSwitch::PlanAccepted, source));
    Listen(railSwitch, "PlanQueued", MakeCallback(&AnimatedSwitch::PlanQueued, source));
    Listen(railSwitch, "PlanRefused", MakeCallback(&AnimatedSwitch::PlanRefused, source));
    Listen(railSwitch, "PlanEnded", MakeCallback(&AnimatedSwitch::PlanEnded, source));
    Listen(railSwitch, "CircuitUp", MakeCallback(&AnimatedSwitch::CircuitUp, source));
    Listen(railSwitch, "CircuitDown", MakeCallback(&AnimatedSwitch::CircuitDown, source));
}

void
AnimatedSwitch::Enter(PortId port, const State& state)
{
    if (state.kind == Kind::LIT)
    {
        m_lit.insert(port);
    }
    else
    {
        m_lit.erase(port);
    }
    const std::optional<uint32_t> node = m_panel.FindPort(port);
    if (node)
    {
        Draw(*node, state);
    }
    m_scene->Count(Simulator::Now(), m_counter, m_panel.GetTitle(), m_lit.size() / 2);
}

void
AnimatedSwitch::Draw(uint32_t node, const State& state)
{
    const Time now = Simulator::Now();
    std::optional<uint32_t> target;
    switch (state.kind)
    {
    case Kind::LIT:
        m_scene->Paint(now, node, RailPanel::LIT);
        target = m_panel.FindPort(state.peer);
        break;
    case Kind::RECONFIGURING:
        m_scene->Paint(now, node, RailPanel::RECONFIGURING);
        break;
    case Kind::DARK:
        m_scene->Paint(now, node, RailPanel::DARK);
        break;
    default:
        m_scene->Paint(now, node, RailPanel::FREE);
    }
    m_scene->Aim(now, node, target.value_or(node));
}

void
AnimatedSwitch::CircuitUp(PortId low, PortId high, uint64_t epoch)
{
    std::ostringstream what;
    what << "circuit " << Circuit(low, high) << " has light, epoch " << epoch;
    Note(what.str());
}

void
AnimatedSwitch::CircuitDown(PortId low, PortId high, uint64_t)
{
    std::ostringstream what;
    what << "circuit " << Circuit(low, high) << " goes dark";
    const std::string why = m_switch->GetWhyDark(low);
    if (!why.empty())
    {
        what << ": " << why;
    }
    Note(what.str());
}

void
AnimatedSwitch::PlanAccepted(uint64_t plan, const CircuitPlan& what)
{
    std::ostringstream words;
    words << NamePlan(plan) << " begins: " << what;
    Note(words.str());
}

void
AnimatedSwitch::PlanQueued(uint64_t plan, const CircuitPlan& what)
{
    std::ostringstream words;
    words << NamePlan(plan) << " waits: " << what;
    Note(words.str());
}

void
AnimatedSwitch::PlanRefused(const CircuitPlanReport& report)
{
    Note(NamePlan(report.plan) + " is refused: " + report.message);
}

void
AnimatedSwitch::PlanEnded(const CircuitPlanReport& report)
{
    const bool isDone = report.status == CircuitPlanStatus::DONE;
    Note(NamePlan(report.plan) + " " + (isDone ? "is done" : "failed: " + report.message));
}

std::string
AnimatedSwitch::NamePlan(uint64_t plan)
{
    return "plan " + std::to_string(plan);
}

void
AnimatedSwitch::Note(const std::string& what)
{
    m_scene->Note(Simulator::Now(), m_name + ": " + what);
}

} // namespace ns3
