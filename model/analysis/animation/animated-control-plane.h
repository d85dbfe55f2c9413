/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATED_CONTROL_PLANE_H
#define PHOTONIC_RAILS_ANIMATED_CONTROL_PLANE_H

#include "animation-source.h"

#include "ns3/controller-note.h"
#include "ns3/opus-control-plane.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of a controller in the headline of an animation, as far as they change
 * circuits or are the reason why none change.
 */
class AnimatedControlPlane : public AnimationSource
{
  public:
    /** @param name of the controller */
    AnimatedControlPlane(std::shared_ptr<AnimationScene> scene, const std::string& name);

    /** Animates the controllers of a control plane; one without a controller has none. */
    static void Animate(const OpusControlPlane& plane,
                        const std::shared_ptr<AnimationScene>& scene);

  private:
    void Decided(const ControllerNote& note);

    std::string m_name;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATED_CONTROL_PLANE_H */
