/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEXAGONAL_MESH_FABRIC_H
#define PHOTONIC_RAILS_HEXAGONAL_MESH_FABRIC_H

#include "mesh-fabric.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A hexagonal mesh of cells (MakeHexagonalMesh()), as in programmable photonic processors
 * and in PipSwitch (Ding and Singh, arXiv 2501.18136).
 *
 * It does not set all circuits: those beside each other share cells, and some sets of circuits have
 * no routes. With `Rows` and `Columns` 0 it is a square of ceil(n / 4) + 1 rows for n ports, and
 * ceil(n / 16) - 1 more beyond 32 ports: about the least for which the matchings of an all-to-all
 * have been found. For 32 ports these are the 9 by 9 of PipSwitch.
 */
class HexagonalMeshFabric : public MeshFabric
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    /** @return the rows of the square for so many ports */
    static uint32_t GetSide(uint32_t ports);

    // SwitchFabric
    std::shared_ptr<const FabricDescription> Describe(uint32_t ports) const override;

  private:
    uint32_t m_rows;
    uint32_t m_columns;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEXAGONAL_MESH_FABRIC_H */
