/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "selective-repeat.h"

#include "ns3/assert.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

bool
SelectiveRepeat::IsKept(uint64_t frame) const
{
    if (IsOnItsWay(frame))
    {
        return false;
    }
    const auto behind = m_lost.upper_bound(frame);
    return behind == m_lost.begin() || std::prev(behind)->second <= frame;
}

void
SelectiveRepeat::Settle(uint64_t frame)
{
    while (!m_lost.empty() && m_lost.begin()->first < frame)
    {
        const uint64_t end = m_lost.begin()->second;
        m_lost.erase(m_lost.begin());
        if (end > frame)
        {
            m_lost.emplace(frame, end);
        }
    }
    m_again.erase(m_again.begin(), m_again.lower_bound(frame));
    if (m_again.empty())
    {
        m_firstPlace += m_repeated.size();
        m_repeated.clear();
    }
    m_known = std::max(m_known, frame);
}

void
SelectiveRepeat::Keep(uint64_t frame, Picoseconds now)
{
    if (frame >= m_known)
    {
        Lose(m_known, frame);
        m_known = frame + 1;
        while (!m_repeated.empty() && m_repeated.front().next <= frame)
        {
            LoseOldestRepeated();
        }
        return;
    }
    const auto again = m_again.find(frame);
    if (again == m_again.end())
    {
        Recover(frame);
        return;
    }
    const uint64_t place = again->second;
    m_again.erase(again);
    const bool isOfThisCopy = m_repeated[place - m_firstPlace].last < now;
    while (isOfThisCopy && m_firstPlace < place)
    {
        LoseOldestRepeated();
    }
}

void
SelectiveRepeat::LoseAll(uint64_t sent)
{
    while (!m_repeated.empty())
    {
        LoseOldestRepeated();
    }
    if (m_known < sent)
    {
        Lose(m_known, sent);
        m_known = sent;
    }
}

void
SelectiveRepeat::SendAgain(uint64_t frame, uint64_t sent, Picoseconds last)
{
    if (Recover(frame))
    {
        m_again[frame] = m_firstPlace + m_repeated.size();
        m_repeated.push_back({frame, sent, last});
    }
}

void
SelectiveRepeat::Lose(uint64_t begin, uint64_t end)
{
    if (begin < end)
    {
        m_lost.emplace(begin, end);
    }
}

bool
SelectiveRepeat::Recover(uint64_t frame)
{
    auto range = m_lost.upper_bound(frame);
    if (range == m_lost.begin() || (--range)->second <= frame)
    {
        return false;
    }
    const auto [begin, end] = *range;
    m_lost.erase(range);
    Lose(begin, frame);
    Lose(frame + 1, end);
    return true;
}

void
SelectiveRepeat::LoseOldestRepeated()
{
    const uint64_t frame = m_repeated.front().frame;
    const auto again = m_again.find(frame);
    if (again != m_again.end() && again->second == m_firstPlace)
    {
        m_again.erase(again);
        Lose(frame, frame + 1);
    }
    m_repeated.pop_front();
    ++m_firstPlace;
}

} // namespace ns3
