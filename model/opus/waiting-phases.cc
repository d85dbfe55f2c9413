/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "waiting-phases.h"

#include <algorithm>
#include <utility>

namespace ns3
{

WaitingPhases::WaitingPhases(bool wholeRails, std::set<RailId> wholeSwitch, bool rotates)
    : m_wholeRails(wholeRails),
      m_wholeSwitch(std::move(wholeSwitch)),
      m_rotates(rotates)
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
    for (const RailId rail : waiting.rails)
    {
        m_byRail[rail][waiting.family].insert(turn);
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
    for (const RailId rail : waiting.rails)
    {
        std::map<std::string, Turns>& families = m_byRail[rail];
        families[waiting.family].erase(turn);
        if (families[waiting.family].empty())
        {
            families.erase(waiting.family);
        }
        if (m_wholeRails || m_wholeSwitch.count(rail) != 0)
        {
            LookAtRails({rail});
        }
    }
    LookAt({waiting.ranks.begin(), waiting.ranks.end()});
}

bool
WaitingPhases::IsFirstOn(RailId rail, const WaitingTurn& turn, const std::string& family) const
{
    const bool wholeSwitch = m_wholeSwitch.count(rail) != 0;
    if (!m_wholeRails && !wholeSwitch)
    {
        return true;
    }
    for (const auto& [name, turns] : m_byRail.at(rail))
    {
        if ((wholeSwitch || name != family) && *turns.begin() < turn)
        {
            return false;
        }
    }
    return true;
}

bool
WaitingPhases::IsFirst(const WaitingTurn& turn) const
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    const auto isFirstAt = [this, &turn](RankId rank) {
        return !(*m_byRank.at(rank).begin() < turn);
    };
    const auto isFirstOn = [this, &turn, &waiting](RailId rail) {
        return IsFirstOn(rail, turn, waiting.family);
    };
    return m_rotates || (std::all_of(waiting.ranks.begin(), waiting.ranks.end(), isFirstAt) &&
                         std::all_of(waiting.rails.begin(), waiting.rails.end(), isFirstOn));
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

void
WaitingPhases::LookAtAll()
{
    for (const auto& [turn, waiting] : m_waiting)
    {
        m_candidates.insert(turn);
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
