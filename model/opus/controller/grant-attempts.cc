/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grant-attempts.h"

#include "ns3/opus-words.h"

#include <utility>

namespace ns3
{

GrantAttempts::GrantAttempts(std::shared_ptr<const Cabling> cabling,
                             Picoseconds limit,
                             CircuitPolicy& policy,
                             OpenPhases& phases,
                             PhaseTurns& turns,
                             PhaseVoting& voting,
                             PhaseEndings& endings,
                             PhaseGrants& grants,
                             PortLedger& ledger,
                             const RailTraffic& traffic,
                             CircuitSetup& setup,
                             const SlotRotation& rotation,
                             const JobStarts& starts,
                             ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_limit(limit),
      m_policy(policy),
      m_phases(phases),
      m_turns(turns),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_ledger(ledger),
      m_traffic(traffic),
      m_setup(setup),
      m_rotation(rotation),
      m_starts(starts),
      m_record(record)
{
}

std::string
GrantAttempts::FindObstacle(const ControllerPhase& phase) const
{
    if (!m_turns.MayGo(phase))
    {
        return "phases whose votes were complete earlier wait for its ports";
    }
    if (m_starts.IsPostponed() && m_policy.IsForGood())
    {
        return "not all agents and shims have said yet what stands and what is held";
    }
    if (m_rotation.IsInTheWay())
    {
        return "the rotation is reconfiguring its circuits";
    }
    return m_traffic.HasWholeRails() ? FindTrafficInTheWay(phase) : "";
}

std::string
GrantAttempts::FindTrafficInTheWay(const ControllerPhase& phase) const
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

void
GrantAttempts::Attempt(ControllerPhase& phase)
{
    const std::string obstacle = FindObstacle(phase);
    if (!obstacle.empty())
    {
        Delay(phase, obstacle);
        return;
    }
    const CircuitTarget target = m_policy.GetTarget(
        {phase.phase, phase.pairs, phase.votes.GetLinks(), m_ledger.GetCircuits(), m_ledger});
    const std::string refusal =
        target.IsPossible() ? m_setup.FindForeignPort(phase.phase.job, target) : target.refusal;
    if (!refusal.empty())
    {
        m_endings.Refuse(phase, refusal);
        return;
    }
    const std::string inTheWay =
        target.waitsFor.empty() ? m_setup.GetWhyNot(target) : target.waitsFor;
    if (!inTheWay.empty())
    {
        Delay(phase, inTheWay);
        return;
    }
    m_turns.Leave(phase);
    m_setup.Program(phase, target);
}

void
GrantAttempts::Delay(ControllerPhase& phase, const std::string& why)
{
    phase.waitsFor = why;
    if (!phase.delayed)
    {
        phase.delayed = true;
        ++m_record.counters.conflicts;
        m_record.Note(ControllerNote::Kind::CONFLICT, phase.phase, why);
    }
    MakeWay(phase);
}

void
GrantAttempts::MakeWay(const ControllerPhase& waiting)
{
    if (m_rotation.Rotates() || !m_voting.IsFirm(waiting) || !m_turns.IsFirst(waiting))
    {
        return;
    }
    // ranks release unused circuits themselves, except those of a phase that waits for one of these
    // ranks
    for (const RankId rank : waiting.votes.GetRanks())
    {
        for (const PortId port : m_cabling->GetPorts(rank))
        {
            for (const OpusPhase& key : m_ledger.GetPhases({m_cabling->GetRail(rank), port}))
            {
                m_grants.CallBackIfTorn(m_phases.At(key));
            }
        }
    }
    if (!m_traffic.HasAnyWhole())
    {
        return;
    }
    // other ranks on its rails have no report of its wait
    for (auto& [key, phase] : m_phases)
    {
        if (phase.state == ControllerPhase::State::GRANTED && m_traffic.IsInTheWay(phase, waiting))
        {
            m_grants.CallBackIfTorn(phase);
            m_grants.CallIn(phase);
        }
    }
}

void
GrantAttempts::Expire(ControllerPhase& phase)
{
    m_endings.Refuse(phase,
                     "its ports were not free within " + ToMilliseconds(m_limit) + ": " +
                         phase.waitsFor);
}

} // namespace ns3
