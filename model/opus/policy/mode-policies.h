/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODE_POLICIES_H
#define PHOTONIC_RAILS_MODE_POLICIES_H

#include "circuit-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The policy `provisioned`: circuits as `on-demand`, but shims ask in advance for what they
 * have learned comes next, so that circuits reconfigure while ranks compute.
 */
class ProvisionedPolicy : public OnDemandPolicy
{
  public:
    using OnDemandPolicy::OnDemandPolicy;

    // CircuitPolicy
    ShimMode GetShimMode() const override;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `co-scheduled`: circuits as `on-demand`, but ranks' programs say when they are
 * asked for and given back.
 */
class CoScheduledPolicy : public OnDemandPolicy
{
  public:
    using OnDemandPolicy::OnDemandPolicy;

    // CircuitPolicy
    ShimMode GetShimMode() const override;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `electrical`: packet switches join all ranks of a rail at all times, so there
 * is nothing to ask a controller for, and no controller.
 */
class ElectricalPolicy : public CircuitPolicy
{
  public:
    using CircuitPolicy::CircuitPolicy;

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    bool NeedsControlPlane() const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODE_POLICIES_H */
