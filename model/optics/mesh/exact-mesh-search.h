/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXACT_MESH_SEARCH_H
#define PHOTONIC_RAILS_EXACT_MESH_SEARCH_H

#include "mesh-answer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Searches all settings of the cells, exactly.
 *
 * It follows light from the first end of a demand and sets each cell that it meets first the way
 * that is nearer to the second end, then the other way. It goes back where a route leads elsewhere,
 * where a demand that is left can't be joined any more even by cells that are free, and where the
 * same cells were in use before, in vain: what is left depends on the free arms alone. It tries
 * every setting in the end, so it is a proof if none is found.
 * @param kept routes that stay as they are
 * @param demands without an end of another demand or route
 * @param steps the largest number of settings to try; beyond that the outcome is NOT_FOUND
 */
MeshAnswer SearchMeshExactly(const MeshGraph& mesh,
                             const std::vector<MeshRoute>& kept,
                             const std::vector<MeshDemand>& demands,
                             uint64_t steps);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXACT_MESH_SEARCH_H */
