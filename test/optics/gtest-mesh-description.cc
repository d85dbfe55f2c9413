/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/contains.h"

#include "ns3/all-pairs-matchings.h"
#include "ns3/benes-fabric.h"
#include "ns3/crossbar-fabric.h"
#include "ns3/crossbar-mesh-fabric.h"
#include "ns3/fabric-routes.h"
#include "ns3/hexagonal-mesh-fabric.h"
#include "ns3/mesh-description.h"
#include "ns3/mesh-layouts.h"
#include "ns3/object.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

/** @return a circuit of two ports */
Circuit
Of(uint32_t one, uint32_t other)
{
    return {PortId(one), PortId(other)};
}

/** @return a hexagonal mesh for so many ports, with simple optics */
std::shared_ptr<const MeshDescription>
MakeMesh(uint32_t rows, uint32_t columns, uint32_t ports)
{
    MeshOptics optics;
    optics.cellLossDb = 0.5;
    optics.cellCrosstalkDb = 30;
    optics.cellLengthMicrons = 1000;
    optics.groupIndex = 4;
    optics.portLossDb = 1.5;
    optics.accessLengthMicrons = 3000;
    return std::make_shared<MeshDescription>(MeshDescription::HEXAGONAL,
                                             MakeHexagonalMesh(rows, columns, ports),
                                             ports,
                                             optics,
                                             MeshEffort());
}

/** @return all routes as they are in the mesh */
std::vector<MeshRoute>
ListWays(const std::vector<FabricRoute>& routes)
{
    std::vector<MeshRoute> ways;
    for (const FabricRoute& route : routes)
    {
        ways.insert(ways.end(), route.ways.begin(), route.ways.end());
    }
    return ways;
}

} // namespace

TEST(MeshDescription, DelayAndLossFollowFromTheCells)
{
    const auto fabric = MakeMesh(3, 3, 8);
    const FabricAnswer answer = fabric->FindRoutes({}, {Of(0, 4), Of(1, 3)});
    ASSERT_EQ(answer.why, "");
    for (const FabricRoute& route : answer.routes)
    {
        const FabricPath path = fabric->GetPath(route, answer.routes);
        ASSERT_EQ(route.ways.size(), 1U);
        EXPECT_EQ(path.cells, route.ways[0].steps.size());
        // 1 mm at a quarter of the speed of light, 299,792,458 m/s, rounded to a picosecond
        EXPECT_EQ(path.delay, std::llround((path.cells + 3) * 4e-3 / 299792458.0 * 1e12));
        EXPECT_DOUBLE_EQ(path.lossDb, path.cells * 0.5 + 3);
        EXPECT_EQ(fabric->GetDelay(route, 0), path.delay);
        EXPECT_EQ(fabric->GetDelay(route, 1), path.delay);
    }
}

TEST(MeshDescription, CrosstalkCountsTheCellsThatARouteShares)
{
    const auto fabric = MakeMesh(3, 3, 8);
    const FabricRoute alone = fabric->FindRoutes({}, {Of(0, 4)}).routes[0];
    EXPECT_TRUE(std::isinf(fabric->GetPath(alone, {alone}).crosstalkDb)) << "no other light";
    // 0-4 and 2-6 cross, at one cell or more
    const FabricAnswer both = fabric->FindRoutes({}, {Of(0, 4), Of(2, 6)});
    ASSERT_EQ(both.why, "");
    std::map<uint32_t, int> passes;
    for (const MeshRoute& way : ListWays(both.routes))
    {
        for (const MeshStep& step : way.steps)
        {
            ++passes[MeshGraph::GetCell(step.arm)];
        }
    }
    int shared = 0;
    for (const auto& [cell, times] : passes)
    {
        shared += times == 2 ? 1 : 0;
    }
    ASSERT_GT(shared, 0);
    // k leaks of equal power are 10 log10 k stronger than one
    EXPECT_DOUBLE_EQ(fabric->GetPath(both.routes[0], both.routes).crosstalkDb,
                     30 - 10 * std::log10(shared));
}

