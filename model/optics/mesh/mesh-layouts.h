/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_LAYOUTS_H
#define PHOTONIC_RAILS_MESH_LAYOUTS_H

#include "mesh-graph.h"

#include <cstdint>

namespace ns3
{

/**
 * Makes a hexagonal mesh: each side of a hexagon is a cell, with an arm on either side of it at
 * both ends.
 *
 *      __    __
 *     /  \__/  \     Where three cells meet, each pair of them is joined by a waveguide, which
 *     \__/  \__/     lies in the hexagon between the two. So light in cells that are BAR goes
 *     /  \__/  \     round in its hexagon, and CROSS takes it to the next one. Where two cells
 *     \__/  \__/     meet, at the edge of the mesh, two arms lead out.
 *
 * Rows and columns of hexagons make a parallelogram, with 3 R C + 2 R + 2 C - 1 cells and
 * 4 R + 4 C + 4 arms that lead out. The ends are spread evenly over these arms, once round the mesh
 * in the order of their numbers; an odd number of ends leaves out the place of one more.
 * @param rows of hexagons, 1 or more
 * @param columns of hexagons, 1 or more
 * @param ends at most GetMostEnds()
 * @return the mesh
 */
MeshGraph MakeHexagonalMesh(uint32_t rows, uint32_t columns, uint32_t ends);

/** @return the arms that lead out of a hexagonal mesh */
uint32_t GetMostEnds(uint32_t rows, uint32_t columns);

/**
 * Makes a Benes network of stages of n / 2 cells: 2 log2 n - 1 of them, for n inputs and outputs.
 * Light goes from inputs, which are ends 0 to n - 1, to outputs, which are ends n to 2 n - 1.
 * @param inputs a power of two, 2 or more
 * @return the mesh
 */
MeshGraph MakeBenesMesh(uint32_t inputs);

/**
 * Makes a crossbar of cells in rows and columns, one for each pair of an input and an output. Light
 * from input i goes along row i, which is CROSS, to the cell of its column, which is BAR, and down
 * the column to the output. Inputs are ends 0 to n - 1, outputs ends n to 2 n - 1.
 * @param inputs 1 or more
 * @return the mesh
 */
MeshGraph MakeCrossbarMesh(uint32_t inputs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_LAYOUTS_H */
