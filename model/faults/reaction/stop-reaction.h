/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STOP_REACTION_H
#define PHOTONIC_RAILS_STOP_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A job that has failed ends, with the reason. The alias `stop`.
 */
class StopReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STOP_REACTION_H */
