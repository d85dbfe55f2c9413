/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "one-shot-policy.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OneShotPolicy");

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
    NS_LOG_FUNCTION(this << ToWords(question.phase));
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
    const bool isFresh = takesNothing && standing.waitsFor.empty();
    NS_LOG_INFO(ToWords(question.phase)
                << (isFresh ? " gets new circuits of dark ports" : " cannot have new circuits"));
    return isFresh ? fresh : standing;
}

} // namespace ns3
