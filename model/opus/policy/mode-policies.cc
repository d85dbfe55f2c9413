/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mode-policies.h"

namespace ns3
{

ShimMode
ProvisionedPolicy::GetShimMode() const
{
    return ShimMode::PROVISIONED;
}

ShimMode
CoScheduledPolicy::GetShimMode() const
{
    return ShimMode::CO_SCHEDULED;
}

CircuitTarget
ElectricalPolicy::GetTarget(const CircuitQuestion&)
{
    CircuitTarget none;
    none.refusal = "electrical rails have no circuits: their ranks need not request any";
    return none;
}

bool
ElectricalPolicy::NeedsControlPlane() const
{
    return false;
}

} // namespace ns3
