/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_DESCRIPTION_H
#define PHOTONIC_RAILS_MESH_DESCRIPTION_H

#include "fabric-description.h"
#include "mesh-graph.h"
#include "mesh-router.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** The physical properties of a mesh: what light meets at each cell and at the ports. */
struct MeshOptics
{
    double cellLossDb{0};
    double cellCrosstalkDb{0}; //!< light that leaks into the other arm, below the light there
    double cellLengthMicrons{0};
    double groupIndex{1};
    double portLossDb{0};          //!< between a fiber and the chip, at each port
    double accessLengthMicrons{0}; //!< between fibers and mesh, at both ports together
};

/**
 * @ingroup photonic-rails
 * @brief A photonic mesh as the fabric of a switch.
 *
 * Light of a route of c cells loses c times the loss of a cell, and that of a port at both ends. It
 * takes c times the length of a cell, and the way between fibers and mesh, at the speed of the
 * group index. In each cell that it shares with another route, a share of the light there leaks
 * into its arm: of k such cells, the sum is k times that share. This is crosstalk of the first
 * order, from light of equal power; light that leaks twice is left out. So are crossings of
 * waveguides between the stages of a Benes network.
 *
 * Answers are remembered: jobs ask the same few questions again and again.
 */
class MeshDescription : public FabricDescription
{
  public:
    /** The rules for routes. */
    enum Kind
    {
        HEXAGONAL, //!< one end a port, which is both ends of a circuit; routes are searched
        BENES,     //!< inputs and outputs: by the looping algorithm, or searched beside kept routes
        CROSSBAR,  //!< inputs and outputs: by row and column
    };

    /**
     * @param kind of the mesh
     * @param mesh made by MakeHexagonalMesh(), MakeBenesMesh() or MakeCrossbarMesh()
     * @param ports the first ends are those of ports
     */
    MeshDescription(Kind kind,
                    MeshGraph mesh,
                    uint32_t ports,
                    const MeshOptics& optics,
                    const MeshEffort& effort);

    /** @return the mesh */
    const MeshGraph& GetMesh() const;

    // FabricDescription
    std::string GetName() const override;
    uint32_t GetPorts() const override;
    uint32_t GetCells() const override;
    bool IsNonBlocking() const override;
    FabricAnswer FindRoutes(const std::vector<FabricRoute>& kept,
                            const std::vector<Circuit>& added) const override;
    FabricPath GetPath(const FabricRoute& route,
                       const std::vector<FabricRoute>& all) const override;
    Picoseconds GetDelay(const FabricRoute& route, uint32_t way) const override;

  private:
    /** @return what light meets on a route of so many cells, which others share */
    FabricPath MakePath(uint32_t cells, uint32_t shared) const;
    /** @return what joins the ports of circuits */
    std::vector<MeshDemand> GetDemands(const std::vector<Circuit>& circuits) const;
    /** @return routes in the mesh */
    MeshAnswer Search(const std::vector<MeshRoute>& kept,
                      const std::vector<MeshDemand>& demands) const;
    /** The same as FindRoutes(), for a question that is not remembered. */
    FabricAnswer Answer(const std::vector<FabricRoute>& kept,
                        const std::vector<Circuit>& added) const;
    /** @return the reason of a failed search */
    std::string Explain(const MeshAnswer& answer,
                        const std::vector<FabricRoute>& kept,
                        const std::vector<Circuit>& added) const;

    Kind m_kind;
    MeshGraph m_mesh;
    uint32_t m_ports;
    MeshOptics m_optics;
    MeshEffort m_effort;
    mutable std::map<std::vector<uint32_t>, FabricAnswer> m_answers; //!< by question
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_DESCRIPTION_H */
