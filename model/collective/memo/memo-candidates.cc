/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-candidates.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return the earlier of two instants, if they differ; NEVER: they are equal */
Picoseconds
EarlierUnlessEqual(Picoseconds one, Picoseconds other)
{
    return one == other ? NEVER : std::min(one, other);
}

/** @return whether all ranks have entered */
bool
HaveEntered(const MemoizedRanks& ranks)
{
    return std::all_of(ranks.begin(), ranks.end(), [](const MemoizedRank& rank) {
        return rank.entered != NEVER;
    });
}

/** Removes the known operations for which a condition holds. */
template <typename Condition>
void
RemoveIf(MemoStore::Known& known, Condition condition)
{
    known.erase(std::remove_if(known.begin(), known.end(), condition), known.end());
}

} // namespace

MemoCandidates::MemoCandidates(const MemoStore::Known& known)
    : m_left(known)
{
    std::size_t places = 0;
    for (const auto& one : known)
    {
        places = std::max(places, one->size());
    }
    m_own.resize(places);
}

void
MemoCandidates::Activate(uint32_t place, Picoseconds at)
{
    if (AreNone())
    {
        return;
    }
    RemoveIf(m_left, [place, at](const auto& known) {
        return place >= known->size() ||
               ((*known)[place].active != at && (*known)[place].active != NEVER);
    });
    if (!AreNone())
    {
        m_own[place].active = at;
    }
}

void
MemoCandidates::Enter(uint32_t place, const MemoPath& path, Picoseconds at)
{
    if (AreNone())
    {
        return;
    }
    m_own[place].entered = at;
    m_own[place].path = &path;
    RemoveIf(m_left, [place, at, &path](const auto& known) {
        const MemoizedRank& its = (*known)[place];
        return its.entered != NEVER && (its.entered != at || its.path != path);
    });
}

void
MemoCandidates::Compare()
{
    RemoveIf(m_left, [this](const auto& known) {
        bool differs = false;
        for (std::size_t place = 0; place < known->size(); ++place)
        {
            const Own& own = m_own[place];
            const MemoizedRank& its = (*known)[place];
            differs = differs ||
                      (own.entered != NEVER && own.entered == its.entered && *own.path != its.path);
        }
        return differs;
    });
}

void
MemoCandidates::Remove(const std::shared_ptr<const MemoizedRanks>& known)
{
    RemoveIf(m_left, [&known](const auto& one) { return one == known; });
}

void
MemoCandidates::Drop(Picoseconds before)
{
    RemoveIf(m_left, [this, before](const auto& known) { return GetNext(*known) < before; });
}

Picoseconds
MemoCandidates::GetNext(const MemoizedRanks& known) const
{
    Picoseconds next = NEVER;
    for (std::size_t place = 0; place < known.size(); ++place)
    {
        next = std::min({next,
                         EarlierUnlessEqual(known[place].active, m_own[place].active),
                         EarlierUnlessEqual(known[place].entered, m_own[place].entered)});
    }
    return next;
}

Picoseconds
MemoCandidates::GetTimeout() const
{
    Picoseconds last = ALWAYS_BEFORE;
    for (const auto& known : m_left)
    {
        const Picoseconds next = GetNext(*known);
        last = next == NEVER ? last : std::max(last, next + 1);
    }
    return last == ALWAYS_BEFORE ? NEVER : last;
}

std::shared_ptr<const MemoizedRanks>
MemoCandidates::GetKnown() const
{
    const auto isKnown = [this](const auto& known) {
        return GetNext(*known) == NEVER && HaveEntered(*known);
    };
    const auto found = std::find_if(m_left.begin(), m_left.end(), isKnown);
    return found == m_left.end() ? nullptr : *found;
}

} // namespace ns3
