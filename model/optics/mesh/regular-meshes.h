/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REGULAR_MESHES_H
#define PHOTONIC_RAILS_REGULAR_MESHES_H

#include "mesh-graph.h"

#include <vector>

namespace ns3
{

/**
 * Sets a Benes network (MakeBenesMesh()) by the looping algorithm (Opferman and Tsao-Wu, 1971),
 * which has a setting for each permutation.
 * @param demands from inputs to outputs; inputs and outputs without one are joined in order
 * @return their routes, all of 2 log2 n - 1 cells
 */
std::vector<MeshRoute> SetBenesMesh(const MeshGraph& mesh, const std::vector<MeshDemand>& demands);

/**
 * Routes through a crossbar of cells (MakeCrossbarMesh()): along the row of the input, down the
 * column of the output. Any demands go together.
 */
std::vector<MeshRoute> SetCrossbarMesh(const MeshGraph& mesh,
                                       const std::vector<MeshDemand>& demands);

} // namespace ns3

#endif /* PHOTONIC_RAILS_REGULAR_MESHES_H */