TEST(MeshDescription, TheOrderOfCircuitsDoesNotMatter)
{
    const auto fabric = MakeMesh(4, 4, 12);
    const std::vector<Circuit> circuits{Of(0, 7), Of(1, 6), Of(2, 5), Of(3, 9)};
    std::vector<Circuit> turned(circuits.rbegin(), circuits.rend());
    const FabricAnswer one = fabric->FindRoutes({}, circuits);
    const FabricAnswer other = MakeMesh(4, 4, 12)->FindRoutes({}, turned);
    ASSERT_EQ(one.why, "");
    ASSERT_EQ(other.why, "");
    for (std::size_t i = 0; i < circuits.size(); ++i)
    {
        EXPECT_EQ(other.routes[i].circuit, turned[i]) << "in their order";
        EXPECT_TRUE(other.routes[circuits.size() - 1 - i].ways == one.routes[i].ways);
    }
}

TEST(MeshDescription, WhatItCannotSetIsNamed)
{
    const auto fabric = MakeMesh(2, 2, 10);
    const std::vector<Circuit> circuits{Of(0, 5), Of(1, 6), Of(2, 7), Of(3, 8), Of(4, 9)};
    const FabricAnswer answer = fabric->FindRoutes({}, circuits);
    EXPECT_EQ(answer.routes.size(), 0U);
    for (const char* words :
         {"hexagonal mesh of 19 cells", "0-5, 1-6, 2-7, 3-8, 4-9", "no setting of its cells"})
    {
        EXPECT_TRUE(Contains(answer.why, words)) << answer.why;
    }
    EXPECT_EQ(fabric->GetWhyNot(circuits), answer.why);
    EXPECT_EQ(fabric->GetWhyNot({circuits[0]}), "");
}

TEST(MeshDescription, InANetworkOfInputsAndOutputsEachDirectionHasARoute)
{
    const auto benes = CreateObject<BenesFabric>()->Describe(6);
    const auto crossbar = CreateObject<CrossbarMeshFabric>()->Describe(6);
    EXPECT_EQ(benes->GetCells(), 5U * 4) << "8 inputs: 5 stages of 4 cells";
    EXPECT_EQ(crossbar->GetCells(), 36U);
    EXPECT_FALSE(benes->IsNonBlocking());
    EXPECT_TRUE(crossbar->IsNonBlocking());
    for (const auto& fabric : {benes, crossbar})
    {
        const FabricAnswer answer = fabric->FindRoutes({}, {Of(0, 3), Of(1, 5), Of(2, 4)});
        ASSERT_EQ(answer.why, "");
        for (const FabricRoute& route : answer.routes)
        {
            ASSERT_EQ(route.ways.size(), 2U);
        }
        const auto* mesh = dynamic_cast<const MeshDescription*>(fabric.get());
        EXPECT_EQ(FindRouteError(mesh->GetMesh(), ListWays(answer.routes)), "");
    }
    // from input 0 to output 3 of 6: 6 - 0 + 3 cells; back 6 - 3 + 0
    const FabricAnswer one = crossbar->FindRoutes({}, {Of(0, 3)});
    EXPECT_EQ(one.routes[0].ways[0].steps.size(), 9U);
    EXPECT_EQ(one.routes[0].ways[1].steps.size(), 3U);
    EXPECT_GT(crossbar->GetDelay(one.routes[0], 0), crossbar->GetDelay(one.routes[0], 1));
    EXPECT_EQ(crossbar->GetPath(one.routes[0], one.routes).cells, 9U) << "the worse direction";
}

TEST(FabricRoutes, CircuitsKeepTheirRoutesUnlessTheyMayMove)
{
    std::mt19937 draw(5);
    const auto mesh = MakeMesh(3, 3, 12);
    FabricRoutes routes(mesh);
    std::map<Circuit, std::vector<MeshRoute>> before;
    uint32_t refused = 0;
    uint32_t moved = 0;
    for (int i = 0; i < 400; ++i)
    {
        CircuitChange change;
        std::set<uint32_t> taken;
        std::vector<Circuit> movable;
        for (const auto& [circuit, ways] : before)
        {
            if (draw() % 3 == 0)
            {
                change.removed.push_back(circuit);
                continue;
            }
            taken.insert({circuit.low.Get(), circuit.high.Get()});
            if (i % 2 == 0)
            {
                movable.push_back(circuit);
            }
        }
        std::vector<uint32_t> free;
        for (uint32_t port = 0; port < 12; ++port)
        {
            if (taken.count(port) == 0)
            {
                free.push_back(port);
            }
        }
        std::shuffle(free.begin(), free.end(), draw);
        for (std::size_t p = 0; p + 1 < free.size() && p < 4; p += 2)
        {
            change.added.push_back(Of(free[p], free[p + 1]));
        }
        const RouteChange result = routes.Change(change, movable);
        if (!result.why.empty())
        {
            ++refused;
            for (const auto& [circuit, ways] : before)
            {
                ASSERT_TRUE(routes.Find(circuit)->ways == ways) << "nothing has changed";
            }
            continue;
        }
        moved += result.moved.size();
        for (const Circuit& circuit : change.removed)
        {
            before.erase(circuit);
        }
        for (const auto& [circuit, ways] : before)
        {
            const bool isMoved = std::count(result.moved.begin(), result.moved.end(), circuit) > 0;
            ASSERT_EQ(routes.Find(circuit)->ways == ways, !isMoved);
            ASSERT_TRUE(!isMoved || i % 2 == 0);
        }
        for (const Circuit& circuit : change.added)
        {
            before[circuit];
        }
        std::vector<MeshRoute> all;
        for (auto& [circuit, ways] : before)
        {
            ways = routes.Find(circuit)->ways;
            all.insert(all.end(), ways.begin(), ways.end());
        }
        ASSERT_EQ(FindRouteError(mesh->GetMesh(), all), "");
    }
    EXPECT_GT(refused, 10U);
    EXPECT_GT(moved, 10U);
}

