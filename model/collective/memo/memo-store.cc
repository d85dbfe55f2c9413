/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-store.h"

#include "ns3/mix-bits.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return whether ranks begin an operation alike */
bool
BeginAlike(const MemoizedRanks& one, const MemoizedRanks& other)
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
EndAlike(const MemoizedRanks& one, const MemoizedRanks& other)
{
    bool alike = true;
    for (std::size_t place = 0; place < one.size(); ++place)
    {
        alike = alike && one[place].ended == other[place].ended &&
                one[place].totals.messagesSent == other[place].totals.messagesSent &&
                one[place].mostEarly == other[place].mostEarly &&
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

const MemoStore::Known&
MemoStore::Find(const Kind& kind) const
{
    static const Known nothing;
    const auto found = m_entries.find(KeyOf(kind));
    return found == m_entries.end() ? nothing : found->second.known;
}

std::shared_ptr<const MemoizedRanks>
MemoStore::FindAlike(const Kind& kind, const MemoizedRanks& ranks) const
{
    const Known& known = Find(kind);
    const auto found = std::find_if(known.begin(), known.end(), [&ranks](const auto& one) {
        return BeginAlike(*one, ranks);
    });
    return found == known.end() ? nullptr : *found;
}

bool
MemoStore::Add(const Kind& kind, const std::shared_ptr<const MemoizedRanks>& ranks)
{
    Entry& entry = m_entries[KeyOf(kind)];
    entry.schedule = kind.schedule;
    if (const auto earlier = FindAlike(kind, *ranks))
    {
        return EndAlike(*earlier, *ranks);
    }
    entry.known.push_back(ranks);
    return true;
}

std::size_t
MemoStore::Hash::operator()(const SendsKey& key) const
{
    uint64_t mixed = key.size();
    for (const int64_t number : key)
    {
        mixed = MixBits(mixed ^ static_cast<uint64_t>(number));
    }
    return mixed;
}

std::shared_ptr<const MemoizedRanks>
MemoStore::FindSends(const SendsKey& key) const
{
    const auto found = m_sends.find(key);
    return found == m_sends.end() ? nullptr : found->second;
}

void
MemoStore::AddSends(const SendsKey& key, const std::shared_ptr<const MemoizedRanks>& ranks)
{
    if (m_sends.size() < MOST_SENDS)
    {
        m_sends.emplace(key, ranks);
    }
}

const MemoStore::Recordings&
MemoStore::FindRecordings(const Kind& kind) const
{
    static const Recordings nothing;
    const auto found = m_recordings.find(KeyOf(kind));
    return found == m_recordings.end() ? nothing : found->second;
}

void
MemoStore::AddRecording(const Kind& kind, const Ptr<MemoRecording>& recording)
{
    m_recordings[KeyOf(kind)].push_back(recording);
}

void
MemoStore::RemoveRecording(const Kind& kind, const Ptr<MemoRecording>& recording)
{
    const auto found = m_recordings.find(KeyOf(kind));
    if (found == m_recordings.end())
    {
        return;
    }
    Recordings& its = found->second;
    its.erase(std::remove(its.begin(), its.end(), recording), its.end());
    if (its.empty())
    {
        m_recordings.erase(found);
    }
}

} // namespace ns3
