/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "negotiated-routes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace ns3
{

namespace
{

/** The negotiation: the routes so far, and the prices of cells. */
class Negotiation
{
  public:
    Negotiation(const MeshGraph& mesh,
                const std::vector<MeshRoute>& kept,
                const std::vector<MeshDemand>& demands)
        : m_mesh(mesh),
          m_fixed(mesh.GetCells(), CellState::NONE),
          m_taken(mesh.GetArms()),
          m_uses(mesh.GetCells()),
          m_dearness(mesh.GetCells())
    {
        for (const MeshRoute& route : kept)
        {
            for (const MeshStep& step : route.steps)
            {
                m_fixed[MeshGraph::GetCell(step.arm)] = step.state;
                m_taken[step.arm] = true;
                m_taken[MeshGraph::GetExit(step.arm, step.state)] = true;
            }
        }
        for (const MeshDemand& demand : demands)
        {
            m_routes.push_back({demand, {}});
        }
    }

    MeshAnswer Run(uint32_t rounds)
    {
        MeshAnswer answer;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            ++answer.steps;
            for (MeshRoute& route : m_routes)
            {
                if (round % ALL_EVERY != 0 && !Disagrees(route))
                {
                    continue;
                }
                if (!Reroute(route, 1 + round / CALM))
                {
                    answer.outcome = MeshAnswer::IMPOSSIBLE; // beside those that are kept
                    return answer;
                }
            }
            const bool isSettled =
                std::none_of(m_routes.begin(), m_routes.end(), [this](const MeshRoute& route) {
                    return Disagrees(route);
                });
            if (isSettled)
            {
                Shorten();
                answer.outcome = MeshAnswer::FOUND;
                answer.routes = m_routes;
                return answer;
            }
            MakeDearer();
        }
        return answer;
    }

  private:
    using Cost = uint64_t;
    static constexpr Cost BASE = 16; //!< of a cell that no other route needs
    static constexpr Cost FORBIDDEN = UINT64_MAX;
    static constexpr uint32_t ALL_EVERY =
        4;                              //!< rounds; in the others only routes that disagree move
    static constexpr uint32_t CALM = 8; //!< rounds after which conflicts become dearer

    /** The routes that use each of the places of a cell: by state, BAR first, and place. */
    using Uses = std::array<uint32_t, 4>;

    /** @return the place in a cell that light takes that enters by an arm */
    static uint32_t GetPlace(uint32_t arm, CellState state)
    {
        const uint32_t first = (arm & 2U) == 0 ? arm : MeshGraph::GetExit(arm, state);
        return (state == CellState::BAR ? 0 : 2) + (first & 1U);
    }

    /** @return the uses of a cell that a passage does not go together with */
    uint32_t CountConflicts(uint32_t arm, CellState state) const
    {
        const Uses& uses = m_uses[MeshGraph::GetCell(arm)];
        const uint32_t other = state == CellState::BAR ? 2 : 0;
        return uses[GetPlace(arm, state)] + uses[other] + uses[other + 1];
    }

    /** Adds a route to the uses of its cells, or takes it away. */
    void Count(const MeshRoute& route, int by)
    {
        for (const MeshStep& step : route.steps)
        {
            m_uses[MeshGraph::GetCell(step.arm)][GetPlace(step.arm, step.state)] += by;
        }
    }

    /** @return whether another route, or the route itself, needs a cell of a route otherwise */
    bool Disagrees(const MeshRoute& route) const
    {
        return std::any_of(route.steps.begin(), route.steps.end(), [this](const MeshStep& step) {
            return CountConflicts(step.arm, step.state) > 1; // one is its own
        });
    }

    /** @return the cost of a passage */
    Cost GetCost(uint32_t arm, CellState state, uint32_t pressure) const
    {
        const uint32_t cell = MeshGraph::GetCell(arm);
        const bool isForbidden = m_taken[arm] || m_taken[MeshGraph::GetExit(arm, state)] ||
                                 (m_fixed[cell] != CellState::NONE && m_fixed[cell] != state);
        if (isForbidden)
        {
            return FORBIDDEN;
        }
        return (BASE + m_dearness[cell]) * (1 + Cost{pressure} * CountConflicts(arm, state));
    }

    /** Gives a route its cheapest way. @return whether there is one */
    bool Reroute(MeshRoute& route, uint32_t pressure)
    {
        Count(route, -1);
        route.steps = FindCheapest(route.demand, [&](uint32_t arm, CellState state) {
            return GetCost(arm, state, pressure);
        });
        Count(route, 1);
        return !route.steps.empty();
    }

    /** Shortens routes, one after the other, by cells that no other route needs otherwise. */
    void Shorten()
    {
        for (MeshRoute& route : m_routes)
        {
            Count(route, -1);
            const std::vector<MeshStep> before = route.steps;
            route.steps = FindCheapest(route.demand, [&](uint32_t arm, CellState state) {
                const bool isFree =
                    GetCost(arm, state, 0) != FORBIDDEN && CountConflicts(arm, state) == 0;
                return isFree ? BASE : FORBIDDEN;
            });
            Count(route, 1);
            if (route.steps.empty() || Disagrees(route)) // it could meet itself
            {
                Count(route, -1);
                route.steps = before;
                Count(route, 1);
            }
        }
    }

    /** Makes the cells dearer in which routes disagree. */
    void MakeDearer()
    {
        for (uint32_t cell = 0; cell < m_mesh.GetCells(); ++cell)
        {
            const Uses& uses = m_uses[cell];
            const bool isBoth = uses[0] + uses[1] > 0 && uses[2] + uses[3] > 0;
            const bool isCrowded =
                std::any_of(uses.begin(), uses.end(), [](uint32_t use) { return use > 1; });
            m_dearness[cell] += isBoth || isCrowded ? BASE / 2 : 0;
        }
    }

    /** @return the cheapest route of a demand; empty if there is none. Among equals, always the
     * same
     */
    template <typename Price>
    std::vector<MeshStep> FindCheapest(const MeshDemand& demand, const Price& priceOf) const
    {
        using Entry = std::pair<Cost, uint32_t>;
        std::vector<Cost> costs(m_mesh.GetArms(), FORBIDDEN);
        std::vector<MeshStep> before(m_mesh.GetArms(), {MeshGraph::NOWHERE, CellState::NONE});
        std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
        Cost best = FORBIDDEN;
        MeshStep last{MeshGraph::NOWHERE, CellState::NONE};
        const uint32_t first = m_mesh.GetArm(demand.from);
        costs[first] = 0;
        open.emplace(0, first);
        while (!open.empty() && open.top().first < best)
        {
            const auto [cost, arm] = open.top();
            open.pop();
            if (cost > costs[arm])
            {
                continue;
            }
            for (const CellState state : {CellState::BAR, CellState::CROSS})
            {
                const Cost price = priceOf(arm, state);
                const uint32_t exit = MeshGraph::GetExit(arm, state);
                const uint32_t next = m_mesh.GetMate(exit);
                if (price == FORBIDDEN)
                {
                    continue;
                }
                if (m_mesh.GetEndOf(exit) == demand.to && cost + price < best)
                {
                    best = cost + price;
                    last = {arm, state};
                }
                else if (next != MeshGraph::NOWHERE && cost + price < costs[next])
                {
                    costs[next] = cost + price;
                    before[next] = {arm, state};
                    open.emplace(costs[next], next);
                }
            }
        }
        std::vector<MeshStep> steps;
        for (MeshStep step = last; step.arm != MeshGraph::NOWHERE; step = before[step.arm])
        {
            steps.push_back(step);
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    const MeshGraph& m_mesh;
    std::vector<CellState> m_fixed; //!< by routes that are kept
    std::vector<bool> m_taken;      //!< by arm: a route that is kept passes it
    std::vector<Uses> m_uses;       //!< by cell
    std::vector<Cost> m_dearness;   //!< by cell
    std::vector<MeshRoute> m_routes;
};

} // namespace

MeshAnswer
NegotiateRoutes(const MeshGraph& mesh,
                const std::vector<MeshRoute>& kept,
                const std::vector<MeshDemand>& demands,
                uint32_t rounds)
{
    return Negotiation(mesh, kept, demands).Run(rounds);
}

} // namespace ns3
