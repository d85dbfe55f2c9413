/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/mesh-graph.h"
#include "ns3/mesh-layouts.h"
#include "ns3/regular-meshes.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

using namespace ns3;

namespace
{

/** @return the sides of hexagons in a parallelogram, counted by the rule of Euler for planar graphs
 */
uint32_t
CountSides(uint32_t rows, uint32_t columns)
{
    // each corner is shared by up to three hexagons: 2 (R C + R + C) corners; corners - sides +
    // faces = 2, where the outside is a face
    const uint32_t corners = 2 * (rows * columns + rows + columns);
    return corners + rows * columns + 1 - 2;
}

/** @return demands of a permutation, from inputs to outputs */
std::vector<MeshDemand>
MakeDemands(const std::vector<uint32_t>& outputs)
{
    std::vector<MeshDemand> demands;
    for (uint32_t input = 0; input < outputs.size(); ++input)
    {
        demands.push_back({input, static_cast<uint32_t>(outputs.size()) + outputs[input]});
    }
    return demands;
}

} // namespace

TEST(MeshGraph, AHexagonalMeshHasASideOfAHexagonForEachCell)
{
    for (const auto& [rows, columns] : {std::pair(1U, 1U), {1U, 4U}, {3U, 2U}, {9U, 9U}})
    {
        const MeshGraph mesh = MakeHexagonalMesh(rows, columns, GetMostEnds(rows, columns));
        EXPECT_EQ(mesh.GetCells(), CountSides(rows, columns));
        // corners with two sides have two arms that lead out; sum of degrees = 2 sides
        const uint32_t corners = 2 * (rows * columns + rows + columns);
        const uint32_t outer = 3 * corners - 2 * mesh.GetCells();
        EXPECT_EQ(mesh.GetEnds(), 2 * outer);
        uint32_t open = 0;
        for (uint32_t arm = 0; arm < mesh.GetArms(); ++arm)
        {
            const uint32_t mate = mesh.GetMate(arm);
            open += mate == MeshGraph::NOWHERE ? 1 : 0;
            if (mate != MeshGraph::NOWHERE)
            {
                EXPECT_EQ(mesh.GetMate(mate), arm);
                EXPECT_NE(MeshGraph::GetCell(mate), MeshGraph::GetCell(arm));
            }
        }
        EXPECT_EQ(open, mesh.GetEnds()) << "an arm leads to another or out";
    }
}

TEST(MeshGraph, LightInBarCellsStaysInItsHexagonOrOutside)
{
    // a single hexagon: the six inner arms are a ring, so light from outside goes along one side
    const MeshGraph mesh = MakeHexagonalMesh(1, 1, 12);
    const std::vector<CellState> bar(6, CellState::BAR);
    for (uint32_t end = 0; end < 12; ++end)
    {
        const MeshRoute route = FollowLight(mesh, bar, end);
        EXPECT_EQ(route.steps.size(), 1U);
        EXPECT_NE(route.demand.to, end);
    }
    // crossed once, it goes round inside and comes back through the same cell
    std::vector<CellState> one = bar;
    one[MeshGraph::GetCell(mesh.GetArm(0))] = CellState::CROSS;
    EXPECT_EQ(FollowLight(mesh, one, 0).steps.size(), 7U);
}

TEST(MeshGraph, EndsAreInOrderRoundTheMesh)
{
    // neighbours on the outside are the ends that bar cells join
    const MeshGraph mesh = MakeHexagonalMesh(3, 4, GetMostEnds(3, 4));
    const std::vector<CellState> bar(mesh.GetCells(), CellState::BAR);
    for (uint32_t end = 0; end < mesh.GetEnds(); ++end)
    {
        const uint32_t other = FollowLight(mesh, bar, end).demand.to;
        const uint32_t apart = (other + mesh.GetEnds() - end) % mesh.GetEnds();
        EXPECT_TRUE(apart == 1 || apart == mesh.GetEnds() - 1) << end << " to " << other;
    }
}

TEST(MeshGraph, LightOfAnySettingComesOutAtAnotherEnd)
{
    // a setting is a permutation of the ends without a fixed point: routes do not merge or end
    std::mt19937 draw(1);
    const MeshGraph mesh = MakeHexagonalMesh(3, 3, GetMostEnds(3, 3));
    for (int i = 0; i < 200; ++i)
    {
        std::vector<CellState> states(mesh.GetCells());
        for (CellState& state : states)
        {
            state = draw() % 2 == 0 ? CellState::BAR : CellState::CROSS;
        }
        std::vector<MeshRoute> routes;
        for (uint32_t end = 0; end < mesh.GetEnds(); ++end)
        {
            const MeshRoute route = FollowLight(mesh, states, end);
            ASSERT_LT(route.demand.to, mesh.GetEnds());
            EXPECT_EQ(FollowLight(mesh, states, route.demand.to).demand.to, end) << "and back";
            if (end < route.demand.to)
            {
                routes.push_back(route);
            }
        }
        EXPECT_EQ(routes.size(), mesh.GetEnds() / 2);
        EXPECT_EQ(FindRouteError(mesh, routes), "");
    }
}

