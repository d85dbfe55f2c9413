/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-timeline.h"

#include "ns3/optical-circuit-switch.h"
#include "ns3/simulator.h"

#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

SwitchTimeline::SwitchTimeline(std::shared_ptr<Timeline> timeline, const Rail& rail)
    : m_timeline(std::move(timeline))
{
    std::ostringstream name;
    name << "rail " << rail.GetId() << " switch";
    m_process = m_timeline->AddProcess(name.str());
    m_plans = m_timeline->AddTrack(m_process, "plans", 0);
    std::map<PortId, std::string> ends;
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            std::ostringstream end;
            end << ": GPU " << g << " port " << p;
            ends[rail.GetSwitchPort(g, p)] = end.str();
        }
    }
    for (uint32_t p = 0; p < rail.GetOpticalSwitch()->GetPorts(); ++p)
    {
        const auto end = ends.find(PortId(p));
        const std::string what = end == ends.end() ? "" : end->second;
        Port port;
        port.track = m_timeline->AddTrack(m_process, "port " + std::to_string(p) + what, 1 + p);
        m_ports.push_back(port);
    }
}

void
SwitchTimeline::Record(const Rail& rail, TimelineRecording& recording)
{
    const auto source = Create<SwitchTimeline>(recording.Share(), rail);
    OpticalCircuitSwitch& railSwitch = *rail.GetOpticalSwitch();
    OpticalPortStates::Observe(railSwitch,
                               [source](PortId port, const OpticalPortStates::State& state) {
                                   source->Turn(port, state);
                               });
    Listen(railSwitch, "PlanAccepted", MakeCallback(&SwitchTimeline::PlanAccepted, source));
    Listen(railSwitch, "PlanQueued", MakeCallback(&SwitchTimeline::PlanQueued, source));
    Listen(railSwitch, "PlanRefused", MakeCallback(&SwitchTimeline::PlanRefused, source));
    recording.AddSource(TimelineRecording::Layer::RAILS, source);
}

SwitchTimeline::Port&
SwitchTimeline::At(PortId port)
{
    while (m_ports.size() <= port.Get()) // ports that were added since
    {
        const uint32_t number = m_ports.size();
        Port one;
        one.track = m_timeline->AddTrack(m_process, "port " + std::to_string(number), 1 + number);
        m_ports.push_back(one);
    }
    return m_ports[port.Get()];
}

void
SwitchTimeline::Turn(PortId id, const OpticalPortStates::State& state)
{
    Port& port = At(id);
    Draw(id, Simulator::Now());
    port.state = state;
    port.since = Simulator::Now();
}

void
SwitchTimeline::Draw(PortId id, Time end)
{
    const Port& port = At(id);
    if (port.state.kind == Kind::FREE || port.since >= end)
    {
        return;
    }
    if (port.state.kind == Kind::LIT)
    {
        std::ostringstream circuit;
        circuit << Circuit(id, port.state.peer);
        m_timeline->Slice(port.track,
                          circuit.str(),
                          port.since,
                          end,
                          TimelineArguments().Add("epoch", port.state.epoch));
        return;
    }
    m_timeline->Slice(port.track,
                      port.state.kind == Kind::RECONFIGURING ? "reconfiguring" : "dark",
                      port.since,
                      end);
}

void
SwitchTimeline::PlanAccepted(uint64_t plan, const CircuitPlan& what)
{
    Note("plan", plan, what);
}

void
SwitchTimeline::PlanQueued(uint64_t plan, const CircuitPlan& what)
{
    Note("plan queued", plan, what);
}

void
SwitchTimeline::Note(const char* name, uint64_t plan, const CircuitPlan& what)
{
    std::ostringstream circuits;
    circuits << what;
    m_timeline->Instant(m_plans,
                        name,
                        Simulator::Now(),
                        TimelineArguments().Add("plan", plan).Add("circuits", circuits.str()));
}

void
SwitchTimeline::PlanRefused(const CircuitPlanReport& report)
{
    m_timeline->Instant(m_plans,
                        "plan refused",
                        Simulator::Now(),
                        TimelineArguments().Add("plan", report.plan).Add("why", report.message));
}

void
SwitchTimeline::Close(Time end)
{
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Draw(PortId(port), end);
        m_ports[port].state = {};
    }
}

} // namespace ns3
