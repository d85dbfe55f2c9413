/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/exact-mesh-search.h"
#include "ns3/mesh-layouts.h"
#include "ns3/mesh-router.h"
#include "ns3/negotiated-routes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

constexpr uint64_t NO_LIMIT = UINT64_MAX;

/** By setting of the cells, where light from each end comes out: all that a mesh can do. */
class BruteForce
{
  public:
    explicit BruteForce(const MeshGraph& mesh)
        : m_mesh(mesh)
    {
        for (uint32_t bits = 0; bits < 1U << mesh.GetCells(); ++bits)
        {
            std::vector<CellState> states(mesh.GetCells());
            for (uint32_t cell = 0; cell < mesh.GetCells(); ++cell)
            {
                states[cell] = (bits >> cell & 1U) != 0 ? CellState::CROSS : CellState::BAR;
            }
            std::vector<uint32_t> peers;
            for (uint32_t end = 0; end < mesh.GetEnds(); ++end)
            {
                peers.push_back(FollowLight(mesh, states, end).demand.to);
            }
            m_settings[peers].push_back(states);
        }
    }

    /** @return whether a setting joins the ends, and leaves routes as they are */
    bool Has(const std::vector<MeshDemand>& demands, const std::vector<MeshRoute>& kept) const
    {
        return std::any_of(m_settings.begin(), m_settings.end(), [&](const auto& setting) {
            const bool joins =
                std::all_of(demands.begin(), demands.end(), [&](const MeshDemand& demand) {
                    return setting.first[demand.from] == demand.to;
                });
            return joins && std::any_of(setting.second.begin(),
                                        setting.second.end(),
                                        [&](const std::vector<CellState>& states) {
                                            return Keeps(states, kept);
                                        });
        });
    }

  private:
    bool Keeps(const std::vector<CellState>& states, const std::vector<MeshRoute>& kept) const
    {
        return std::all_of(kept.begin(), kept.end(), [&](const MeshRoute& route) {
            return FollowLight(m_mesh, states, route.demand.from) == route;
        });
    }

    const MeshGraph& m_mesh;
    std::map<std::vector<uint32_t>, std::vector<std::vector<CellState>>> m_settings;
};

/** @return all matchings of some ends, perfect or not, with at least one pair */
std::vector<std::vector<MeshDemand>>
ListMatchings(std::vector<uint32_t> ends)
{
    if (ends.size() < 2)
    {
        return {{}};
    }
    const uint32_t first = ends.front();
    ends.erase(ends.begin());
    std::vector<std::vector<MeshDemand>> all = ListMatchings(ends); // the first stays alone
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        std::vector<uint32_t> rest = ends;
        rest.erase(rest.begin() + i);
        for (std::vector<MeshDemand> matching : ListMatchings(rest))
        {
            matching.push_back({first, ends[i]});
            all.push_back(matching);
        }
    }
    return all;
}

/** @return as many ends as there are, in order */
std::vector<uint32_t>
ListEnds(const MeshGraph& mesh)
{
    std::vector<uint32_t> ends(mesh.GetEnds());
    for (uint32_t end = 0; end < ends.size(); ++end)
    {
        ends[end] = end;
    }
    return ends;
}

/** Checks an answer against the mesh. */
void
ExpectRoutes(const MeshGraph& mesh,
             const std::vector<MeshRoute>& kept,
             const std::vector<MeshDemand>& demands,
             const MeshAnswer& answer)
{
    ASSERT_EQ(answer.routes.size(), demands.size());
    for (std::size_t i = 0; i < demands.size(); ++i)
    {
        EXPECT_EQ(answer.routes[i].demand, demands[i]);
    }
    std::vector<MeshRoute> all = kept;
    all.insert(all.end(), answer.routes.begin(), answer.routes.end());
    EXPECT_EQ(FindRouteError(mesh, all), "");
}

/** @return whether light from one end may reach the other through cells beside a route */
bool
IsReached(const MeshGraph& mesh, const MeshRoute& beside, const MeshDemand& demand)
{
    std::map<uint32_t, CellState> fixed;
    std::set<uint32_t> seen; // arms that light has entered by, or may not pass
    for (const MeshStep& step : beside.steps)
    {
        fixed[MeshGraph::GetCell(step.arm)] = step.state;
        seen.insert(step.arm);
        seen.insert(MeshGraph::GetExit(step.arm, step.state));
    }
    std::vector<uint32_t> open{mesh.GetArm(demand.from)};
    while (!open.empty())
    {
        const uint32_t arm = open.back();
        open.pop_back();
        if (!seen.insert(arm).second)
        {
            continue;
        }
        for (const CellState state : {CellState::BAR, CellState::CROSS})
        {
            const auto is = fixed.find(MeshGraph::GetCell(arm));
            if (is != fixed.end() && is->second != state)
            {
                continue;
            }
            const uint32_t exit = MeshGraph::GetExit(arm, state);
            if (mesh.GetEndOf(exit) == demand.to)
            {
                return true;
            }
            if (mesh.GetMate(exit) != MeshGraph::NOWHERE)
            {
                open.push_back(mesh.GetMate(exit));
            }
        }
    }
    return false;
}

} // namespace

