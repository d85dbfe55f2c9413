/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_ROUTER_H
#define PHOTONIC_RAILS_MESH_ROUTER_H

#include "mesh-answer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The effort of a search for routes. */
struct MeshEffort
{
    uint32_t rounds{200};       //!< of negotiation
    uint32_t exactCells{45};    //!< cells of the largest mesh that is searched exactly
    uint64_t exactSteps{50000}; //!< settings of cells that an exact search tries
};

/** Negotiates, and searches a small mesh exactly if that finds nothing. */
MeshAnswer FindMeshRoutes(const MeshGraph& mesh,
                          const std::vector<MeshRoute>& kept,
                          const std::vector<MeshDemand>& demands,
                          const MeshEffort& effort);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_ROUTER_H */
