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
    const auto isLater = [first](const Item& item) { return item.when > first; };
    const auto later = std::find_if(m_items.begin(), m_items.end(), isLater);
    std::vector<Item> items(std::make_move_iterator(m_items.begin()),
                            std::make_move_iterator(later));
    m_items.erase(m_items.begin(), later);
    const auto before = [](const Item& a, const Item& b) { return a.key < b.key; };
    std::stable_sort(items.begin(), items.end(), before);
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
    Arm();
}

} // namespace ns3