TEST(MeshRouter, TheExactSearchFindsWhatASettingOfTheCellsHasAndNothingElse)
{
    // 6 or 11 cells: all 2^c settings are tried; each matching of the ends is a question
    const struct
    {
        uint32_t rows;
        uint32_t columns;
        uint32_t ends;
    } meshes[] = {{1, 1, 6}, {1, 1, 8}, {1, 2, 7}, {1, 2, 10}};

    uint32_t possible = 0;
    uint32_t impossible = 0;
    for (const auto& size : meshes)
    {
        const MeshGraph mesh = MakeHexagonalMesh(size.rows, size.columns, size.ends);
        const BruteForce truth(mesh);
        for (const auto& demands : ListMatchings(ListEnds(mesh)))
        {
            const bool can = truth.Has(demands, {});
            const MeshAnswer answer = SearchMeshExactly(mesh, {}, demands, NO_LIMIT);
            ASSERT_EQ(answer.outcome, can ? MeshAnswer::FOUND : MeshAnswer::IMPOSSIBLE);
            can ? ++possible : ++impossible;
            if (can)
            {
                ExpectRoutes(mesh, {}, demands, answer);
            }
            const MeshAnswer quick = NegotiateRoutes(mesh, {}, demands, 60);
            ASSERT_TRUE(!can || quick.outcome != MeshAnswer::IMPOSSIBLE);
            ASSERT_TRUE(can || quick.outcome != MeshAnswer::FOUND);
            if (quick.outcome == MeshAnswer::FOUND)
            {
                ExpectRoutes(mesh, {}, demands, quick);
            }
        }
    }
    EXPECT_GT(possible, 100U);
    EXPECT_GT(impossible, 100U);
}

TEST(MeshRouter, TheExactSearchKeepsRoutes)
{
    const MeshGraph mesh = MakeHexagonalMesh(1, 2, 10);
    const BruteForce truth(mesh);
    uint32_t possible = 0;
    uint32_t impossible = 0;
    for (std::vector<MeshDemand> demands : ListMatchings(ListEnds(mesh)))
    {
        if (demands.size() < 2)
        {
            continue;
        }
        const MeshAnswer together = SearchMeshExactly(mesh, {}, demands, NO_LIMIT);
        const MeshAnswer alone = SearchMeshExactly(mesh, {}, {demands.back()}, NO_LIMIT);
        demands.pop_back();
        std::vector<std::vector<MeshRoute>> kept;
        if (together.outcome == MeshAnswer::FOUND)
        {
            kept.push_back({together.routes.back()});
        }
        if (alone.outcome == MeshAnswer::FOUND)
        {
            kept.push_back(alone.routes);
        }
        for (const std::vector<MeshRoute>& routes : kept)
        {
            const bool can = truth.Has(demands, routes);
            const MeshAnswer answer = SearchMeshExactly(mesh, routes, demands, NO_LIMIT);
            ASSERT_EQ(answer.outcome, can ? MeshAnswer::FOUND : MeshAnswer::IMPOSSIBLE);
            can ? ++possible : ++impossible;
            const MeshAnswer quick = FindMeshRoutes(mesh, routes, demands, {});
            ASSERT_EQ(quick.outcome, answer.outcome) << "exact where negotiation finds nothing";
            if (can)
            {
                ExpectRoutes(mesh, routes, demands, answer);
                ExpectRoutes(mesh, routes, demands, quick);
            }
        }
    }
    EXPECT_GT(possible, 20U);
    EXPECT_GT(impossible, 20U);
}

TEST(MeshRouter, ASearchBeyondItsLimitProvesNothing)
{
    const MeshGraph mesh = MakeHexagonalMesh(2, 2, 10);
    const std::vector<MeshDemand> demands{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};
    const MeshAnswer whole = SearchMeshExactly(mesh, {}, demands, NO_LIMIT);
    ASSERT_EQ(whole.outcome, MeshAnswer::IMPOSSIBLE);
    const MeshAnswer part = SearchMeshExactly(mesh, {}, demands, whole.steps / 2);
    EXPECT_EQ(part.outcome, MeshAnswer::NOT_FOUND);
}