TEST(MeshGraph, ErrorsOfRoutesAreFound)
{
    const MeshGraph mesh = MakeHexagonalMesh(2, 2, GetMostEnds(2, 2));
    const std::vector<CellState> bar(mesh.GetCells(), CellState::BAR);
    const std::vector<CellState> cross(mesh.GetCells(), CellState::CROSS);
    const MeshRoute right = FollowLight(mesh, bar, 0);
    EXPECT_EQ(FindRouteError(mesh, {right}), "");
    EXPECT_NE(FindRouteError(mesh, {right, right}), "") << "twice the same ends";

    MeshRoute elsewhere = right;
    elsewhere.demand.to = (right.demand.to + 1) % mesh.GetEnds();
    EXPECT_NE(FindRouteError(mesh, {elsewhere}), "") << "it leads elsewhere";

    MeshRoute jump = FollowLight(mesh, cross, 0);
    ASSERT_GT(jump.steps.size(), 1U);
    jump.steps.erase(jump.steps.begin());
    EXPECT_NE(FindRouteError(mesh, {jump}), "") << "no waveguide from the end";

    // another end whose light needs a cell of the first route crossed
    for (uint32_t end = 1; end < mesh.GetEnds(); ++end)
    {
        const MeshRoute other = FollowLight(mesh, cross, end);
        const bool shares = std::any_of(other.steps.begin(), other.steps.end(), [&](auto& step) {
            return MeshGraph::GetCell(step.arm) == MeshGraph::GetCell(right.steps[0].arm);
        });
        const std::set<uint32_t> ends{0, right.demand.to, end, other.demand.to};
        if (shares && ends.size() == 4)
        {
            EXPECT_NE(FindRouteError(mesh, {right, other}), "") << "bar and cross";
        }
    }
}

TEST(RegularMeshes, ABenesNetworkSetsEachPermutation)
{
    for (const uint32_t inputs : {2U, 4U, 8U})
    {
        const MeshGraph mesh = MakeBenesMesh(inputs);
        const auto stages = static_cast<uint32_t>(2 * std::log2(inputs) - 1);
        EXPECT_EQ(mesh.GetCells(), stages * inputs / 2);
        std::vector<uint32_t> outputs(inputs);
        std::iota(outputs.begin(), outputs.end(), 0);
        uint32_t count = 0;
        do
        {
            const std::vector<MeshDemand> demands = MakeDemands(outputs);
            const std::vector<MeshRoute> routes = SetBenesMesh(mesh, demands);
            ASSERT_EQ(FindRouteError(mesh, routes), "");
            for (uint32_t i = 0; i < inputs; ++i)
            {
                ASSERT_EQ(routes[i].demand, demands[i]);
                ASSERT_EQ(routes[i].steps.size(), stages);
            }
            ++count;
        } while (std::next_permutation(outputs.begin(), outputs.end()));
        EXPECT_EQ(count, inputs == 2 ? 2U : inputs == 4 ? 24U : 40320U);
    }
}

TEST(RegularMeshes, LargeNetworksSetPermutationsAndPartsOfThem)
{
    std::mt19937 draw(2);
    for (const uint32_t inputs : {16U, 32U, 128U})
    {
        const MeshGraph benes = MakeBenesMesh(inputs);
        const MeshGraph crossbar = MakeCrossbarMesh(inputs);
        EXPECT_EQ(crossbar.GetCells(), inputs * inputs);
        for (int i = 0; i < 20; ++i)
        {
            std::vector<uint32_t> outputs(inputs);
            std::iota(outputs.begin(), outputs.end(), 0);
            std::shuffle(outputs.begin(), outputs.end(), draw);
            std::vector<MeshDemand> demands = MakeDemands(outputs);
            demands.resize(1 + draw() % inputs);
            const std::vector<MeshRoute> looped = SetBenesMesh(benes, demands);
            ASSERT_EQ(FindRouteError(benes, looped), "");
            ASSERT_EQ(looped.size(), demands.size());
            for (std::size_t d = 0; d < demands.size(); ++d)
            {
                ASSERT_EQ(looped[d].demand, demands[d]);
            }
            const std::vector<MeshRoute> straight = SetCrossbarMesh(crossbar, demands);
            ASSERT_EQ(FindRouteError(crossbar, straight), "");
            for (const MeshRoute& route : straight)
            {
                // along row i to column j, and down the rows below: j + 1 and n - 1 - i cells
                const uint32_t column = route.demand.to - inputs;
                ASSERT_EQ(route.steps.size(), inputs - route.demand.from + column);
            }
        }
    }
}
