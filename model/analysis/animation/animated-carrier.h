/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATED_CARRIER_H
#define PHOTONIC_RAILS_ANIMATED_CARRIER_H

#include "animation-source.h"
#include "rail-panel.h"

#include "ns3/rail-net-device.h"
#include "ns3/rail.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The carrier of a NIC port in an animation: its colour, and notes.
 */
class AnimatedCarrier : public AnimationSource
{
  public:
    /** @param node of the port @param name of the port @param nic the port */
    AnimatedCarrier(std::shared_ptr<AnimationScene> scene,
                    uint32_t node,
                    const std::string& name,
                    const Ptr<RailNetDevice>& nic);

    /** Animates all NIC ports of a rail. @param panel of the rail */
    static void Animate(const Rail& rail,
                        const RailPanel& panel,
                        const std::shared_ptr<AnimationScene>& scene);

  private:
    /** Begins: circuits from before the simulation are set now. */
    void Look();
    void Changed(bool carrier);
    /** Draws the carrier. */
    void Draw(bool carrier);

    uint32_t m_node;
    std::string m_name;
    RailNetDevice* m_nic; //!< which holds the callbacks to this object
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATED_CARRIER_H */
