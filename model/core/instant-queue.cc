/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "instant-queue.h"

#include "photonic-rails-compat.h"
#include "picosecond-resolution.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

InstantQueue::~InstantQueue()
{
    Clear();
}

void
InstantQueue::SetAfter(Picoseconds after)
{
    NS_ABORT_MSG_UNLESS(after >= 1,
                        "InstantQueue: an instant is over after " << after
                                                                  << " ps; give 1 ps or more");
    m_after = after;
}

void
InstantQueue::SetOver(std::function<void()> over)
{
    m_over = std::move(over);
}

void
InstantQueue::Add(const Key& key, std::function<void()> action)
{
    m_items.push_back({NowPicoseconds(), key, std::move(action)});
    Arm();
}

void
InstantQueue::Arm()
{
    if (!m_items.empty() && !m_running && !IsEventPending(m_event))
    {
        const Picoseconds due = m_items.front().when + m_after;
        m_event = Simulator::Schedule(ToTime(due - NowPicoseconds()), &InstantQueue::Run, this);
    }
}

bool
InstantQueue::IsRunning() const
{
    return m_running;
}

void
InstantQueue::Clear()
{
    ++m_cleared;
    m_items.clear();
    Simulator::Remove(m_event); // a cancelled one would prolong the simulation
    m_event = EventId();
}

void
InstantQueue::Run()
{
    // only those of the first instant: later instants may receive more
    const Picoseconds first = m_items.front().when;
    std::vector<Item> items;
    items.swap(m_spare);
    items.swap(m_items);
    if (items.back().when > first)
    {
        const auto isLater = [first](const Item& item) { return item.when > first; };
        const auto later = std::find_if(items.begin(), items.end(), isLater);
        m_items.assign(std::make_move_iterator(later), std::make_move_iterator(items.end()));
        items.erase(later, items.end());
    }
    const auto before = [](const Item& a, const Item& b) { return a.key < b.key; };
    if (!std::is_sorted(items.begin(), items.end(), before))
    {
        std::stable_sort(items.begin(), items.end(), before); // which allocates memory
    }
    const uint64_t cleared = m_cleared;
    m_running = true;
    for (const Item& item : items)
    {
        item.action();
        if (m_cleared != cleared)
        {
            break; // the owner stops
        }
    }
    if (m_cleared == cleared && m_over)
    {
        m_over();
    }
    m_running = false;
    items.clear();
    m_spare.swap(items);
    Arm();
}

} // namespace ns3
