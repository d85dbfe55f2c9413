/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MOVE_REACTION_H
#define PHOTONIC_RAILS_MOVE_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The job moves to the servers of another rack, and leaves its own. The alias `move`.
 *
 * It takes the first rack in which as many spares are as the job has servers. All state is copied
 * there. This is what a cluster does whose jobs must be in one rack, and the baseline of LUMION
 * (arXiv 2505.23105): it needs a whole rack in reserve.
 */
class MoveReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MOVE_REACTION_H */
