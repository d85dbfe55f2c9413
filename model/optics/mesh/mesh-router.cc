/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mesh-router.h"

#include "exact-mesh-search.h"
#include "negotiated-routes.h"

namespace ns3
{

MeshAnswer
FindMeshRoutes(const MeshGraph& mesh,
               const std::vector<MeshRoute>& kept,
               const std::vector<MeshDemand>& demands,
               const MeshEffort& effort)
{
    MeshAnswer answer = NegotiateRoutes(mesh, kept, demands, effort.rounds);
    if (answer.outcome != MeshAnswer::NOT_FOUND || mesh.GetCells() > effort.exactCells)
    {
        return answer;
    }
    return SearchMeshExactly(mesh, kept, demands, effort.exactSteps);
}

} // namespace ns3
