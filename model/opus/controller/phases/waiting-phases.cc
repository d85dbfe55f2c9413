/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "waiting-phases.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

WaitingPhases::WaitingPhases(bool wholeRails, std::set<RailId> wholeSwitch, bool rotates)
    : m_wholeRails(wholeRails),
      m_wholeSwitch(std::move(wholeSwitch)),
      m_rotates(rotates)
{
}

bool
WaitingPhases::IsWhole(RailId rail) const
{
    return m_wholeRails || m_wholeSwitch.count(rail) != 0;
}

void
WaitingPhases::Add(const WaitingTurn& turn, const WaitingPhase& waiting)
{
    m_waiting.emplace(turn, waiting);
    for (const RankId rank : waiting.ranks)
    {
        m_byRank[rank].all.insert(turn);
    }
    for (const RailId rail : waiting.rails)
    {
        m_byRail[rail][waiting.parallelism].all.insert(turn);
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
        Queue& queue = m_byRank[rank];
        queue.reserving.erase(turn);
        queue.all.erase(turn);
        if (queue.all.empty())
        {
            m_byRank.erase(rank);
        }
    }
    for (const RailId rail : waiting.rails)
    {
        std::map<std::string, Queue>& parallelisms = m_byRail[rail];
        Queue& queue = parallelisms[waiting.parallelism];
        queue.reserving.erase(turn);
        queue.all.erase(turn);
        if (queue.all.empty())
        {
            parallelisms.erase(waiting.parallelism);
        }
        if (IsWhole(rail))
        {
            LookAtRails({rail});
        }
    }
    LookAt({waiting.ranks.begin(), waiting.ranks.end()});
}

bool
WaitingPhases::IsBehindOn(RailId rail, Part part, const WaitingTurn& turn) const
{
    if (!IsWhole(rail))
    {
        return false;
    }
    const std::string& parallelism = m_waiting.at(turn).parallelism;
    const auto& parallelisms = m_byRail.at(rail);
    return std::any_of(parallelisms.begin(), parallelisms.end(), [&](const auto& queue) {
        const Turns& turns = queue.second.*part;
        const bool counts = m_wholeSwitch.count(rail) != 0 || queue.first != parallelism;
        return counts && !turns.empty() && *turns.begin() < turn;
    });
}

bool
WaitingPhases::IsBehind(Part part, const WaitingTurn& turn) const
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    const auto isBehindAt = [this, part, &turn](RankId rank) {
        const Turns& turns = m_byRank.at(rank).*part;
        return !turns.empty() && *turns.begin() < turn;
    };
    const auto isBehindOn = [this, part, &turn](RailId rail) {
        return IsBehindOn(rail, part, turn);
    };
    return std::any_of(waiting.ranks.begin(), waiting.ranks.end(), isBehindAt) ||
           std::any_of(waiting.rails.begin(), waiting.rails.end(), isBehindOn);
}

bool
WaitingPhases::IsFirst(const WaitingTurn& turn) const
{
    return m_rotates || !IsBehind(&Queue::all, turn);
}

bool
WaitingPhases::MayGo(const WaitingTurn& turn) const
{
    return m_rotates || !IsBehind(turn.guess ? &Queue::all : &Queue::reserving, turn);
}

bool
WaitingPhases::IsReserving(const WaitingTurn& turn) const
{
    const std::vector<RankId>& ranks = m_waiting.at(turn).ranks;
    return !ranks.empty() && m_byRank.at(ranks.front()).reserving.count(turn) != 0;
}

void
WaitingPhases::Reserve(const WaitingTurn& turn)
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    for (const RankId rank : waiting.ranks)
    {
        m_byRank.at(rank).reserving.insert(turn);
    }
    for (const RailId rail : waiting.rails)
    {
        m_byRail.at(rail).at(waiting.parallelism).reserving.insert(turn);
    }
}

void
WaitingPhases::Reserve(const std::set<RankId>& ranks, const std::set<RailId>& rails)
{
    Turns turns;
    for (const RankId rank : ranks)
    {
        const auto queue = m_byRank.find(rank);
        if (queue != m_byRank.end())
        {
            turns.insert(queue->second.all.begin(), queue->second.all.end());
        }
    }
    for (const RailId rail : rails)
    {
        const auto parallelisms = m_byRail.find(rail);
        if (parallelisms != m_byRail.end() && IsWhole(rail))
        {
            for (const auto& [parallelism, queue] : parallelisms->second)
            {
                turns.insert(queue.all.begin(), queue.all.end());
            }
        }
    }
    for (const WaitingTurn& turn : turns)
    {
        Reserve(turn);
    }
}

void
WaitingPhases::LookAt(const std::set<RankId>& ranks)
{
    for (const RankId rank : ranks)
    {
        const auto queue = m_byRank.find(rank);
        if (queue == m_byRank.end())
        {
            continue;
        }
        const auto& [all, reserving] = queue->second;
        const auto last = reserving.empty() ? all.end() : std::next(all.find(*reserving.begin()));
        m_candidates.insert(all.begin(), last);
    }
}

void
WaitingPhases::LookAtRails(const std::set<RailId>& rails)
{
    for (const RailId rail : rails)
    {
        const auto parallelisms = m_byRail.find(rail);
        if (parallelisms != m_byRail.end())
        {
            for (const auto& [parallelism, queue] : parallelisms->second)
            {
                m_candidates.insert(queue.all.begin(), queue.all.end());
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
