/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHRINK_REACTION_H
#define PHOTONIC_RAILS_SHRINK_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The job goes on without the data-parallel replicas that have lost a server. The alias
 * `shrink`.
 *
 * The other replicas keep their micro-batches, so an iteration trains fewer sequences. With FSDP
 * the state of each stage is divided anew over the ranks that are left. Servers that hold more than
 * one data-parallel place, expert parallelism, and replicas of shards (HSDP) are not supported:
 * then the job ends, with the reason.
 */
class ShrinkReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHRINK_REACTION_H */
