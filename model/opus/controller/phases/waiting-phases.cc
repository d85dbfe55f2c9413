/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "waiting-phases.h"

#include <algorithm>
#include <cstddef>
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
WaitingPhases::Insert(Turns& turns, const WaitingTurn& turn)
{
    const auto place = std::lower_bound(turns.begin(), turns.end(), turn);
    if (place == turns.end() || turn < *place)
    {
        turns.insert(place, turn);
    }
}

void
WaitingPhases::Erase(Turns& turns, const WaitingTurn& turn)
{
    const auto place = std::lower_bound(turns.begin(), turns.end(), turn);
    if (place != turns.end() && !(turn < *place))
    {
        turns.erase(place);
    }
}

const WaitingPhases::Queue*
WaitingPhases::FindQueue(RankId rank) const
{
    return rank.Get() < m_byRank.size() ? &m_byRank[rank.Get()] : nullptr;
}

void
WaitingPhases::Add(const WaitingTurn& turn, WaitingPhase waiting)
{
    for (const RankId rank : waiting.ranks)
    {
        if (rank.Get() >= m_byRank.size())
        {
            m_byRank.resize(std::size_t{rank.Get()} + 1);
        }
        Insert(m_byRank[rank.Get()].all, turn);
    }
    for (const RailId rail : waiting.rails)
    {
        if (IsWhole(rail))
        {
            Insert(m_byRail[rail][waiting.parallelism].all, turn);
        }
    }
    m_waiting.emplace(turn, std::move(waiting));
    m_candidates.insert(turn);
}

void
WaitingPhases::Remove(const WaitingTurn& turn)
{
    const auto left = m_waiting.extract(turn);
    const WaitingPhase& waiting = left.mapped();
    m_candidates.erase(turn);
    for (const RankId rank : waiting.ranks)
    {
        Queue& queue = m_byRank[rank.Get()];
        Erase(queue.reserving, turn);
        Erase(queue.all, turn);
    }
    for (const RailId rail : waiting.rails)
    {
        if (!IsWhole(rail))
        {
            continue;
        }
        std::map<std::string, Queue>& parallelisms = m_byRail[rail];
        Queue& queue = parallelisms[waiting.parallelism];
        Erase(queue.reserving, turn);
        Erase(queue.all, turn);
        if (queue.all.empty())
        {
            parallelisms.erase(waiting.parallelism);
        }
        LookAtRails({rail});
    }
    LookAt(waiting.ranks);
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
        return counts && !turns.empty() && turns.front() < turn;
    });
}

bool
WaitingPhases::IsBehind(Part part, const WaitingTurn& turn) const
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    const auto isBehindAt = [this, part, &turn](RankId rank) {
        const Turns& turns = m_byRank[rank.Get()].*part;
        return !turns.empty() && turns.front() < turn;
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
    if (ranks.empty())
    {
        return false;
    }
    const Turns& reserving = m_byRank[ranks.front().Get()].reserving;
    return std::binary_search(reserving.begin(), reserving.end(), turn);
}

void
WaitingPhases::Reserve(const WaitingTurn& turn)
{
    const WaitingPhase& waiting = m_waiting.at(turn);
    for (const RankId rank : waiting.ranks)
    {
        Insert(m_byRank[rank.Get()].reserving, turn);
    }
    for (const RailId rail : waiting.rails)
    {
        if (IsWhole(rail))
        {
            Insert(m_byRail.at(rail).at(waiting.parallelism).reserving, turn);
        }
    }
}

void
WaitingPhases::Reserve(const std::vector<RankId>& ranks, const std::set<RailId>& rails)
{
    if (m_waiting.empty())
    {
        return;
    }
    std::set<WaitingTurn> turns;
    for (const RankId rank : ranks)
    {
        if (const Queue* queue = FindQueue(rank))
        {
            turns.insert(queue->all.begin(), queue->all.end());
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
WaitingPhases::LookAt(const std::vector<RankId>& ranks)
{
    if (m_waiting.empty())
    {
        return;
    }
    for (const RankId rank : ranks)
    {
        const Queue* queue = FindQueue(rank);
        if (!queue || queue->all.empty())
        {
            continue;
        }
        const auto& [all, reserving] = *queue;
        const auto last = reserving.empty()
                              ? all.end()
                              : std::upper_bound(all.begin(), all.end(), reserving.front());
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
