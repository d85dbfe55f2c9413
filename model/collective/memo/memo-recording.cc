/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-recording.h"

#include <algorithm>
#include <utility>

namespace ns3
{

MemoRecording::MemoRecording(Picoseconds begin, std::size_t ranks)
    : m_begin(begin),
      m_ranks(std::make_shared<MemoizedRanks>(ranks)),
      m_shown(m_ranks)
{
    for (MemoizedRank& rank : *m_ranks)
    {
        rank.active = NEVER;
        rank.entered = NEVER;
        rank.ended = NEVER;
    }
}

void
MemoRecording::Activate(uint32_t place, Picoseconds at)
{
    (*m_ranks)[place].active = at;
    Report();
}

void
MemoRecording::Enter(uint32_t place, const MemoPath& path, Picoseconds at)
{
    (*m_ranks)[place].entered = at;
    (*m_ranks)[place].path = path;
    Report();
}

void
MemoRecording::End(uint32_t place, const MemoizedRank& its)
{
    MemoizedRank& rank = (*m_ranks)[place];
    rank.ended = its.ended;
    rank.totals = its.totals;
    rank.mostEarly = its.mostEarly;
    Report();
}

void
MemoRecording::Complete(MemoizedRanks ranks)
{
    *m_ranks = std::move(ranks);
    m_isComplete = true;
    Report();
}

void
MemoRecording::Break()
{
    if (!m_isComplete)
    {
        m_isBroken = true;
        Report();
    }
}

void
MemoRecording::Add(Listener& listener)
{
    m_listeners.push_back(&listener);
}

void
MemoRecording::Remove(Listener& listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), &listener),
                      m_listeners.end());
}

void
MemoRecording::Report() const
{
    for (Listener* listener : m_listeners)
    {
        listener->RecordingChanged();
    }
}

} // namespace ns3
