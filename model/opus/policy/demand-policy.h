/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DEMAND_POLICY_H
#define PHOTONIC_RAILS_DEMAND_POLICY_H

#include "standing-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A job starts with circuits for its demand matrix, and keeps them. The alias `demand`.
 *
 * Links are assigned greedily by weight. First each pair gets a link, in order of the bytes of both
 * directions together. Then each further link goes to the pair with the most bytes for each link,
 * counted with the new one. A link needs a free port at both ranks.
 */
class DemandPolicy : public StandingPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DEMAND_POLICY_H */
