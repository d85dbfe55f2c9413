/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_FABRIC_H
#define PHOTONIC_RAILS_MESH_FABRIC_H

#include "switch-fabric.h"

#include "ns3/mesh-description.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A fabric of 2x2 cells on a photonic chip: the properties that all its kinds share.
 *
 * The defaults are those of a programmable photonic processor in silicon (iPronics Smartlight, by
 * D. R. Sanchez Jacome's thesis, "Programming Methodologies and Applications on a Multipurpose
 * Reconfigurable Photonic Integrated Platform"): 0.48 dB, 811.41 um and 11.25 ps a cell, crosstalk
 * of a cell below -25 dB, 1.8 dB between fiber and chip, 48 ps between fibers and mesh. Its phase
 * shifters are thermo-optic; such ones settle in tens of microseconds (Tu et al., "State of the Art
 * and Perspectives on Silicon Photonic Switches", Micromachines 10, 2019).
 */
class MeshFabric : public SwitchFabric
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // SwitchFabric
    std::optional<Time> GetTuningTime() const override;

  protected:
    /** @return the properties of cells and ports */
    MeshOptics GetOptics() const;
    /** @return the effort of a search for routes */
    MeshEffort GetEffort() const;

  private:
    double m_cellLoss;
    double m_cellCrosstalk;
    double m_cellLength;
    double m_groupIndex;
    double m_portLoss;
    double m_accessLength;
    Time m_tuningTime;
    uint32_t m_searchRounds;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_FABRIC_H */
