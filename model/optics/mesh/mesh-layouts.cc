/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mesh-layouts.h"

#include "ns3/assert.h"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** A place in the plane, in coordinates along two directions of the hexagonal lattice. */
struct Place
{
    int64_t row{0};
    int64_t column{0};

    Place operator+(const Place& other) const
    {
        return {row + other.row, column + other.column};
    }

    bool operator==(const Place& other) const
    {
        return row == other.row && column == other.column;
    }

    bool operator<(const Place& other) const
    {
        return row < other.row || (row == other.row && column < other.column);
    }
};

/** The neighbours of a hexagon, once round. */
constexpr std::array<Place, 6> NEIGHBOURS{{{0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}}};

/**
 * A hexagonal mesh while it is built. A side is named by the sum of its two hexagons, a corner by
 * that of its three, so that each has one name, from whichever hexagon it is looked at.
 */
class Honeycomb
{
  public:
    Honeycomb(uint32_t rows, uint32_t columns)
    {
        for (int64_t row = 0; row < rows; ++row)
        {
            for (int64_t column = 0; column < columns; ++column)
            {
                AddHexagon({row, column});
            }
        }
        for (const auto& [key, arms] : m_meetings)
        {
            if (arms.size() == 2)
            {
                m_mesh.Join(arms[0], arms[1]);
            }
            else
            {
                m_outside[key.first].push_back(arms[0]);
            }
        }
    }

    /** @return the mesh, without ends */
    const MeshGraph& GetMesh() const
    {
        return m_mesh;
    }

    /** @return the arms that lead out of the mesh, once round it */
    std::vector<uint32_t> ListOutside() const
    {
        std::map<uint32_t, uint32_t> partners; // the two arms of a corner
        for (const auto& [corner, arms] : m_outside)
        {
            NS_ASSERT(arms.size() == 2);
            partners[arms[0]] = arms[1];
            partners[arms[1]] = arms[0];
        }
        std::vector<uint32_t> order;
        uint32_t arm = partners.begin()->first;
        do
        {
            order.push_back(arm);
            while (true) // along the outside, where cells are BAR, to the next corner
            {
                arm = MeshGraph::GetExit(arm, CellState::BAR);
                if (m_mesh.GetMate(arm) == MeshGraph::NOWHERE)
                {
                    break;
                }
                arm = m_mesh.GetMate(arm);
            }
            order.push_back(arm);
            arm = partners.at(arm);
        } while (arm != order.front());
        return order;
    }

  private:
    /** Adds the sides of a hexagon that are not there yet. */
    void AddHexagon(Place here)
    {
        for (std::size_t side = 0; side < 6; ++side)
        {
            const Place there = here + NEIGHBOURS[side];
            const auto [cell, isNew] = m_cells.emplace(here + there, 0);
            if (!isNew)
            {
                continue;
            }
            cell->second = m_mesh.AddCell();
            const std::array<Place, 2> corners{here + there + here + NEIGHBOURS[(side + 5) % 6],
                                               here + there + here + NEIGHBOURS[(side + 1) % 6]};
            for (uint32_t end = 0; end < 2; ++end)
            {
                const uint32_t arm = 4 * cell->second + 2 * end;
                m_meetings[{corners[end], here}].push_back(arm);
                m_meetings[{corners[end], there}].push_back(arm + 1);
            }
        }
    }

    MeshGraph m_mesh;
    std::map<Place, uint32_t> m_cells;                                   //!< by side
    std::map<std::pair<Place, Place>, std::vector<uint32_t>> m_meetings; //!< by corner and hexagon
    std::map<Place, std::vector<uint32_t>> m_outside; //!< arms that lead out, by corner
};

/** Joins the outputs and inputs of the parts of a Benes network. */
class BenesBuilder
{
  public:
    explicit BenesBuilder(uint32_t inputs)
    {
        const Ways ways = Build(inputs);
        for (const std::vector<uint32_t>* half : {&ways.in, &ways.out})
        {
            for (const uint32_t arm : *half)
            {
                m_mesh.AddEnd(arm);
            }
        }
    }

