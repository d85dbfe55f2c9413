/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROVISIONED_POLICY_H
#define PHOTONIC_RAILS_PROVISIONED_POLICY_H

#include "on-demand-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of OnDemandPolicy, for shims that request the next phases in advance, by the
 * learned order, so that circuits reconfigure while ranks compute. The alias `provisioned`.
 *
 * OpusHelper sets the attribute Mode of OpusShimApp to Provisioned with this policy and those that
 * derive from it, unless the user sets it.
 */
class ProvisionedPolicy : public OnDemandPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROVISIONED_POLICY_H */
