/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BENES_FABRIC_H
#define PHOTONIC_RAILS_BENES_FABRIC_H

#include "mesh-fabric.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A Benes network of cells (MakeBenesMesh()): it sets any circuits, but may have to move
 * others for them.
 *
 * Light goes one way through it. Each port is an input and an output, which a circulator joins to
 * its fiber, and a circuit has a route for each direction, both of 2 log2 n - 1 cells. A number of
 * ports that is no power of two leaves some inputs without a fiber.
 */
class BenesFabric : public MeshFabric
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // SwitchFabric
    std::shared_ptr<const FabricDescription> Describe(uint32_t ports) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BENES_FABRIC_H */
