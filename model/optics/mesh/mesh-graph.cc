/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mesh-graph.h"

#include "ns3/assert.h"

#include <set>
#include <sstream>

namespace ns3
{

uint32_t
MeshGraph::AddCell()
{
    m_mates.resize(m_mates.size() + 4, NOWHERE);
    m_endOf.resize(m_mates.size(), NOWHERE);
    return GetCells() - 1;
}

void
MeshGraph::Join(uint32_t arm, uint32_t other)
{
    NS_ASSERT(arm != other && m_mates.at(arm) == NOWHERE && m_mates.at(other) == NOWHERE);
    NS_ASSERT(m_endOf[arm] == NOWHERE && m_endOf[other] == NOWHERE);
    m_mates[arm] = other;
    m_mates[other] = arm;
}

uint32_t
MeshGraph::AddEnd(uint32_t arm)
{
    NS_ASSERT(m_mates.at(arm) == NOWHERE && m_endOf[arm] == NOWHERE);
    m_endOf[arm] = m_ends.size();
    m_ends.push_back(arm);
    return m_endOf[arm];
}

std::string
FindRouteError(const MeshGraph& mesh, const std::vector<MeshRoute>& routes)
{
    std::vector<CellState> states(mesh.GetCells(), CellState::NONE);
    std::set<uint32_t> passed; // arms
    std::set<uint32_t> ends;
    std::ostringstream error;
    for (const MeshRoute& route : routes)
    {
        error << "route from end " << route.demand.from << " to " << route.demand.to << ": ";
        if (!ends.insert(route.demand.from).second || !ends.insert(route.demand.to).second)
        {
            error << "another route has one of its ends";
            return error.str();
        }
        uint32_t arm = mesh.GetArm(route.demand.from);
        for (const MeshStep& step : route.steps)
        {
            const uint32_t cell = MeshGraph::GetCell(step.arm);
            if (step.arm != arm || step.state == CellState::NONE)
            {
                error << "no waveguide leads to arm " << step.arm;
                return error.str();
            }
            if (states[cell] != CellState::NONE && states[cell] != step.state)
            {
                error << "cell " << cell << " would be bar and cross";
                return error.str();
            }
            states[cell] = step.state;
            const uint32_t exit = MeshGraph::GetExit(arm, step.state);
            if (!passed.insert(arm).second || !passed.insert(exit).second)
            {
                error << "another route passes cell " << cell << " by the same arm";
                return error.str();
            }
            arm = mesh.GetMate(exit) == MeshGraph::NOWHERE ? exit : mesh.GetMate(exit);
        }
        if (route.steps.empty() || mesh.GetEndOf(arm) != route.demand.to)
        {
            error << "it does not lead there";
            return error.str();
        }
        error.str("");
    }
    return "";
}

MeshRoute
FollowLight(const MeshGraph& mesh, const std::vector<CellState>& states, uint32_t end)
{
    MeshRoute route{{end, MeshGraph::NOWHERE}, {}};
    uint32_t arm = mesh.GetArm(end);
    while (arm != MeshGraph::NOWHERE)
    {
        const CellState state = states[MeshGraph::GetCell(arm)];
        route.steps.push_back({arm, state});
        const uint32_t exit = MeshGraph::GetExit(arm, state);
        route.demand.to = mesh.GetEndOf(exit);
        arm = mesh.GetMate(exit);
    }
    return route;
}

} // namespace ns3
