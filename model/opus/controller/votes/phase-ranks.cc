/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-ranks.h"

namespace ns3
{

PhaseRanks::PhaseRanks(std::shared_ptr<const Cabling> cabling,
                       const GroupRegister& groups,
                       OpenPhases& phases,
                       const RingFallback* fallback,
                       const OtherRails* otherRails)
    : m_cabling(std::move(cabling)),
      m_groups(groups),
      m_phases(phases),
      m_fallback(fallback),
      m_otherRails(otherRails)
{
}

std::pair<ControllerPhase&, bool>
PhaseRanks::Open(const OpusPhase& phase, uint32_t whole, uint64_t digest)
{
    const auto [open, isNew] = m_phases.Open(phase, whole, digest);
    if (isNew)
    {
        open.parallelism = m_groups.GetParallelism(phase);
    }
    return {open, isNew};
}

std::vector<RankId>
PhaseRanks::Name(ControllerPhase& phase,
                 const std::vector<RankId>& ranks,
                 const std::vector<JoinedRanks>& pairs)
{
    phase.named.Add(ranks, pairs);
    std::vector<RankId> added;
    for (const auto& [one, other] : pairs)
    {
        AddRoutes(phase, {one, other});
        for (const RankId rank : {one, other})
        {
            if (phase.votes.Add(rank))
            {
                added.push_back(rank);
            }
        }
    }
    if (m_fallback)
    {
        m_fallback->AddRanks(phase);
    }
    if (m_otherRails)
    {
        m_otherRails->AddRanks(phase);
    }
    return added;
}

void
PhaseRanks::AddRoutes(ControllerPhase& phase, const JoinedRanks& pair) const
{
    const RailId rail = m_cabling->GetRail(pair.first);
    if (m_cabling->GetRail(pair.second) == rail &&
        !m_cabling->AreIntraNode(pair.first, pair.second))
    {
        phase.rails.insert(rail); // as most pairs do, they need no list of routes
        return;
    }
    for (const auto& [first, last] : GetRoutes(pair, *m_cabling))
    {
        phase.rails.insert(m_cabling->GetRail(first));
        if (first != pair.first)
        {
            phase.relays.insert(first);
        }
        if (last != pair.second)
        {
            phase.relays.insert(last);
        }
    }
}

std::vector<RankId>
PhaseRanks::AddGroup(ControllerPhase& phase) const
{
    std::vector<RankId> added;
    if (phase.votes.CountKnown() >= phase.votes.CountWhole())
    {
        return added;
    }
    for (const RankId rank : m_groups.FindAll(phase.phase, phase.votes.CountWhole()))
    {
        if (phase.votes.Add(rank))
        {
            added.push_back(rank);
        }
    }
    return added;
}

} // namespace ns3
