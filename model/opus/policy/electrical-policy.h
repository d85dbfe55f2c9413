/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_POLICY_H
#define PHOTONIC_RAILS_ELECTRICAL_POLICY_H

#include "circuit-policy.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Packet switches join all ranks of a rail at all times, so ranks request no circuits, and
 * there is no controller. The alias `electrical`.
 */
class ElectricalPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    bool NeedsControlPlane() const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_POLICY_H */