TEST(MeshRouter, ADemandWithoutAnyWayBesideKeptRoutesIsImpossible)
{
    // a route along the only cell that an end leads to, in a mesh too large for the exact search
    const MeshGraph mesh = MakeHexagonalMesh(6, 6, 24);
    ASSERT_GT(mesh.GetCells(), MeshEffort().exactCells);
    uint32_t impossible = 0;
    for (uint32_t to = 1; to < mesh.GetEnds(); ++to)
    {
        const MeshAnswer kept = NegotiateRoutes(mesh, {}, {{0, to}}, 60);
        ASSERT_EQ(kept.outcome, MeshAnswer::FOUND);
        for (uint32_t from = 1; from < mesh.GetEnds(); ++from)
        {
            for (uint32_t other = from + 1; other < mesh.GetEnds(); ++other)
            {
                if (from == to || other == to)
                {
                    continue;
                }
                const MeshAnswer answer = FindMeshRoutes(mesh, kept.routes, {{from, other}}, {});
                // it may fail to find a way that does not meet itself, but proves what is so
                ASSERT_EQ(answer.outcome == MeshAnswer::IMPOSSIBLE,
                          !IsReached(mesh, kept.routes.front(), {from, other}))
                    << from << " to " << other;
                impossible += answer.outcome == MeshAnswer::IMPOSSIBLE ? 1 : 0;
            }
        }
    }
    EXPECT_GT(impossible, 0U);
}

TEST(MeshRouter, NegotiationGivesDisjointRoutesInLargeMeshes)
{
    std::mt19937 draw(4);
    uint32_t found = 0;
    for (int i = 0; i < 60; ++i)
    {
        const MeshGraph mesh = MakeHexagonalMesh(6, 6, 24);
        std::vector<uint32_t> ends = ListEnds(mesh);
        std::shuffle(ends.begin(), ends.end(), draw);
        std::vector<MeshDemand> demands;
        for (uint32_t pair = 0; pair < 2 + draw() % 5; ++pair)
        {
            demands.push_back({ends[2 * pair], ends[2 * pair + 1]});
        }
        const MeshAnswer all = NegotiateRoutes(mesh, {}, demands, 100);
        const MeshAnswer again = NegotiateRoutes(mesh, {}, demands, 100);
        EXPECT_TRUE(all.routes == again.routes) << "equal questions have equal answers";
        if (all.outcome != MeshAnswer::FOUND)
        {
            continue;
        }
        ++found;
        ExpectRoutes(mesh, {}, demands, all);
        // the first routes are kept, the others are found anew beside them
        const std::vector<MeshRoute> kept(all.routes.begin(), all.routes.begin() + 1);
        const std::vector<MeshDemand> rest(demands.begin() + 1, demands.end());
        const MeshAnswer beside = NegotiateRoutes(mesh, kept, rest, 100);
        if (beside.outcome == MeshAnswer::FOUND)
        {
            ExpectRoutes(mesh, kept, rest, beside);
        }
    }
    EXPECT_GT(found, 40U);
}

TEST(MeshRouter, ARouteAloneIsShortest)
{
    // the exact lengths by a search of all walks of light in an empty mesh, breadth first
    const MeshGraph mesh = MakeHexagonalMesh(4, 3, 14);
    for (uint32_t from = 0; from < mesh.GetEnds(); ++from)
    {
        std::vector<uint32_t> cells(mesh.GetEnds(), 0);
        std::set<uint32_t> seen;
        std::vector<uint32_t> arms{mesh.GetArm(from)};
        for (uint32_t length = 1; !arms.empty(); ++length)
        {
            std::vector<uint32_t> next;
            for (const uint32_t arm : arms)
            {
                for (const CellState state : {CellState::BAR, CellState::CROSS})
                {
                    const uint32_t exit = MeshGraph::GetExit(arm, state);
                    if (mesh.GetEndOf(exit) != MeshGraph::NOWHERE &&
                        cells[mesh.GetEndOf(exit)] == 0)
                    {
                        cells[mesh.GetEndOf(exit)] = length;
                    }
                    if (mesh.GetMate(exit) != MeshGraph::NOWHERE &&
                        seen.insert(mesh.GetMate(exit)).second)
                    {
                        next.push_back(mesh.GetMate(exit));
                    }
                }
            }
            arms = next;
        }
        for (uint32_t to = 0; to < mesh.GetEnds(); ++to)
        {
            if (to != from)
            {
                const MeshAnswer answer = NegotiateRoutes(mesh, {}, {{from, to}}, 60);
                ASSERT_EQ(answer.outcome, MeshAnswer::FOUND);
                EXPECT_EQ(answer.routes[0].steps.size(), cells[to]) << from << " to " << to;
            }
        }
    }
}
