/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H
#define PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H

#include "ns3/circuit-planner.h"
#include "ns3/opus-contents.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/** @return the plan of a PROGRAM @param program it */
CircuitPlan MakePlan(const OpusProgram& program);

/**
 * The truth: which circuits there are, which ports reconfigure and which carry traffic. It fails
 * the test when a port is reconfigured under traffic, or traffic meets a circuit that is not there.
 */
class FakeSwitches
{
  public:
    explicit FakeSwitches(std::shared_ptr<const Cabling> cabling);

    const RailCircuits& GetCircuits() const
    {
        return m_circuits;
    }

    /** @return whether a switch can carry out a plan */
    bool Fits(RailId rail, const CircuitPlan& plan) const
    {
        return m_circuits[rail.Get()].Check(plan).IsAccepted();
    }

    /** A switch begins to reconfigure: ports that only lose their circuit are dark at once. */
    void Start(RailId rail, const CircuitPlan& plan);
    /**
     * A switch has reconfigured. @param dark circuits that get no light, and are taken down again
     */
    void End(RailId rail, const CircuitPlan& plan, const std::vector<Circuit>& dark = {});
    /** A rank sends and receives on its circuits. */
    void BeginTraffic(const OpusPhase& phase,
                      RankId rank,
                      const std::vector<RankCircuit>& circuits);
    /** It is through. */
    void EndTraffic(const OpusPhase& phase, RankId rank);

  private:
    std::shared_ptr<const Cabling> m_cabling;
    RailCircuits m_circuits;
    std::set<RailPort> m_reconfiguring;
    std::map<RailPort, std::set<std::pair<OpusPhase, RankId>>> m_traffic;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_SWITCHES_H */
