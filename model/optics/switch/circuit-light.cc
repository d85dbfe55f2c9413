/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-light.h"

#include "ns3/abort.h"
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

void
CircuitLight::AddPort(Ptr<OpticalSwitchPort> port)
{
    m_ports.push_back(port);
    m_egresses.emplace_back();
}

void
CircuitLight::Begin()
{
    m_begun = true;
}

bool
CircuitLight::IsLit(PortId port) const
{
    return m_ports[port.Get()]->GetHistory().IsLit();
}

uint64_t
CircuitLight::Darken(const Circuit& circuit)
{
    LeaveTrain(circuit.low, "the circuit is taken down");
    auto& low = m_ports[circuit.low.Get()]->GetHistory();
    auto& high = m_ports[circuit.high.Get()]->GetHistory();
    const uint64_t epoch = low.GetCurrent().label.epoch;
    if (m_begun)
    {
        low.Fall(NowPicoseconds());
        high.Fall(NowPicoseconds());
        for (const PortId port : {circuit.low, circuit.high})
        {
            Egress& egress = m_egresses[port.Get()];
            egress.clearFrom = NowPicoseconds() + egress.delay;
        }
    }
    else
    {
        low.Reset(); // there has never been light
        high.Reset();
    }
    return epoch;
}

void
CircuitLight::Light(const Circuit& circuit, uint64_t epoch, const RouteDelays& delays)
{
    const Picoseconds since = m_begun ? NowPicoseconds() : ALWAYS_BEFORE;
    m_egresses[circuit.high.Get()].delay = delays.first;
    m_egresses[circuit.low.Get()].delay = delays.second;
    m_ports[circuit.low.Get()]->GetHistory().Rise(since, {circuit.high, epoch, delays.first});
    m_ports[circuit.high.Get()]->GetHistory().Rise(since, {circuit.low, epoch, delays.second});
}

Picoseconds
CircuitLight::GetClearFrom(const Circuit& circuit, const RouteDelays& delays) const
{
    return std::max(m_egresses[circuit.high.Get()].clearFrom - delays.first,
                    m_egresses[circuit.low.Get()].clearFrom - delays.second);
}

void
CircuitLight::UpdateEgresses(const Circuit& circuit)
{
    UpdateEgress(circuit.low);
    UpdateEgress(circuit.high);
}

bool
CircuitLight::LeavesAt(const OpticalSwitchPort& egress) const
{
    const auto& history = egress.GetHistory();
    return history.IsLit() && m_ports[history.GetCurrent().label.peer.Get()]->SeesLight();
}

void
CircuitLight::UpdateEgress(PortId id)
{
    const Ptr<OpticalSwitchPort>& port = m_ports[id.Get()];
    const Ptr<OpticalFiber> fiber = port->GetFiber();
    if (!fiber)
    {
        return;
    }
    const bool light = LeavesAt(*port);
    if (!m_begun)
    {
        fiber->PresetLight(PeekPointer(port), light);
        return;
    }
    fiber->SendLight(PeekPointer(port),
                     light,
                     m_propagationDelay + ToTime(m_egresses[id.Get()].delay));
}

void
CircuitLight::PassOn(const OpticalSwitchPort& ingress)
{
    const auto& history = ingress.GetHistory();
    if (history.IsLit())
    {
        UpdateEgress(history.GetCurrent().label.peer);
    }
}

void
CircuitLight::LeaveTrain(PortId port, const char* why) const
{
    if (const Ptr<OpticalFiber> fiber = m_ports[port.Get()]->GetFiber())
    {
        fiber->LeaveTrain(why);
    }
}

void
CircuitLight::LeaveTrain(const char* why) const
{
    for (uint32_t p = 0; p < m_ports.size(); ++p)
    {
        LeaveTrain(PortId(p), why);
    }
}

void
CircuitLight::SetPropagationDelay(Time delay)
{
    for (uint32_t p = 0; p < m_ports.size() && delay != m_propagationDelay; ++p)
    {
        RequireEmpty(*m_ports[p], delay);
    }
    m_propagationDelay = delay;
}

void
CircuitLight::RequireEmpty(const OpticalSwitchPort& port, Time delay) const
{
    const Ptr<OpticalFiber> fiber = port.GetFiber();
    if (!fiber)
    {
        return;
    }
    fiber->LeaveTrain("the propagation delay of the switch changes");
    NS_ABORT_MSG_IF(
        fiber->GetEmptyFrom() != ALWAYS_BEFORE && fiber->GetEmptyFrom() > NowPicoseconds(),
        "OpticalCircuitSwitch: the PropagationDelay cannot change from "
            << m_propagationDelay.GetTimeStep() << " to " << delay.GetTimeStep() << " ps at "
            << NowPicoseconds() << " ps: what is on its way in the "
            << "fiber of port " << port.GetPortId() << ", a frame or light that comes or goes, "
            << "comes out at " << fiber->GetEmptyFrom()
            << " ps. Change it when all fibers are empty.");
}

void
CircuitLight::Dispose()
{
    m_ports.clear();
}

} // namespace ns3
