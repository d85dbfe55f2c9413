/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BATCH_SWITCH_H
#define PHOTONIC_RAILS_BATCH_SWITCH_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A port of a packet switch, as a NIC at the other end of its fiber sees it: all NIC ports
 * around the switch can enter batch mode together.
 */
class BatchSwitch
{
  public:
    virtual ~BatchSwitch() = default;

    /**
     * Takes the NIC ports, their fibers and the switch over, if that is possible now.
     * @param [out] why the reason if it is not possible
     * @return whether they are in trains
     */
    virtual bool EnterTrains(std::string& why) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_SWITCH_H */
