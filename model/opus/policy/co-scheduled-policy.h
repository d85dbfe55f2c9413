/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CO_SCHEDULED_POLICY_H
#define PHOTONIC_RAILS_CO_SCHEDULED_POLICY_H

#include "on-demand-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of OnDemandPolicy, for ranks whose programs schedule the requests and
 * releases of circuits. The alias `co-scheduled`.
 *
 * OpusHelper sets the attribute Mode of OpusShimApp to CoScheduled with this policy and those that
 * derive from it, unless the user sets it.
 */
class CoScheduledPolicy : public OnDemandPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CO_SCHEDULED_POLICY_H */