    MeshGraph Take()
    {
        return std::move(m_mesh);
    }

  private:
    struct Ways
    {
        std::vector<uint32_t> in;
        std::vector<uint32_t> out;
    };

    /** @return the arms of a network of so many inputs */
    Ways Build(uint32_t inputs)
    {
        Ways ways;
        if (inputs == 2)
        {
            const uint32_t arm = 4 * m_mesh.AddCell();
            ways.in = {arm, arm + 1};
            ways.out = {arm + 2, arm + 3};
            return ways;
        }
        std::vector<uint32_t> first;
        std::vector<uint32_t> last;
        for (uint32_t i = 0; i < inputs / 2; ++i)
        {
            first.push_back(4 * m_mesh.AddCell());
            ways.in.insert(ways.in.end(), {first.back(), first.back() + 1});
        }
        const std::array<Ways, 2> halves{Build(inputs / 2), Build(inputs / 2)};
        for (uint32_t i = 0; i < inputs / 2; ++i)
        {
            last.push_back(4 * m_mesh.AddCell());
            ways.out.insert(ways.out.end(), {last.back() + 2, last.back() + 3});
        }
        for (uint32_t half = 0; half < 2; ++half)
        {
            for (uint32_t i = 0; i < inputs / 2; ++i)
            {
                m_mesh.Join(first[i] + 2 + half, halves[half].in[i]);
                m_mesh.Join(halves[half].out[i], last[i] + half);
            }
        }
        return ways;
    }

    MeshGraph m_mesh;
};

} // namespace

uint32_t
GetMostEnds(uint32_t rows, uint32_t columns)
{
    return 4 * rows + 4 * columns + 4;
}

MeshGraph
MakeHexagonalMesh(uint32_t rows, uint32_t columns, uint32_t ends)
{
    const Honeycomb honeycomb(rows, columns);
    MeshGraph mesh = honeycomb.GetMesh();
    const std::vector<uint32_t> outside = honeycomb.ListOutside();
    NS_ASSERT(outside.size() == GetMostEnds(rows, columns) && ends <= outside.size());
    const uint64_t places = ends + ends % 2;
    for (uint64_t end = 0; end < ends; ++end)
    {
        mesh.AddEnd(outside[end * outside.size() / places]);
    }
    return mesh;
}

MeshGraph
MakeBenesMesh(uint32_t inputs)
{
    NS_ASSERT(inputs >= 2 && (inputs & (inputs - 1)) == 0);
    return BenesBuilder(inputs).Take();
}

MeshGraph
MakeCrossbarMesh(uint32_t inputs)
{
    MeshGraph mesh;
    for (uint32_t cell = 0; cell < inputs * inputs; ++cell)
    {
        mesh.AddCell();
    }
    // arm 0 is to the left, 3 to the right: a row is CROSS; arm 1 is above, 2 below
    const auto armOf = [inputs](uint32_t row, uint32_t column, uint32_t arm) {
        return 4 * (row * inputs + column) + arm;
    };
    for (uint32_t row = 0; row < inputs; ++row)
    {
        for (uint32_t column = 0; column < inputs; ++column)
        {
            if (column + 1 < inputs)
            {
                mesh.Join(armOf(row, column, 3), armOf(row, column + 1, 0));
            }
            if (row + 1 < inputs)
            {
                mesh.Join(armOf(row, column, 2), armOf(row + 1, column, 1));
            }
        }
    }
    for (uint32_t row = 0; row < inputs; ++row)
    {
        mesh.AddEnd(armOf(row, 0, 0));
    }
    for (uint32_t column = 0; column < inputs; ++column)
    {
        mesh.AddEnd(armOf(inputs - 1, column, 2));
    }
    return mesh;
}

} // namespace ns3
