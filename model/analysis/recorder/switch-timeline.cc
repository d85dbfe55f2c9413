/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-timeline.h"

#include "ns3/simulator.h"

#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

SwitchTimeline::SwitchTimeline(std::shared_ptr<Timeline> timeline, const Rail& rail)
    : m_timeline(std::move(timeline)),
      m_switch(PeekPointer(rail.GetOpticalSwitch()))
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
    for (uint32_t p = 0; p < m_switch->GetPorts(); ++p)
    {
        const auto end = ends.find(PortId(p));
        const std::string what = end == ends.end() ? "" : end->second;
        Port port;
        port.track = m_timeline->AddTrack(m_process, "port " + std::to_string(p) + what, 1 + p);
        m_ports.push_back(port);
    }
    for (const Circuit& circuit : m_switch->GetMap().GetCircuits())
    {
        if (m_switch->IsUp(circuit.low))
        {
            CircuitUp(circuit.low, circuit.high, m_switch->GetMap().GetEpoch(circuit.low));
        }
        else
        {
            const bool turns = m_switch->IsReconfiguring(circuit.low);
            Turn(circuit.low, turns ? State::RECONFIGURING : State::DARK);
            Turn(circuit.high, turns ? State::RECONFIGURING : State::DARK);
        }
    }
}

void
SwitchTimeline::Record(const Rail& rail, TimelineRecording& recording)
{
    const auto source = Create<SwitchTimeline>(recording.Share(), rail);
    OpticalCircuitSwitch& railSwitch = *source->m_switch;
    Listen(railSwitch, "CircuitUp", MakeCallback(&SwitchTimeline::CircuitUp, source));
    Listen(railSwitch, "CircuitDown", MakeCallback(&SwitchTimeline::CircuitDown, source));
    Listen(railSwitch, "PlanAccepted", MakeCallback(&SwitchTimeline::PlanAccepted, source));
    Listen(railSwitch, "PlanQueued", MakeCallback(&SwitchTimeline::PlanQueued, source));
    Listen(railSwitch, "PlanRefused", MakeCallback(&SwitchTimeline::PlanRefused, source));
    Listen(railSwitch, "PlanEnded", MakeCallback(&SwitchTimeline::PlanEnded, source));
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
SwitchTimeline::Turn(PortId id, State state)
{
    Port& port = At(id);
    Draw(port, Simulator::Now());
    port.state = state;
    port.since = Simulator::Now();
    if (state == State::RECONFIGURING)
    {
        m_reconfiguring.insert(id);
    }
    else
    {
        m_reconfiguring.erase(id);
    }
}

void
SwitchTimeline::Draw(const Port& port, Time end)
{
    if (port.state == State::FREE || port.since >= end)
    {
        return;
    }
    if (port.state == State::LIT)
    {
        m_timeline->Slice(port.track,
                          port.circuit,
                          port.since,
                          end,
                          TimelineArguments().Add("epoch", port.epoch));
        return;
    }
    m_timeline->Slice(port.track,
                      port.state == State::RECONFIGURING ? "reconfiguring" : "dark",
                      port.since,
                      end);
}

void
SwitchTimeline::CircuitUp(PortId low, PortId high, uint64_t epoch)
{
    std::ostringstream circuit;
    circuit << Circuit(low, high);
    for (const PortId port : {low, high})
    {
        Turn(port, State::LIT);
        At(port).circuit = circuit.str();
        At(port).epoch = epoch;
    }
}

void
SwitchTimeline::CircuitDown(PortId low, PortId high, uint64_t)
{
    // an accepted plan takes its circuits down at that instant; else the cause is a fault
    const bool isPlan = m_accepted == Simulator::Now();
    for (const PortId port : {low, high})
    {
        const bool turns = m_joined.count(port) != 0 || m_switch->IsWholeSwitch();
        Turn(port, !isPlan ? State::DARK : turns ? State::RECONFIGURING : State::FREE);
    }
}

void
SwitchTimeline::PlanAccepted(uint64_t plan, const CircuitPlan& what)
{
    Note("plan", plan, what);
    m_accepted = Simulator::Now();
    m_joined.clear();
    for (const Circuit& circuit : what.GetConnects())
    {
        m_joined.insert({circuit.low, circuit.high});
    }
    for (const PortId port : what.GetPorts())
    {
        const State state = At(port).state;
        if (state == State::FREE || state == State::DARK) // CircuitDown reports a lit one
        {
            Turn(port, m_joined.count(port) != 0 ? State::RECONFIGURING : State::FREE);
        }
    }
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
SwitchTimeline::PlanEnded(const CircuitPlanReport&)
{
    // a port with a new circuit has reported by now, unless it is stuck; the others have settled
    const std::set<PortId> reconfiguration = m_reconfiguring;
    for (const PortId port : reconfiguration)
    {
        if (!m_switch->IsReconfiguring(port))
        {
            Turn(port, m_switch->GetMap().GetPeer(port) ? State::DARK : State::FREE);
        }
    }
}

void
SwitchTimeline::Close(Time end)
{
    for (Port& port : m_ports)
    {
        Draw(port, end);
        port.state = State::FREE;
    }
    m_reconfiguring.clear();
}

} // namespace ns3
