/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-shuffled-simulator.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstddef>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ShuffledSimulatorImpl);

TypeId
ShuffledSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ShuffledSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("PhotonicRailsTests")
                            .AddConstructor<ShuffledSimulatorImpl>()
                            .AddAttribute("Salt",
                                          "Chooses the order of the events of an instant.",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&ShuffledSimulatorImpl::m_salt),
                                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
ShuffledSimulatorImpl::Destroy()
{
    for (std::size_t i = 0; i < m_atDestroy.size(); ++i)
    {
        m_atDestroy[i]->Invoke();
    }
    m_atDestroy.clear();
}

bool
ShuffledSimulatorImpl::IsFinished() const
{
    return m_events.empty() || m_stop;
}

void
ShuffledSimulatorImpl::Stop()
{
    m_stop = true;
}

ShuffledSimulatorImpl::Stopped
ShuffledSimulatorImpl::Stop(const Time& delay)
{
    return static_cast<Stopped>(Simulator::Schedule(delay, &Simulator::Stop));
}

EventId
ShuffledSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    return Insert(m_context, delay, event);
}

void
ShuffledSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(context, delay, event);
}

EventId
ShuffledSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Insert(m_context, Time(0), event);
}

EventId
ShuffledSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    m_atDestroy.emplace_back(event, false);
    return EventId(m_atDestroy.back(), m_now, 0xffffffff, 2);
}

void
ShuffledSimulatorImpl::Remove(const EventId& id)
{
    const auto order = m_orders.find(id.GetUid());
    if (order != m_orders.end())
    {
        m_events.erase({static_cast<int64_t>(id.GetTs()), order->second, id.GetUid()});
        m_orders.erase(order);
    }
}

void
ShuffledSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
ShuffledSimulatorImpl::IsExpired(const EventId& id) const
{
    return id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled() ||
           (id.GetUid() != 2 && m_orders.count(id.GetUid()) == 0);
}

void
ShuffledSimulatorImpl::Run()
{
    m_begun = true;
    m_stop = false;
    while (!IsFinished())
    {
        const auto next = m_events.begin();
        m_now = std::get<0>(next->first);
        m_running = std::get<2>(next->first);
        m_orders.erase(m_running);
        m_context = next->second.first;
        const Ptr<EventImpl> event = next->second.second;
        m_events.erase(next);
        ++m_count;
        event->Invoke();
    }
}

Time
ShuffledSimulatorImpl::Now() const
{
    return TimeStep(m_now);
}

Time
ShuffledSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - m_now);
}

Time
ShuffledSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(0x7fffffffffffffffLL);
}

void
ShuffledSimulatorImpl::SetScheduler(ObjectFactory)
{
}

uint32_t
ShuffledSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
ShuffledSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
ShuffledSimulatorImpl::GetEventCount() const
{
    return m_count;
}

EventId
ShuffledSimulatorImpl::Insert(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ABORT_MSG_IF(delay.IsStrictlyNegative(),
                    "an event in the past: at " << Now() << ", a delay of " << delay);
    const int64_t at = m_now + delay.GetTimeStep();
    const uint32_t uid = m_uid++;
    uint64_t order = 0;
    if (m_begun || at > 0)
    {
        order = (m_running ^ m_salt << 32) * 0x9e3779b97f4a7c15ULL;
        order = (order ^ order >> 31) * 0xbf58476d1ce4e5b9ULL;
    }
    const Ptr<EventImpl> owned(event, false);
    m_events.emplace(Key{at, order, uid}, std::pair{context, owned});
    m_orders.emplace(uid, order);
    return EventId(owned, at, context, uid);
}

} // namespace ns3
