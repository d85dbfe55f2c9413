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

const Ptr<OpticalSwitchPort>&
CircuitLight::At(PortId port) const
{
    return m_ports[port.Get() < m_fibers.size() ? m_fibers[port.Get()].Get() : port.Get()];
}

void
CircuitLight::SetSwaps(const std::vector<std::pair<PortId, PortId>>& swaps)
{
    m_fibers.clear();
    for (uint32_t p = 0; p < m_ports.size() && !swaps.empty(); ++p)
    {
        m_fibers.emplace_back(p);
    }
    for (const auto& [one, other] : swaps)
    {
        std::swap(m_fibers[one.Get()], m_fibers[other.Get()]);
    }
}

bool
CircuitLight::IsLit(PortId port) const
{
    return At(port)->GetHistory().IsLit();
}

uint64_t
CircuitLight::Darken(const Circuit& circuit)
{
    LeaveTrain(*At(circuit.low), "the circuit is taken down");
    At(circuit.low)->Withdraw();
    auto& low = At(circuit.low)->GetHistory();
    auto& high = At(circuit.high)->GetHistory();
    const uint64_t epoch = low.GetCurrent().label.epoch;
    if (m_begun)
    {
        low.Fall(NowPicoseconds());
        high.Fall(NowPicoseconds());
        for (const PortId port : {circuit.low, circuit.high})
        {
            Egress& egress = m_egresses[At(port)->GetPortId().Get()];
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
    const Ptr<OpticalSwitchPort>& low = At(circuit.low);
    const Ptr<OpticalSwitchPort>& high = At(circuit.high);
    m_egresses[high->GetPortId().Get()].delay = delays.first;
    m_egresses[low->GetPortId().Get()].delay = delays.second;
    low->GetHistory().Rise(since, {high->GetPortId(), epoch, delays.first});
    high->GetHistory().Rise(since, {low->GetPortId(), epoch, delays.second});
}

Picoseconds
CircuitLight::GetClearFrom(const Circuit& circuit, const RouteDelays& delays) const
{
    return std::max(m_egresses[At(circuit.high)->GetPortId().Get()].clearFrom - delays.first,
                    m_egresses[At(circuit.low)->GetPortId().Get()].clearFrom - delays.second);
}

void
CircuitLight::UpdateEgresses(const Circuit& circuit)
{
    UpdateEgress(At(circuit.low));
    UpdateEgress(At(circuit.high));
}

bool
CircuitLight::LeavesAt(const OpticalSwitchPort& egress) const
{
    const auto& history = egress.GetHistory();
    return history.IsLit() && m_ports[history.GetCurrent().label.peer.Get()]->SeesLight();
}

void
CircuitLight::UpdateEgress(const Ptr<OpticalSwitchPort>& port)
{
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
                     m_propagationDelay + ToTime(m_egresses[port->GetPortId().Get()].delay));
}

void
CircuitLight::PassOn(const OpticalSwitchPort& ingress)
{
    const auto& history = ingress.GetHistory();
    if (history.IsLit())
    {
        UpdateEgress(m_ports[history.GetCurrent().label.peer.Get()]);
    }
}

void
CircuitLight::LeaveTrain(const OpticalSwitchPort& port, const char* why) const
{
    if (const Ptr<OpticalFiber> fiber = port.GetFiber())
    {
        fiber->LeaveTrain(why);
    }
}

void
CircuitLight::LeaveTrain(const char* why) const
{
    for (const Ptr<OpticalSwitchPort>& port : m_ports)
    {
        LeaveTrain(*port, why);
        port->Withdraw();
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
