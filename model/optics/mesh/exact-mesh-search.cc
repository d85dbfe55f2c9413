/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exact-mesh-search.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/** The state of the search: the cells that are set so far, and the places in them that are used. */
class ExactSearch
{
  public:
    ExactSearch(const MeshGraph& mesh,
                const std::vector<MeshRoute>& kept,
                std::vector<MeshDemand> demands,
                uint64_t limit)
        : m_mesh(mesh),
          m_demands(std::move(demands)),
          m_limit(limit),
          m_states(mesh.GetCells(), CellState::NONE),
          m_used(mesh.GetArms(), 0)
    {
        for (const MeshRoute& route : kept)
        {
            for (const MeshStep& step : route.steps)
            {
                m_states[MeshGraph::GetCell(step.arm)] = step.state;
                Use(step.arm, step.state, 1);
            }
        }
        for (const MeshDemand& demand : m_demands)
        {
            m_distances.push_back(MeasureTo(demand.to));
        }
    }

    MeshAnswer Run()
    {
        MeshAnswer answer;
        m_routes.resize(m_demands.size());
        for (std::size_t k = 0; k < m_demands.size(); ++k)
        {
            m_routes[k].demand = m_demands[k];
        }
        const bool isFound = CanJoinRest(0) && Begin(0);
        answer.steps = m_steps;
        answer.outcome = isFound              ? MeshAnswer::FOUND
                         : m_steps >= m_limit ? MeshAnswer::NOT_FOUND
                                              : MeshAnswer::IMPOSSIBLE;
        if (isFound)
        {
            answer.routes = m_routes;
        }
        return answer;
    }

  private:
    /** Notes that a route passes a cell, or no longer. */
    void Use(uint32_t arm, CellState state, uint8_t used)
    {
        m_used[arm] = used;
        m_used[MeshGraph::GetExit(arm, state)] = used;
    }

    /** @return by arm that light enters by, the cells on the shortest way to an end, whatever is
     * set
     */
    std::vector<uint32_t> MeasureTo(uint32_t end) const
    {
        std::vector<uint32_t> distances(m_mesh.GetArms(), MeshGraph::NOWHERE);
        // backwards, which is the same, as cells and waveguides go both ways
        std::vector<uint32_t> exits{m_mesh.GetArm(end)};
        for (uint32_t distance = 1; !exits.empty(); ++distance)
        {
            std::vector<uint32_t> next;
            for (const uint32_t exit : exits)
            {
                for (const CellState state : {CellState::BAR, CellState::CROSS})
                {
                    const uint32_t arm = MeshGraph::GetExit(exit, state);
                    if (distances[arm] == MeshGraph::NOWHERE)
                    {
                        distances[arm] = distance;
                        if (m_mesh.GetMate(arm) != MeshGraph::NOWHERE)
                        {
                            next.push_back(m_mesh.GetMate(arm));
                        }
                    }
                }
            }
            exits = std::move(next);
        }
        return distances;
    }

    /** @return whether each demand from one on could be joined by itself, as cells are set now */
    bool CanJoinRest(std::size_t first) const
    {
        for (std::size_t k = first; k < m_demands.size(); ++k)
        {
            if (!CanReach(m_mesh.GetArm(m_demands[k].from), m_demands[k].to))
            {
                return false;
            }
        }
        return true;
    }

