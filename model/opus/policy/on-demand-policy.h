/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ON_DEMAND_POLICY_H
#define PHOTONIC_RAILS_ON_DEMAND_POLICY_H

#include "circuit-planner.h"
#include "circuit-policy.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief All ports of the ranks go to the phase that requests them. The alias `on-demand`.
 */
class OnDemandPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    bool AllowsDetours() const override;
    uint64_t GetCacheHits() const override;

  protected:
    void NotifyCabling() override;

  private:
    std::unique_ptr<CircuitPlanner> m_planner;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ON_DEMAND_POLICY_H */
