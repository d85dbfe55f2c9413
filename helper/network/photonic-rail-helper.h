/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H
#define PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H

#include "rail-helper.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds rails whose switch in the middle is an OpticalCircuitSwitch.
 *
 * @code
 * NodeContainer gpus(4);
 * PhotonicRailHelper rails;
 * rails.SetTechnology("mems");
 * rails.SetProfile("2x200");
 * Rail rail = rails.Install(gpus);
 * rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(0, 1), rail.GetSwitchPort(1, 0));
 * @endcode
 */
class PhotonicRailHelper : public RailHelper
{
  public:
    /**
     * @param name of an OCS technology: its reconfiguration time, radix and granularity
     */
    void SetTechnology(const std::string& name);

    /**
     * A constant reconfiguration time in place of the technology's. For a random one, set the
     * attribute ReconfigurationTime of the switch.
     * @param time from a plan to light on its circuits
     */
    void SetReconfigurationTime(Time time);

  protected:
    Ptr<Node> CreateSwitch(uint32_t ports) const override;
    Ptr<FiberPort> AddSwitchPort(Ptr<Node> railSwitch) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H */
