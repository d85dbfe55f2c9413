/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/contains.h"
#include "opus-policy-bench.h"

#include "ns3/circuit-planner.h"
#include "ns3/mesh-description.h"
#include "ns3/mesh-layouts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t MESHED_SERVERS = 10;

/** @return a mesh of hexagons for the ports of all servers */
std::shared_ptr<const FabricDescription>
MakeFabric(uint32_t side, uint32_t ports)
{
    return std::make_shared<MeshDescription>(MeshDescription::HEXAGONAL,
                                             MakeHexagonalMesh(side, side, ports),
                                             ports,
                                             MeshOptics(),
                                             MeshEffort());
}

/** One rail; job 0 owns all, and the switch is a mesh. */
std::shared_ptr<const Cabling>
MakeMeshedCabling(uint32_t side, uint32_t ports)
{
    auto cabling =
        std::make_shared<Cabling>(*OpusPolicyBench::MakeCabling(MESHED_SERVERS, 1, ports));
    cabling->SetFabric(RailId(0), MakeFabric(side, MESHED_SERVERS * ports));
    return cabling;
}

JoinedRanks
MeshedPair(uint32_t one, uint32_t other)
{
    return {RankId(one), RankId(other)};
}

/** @return circuits for pairs of job 0 */
CircuitTarget
PlanPairs(const std::vector<JoinedRanks>& pairs,
          const RailCircuits& circuits,
          const Cabling& cabling,
          const PortUse& use = IdlePorts())
{
    return PlanCircuits({OpusPhase(), pairs, 0, circuits, use}, cabling);
}

} // namespace

TEST(OpusPlannerFabrics, OnlyWhatCanBeSetIsPlanned)
{
    // random phases, one after the other, on circuits that stand: the mesh can set all that the
    // planner leaves standing, and it refuses only what the mesh cannot set by itself
    for (const uint32_t ports : {1U, 2U})
    {
        const auto cabling = MakeMeshedCabling(3, ports);
        const FabricDescription& fabric = *cabling->FindFabric(RailId(0));
        RailCircuits circuits = MakeDarkRails(*cabling);
        std::mt19937 draw(ports);
        uint32_t planned = 0;
        uint32_t refused = 0;
        uint32_t withOthers = 0;
        for (int i = 0; i < 60; ++i)
        {
            std::vector<uint32_t> ranks(MESHED_SERVERS);
            for (uint32_t rank = 0; rank < MESHED_SERVERS; ++rank)
            {
                ranks[rank] = rank;
            }
            std::shuffle(ranks.begin(), ranks.end(), draw);
            std::vector<JoinedRanks> pairs;
            for (uint32_t p = 0; p < 1 + draw() % 5; ++p)
            {
                pairs.push_back(MeshedPair(ranks[2 * p], ranks[2 * p + 1]));
            }
            const CircuitTarget target = PlanPairs(pairs, circuits, *cabling);
            EXPECT_EQ(target.waitsFor, "") << "nothing is in use";
            if (!target.IsPossible())
            {
                ++refused;
                EXPECT_TRUE(Contains(target.refusal, "rail 0: the hexagonal mesh of 38 cells"))
                    << target.refusal;
                if (ports == 1)
                {
                    std::vector<Circuit> alone;
                    for (const auto& [one, other] : pairs)
                    {
                        alone.emplace_back(PortId(one.Get()), PortId(other.Get()));
                    }
                    EXPECT_NE(fabric.GetWhyNot(alone), "") << "not by itself either";
                }
                continue;
            }
            ++planned;
            for (const auto& [rail, plan] : target.changes)
            {
                ASSERT_TRUE(circuits[rail.Get()].Check(plan).IsAccepted());
                circuits[rail.Get()].Apply(plan);
            }
            for (const JoinedRanks& pair : pairs)
            {
                EXPECT_FALSE(FindCircuits(pair, circuits, *cabling).empty());
            }
            EXPECT_EQ(fabric.GetWhyNot(circuits[0].GetCircuits()), "");
            withOthers += circuits[0].GetCircuits().size() > pairs.size() ? 1 : 0;
        }
        EXPECT_GT(planned, 20U);
        EXPECT_GT(withOthers, 10U) << "other circuits stay where they can";
        if (ports == 1)
        {
            EXPECT_GT(refused, 0U);
        }
    }
}

