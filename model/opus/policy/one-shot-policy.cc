/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "one-shot-policy.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OneShotPolicy);

TypeId
OneShotPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OneShotPolicy")
                            .SetParent<DemandPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OneShotPolicy>();
    return tid;
}

CircuitTarget
OneShotPolicy::GetTarget(const CircuitQuestion& question)
{
    const CircuitTarget standing = StandingPolicy::GetTarget(question);
    if (standing.IsPossible())
    {
        return standing;
    }
    // independent of use: a phase does not wait for circuits of others
    const CircuitTarget fresh = PlanCircuits(
        {question.phase, question.pairs, question.links, question.circuits, IdlePorts()},
        GetCabling());
    const bool takesNothing =
        fresh.IsPossible() &&
        std::all_of(fresh.changes.begin(), fresh.changes.end(), [](const auto& change) {
            return change.second.GetDisconnects().empty();
        });
    return takesNothing && standing.waitsFor.empty() ? fresh : standing;
}

} // namespace ns3