    /** @return whether light that enters by an arm can leave at an end, as cells are set now */
    bool CanReach(uint32_t from, uint32_t end) const
    {
        std::vector<bool> isSeen(m_mesh.GetArms());
        std::vector<uint32_t> open{from};
        isSeen[from] = true;
        while (!open.empty())
        {
            const uint32_t arm = open.back();
            open.pop_back();
            const CellState is = m_states[MeshGraph::GetCell(arm)];
            for (const CellState state : {CellState::BAR, CellState::CROSS})
            {
                if (is != CellState::NONE && is != state)
                {
                    continue;
                }
                const uint32_t exit = MeshGraph::GetExit(arm, state);
                if (m_mesh.GetEndOf(exit) == end)
                {
                    return true;
                }
                const uint32_t next = m_mesh.GetMate(exit);
                if (next != MeshGraph::NOWHERE && !isSeen[next])
                {
                    isSeen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return false;
    }

    /** @return the arms in use and the states of cells that have free arms, for a demand */
    std::string MakeKey(std::size_t demand) const
    {
        std::string key(1, static_cast<char>(demand));
        for (uint32_t cell = 0; cell < m_mesh.GetCells(); ++cell)
        {
            const uint8_t first = m_used[4 * cell];
            const uint8_t second = m_used[4 * cell + 1];
            const bool isFull = first != 0 && second != 0;
            const auto state = isFull ? CellState::NONE : m_states[cell];
            key.push_back(static_cast<char>(first + 2 * second + 4 * static_cast<int>(state)));
        }
        return key;
    }

    /** Joins the demands from one on. @return whether that is done */
    bool Begin(std::size_t demand)
    {
        if (demand == m_demands.size())
        {
            return true;
        }
        const std::string key = MakeKey(demand);
        if (m_inVain.count(key) != 0)
        {
            return false;
        }
        if (Follow(demand, m_mesh.GetArm(m_demands[demand].from)))
        {
            return true;
        }
        if (m_steps < m_limit)
        {
            m_inVain.insert(key);
        }
        return false;
    }

    /** Follows the light of a demand from an arm on. @return whether all the rest is done */
    bool Follow(std::size_t demand, uint32_t arm)
    {
        CellState& state = m_states[MeshGraph::GetCell(arm)];
        if (state != CellState::NONE)
        {
            return Pass(demand, arm, state);
        }
        const auto distanceBy = [&](CellState by) {
            const uint32_t exit = MeshGraph::GetExit(arm, by);
            if (m_mesh.GetEndOf(exit) == m_demands[demand].to)
            {
                return 0U;
            }
            const uint32_t next = m_mesh.GetMate(exit);
            return next == MeshGraph::NOWHERE ? MeshGraph::NOWHERE : m_distances[demand][next];
        };
        const bool isCrossFirst = distanceBy(CellState::CROSS) < distanceBy(CellState::BAR);
        for (const bool isCross : {isCrossFirst, !isCrossFirst})
        {
            const CellState by = isCross ? CellState::CROSS : CellState::BAR;
            if (distanceBy(by) == MeshGraph::NOWHERE || ++m_steps >= m_limit)
            {
                continue;
            }
            state = by;
            if (CanReach(arm, m_demands[demand].to) && CanJoinRest(demand + 1) &&
                Pass(demand, arm, by))
            {
                return true;
            }
            state = CellState::NONE;
        }
        return false;
    }

    /** Takes the light of a demand through a cell. @return whether all the rest is done */
    bool Pass(std::size_t demand, uint32_t arm, CellState state)
    {
        const uint32_t exit = MeshGraph::GetExit(arm, state);
        Use(arm, state, 1);
        m_routes[demand].steps.push_back({arm, state});
        bool isDone = false;
        if (m_mesh.GetEndOf(exit) == m_demands[demand].to)
        {
            isDone = Begin(demand + 1);
        }
        else if (m_mesh.GetMate(exit) != MeshGraph::NOWHERE)
        {
            isDone = Follow(demand, m_mesh.GetMate(exit));
        }
        if (!isDone)
        {
            m_routes[demand].steps.pop_back();
            Use(arm, state, 0);
        }
        return isDone;
    }

    const MeshGraph& m_mesh;
    std::vector<MeshDemand> m_demands;
    uint64_t m_limit;
    uint64_t m_steps{0};
    std::vector<CellState> m_states;
    std::vector<uint8_t> m_used;                    //!< by arm
    std::vector<std::vector<uint32_t>> m_distances; //!< by demand and arm
    std::vector<MeshRoute> m_routes;
    std::set<std::string> m_inVain; //!< keys from which nothing was found
};

} // namespace

MeshAnswer
SearchMeshExactly(const MeshGraph& mesh,
                  const std::vector<MeshRoute>& kept,
                  const std::vector<MeshDemand>& demands,
                  uint64_t steps)
{
    return ExactSearch(mesh, kept, demands, steps).Run();
}

} // namespace ns3
