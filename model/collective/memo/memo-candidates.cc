/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memo-candidates.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Removes the known operations for which a condition holds. */
template <typename Condition>
void
Remove(MemoStore::Known& known, Condition condition)
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
    m_active.resize(places);
    m_entered.resize(places);
}

void
MemoCandidates::Activate(uint32_t place, Picoseconds at)
{
    if (AreNone())
    {
        return;
    }
    Remove(m_left, [place, at](const auto& known) {
        return place >= known->size() || (*known)[place].active != at;
    });
    if (!AreNone())
    {
        m_active[place] = true;
    }
}

void
MemoCandidates::Enter(uint32_t place, const MemoPath& path, Picoseconds at)
{
    if (AreNone())
    {
        return;
    }
    m_entered[place] = true;
    Remove(m_left, [place, at, &path](const auto& known) {
        return (*known)[place].entered != at || (*known)[place].path != path;
    });
}

void
MemoCandidates::Drop(Picoseconds before)
{
    Remove(m_left, [this, before](const auto& known) { return GetNext(*known) < before; });
}

Picoseconds
MemoCandidates::GetNext(const MemoizedRanks& known) const
{
    Picoseconds next = NEVER;
    for (std::size_t place = 0; place < known.size(); ++place)
    {
        if (!m_active[place])
        {
            next = std::min(next, known[place].active);
        }
        if (!m_entered[place])
        {
            next = std::min(next, known[place].entered);
        }
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
    const auto isKnown = [this](const auto& known) { return GetNext(*known) == NEVER; };
    const auto found = std::find_if(m_left.begin(), m_left.end(), isKnown);
    return found == m_left.end() ? nullptr : *found;
}

} // namespace ns3
