/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ONE_SHOT_POLICY_H
#define PHOTONIC_RAILS_ONE_SHOT_POLICY_H

#include "demand-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One topology for the whole run. With a demand matrix it is that of DemandPolicy; without
 * one, the first phases get circuits on ports that no phase has had yet. The alias `one-shot`.
 */
class OneShotPolicy : public DemandPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ONE_SHOT_POLICY_H */
