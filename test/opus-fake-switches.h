/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H
#define PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H

#include "ns3/circuit-planner.h"
#include "ns3/opus-message.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/** @return what a PROGRAM tells an agent to do @param program it */
inline CircuitPlan
MakePlan(const OpusMessage& program)
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

/**
 * The truth: which circuits there are, which ports reconfigure and which carry traffic. It fails
 * the test when a port is reconfigured under traffic, or traffic meets a circuit that is not there.
 */
class FakeSwitches
{
  public:
    explicit FakeSwitches(std::shared_ptr<const Cabling> cabling)
        : m_cabling(cabling),
          m_circuits(MakeDarkRails(*cabling))
    {
    }

    const RailCircuits& GetCircuits() const
    {
        return m_circuits;
    }

    /** @return whether a switch can carry out a plan */
    bool Fits(RailId rail, const CircuitPlan& plan) const
    {
        return m_circuits[rail.Get()].Check(plan).IsAccepted();
    }

    /** A switch begins to turn: ports that only lose their circuit are dark at once. */
    void Start(RailId rail, const CircuitPlan& plan)
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

    /** A switch has turned. @param dark circuits that get no light, and are taken down again */
    void End(RailId rail, const CircuitPlan& plan, const std::vector<Circuit>& dark = {})
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

    /** A rank sends and receives on its circuits. */
    void BeginTraffic(const OpusPhase& phase, RankId rank, const std::vector<RankCircuit>& circuits)
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

    /** It is through. */
    void EndTraffic(const OpusPhase& phase, RankId rank)
    {
        for (auto traffic = m_traffic.begin(); traffic != m_traffic.end();)
        {
            traffic->second.erase({phase, rank});
            traffic = traffic->second.empty() ? m_traffic.erase(traffic) : std::next(traffic);
        }
    }

  private:
    std::shared_ptr<const Cabling> m_cabling;
    RailCircuits m_circuits;
    std::set<RailPort> m_reconfiguring;
    std::map<RailPort, std::set<std::pair<OpusPhase, RankId>>> m_traffic;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H */
