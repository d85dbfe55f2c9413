/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-candidates.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Removes the courses for which a condition holds. */
template <typename Condition>
void
Remove(std::vector<MemoCandidates::Course>& courses, Condition condition)
{
    courses.erase(std::remove_if(courses.begin(), courses.end(), condition), courses.end());
}

/** Sets a flag of a place, which may be a new one. */
void
Set(std::vector<bool>& flags, uint32_t place)
{
    flags.resize(std::max<std::size_t>(flags.size(), place + 1));
    flags[place] = true;
}

/** @return a flag of a place */
bool
IsSet(const std::vector<bool>& flags, std::size_t place)
{
    return place < flags.size() && flags[place];
}

} // namespace

MemoCandidates::MemoCandidates(const std::vector<Course>& courses)
    : m_left(courses)
{
}

void
MemoCandidates::Activate(uint32_t place, Picoseconds at)
{
    Set(m_active, place);
    Remove(m_left, [place, at](const Course& course) {
        const std::vector<MemoizedRank>& ranks = course->GetRanks();
        return place >= ranks.size() || ranks[place].active != at;
    });
}

void
MemoCandidates::Enter(uint32_t place, const MemoPath& path, Picoseconds at)
{
    Set(m_entered, place);
    Remove(m_left, [place, at, &path](const Course& course) {
        const std::vector<MemoizedRank>& ranks = course->GetRanks();
        return place >= ranks.size() || ranks[place].entered != at || ranks[place].path != path;
    });
}

void
MemoCandidates::Drop(Picoseconds at)
{
    using State = MemoizedCourse::State;
    Remove(m_left, [this, at](const Course& course) {
        const State state = course->GetState();
        return state == State::VOID || GetNext(*course) < at ||
               (state == State::UNDER_WAY && course->GetFirstEnd() <= at);
    });
}

Picoseconds
MemoCandidates::GetNext(const MemoizedCourse& course) const
{
    const std::vector<MemoizedRank>& ranks = course.GetRanks();
    Picoseconds next = NEVER;
    for (std::size_t place = 0; place < ranks.size(); ++place)
    {
        if (!IsSet(m_active, place))
        {
            next = std::min(next, ranks[place].active);
        }
        if (!IsSet(m_entered, place))
        {
            next = std::min(next, ranks[place].entered);
        }
    }
    return next;
}

bool
MemoCandidates::IsKnown(const MemoizedCourse& course) const
{
    return course.GetState() == MemoizedCourse::State::OVER && GetNext(course) == NEVER;
}

Picoseconds
MemoCandidates::GetTimeout() const
{
    Picoseconds last = ALWAYS_BEFORE; // of those that await something
    Picoseconds due = NEVER;          // the first end of those that don't
    for (const Course& course : m_left)
    {
        if (IsKnown(*course))
        {
            due = std::min(due, course->GetFirstEnd());
            continue;
        }
        const Picoseconds next = GetNext(*course);
        const bool isUnderWay = course->GetState() == MemoizedCourse::State::UNDER_WAY;
        last = std::max(
            last,
            std::min(next == NEVER ? NEVER : next + 1, isUnderWay ? course->GetFirstEnd() : NEVER));
    }
    return last == ALWAYS_BEFORE ? due : std::min(last, due);
}

std::shared_ptr<const MemoizedCourse>
MemoCandidates::GetKnown(Picoseconds now) const
{
    const auto isKnown = [this](const Course& course) { return IsKnown(*course); };
    const auto found = std::find_if(m_left.begin(), m_left.end(), isKnown);
    if (found == m_left.end())
    {
        return nullptr;
    }
    const bool isOnlyOne = std::all_of(m_left.begin(), m_left.end(), isKnown);
    return isOnlyOne || (*found)->GetFirstEnd() <= now ? *found : nullptr;
}

} // namespace ns3
