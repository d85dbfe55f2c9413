/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "followed-recordings.h"

#include <utility>

namespace ns3
{

FollowedRecordings::FollowedRecordings(MemoRecording::Listener& listener)
    : m_listener(listener)
{
}

FollowedRecordings::~FollowedRecordings()
{
    Clear();
}

template <typename Condition>
void
FollowedRecordings::KeepIf(Condition condition)
{
    MemoStore::Recordings kept;
    for (const Ptr<MemoRecording>& recording : m_recordings)
    {
        if (condition(*recording))
        {
            kept.push_back(recording);
        }
        else
        {
            recording->Remove(m_listener);
        }
    }
    m_recordings = std::move(kept);
}

MemoStore::Known
FollowedRecordings::Follow(const MemoStore::Recordings& recordings, Picoseconds begin)
{
    Clear();
    MemoStore::Known known;
    for (const Ptr<MemoRecording>& recording : recordings)
    {
        if (recording->GetBegin() <= begin)
        {
            recording->Add(m_listener);
            m_recordings.push_back(recording);
            known.push_back(recording->GetRanks());
        }
    }
    return known;
}

void
FollowedRecordings::KeepOnly(const std::shared_ptr<const MemoizedRanks>& ranks)
{
    KeepIf([&ranks](const MemoRecording& one) { return one.GetRanks() == ranks; });
}

void
FollowedRecordings::Clear()
{
    KeepIf([](const MemoRecording&) { return false; });
}

MemoStore::Known
FollowedRecordings::TakeBroken()
{
    MemoStore::Known broken;
    KeepIf([&broken](const MemoRecording& one) {
        if (one.IsBroken())
        {
            broken.push_back(one.GetRanks());
        }
        return !one.IsBroken();
    });
    return broken;
}

} // namespace ns3
