/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memoized-course.h"

#include <algorithm>
#include <utility>

namespace ns3
{

MemoizedCourse::MemoizedCourse(std::size_t places, Picoseconds begin)
    : m_begin(begin),
      m_ranks(places)
{
}

MemoizedCourse::MemoizedCourse(std::vector<MemoizedRank> ranks)
{
    Finish(std::move(ranks));
}

void
MemoizedCourse::Activate(std::size_t place, Picoseconds at)
{
    m_ranks[place].active = at;
    Notify();
}

void
MemoizedCourse::Enter(std::size_t place, const MemoizedRank& its)
{
    m_ranks.resize(std::max(m_ranks.size(), place + 1));
    m_ranks[place] = its;
    Notify();
}

void
MemoizedCourse::NoteEnd(Picoseconds at)
{
    if (at < m_firstEnd)
    {
        m_firstEnd = at;
        Notify();
    }
}

void
MemoizedCourse::Finish(std::vector<MemoizedRank> ranks)
{
    m_state = State::OVER;
    m_ranks = std::move(ranks);
    for (const MemoizedRank& rank : m_ranks)
    {
        m_firstEnd = std::min(m_firstEnd, rank.ended);
    }
    Notify();
}

void
MemoizedCourse::Abandon()
{
    if (m_state == State::UNDER_WAY)
    {
        m_state = State::VOID;
        Notify();
    }
}

void
MemoizedCourse::Add(Follower& follower)
{
    m_followers.push_back(&follower);
}

void
MemoizedCourse::Remove(Follower& follower)
{
    m_followers.erase(std::remove(m_followers.begin(), m_followers.end(), &follower),
                      m_followers.end());
}

void
MemoizedCourse::Notify()
{
    const std::vector<Follower*> followers = m_followers; // they may remove themselves
    for (Follower* follower : followers)
    {
        follower->CourseHasChanged(*this);
    }
}

} // namespace ns3
