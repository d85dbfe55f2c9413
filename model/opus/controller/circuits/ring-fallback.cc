/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-fallback.h"

#include "ns3/giant-ring-policy.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RingFallback::RingFallback(bool isOn,
                           std::shared_ptr<const Cabling> cabling,
                           OpenPhases& phases,
                           PhaseTurns& turns)
    : m_isOn(isOn),
      m_cabling(std::move(cabling)),
      m_phases(phases),
      m_turns(turns)
{
}

const GiantRings&
RingFallback::GetRings(JobId job) const
{
    std::unique_ptr<GiantRings>& rings = m_rings[job];
    if (!rings)
    {
        rings = std::make_unique<GiantRings>(job, m_cabling);
    }
    return *rings;
}

const std::set<RailId>&
RingFallback::GetRails() const
{
    return m_rails;
}

bool
RingFallback::AddGaps(const GiantRings& rings, RailId rail, const std::vector<SwitchCircuit>& dark)
{
    bool isNews = false;
    for (const RankCircuit& circuit : rings.GetCircuits(rail))
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        const auto isIt = [one = one.port, other = other.port](const SwitchCircuit& some) {
            return (some.one == one && some.other == other) ||
                   (some.one == other && some.other == one);
        };
        if (std::any_of(dark.begin(), dark.end(), isIt))
        {
            isNews = m_gaps.insert(std::minmax(circuit.one, circuit.other)).second || isNews;
        }
    }
    return isNews;
}

bool
RingFallback::Engage(ControllerPhase& phase, RailId rail, const std::vector<SwitchCircuit>& dark)
{
    const GiantRings& rings = GetRings(phase.phase.job);
    if (!m_isOn || phase.pairs.empty() || !rings.GetWhyNot().empty())
    {
        return false;
    }
    bool isNews = AddGaps(rings, rail, dark);
    for (const RailId one : phase.rails)
    {
        isNews = m_rails.insert(one).second || isNews;
    }
    const bool isJoined =
        std::all_of(phase.pairs.begin(), phase.pairs.end(), [&](const JoinedRanks& pair) {
            return m_cabling->AreIntraNode(pair.first, pair.second) ||
                   rings.FindEnds(pair.first, pair.second, m_gaps);
        });
    if (!isNews || !isJoined)
    {
        return false;
    }
    for (auto& [key, other] : m_phases)
    {
        if (IsFor(other))
        {
            m_turns.Leave(other); // it joins the queues of all ranks of the rings
            AddRanks(other);
            m_turns.Review(key);
        }
    }
    return true;
}

bool
RingFallback::IsFor(const ControllerPhase& phase) const
{
    return std::any_of(phase.rails.begin(), phase.rails.end(), [this](RailId rail) {
        return m_rails.count(rail) != 0;
    });
}

void
RingFallback::AddRanks(ControllerPhase& phase) const
{
    if (!IsFor(phase))
    {
        return;
    }
    for (const RailId rail : phase.rails)
    {
        for (const RankCircuit& circuit : GetRings(phase.phase.job).GetCircuits(rail))
        {
            phase.relays.insert({circuit.one, circuit.other});
        }
    }
}

CircuitTarget
RingFallback::GetTarget(const CircuitQuestion& question) const
{
    const GiantRings& rings = GetRings(question.phase.job);
    CircuitTarget target = GetRingTarget(rings, question);
    std::vector<RankCircuit> wanted;
    const std::set<RailId> rails = FindRingRails(question.pairs, *m_cabling);
    for (const RailId rail : rails)
    {
        for (const RankCircuit& circuit : rings.GetCircuits(rail))
        {
            if (m_gaps.count(std::minmax(circuit.one, circuit.other)) == 0)
            {
                wanted.push_back(circuit);
            }
        }
    }
    CircuitTarget rebuilt = PlanTowards(wanted, question.circuits, *m_cabling);
    if (rebuilt.changes.empty())
    {
        return target; // they stand, or are on their way
    }
    rebuilt.isOverRings = true;
    for (const auto& gap : m_gaps)
    {
        if (rails.count(m_cabling->GetRail(gap.first)) != 0)
        {
            rebuilt.gaps.insert(gap);
        }
    }
    return rebuilt;
}

} // namespace ns3
