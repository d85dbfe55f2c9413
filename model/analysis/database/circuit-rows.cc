/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-rows.h"

#include "ns3/simulator.h"

#include <optional>
#include <utility>

namespace ns3
{

CircuitRows::CircuitRows(std::shared_ptr<ResultWriter> writer, const Rail& rail)
    : ResultSource(std::move(writer), "circuits"),
      m_rail(rail.GetId())
{
    const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch();
    for (const Circuit& circuit : middle->GetMap().GetCircuits())
    {
        if (middle->IsUp(circuit.low))
        {
            CircuitUp(circuit.low, circuit.high, middle->GetMap().GetEpoch(circuit.low));
        }
    }
}

Ptr<CircuitRows>
CircuitRows::Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer)
{
    const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch();
    if (!middle)
    {
        return nullptr;
    }
    const auto source = Create<CircuitRows>(writer, rail);
    Listen(*middle, "CircuitUp", MakeCallback(&CircuitRows::CircuitUp, source));
    Listen(*middle, "CircuitDown", MakeCallback(&CircuitRows::CircuitDown, source));
    return source;
}

void
CircuitRows::CircuitUp(PortId low, PortId high, uint64_t)
{
    m_standing[low] = {high, Simulator::Now()};
}

void
CircuitRows::CircuitDown(PortId low, PortId high, uint64_t)
{
    const auto standing = m_standing.find(low);
    if (standing != m_standing.end())
    {
        Add(m_rail, low, high, standing->second.up, Simulator::Now());
        m_standing.erase(standing);
    }
}

void
CircuitRows::Close()
{
    for (const auto& [low, standing] : m_standing)
    {
        Add(m_rail, low, standing.high, standing.up, std::optional<Time>());
    }
    m_standing.clear();
}

} // namespace ns3
