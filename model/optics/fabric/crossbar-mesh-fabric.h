/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CROSSBAR_MESH_FABRIC_H
#define PHOTONIC_RAILS_CROSSBAR_MESH_FABRIC_H

#include "mesh-fabric.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A crossbar of cells on a chip (MakeCrossbarMesh()): it sets any circuits beside any
 * others, with one cell for each pair of an input and an output.
 *
 * Light goes one way through it, as through a BenesFabric. From input i to output j it passes
 * n - i + j cells, up to 2 n - 1, and the directions of a circuit have different lengths.
 */
class CrossbarMeshFabric : public MeshFabric
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // SwitchFabric
    std::shared_ptr<const FabricDescription> Describe(uint32_t ports) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CROSSBAR_MESH_FABRIC_H */
