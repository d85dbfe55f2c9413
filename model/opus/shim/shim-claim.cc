/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-claim.h"

#include <algorithm>

namespace ns3
{

bool
ShimClaim::IsWaiting() const
{
    return GetWaitingSince() != NEVER;
}

Picoseconds
ShimClaim::GetWaitingSince() const
{
    Picoseconds since = hint ? hint->asked : NEVER;
    for (const auto& [place, call] : calls)
    {
        since = call.state == ShimCall::State::WAITING ? std::min(since, call.asked) : since;
    }
    return since;
}

bool
ShimClaim::IsUnderWay() const
{
    return std::any_of(calls.begin(), calls.end(), [](const auto& call) {
        return call.second.state != ShimCall::State::WAITING;
    });
}

bool
ShimClaim::IsSpare() const
{
    return isGranted && until != FOR_GOOD && calls.empty();
}

bool
ShimClaim::Covers(const ShimCall& call, const OpusPhase& wanted) const
{
    if (isReturning || !IsSamePairs(pairs, call.ask.pairs))
    {
        return false;
    }
    if (phase == wanted || (isGranted && until == FOR_GOOD))
    {
        return true;
    }
    const bool isRange = phase.stage == 0 && wanted.stage == 0 && call.ask.stages == 1;
    return isRange && (isGranted || !speculative) && phase.operation < wanted.operation &&
           wanted.operation <= until;
}

} // namespace ns3
