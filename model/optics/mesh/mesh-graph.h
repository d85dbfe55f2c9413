/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_GRAPH_H
#define PHOTONIC_RAILS_MESH_GRAPH_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The setting of a 2x2 cell. A cell that no route needs has none. */
enum class CellState : uint8_t
{
    NONE,
    BAR,   //!< arm 0 to arm 2, arm 1 to arm 3
    CROSS, //!< arm 0 to arm 3, arm 1 to arm 2
};

/**
 * @ingroup photonic-rails
 * @brief A photonic mesh: 2x2 cells, and the waveguides between their arms. Plain C++.
 *
 * A cell is a Mach-Zehnder interferometer with phase shifters: it has two arms on each side, and
 * joins each arm of one side to one of the other, `BAR` or `CROSS`. So a cell carries two routes at
 * once, if both need the same state. Light may go either way. A waveguide joins an arm to another
 * arm, or to an end of the mesh, where a fiber is.
 *
 * An arm is a number: four times that of its cell, plus 0 or 1 on one side, 2 or 3 on the other.
 */
class MeshGraph
{
  public:
    /** No arm, and no end. */
    static constexpr uint32_t NOWHERE = UINT32_MAX;

    /** Adds a cell whose arms lead nowhere. @return its number */
    uint32_t AddCell();
    /** Joins two arms by a waveguide. Both must lead nowhere. */
    void Join(uint32_t arm, uint32_t other);
    /** Leads an arm out of the mesh. @return the number of the end, from 0 */
    uint32_t AddEnd(uint32_t arm);

    /** @return the number of cells */
    uint32_t GetCells() const
    {
        return m_mates.size() / 4;
    }

    /** @return the number of arms: four a cell */
    uint32_t GetArms() const
    {
        return m_mates.size();
    }

    /** @return the number of ends */
    uint32_t GetEnds() const
    {
        return m_ends.size();
    }

    /** @return the arm at the other end of an arm's waveguide; NOWHERE if there is none */
    uint32_t GetMate(uint32_t arm) const
    {
        return m_mates[arm];
    }

    /** @return the end that an arm leads to; NOWHERE if it leads to none */
    uint32_t GetEndOf(uint32_t arm) const
    {
        return m_endOf[arm];
    }

    /** @return the arm that an end leads to */
    uint32_t GetArm(uint32_t end) const
    {
        return m_ends[end];
    }

    /** @return the arm by which light that enters by an arm leaves the cell */
    static uint32_t GetExit(uint32_t arm, CellState state)
    {
        return arm ^ (state == CellState::BAR ? 2U : 3U);
    }

    /** @return the cell of an arm */
    static uint32_t GetCell(uint32_t arm)
    {
        return arm / 4;
    }

  private:
    std::vector<uint32_t> m_mates; //!< by arm
    std::vector<uint32_t> m_endOf; //!< by arm
    std::vector<uint32_t> m_ends;  //!< arms, by end
};

/** Two ends of a mesh between which there is to be a route. */
struct MeshDemand
{
    uint32_t from;
    uint32_t to;

    bool operator==(const MeshDemand& other) const
    {
        return from == other.from && to == other.to;
    }
};

/** A passage of a route through a cell. */
struct MeshStep
{
    uint32_t arm; //!< by which it enters
    CellState state;

    bool operator==(const MeshStep& other) const
    {
        return arm == other.arm && state == other.state;
    }
};

/** The route of a demand, cell by cell. */
struct MeshRoute
{
    MeshDemand demand;
    std::vector<MeshStep> steps;

    bool operator==(const MeshRoute& other) const
    {
        return demand == other.demand && steps == other.steps;
    }
};

/**
 * Checks routes against the mesh, step by step: each leads from its first end to its second one
 * along waveguides, all routes need the same state of a cell, and no two share a waveguide.
 * @return the first error, in words; empty: there is none
 */
std::string FindRouteError(const MeshGraph& mesh, const std::vector<MeshRoute>& routes);

/**
 * Follows light through a mesh whose cells are all set.
 * @param states of all cells
 * @param end at which the light enters
 * @return its route; the second end of its demand is NOWHERE if the light ends inside the mesh
 */
MeshRoute FollowLight(const MeshGraph& mesh, const std::vector<CellState>& states, uint32_t end);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_GRAPH_H */
