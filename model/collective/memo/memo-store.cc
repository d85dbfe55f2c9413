/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-store.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** @return whether ranks begin an operation alike */
bool
BeginAlike(const std::vector<MemoizedRank>& one, const std::vector<MemoizedRank>& other)
{
    bool alike = one.size() == other.size();
    for (std::size_t place = 0; alike && place < one.size(); ++place)
    {
        alike = one[place].active == other[place].active &&
                one[place].entered == other[place].entered && one[place].path == other[place].path;
    }
    return alike;
}

/** @return whether ranks that begin alike end alike */
bool
EndAlike(const std::vector<MemoizedRank>& one, const std::vector<MemoizedRank>& other)
{
    bool alike = true;
    for (std::size_t place = 0; place < one.size(); ++place)
    {
        alike = alike && one[place].ended == other[place].ended &&
                one[place].totals.messagesSent == other[place].totals.messagesSent &&
                one[place].sent.size() == other[place].sent.size();
        for (std::size_t way = 0; alike && way < one[place].sent.size(); ++way)
        {
            const QueuePairProgress difference =
                one[place].sent[way].progress.Since(other[place].sent[way].progress);
            alike = difference.messages == 0 && difference.bytes == 0 && difference.frames == 0 &&
                    difference.acknowledgements == 0;
        }
    }
    return alike;
}

} // namespace

MemoStore::Key
MemoStore::KeyOf(const Kind& kind)
{
    return {kind.schedule.get(), kind.bytes, kind.messageSize, kind.protocol};
}

std::vector<MemoStore::Course>
MemoStore::Find(const Kind& kind, Picoseconds begin) const
{
    const auto found = m_entries.find(KeyOf(kind));
    if (found == m_entries.end())
    {
        return {};
    }
    std::vector<Course> courses = found->second.known;
    for (const Course& course : found->second.underWay)
    {
        if (course->GetBegin() <= begin)
        {
            courses.push_back(course);
        }
    }
    return courses;
}

bool
MemoStore::MayAdd(const Kind& kind) const
{
    const auto found = m_entries.find(KeyOf(kind));
    return found == m_entries.end() ? m_entries.size() < MOST_KINDS
                                    : found->second.known.size() < MOST_OF_KIND;
}

MemoStore::Course
MemoStore::Begin(const Kind& kind, std::size_t places, Picoseconds begin)
{
    Entry& entry = m_entries[KeyOf(kind)];
    entry.schedule = kind.schedule;
    Course course = std::make_shared<MemoizedCourse>(places, begin);
    if (entry.underWay.size() < MOST_UNDER_WAY)
    {
        entry.underWay.push_back(course);
    }
    return course;
}

bool
MemoStore::Finish(const Kind& kind, const Course& course, std::vector<MemoizedRank> ranks)
{
    Entry& entry = m_entries[KeyOf(kind)];
    entry.underWay.erase(std::remove(entry.underWay.begin(), entry.underWay.end(), course),
                         entry.underWay.end());
    for (const Course& one : entry.known)
    {
        if (BeginAlike(one->GetRanks(), ranks))
        {
            const bool areAlike = EndAlike(one->GetRanks(), ranks);
            course->Finish(std::move(ranks));
            return areAlike;
        }
    }
    entry.known.push_back(course);
    course->Finish(std::move(ranks));
    return true;
}

void
MemoStore::Abandon(const Kind& kind, const Course& course)
{
    std::vector<Course>& underWay = m_entries[KeyOf(kind)].underWay;
    underWay.erase(std::remove(underWay.begin(), underWay.end(), course), underWay.end());
    course->Abandon();
}

} // namespace ns3
