/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GIANT_RING_REACTION_H
#define PHOTONIC_RAILS_GIANT_RING_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Jobs go on over giant rings when no controller answers, or where circuits fail. The alias
 * `giant-ring`.
 *
 * Circuits of the ring are changed by no controller any more (OpusShimApp::WhenGivenUp, Ring, and
 * OpusControllerApp::Fallback, GiantRing). A GPU that is lost is lost: the job ends then.
 */
class GiantRingReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
    InPlace GetInPlace() const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GIANT_RING_REACTION_H */
