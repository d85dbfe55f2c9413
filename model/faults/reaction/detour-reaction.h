/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DETOUR_REACTION_H
#define PHOTONIC_RAILS_DETOUR_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A spare server anywhere takes the place of a lost one, and messages reach it over the GPUs
 * between. The alias `detour`.
 *
 * Circuits are a giant ring over all servers of the job, which stands: ranks that are not
 * neighbours on it reach each other through others, which forward (GiantRingPolicy). This is what a
 * direct-connect network without reconfiguration does, the other baseline of LUMION (arXiv
 * 2505.23105). The spare is behind the last server on the ring, not in the place of the lost one.
 */
class DetourReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DETOUR_REACTION_H */
