/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "deadline-timer.h"

#include "picoseconds.h"

#include "ns3/abort.h"
#include "ns3/event-id.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/** @return the simulator's instant, whose events expire timers: also while the past is simulated */
Picoseconds
PresentPicoseconds()
{
    return Simulator::Now().GetTimeStep();
}

} // namespace

/** The timers of a simulation, and the events that they share. */
class DeadlineTimer::All
{
  public:
    /** @return the timers of this process; never destroyed, since timers may exist until its end */
    static All& Get()
    {
        static All* all = new All;
        return *all;
    }

    /** Records whether a timer has a deadline. */
    void Count(DeadlineTimer& timer, bool isSet)
    {
        m_set += isSet - timer.m_isSet; // one more, one less, or as many
        timer.m_isSet = isSet;
        if (m_set == 0)
        {
            for (const auto& [when, event] : m_events)
            {
                Simulator::Remove(event);
            }
            m_events.clear();
        }
    }

    /** Enters a timer for an instant. */
    void Enter(DeadlineTimer& timer, Picoseconds when)
    {
        timer.m_when = when;
        timer.m_number = ++m_numbers;
        timer.m_context = Simulator::GetContext();
        m_entries.emplace(std::pair(when, timer.m_number), &timer);
    }

    /** Removes a timer from its list. */
    void Erase(DeadlineTimer& timer)
    {
        m_entries.erase({timer.m_when, timer.m_number});
        m_due.erase(timer.m_number);
        timer.m_when = NEVER;
        timer.m_isDue = false;
    }

    /** Schedules an event for the earliest deadline, if there is none. */
    void Arm()
    {
        while (!m_entries.empty() && !m_entries.begin()->second->m_isSet)
        {
            Erase(*m_entries.begin()->second);
        }
        if (m_entries.empty())
        {
            return;
        }
        const Picoseconds first = m_entries.begin()->first.first;
        if (!m_events.empty() && m_events.begin()->first <= first)
        {
            return;
        }
        if (!m_resetsAtEnd)
        {
            m_resetsAtEnd = true;
            RequireOrder();
            Simulator::ScheduleDestroy(&All::Reset, this);
        }
        const Time wait = TimeStep(std::max(Picoseconds{0}, first - PresentPicoseconds()));
        m_events.emplace(first, Simulator::Schedule(wait, &All::Expire, this));
    }

  private:
    /** Aborts with ns-3's HeapScheduler: it may lose the order of events when one is removed. */
    static void RequireOrder()
    {
        TypeIdValue scheduler;
        GlobalValue::GetValueByName("SchedulerType", scheduler);
        NS_ABORT_MSG_IF(scheduler.Get().GetName() == "ns3::HeapScheduler",
                        "DeadlineTimer: ns3::HeapScheduler loses the order of events when one is "
                        "removed; set SchedulerType to ns3::PriorityQueueScheduler");
    }

    /** Calls each owner whose deadline may be over, in its own context. */
    void Expire()
    {
        const Picoseconds now = PresentPicoseconds();
        m_events.erase(m_events.begin(), m_events.upper_bound(now));
        while (!m_entries.empty() && m_entries.begin()->first.first <= now)
        {
            DeadlineTimer& timer = *m_entries.begin()->second;
            if (!timer.m_isSet)
            {
                Erase(timer);
                continue;
            }
            m_entries.erase(m_entries.begin());
            m_due.emplace(timer.m_number, &timer);
            timer.m_isDue = true;
            Simulator::ScheduleWithContext(timer.m_context,
                                           Time(0),
                                           &All::Call,
                                           this,
                                           timer.m_number);
        }
        Arm();
    }

    /** Calls an owner, if its timer still exists. */
    void Call(uint64_t number)
    {
        const auto due = m_due.find(number);
        if (due == m_due.end())
        {
            return;
        }
        DeadlineTimer& timer = *due->second;
        Erase(timer);
        if (timer.m_isSet)
        {
            const Callback<void> expired = timer.m_expired; // the call may destroy the timer
            Count(timer, false);
            expired();
        }
    }

    /** The simulation is over. */
    void Reset()
    {
        m_events.clear();
        m_resetsAtEnd = false;
        m_set = 0;
        while (!m_entries.empty() || !m_due.empty())
        {
            DeadlineTimer& timer =
                m_due.empty() ? *m_entries.begin()->second : *m_due.begin()->second;
            timer.m_isSet = false;
            Erase(timer);
        }
    }

    std::map<std::pair<Picoseconds, uint64_t>, DeadlineTimer*> m_entries; //!< by instant, number
    std::map<uint64_t, DeadlineTimer*> m_due; //!< whose owner is called in this instant
    std::map<Picoseconds, EventId> m_events;  //!< pending ones, by instant
    uint64_t m_numbers{0};
    int64_t m_set{0};          //!< timers with a deadline
    bool m_resetsAtEnd{false}; //!< Reset() is scheduled for Simulator::Destroy()
};

DeadlineTimer::DeadlineTimer(Callback<void> expired)
    : m_expired(expired)
{
}

DeadlineTimer::~DeadlineTimer()
{
    All::Get().Erase(*this);
    All::Get().Count(*this, false);
}

void
DeadlineTimer::Set(Picoseconds when)
{
    All& all = All::Get();
    if (when == NEVER)
    {
        all.Count(*this, false);
        return;
    }
    const Picoseconds now = PresentPicoseconds();
    // an entry of the past had no deadline at its instant
    const bool isEarlyEnough = m_isDue || (m_when <= when && m_when > now);
    if (m_isSet && isEarlyEnough)
    {
        return;
    }
    all.Count(*this, true);
    if (!isEarlyEnough)
    {
        all.Erase(*this);
        all.Enter(*this, std::max(when, now));
    }
    all.Arm();
}

} // namespace ns3