TEST(FabricRoutes, ACrossbarNeedsNoRoutes)
{
    FabricRoutes routes(CreateObject<CrossbarFabric>()->Describe(4));
    CircuitChange change;
    change.added = {Of(0, 2), Of(1, 3)};
    EXPECT_EQ(routes.Change(change, {}).why, "");
    EXPECT_EQ(routes.Find(Of(0, 2)), nullptr);
    EXPECT_EQ(routes.GetDelays(Of(0, 2)).first, 0);
    EXPECT_EQ(routes.GetPath(Of(0, 2)).lossDb, 0);
}

TEST(AllPairsMatchings, EachPairMeetsOnceInTheFewestMatchings)
{
    for (uint32_t ports = 2; ports <= 32; ++ports)
    {
        const auto fabric = CreateObject<HexagonalMeshFabric>()->Describe(ports);
        const AllPairsMatchings all = FindAllPairsMatchings(*fabric, 100);
        // each port has n - 1 partners, one a matching; of an odd number one is alone each time
        EXPECT_EQ(all.matchings.size(), ports % 2 == 0 ? ports - 1 : ports);
        EXPECT_TRUE(all.AreComplete()) << ports << ": " << all.settable;
        std::set<Circuit> met;
        for (std::size_t m = 0; m < all.matchings.size(); ++m)
        {
            std::set<PortId> inIt;
            for (const Circuit& circuit : all.matchings[m])
            {
                EXPECT_TRUE(met.insert(circuit).second) << "they meet once";
                EXPECT_TRUE(inIt.insert(circuit.low).second && inIt.insert(circuit.high).second);
            }
            const auto* mesh = dynamic_cast<const MeshDescription*>(fabric.get());
            ASSERT_EQ(all.routes[m].size(), all.matchings[m].size());
            EXPECT_EQ(FindRouteError(mesh->GetMesh(), ListWays(all.routes[m])), "");
        }
        EXPECT_EQ(met.size(), ports * (ports - 1) / 2);
        const std::set<uint32_t> places(all.ports.begin(), all.ports.end());
        EXPECT_EQ(places.size(), ports) << "each rank has a port of its own";
    }
}

TEST(AllPairsMatchings, TheDefaultMeshOf32PortsIsThatOfThePaper)
{
    // arXiv 2501.18136: "supporting up to 32 ports with 9 x 9 PIP mesh size"
    EXPECT_EQ(HexagonalMeshFabric::GetSide(32), 9U);
    EXPECT_EQ(CreateObject<HexagonalMeshFabric>()->Describe(32)->GetCells(), 278U);
}

TEST(AllPairsMatchings, WhereAMeshIsTooSmallTheBestIsReported)
{
    Ptr<HexagonalMeshFabric> fabric = CreateObject<HexagonalMeshFabric>();
    fabric->SetAttribute("Rows", UintegerValue(2));
    fabric->SetAttribute("Columns", UintegerValue(2));
    const AllPairsMatchings all = FindAllPairsMatchings(*fabric->Describe(6), 12);
    EXPECT_FALSE(all.AreComplete());
    EXPECT_EQ(all.tries, 12U);
    EXPECT_LT(all.settable, 5U);
    uint32_t settable = 0;
    for (const auto& routes : all.routes)
    {
        settable += routes.empty() ? 0 : 1;
    }
    EXPECT_EQ(settable, all.settable);
}
