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
 * Greedily by weight: first a link for each pair, in order of bytes, both ways together; then the
 * next link goes to the pair that has the most bytes for each link that it would have. As long as
 * both ranks have a port left.
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
