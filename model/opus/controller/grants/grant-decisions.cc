/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grant-decisions.h"

namespace ns3
{

GrantDecisions::GrantDecisions(CircuitPolicy& policy,
                               const PhaseTurns& turns,
                               const JobStarts& starts,
                               const SlotRotation& rotation,
                               const PortLedger& ledger,
                               const RailTraffic& traffic,
                               const RingFallback& fallback,
                               const OtherRails& otherRails,
                               const WholeNetwork& network)
    : m_policy(policy),
      m_turns(turns),
      m_starts(starts),
      m_rotation(rotation),
      m_ledger(ledger),
      m_traffic(traffic),
      m_fallback(fallback),
      m_otherRails(otherRails),
      m_network(network)
{
}

std::string
GrantDecisions::FindObstacle(const ControllerPhase& phase) const
{
    if (!m_turns.MayGo(phase))
    {
        return "phases whose votes were complete earlier wait for its ports";
    }
    if (m_starts.IsInTheWay())
    {
        return "not all agents and shims have said yet what stands and what is held";
    }
    if (m_rotation.IsInTheWay())
    {
        return "the rotation is reconfiguring its circuits";
    }
    const std::string network = m_network.FindObstacle();
    return network.empty() && m_traffic.HasWholeRails() ? FindTrafficInTheWay(phase) : network;
}

std::string
GrantDecisions::FindTrafficInTheWay(const ControllerPhase& phase) const
{
    for (const RailId rail : phase.rails)
    {
        if (m_ledger.MayBeUsed(rail))
        {
            return "rail " + std::to_string(rail.Get()) +
                   " may have traffic of shims that "
                   "have not said in this term what they hold";
        }
        if (!m_traffic.IsFreeFor(phase.parallelism, rail))
        {
            return "rail " + std::to_string(rail.Get()) + " has traffic of another parallelism";
        }
    }
    return "";
}

GrantDecision
GrantDecisions::Decide(const ControllerPhase& phase) const
{
    GrantDecision decision;
    decision.waitsFor = FindObstacle(phase);
    if (!decision.waitsFor.empty())
    {
        return decision;
    }
    const CircuitQuestion question{phase.phase,
                                   phase.pairs,
                                   phase.votes.GetLinks(),
                                   m_ledger.GetCircuits(),
                                   m_ledger};
    decision.target = m_fallback.IsFor(phase) ? m_fallback.GetTarget(question)
                      : m_otherRails.Apply()  ? m_otherRails.GetTarget(question)
                                              : m_policy.GetTarget(question);
    const CircuitTarget& target = decision.target;
    decision.refusal =
        target.IsPossible() ? m_ledger.FindForeignPort(phase.phase.job, target) : target.refusal;
    if (decision.refusal.empty())
    {
        decision.waitsFor = target.waitsFor.empty() ? m_ledger.GetWhyNot(target) : target.waitsFor;
        decision.stands = target.changes.empty() && decision.waitsFor.empty();
        decision.changes = !decision.stands;
        const std::string network = m_network.FindObstacle(decision.changes);
        decision.waitsFor = network.empty() ? decision.waitsFor : network;
    }
    return decision;
}

bool
GrantDecisions::IsNext(const ControllerPhase& waiting) const
{
    return !m_rotation.Rotates() && m_turns.IsFirst(waiting);
}

} // namespace ns3
