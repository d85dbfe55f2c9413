/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-fake-switches.h"

#include <gtest/gtest.h>
#include <iterator>

namespace ns3
{

CircuitPlan
MakePlan(const OpusProgram& program)
{
    CircuitPlan plan;
    for (const SwitchCircuit& circuit : program.up)
    {
        plan.Connect(circuit.one, circuit.other);
    }
    for (const SwitchCircuit& circuit : program.down)
    {
        plan.Disconnect(circuit.one, circuit.other);
    }
    return plan;
}

FakeSwitches::FakeSwitches(std::shared_ptr<const Cabling> cabling)
    : m_cabling(cabling),
      m_circuits(MakeDarkRails(*cabling))
{
}

void
FakeSwitches::Start(RailId rail, const CircuitPlan& plan)
{
    CircuitMap& map = m_circuits[rail.Get()];
    ASSERT_TRUE(map.Check(plan).IsAccepted()) << map.Check(plan).message;
    for (const PortId port : plan.GetPorts())
    {
        ASSERT_EQ(m_traffic.count({rail, port}), 0) << "a change under traffic";
        ASSERT_EQ(m_reconfiguring.count({rail, port}), 0) << "two plans at a port";
    }
    for (const Circuit& circuit : plan.GetConnects())
    {
        m_reconfiguring.insert({{rail, circuit.low}, {rail, circuit.high}});
    }
    map.Apply(plan);
}

void
FakeSwitches::End(RailId rail, const CircuitPlan& plan, const std::vector<Circuit>& dark)
{
    for (const Circuit& circuit : plan.GetConnects())
    {
        m_reconfiguring.erase({rail, circuit.low});
        m_reconfiguring.erase({rail, circuit.high});
    }
    for (const Circuit& circuit : dark)
    {
        m_circuits[rail.Get()].Apply(CircuitPlan().Disconnect(circuit.low, circuit.high));
    }
}

void
FakeSwitches::BeginTraffic(const OpusPhase& phase,
                           RankId rank,
                           const std::vector<RankCircuit>& circuits)
{
    for (const RankCircuit& circuit : circuits)
    {
        if (circuit.one == rank || circuit.other == rank)
        {
            const auto [one, other] = GetRailPorts(circuit, *m_cabling);
            ASSERT_TRUE(m_circuits[one.rail.Get()].GetPeer(one.port) == other.port);
            ASSERT_EQ(m_reconfiguring.count(one) + m_reconfiguring.count(other), 0);
            m_traffic[one].insert({phase, rank});
            m_traffic[other].insert({phase, rank});
        }
    }
}

void
FakeSwitches::EndTraffic(const OpusPhase& phase, RankId rank)
{
    for (auto traffic = m_traffic.begin(); traffic != m_traffic.end();)
    {
        traffic->second.erase({phase, rank});
        traffic = traffic->second.empty() ? m_traffic.erase(traffic) : std::next(traffic);
    }
}

} // namespace ns3
