/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "open-phases.h"

#include "ns3/phase-history.h"

#include <algorithm>

namespace ns3
{

std::pair<ControllerPhase&, bool>
OpenPhases::Open(const OpusPhase& phase, uint32_t whole, uint64_t digest)
{
    const auto [found, isNew] = m_phases.try_emplace(phase, phase, whole, digest);
    if (isNew)
    {
        m_byFlow[GetFlowKey(phase)].insert(phase);
    }
    return {found->second, isNew};
}

void
OpenPhases::Close(const OpusPhase& phase)
{
    const OpusPhase key = phase; // the reference may be to the phase that is closed
    SetDeadline(m_phases.at(key), NEVER);
    m_phases.erase(key);
    const auto flow = m_byFlow.find(GetFlowKey(key));
    flow->second.erase(key);
    if (flow->second.empty())
    {
        m_byFlow.erase(flow);
    }
}

ControllerPhase*
OpenPhases::Find(const OpusPhase& phase)
{
    const auto found = m_phases.find(phase);
    return found == m_phases.end() ? nullptr : &found->second;
}

ControllerPhase&
OpenPhases::At(const OpusPhase& phase)
{
    return m_phases.at(phase);
}

const OpenPhases::Phases&
OpenPhases::Get() const
{
    return m_phases;
}

OpenPhases::Phases::iterator
OpenPhases::begin()
{
    return m_phases.begin();
}

OpenPhases::Phases::iterator
OpenPhases::end()
{
    return m_phases.end();
}

const std::set<OpusPhase>&
OpenPhases::GetFlow(const OpusPhase& flowKey) const
{
    static const std::set<OpusPhase> none;
    const auto flow = m_byFlow.find(flowKey);
    return flow == m_byFlow.end() ? none : flow->second;
}

bool
OpenPhases::IsHeld(const ControllerPhase& phase) const
{
    for (const OpusPhase& key : GetFlow(GetFlowKey(phase.phase)))
    {
        if (key == phase.phase)
        {
            return false;
        }
        const ControllerPhase& earlier = m_phases.at(key);
        if (earlier.state != ControllerPhase::State::GRANTED &&
            earlier.votes.Count(PhaseVote::REQUESTED) > 0 &&
            earlier.votes.SharesRankWith(phase.votes))
        {
            return true;
        }
    }
    return false;
}

uint64_t
OpenPhases::GetLastBeforeRequested(const OpusPhase& phase, RankId rank, uint64_t until) const
{
    for (const OpusPhase& key : GetFlow(GetFlowKey(phase)))
    {
        const PhaseVotes& votes = m_phases.at(key).votes;
        const bool isRequested = votes.Has(rank) && votes.Get(rank) == PhaseVote::REQUESTED &&
                                 phase.operation < key.operation;
        until = isRequested ? std::min(until, key.operation - 1) : until;
    }
    return until;
}

void
OpenPhases::SetDeadline(ControllerPhase& phase, Picoseconds deadline)
{
    m_deadlines.erase({phase.deadline, phase.phase});
    phase.deadline = deadline;
    if (deadline != NEVER)
    {
        m_deadlines.insert({deadline, phase.phase});
    }
}

Picoseconds
OpenPhases::GetNextDeadline() const
{
    return m_deadlines.empty() ? NEVER : m_deadlines.begin()->first;
}

ControllerPhase*
OpenPhases::FindDue(Picoseconds now)
{
    return !m_deadlines.empty() && m_deadlines.begin()->first <= now
               ? &m_phases.at(m_deadlines.begin()->second)
               : nullptr;
}

} // namespace ns3
