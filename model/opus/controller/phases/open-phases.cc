/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "open-phases.h"

#include "ns3/assert.h"
#include "ns3/opus-words.h"

#include <algorithm>

namespace ns3
{

OpenPhases::Flow::const_iterator
OpenPhases::FindPlace(const Flow& flow, const OpusPhase& phase)
{
    return std::lower_bound(
        flow.begin(),
        flow.end(),
        phase,
        [](const ControllerPhase* one, const OpusPhase& its) { return one->phase < its; });
}

std::pair<ControllerPhase&, bool>
OpenPhases::Open(const OpusPhase& phase, uint32_t whole, uint64_t digest)
{
    if (ControllerPhase* open = Find(phase))
    {
        return {*open, false};
    }
    ControllerPhase& open = m_phases.try_emplace(phase, phase, whole, digest).first->second;
    Flow& flow = m_byFlow[phase];
    flow.insert(FindPlace(flow, phase), &open);
    return {open, true};
}

void
OpenPhases::Close(const OpusPhase& phase)
{
    const OpusPhase key = phase; // the reference may be to the phase that is closed
    Flow& flow = m_byFlow.at(key);
    const auto place = FindPlace(flow, key);
    SetDeadline(**place, NEVER);
    flow.erase(place);
    m_phases.erase(key);
}

ControllerPhase*
OpenPhases::Find(const OpusPhase& phase)
{
    const Flow& flow = GetFlow(phase);
    const auto place = FindPlace(flow, phase);
    return place != flow.end() && (*place)->phase == phase ? *place : nullptr;
}

ControllerPhase&
OpenPhases::At(const OpusPhase& phase)
{
    ControllerPhase* open = Find(phase);
    NS_ASSERT_MSG(open, ToWords(phase) << " is not open");
    return *open;
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

const OpenPhases::Flow&
OpenPhases::GetFlow(const OpusPhase& phase) const
{
    static const Flow none;
    const auto flow = m_byFlow.find(phase);
    return flow == m_byFlow.end() ? none : flow->second;
}

ControllerPhase*
OpenPhases::FindFirst(const OpusPhase& phase)
{
    const Flow& flow = GetFlow(phase);
    return flow.empty() ? nullptr : flow.front();
}

ControllerPhase*
OpenPhases::FindNext(const OpusPhase& phase)
{
    const Flow& flow = GetFlow(phase);
    auto place = FindPlace(flow, phase);
    place += place != flow.end() && (*place)->phase == phase ? 1 : 0;
    return place == flow.end() ? nullptr : *place;
}

bool
OpenPhases::IsHeld(const ControllerPhase& phase) const
{
    for (const ControllerPhase* earlier : GetFlow(phase.phase))
    {
        if (earlier == &phase)
        {
            return false;
        }
        if (earlier->state != ControllerPhase::State::GRANTED &&
            earlier->votes.Count(PhaseVote::REQUESTED) > 0 &&
            earlier->votes.SharesRankWith(phase.votes))
        {
            return true;
        }
    }
    return false;
}

uint64_t
OpenPhases::GetLastBeforeRequested(const OpusPhase& phase, RankId rank, uint64_t until) const
{
    for (const ControllerPhase* later : GetFlow(phase))
    {
        const bool isRequested = phase.operation < later->phase.operation &&
                                 later->votes.Has(rank) &&
                                 later->votes.Get(rank) == PhaseVote::REQUESTED;
        until = isRequested ? std::min(until, later->phase.operation - 1) : until;
    }
    return until;
}

void
OpenPhases::SetDeadline(ControllerPhase& phase, Picoseconds deadline)
{
    if (deadline == phase.deadline)
    {
        return;
    }
    if (phase.deadline != NEVER)
    {
        m_deadlines.erase({phase.deadline, phase.phase});
    }
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
               ? Find(m_deadlines.begin()->second)
               : nullptr;
}

} // namespace ns3
