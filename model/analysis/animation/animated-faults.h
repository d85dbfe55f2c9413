/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATED_FAULTS_H
#define PHOTONIC_RAILS_ANIMATED_FAULTS_H

#include "animation-source.h"

#include "ns3/fault-injector.h"
#include "ns3/fault.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The faults of a cluster in the headline of an animation, and their repairs.
 */
class AnimatedFaults : public AnimationSource
{
  public:
    using AnimationSource::AnimationSource;

    /** Animates the faults of an injector. */
    static void Animate(FaultInjector& injector, const std::shared_ptr<AnimationScene>& scene);

  private:
    void Began(const Fault& fault, const std::string& outcome);
    void Ended(const Fault& fault, const std::string& outcome);
    /** Adds a note. */
    void Note(const std::string& what, const Fault& fault);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATED_FAULTS_H */
