/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-turns.h"

#include <algorithm>
#include <utility>

namespace ns3
{

PhaseTurns::PhaseTurns(OpenPhases& phases, const RailTraffic& traffic, WaitingPhases waiting)
    : m_phases(phases),
      m_traffic(traffic),
      m_waiting(std::move(waiting))
{
}

void
PhaseTurns::Complete(ControllerPhase& phase, bool isGuess)
{
    phase.turn = {isGuess, 0, isGuess ? phase.due : 0};
    if (std::find(m_completed.begin(), m_completed.end(), phase.phase) == m_completed.end())
    {
        m_completed.push_back(phase.phase);
    }
}

void
PhaseTurns::Leave(ControllerPhase& phase)
{
    if (phase.queued)
    {
        phase.queued = false;
        m_waiting.Remove(phase.turn);
    }
}

void
PhaseTurns::Review(const OpusPhase& ofFlow)
{
    for (ControllerPhase* its : m_phases.GetFlow(ofFlow))
    {
        ControllerPhase& phase = *its;
        if (phase.state != ControllerPhase::State::WAITING || phase.turn.number == 0)
        {
            continue; // Assign() adds it later
        }
        if (m_phases.IsHeld(phase))
        {
            Leave(phase);
        }
        else if (!phase.queued)
        {
            phase.queued = true;
            m_waiting.Add(phase.turn,
                          {phase.phase, phase.GetPortRanks(), phase.rails, phase.parallelism});
        }
    }
}

void
PhaseTurns::Assign()
{
    std::vector<OpusPhase> completed;
    completed.swap(m_completed);
    for (const OpusPhase& key : completed)
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (phase && phase->state == ControllerPhase::State::WAITING)
        {
            phase->turn.number = ++m_count;
            Review(key);
        }
    }
}

bool
PhaseTurns::MayGo(const ControllerPhase& phase) const
{
    return m_waiting.MayGo(phase.turn);
}

bool
PhaseTurns::IsFirst(const ControllerPhase& phase) const
{
    return m_waiting.IsFirst(phase.turn);
}

bool
PhaseTurns::IsReserving(const ControllerPhase& phase) const
{
    return phase.queued && m_waiting.IsReserving(phase.turn);
}

uint64_t
PhaseTurns::GetCount() const
{
    return m_count;
}

void
PhaseTurns::LookAt(const std::vector<RankId>& ranks)
{
    m_waiting.LookAt(ranks);
}

void
PhaseTurns::LookAtRails(const std::set<RailId>& rails)
{
    if (m_traffic.HasAnyWhole())
    {
        m_waiting.LookAtRails(m_traffic.SelectWhole(rails));
    }
}

void
PhaseTurns::LookAround(const ControllerPhase& phase)
{
    LookAt(phase.GetPortRanks());
    LookAtRails(phase.rails);
}

void
PhaseTurns::LookAtAll()
{
    m_waiting.LookAtAll();
}

void
PhaseTurns::Reserve(const ControllerPhase& ending)
{
    m_waiting.Reserve(ending.GetPortRanks(), ending.rails);
}

ControllerPhase*
PhaseTurns::TakeCandidate()
{
    return m_waiting.HasCandidate() ? &m_phases.At(m_waiting.TakeCandidate()) : nullptr;
}

} // namespace ns3