TEST(OpusPlannerFabrics, IdleCircuitsInTheWayAreTakenDownAndThoseInUseAwaited)
{
    const auto cabling = MakeMeshedCabling(2, 1);
    const FabricDescription& fabric = *cabling->FindFabric(RailId(0));
    const std::vector<JoinedRanks> pairs{MeshedPair(1, 6), MeshedPair(2, 7)};
    const std::vector<Circuit> wanted{{PortId(1), PortId(6)}, {PortId(2), PortId(7)}};
    ASSERT_EQ(fabric.GetWhyNot(wanted), "");
    // others that the mesh cannot have beside these two
    const std::vector<Circuit> others{{PortId(0), PortId(5)},
                                      {PortId(3), PortId(8)},
                                      {PortId(4), PortId(9)}};
    std::vector<Circuit> all = wanted;
    all.insert(all.end(), others.begin(), others.end());
    ASSERT_NE(fabric.GetWhyNot(all), "");
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (const Circuit& circuit : others)
    {
        circuits[0].Apply(CircuitPlan().Connect(circuit.low, circuit.high));
    }
    const CircuitTarget idle = PlanPairs(pairs, circuits, *cabling);
    ASSERT_TRUE(idle.IsPossible()) << idle.refusal << idle.waitsFor;
    EXPECT_EQ(idle.changes.at(RailId(0)).GetDisconnects().size(), 3U);

    OpusPolicyBench::MarkedPorts use;
    for (const Circuit& circuit : others)
    {
        use.inFlight.insert({RailId(0), circuit.low});
        use.inFlight.insert({RailId(0), circuit.high});
    }
    const CircuitTarget busy = PlanPairs(pairs, circuits, *cabling, use);
    EXPECT_EQ(busy.refusal, "");
    EXPECT_TRUE(Contains(busy.waitsFor, "hexagonal mesh")) << busy.waitsFor;
    EXPECT_TRUE(busy.changes.empty());
}

TEST(OpusPlannerFabrics, WhatAMeshNeverSetsIsKnownBefore)
{
    const auto cabling = MakeMeshedCabling(2, 1);
    const CircuitPlanner planner(cabling);
    EXPECT_EQ(planner.GetWhyNot(JobId(0), {MeshedPair(0, 5)}), "");
    const std::string why = planner.GetWhyNot(
        JobId(0),
        {MeshedPair(0, 5), MeshedPair(1, 6), MeshedPair(2, 7), MeshedPair(3, 8), MeshedPair(4, 9)});
    EXPECT_TRUE(Contains(why, "no setting of its cells")) << why;
    // the same pairs on a switch that sets all circuits
    const CircuitPlanner free(OpusPolicyBench::MakeCabling(MESHED_SERVERS, 1, 1));
    EXPECT_EQ(free.GetWhyNot(JobId(0),
                             {MeshedPair(0, 5),
                              MeshedPair(1, 6),
                              MeshedPair(2, 7),
                              MeshedPair(3, 8),
                              MeshedPair(4, 9)}),
              "");
}

TEST(OpusPlannerFabrics, WhatIsRememberedDependsOnAllCircuitsOfTheRail)
{
    const auto cabling = MakeMeshedCabling(2, 1);
    CircuitPlanner planner(cabling);
    const std::vector<JoinedRanks> pairs{MeshedPair(1, 6), MeshedPair(2, 7)};
    const IdlePorts use;
    RailCircuits circuits = MakeDarkRails(*cabling);
    const auto plan = [&]() -> const CircuitTarget& {
        return planner.Plan({OpusPhase(), pairs, 0, circuits, use});
    };
    EXPECT_EQ(plan().changes.at(RailId(0)).GetDisconnects().size(), 0U);
    for (const uint32_t port : {0U, 3U, 4U}) // of ranks that the phase does not name
    {
        circuits[0].Apply(CircuitPlan().Connect(PortId(port), PortId(port + 5)));
    }
    EXPECT_EQ(plan().changes.at(RailId(0)).GetDisconnects().size(), 3U);
    EXPECT_EQ(planner.GetCacheHits(), 0U);
    EXPECT_EQ(plan().changes.at(RailId(0)).GetDisconnects().size(), 3U);
    EXPECT_EQ(planner.GetCacheHits(), 1U);
}
