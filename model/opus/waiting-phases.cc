/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "waiting-phases.h"

namespace ns3
{

WaitingPhases::WaitingPhases(bool wholeRails)
    : m_wholeRails(wholeRails)
{
}

void
WaitingPhases::Add(const WaitingTurn& turn, const WaitingPhase& waiting)
{
    m_waiting.emplace(turn, waiting);
    for (const RankId rank : waiting.ranks)
    {
        m_byRank[rank].insert(turn);
    }
    if (m_wholeRails)
    {
        for (const RailId rail : waiting.rails)
        {
            m_byRail[rail][waiting.family].insert(turn);
        }
    }
    m_candidates.insert(turn);
}

void
WaitingPhases::Remove(const WaitingTurn& turn)
{
    const auto found = m_waiting.find(turn);
    const WaitingPhase waiting = found->second;
    m_waiting.erase(found);
    m_candidates.erase(turn);
    for (const RankId rank : waiting.ranks)
    {
        Turns& turns = m_byRank[rank];
        turns.erase(turn);
        if (turns.empty())
        {
            m_byRank.erase(rank);
        }
    }
    if (m_wholeRails)
    {
        for (const RailId rail : waiting.rails)
        {
            std::map<std::string, Turns>& families = m_byRail[rail];
            families[waiting.family].erase(turn);
            if (families[waiting.family].empty())
            {
                families.erase(waiting.family);
            }
        }
        LookAtRails(waiting.rails);
    }
    LookAt({waiting.ranks.begin(), waiting.ranks.end()});
}

bool
WaitingPhases::IsFirst(const WaitingTurn& turn) const
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    for (const RankId rank : waiting.ranks)
    {
        if (*m_byRank.at(rank).begin() < turn)
        {
            return false;
        }
    }
    if (m_wholeRails)
    {
        for (const RailId rail : waiting.rails)
        {
            for (const auto& [family, turns] : m_byRail.at(rail))
            {
                if (family != waiting.family && *turns.begin() < turn)
                {
                    return false;
                }
            }
        }
    }
    return true;
}

void
WaitingPhases::LookAt(const std::set<RankId>& ranks)
{
    for (const RankId rank : ranks)
    {
        const auto turns = m_byRank.find(rank);
        if (turns != m_byRank.end())
        {
            m_candidates.insert(*turns->second.begin());
        }
    }
}

void
WaitingPhases::LookAtRails(const std::set<RailId>& rails)
{
    for (const RailId rail : rails)
    {
        const auto families = m_byRail.find(rail);
        if (families != m_byRail.end())
        {
            for (const auto& [family, turns] : families->second)
            {
                m_candidates.insert(turns.begin(), turns.end());
            }
        }
    }
}

bool
WaitingPhases::HasCandidate() const
{
    return !m_candidates.empty();
}

OpusPhase
WaitingPhases::TakeCandidate()
{
    const WaitingTurn turn = *m_candidates.begin();
    m_candidates.erase(m_candidates.begin());
    return m_waiting.at(turn).phase;
}

} // namespace ns3
