/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CROSSBAR_FABRIC_H
#define PHOTONIC_RAILS_CROSSBAR_FABRIC_H

#include "switch-fabric.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An ideal crossbar, the default fabric: it joins any ports, without loss or delay.
 *
 * It stands for switches that steer beams in free space, whose circuits do not get into each
 * other's way. The delay of light is the switch's `PropagationDelay`, its time to reconfigure that
 * of the technology.
 */
class CrossbarFabric : public SwitchFabric
{
  public:
    /** @return the type */
    static TypeId GetTypeId();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CROSSBAR_FABRIC_H */
