/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H
#define PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H

#include "ns3/event-impl.h"
#include "ns3/object-factory.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A simulator that runs the events of an instant in an order of its own, which the attribute Salt
 * chooses. All of ns-3's schedulers keep to the order in which events were scheduled, so whether
 * results depend on that order can be seen only here.
 *
 * Events that one event scheduled keep their order among themselves, if they are for the same
 * instant: light that comes and goes at an instant is dark in the end. What was scheduled for time
 * zero before the run begins keeps its order: it is how a scenario is built.
 */
class ShuffledSimulatorImpl : public SimulatorImpl
{
  public:
    static TypeId GetTypeId()
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

    void Destroy() override
    {
        for (std::size_t i = 0; i < m_atDestroy.size(); ++i)
        {
            m_atDestroy[i]->Invoke();
        }
        m_atDestroy.clear();
    }

    bool IsFinished() const override
    {
        return m_events.empty() || m_stop;
    }

    void Stop() override
    {
        m_stop = true;
    }

    /** What Stop() with a delay returns differs between releases. */
    using Stopped = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    Stopped Stop(const Time& delay) override
    {
        return static_cast<Stopped>(Simulator::Schedule(delay, &Simulator::Stop));
    }

    EventId Schedule(const Time& delay, EventImpl* event) override
    {
        return Insert(m_context, delay, event);
    }

    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override
    {
        Insert(context, delay, event);
    }

    EventId ScheduleNow(EventImpl* event) override
    {
        return Insert(m_context, Time(0), event);
    }

    EventId ScheduleDestroy(EventImpl* event) override
    {
        m_atDestroy.emplace_back(event, false);
        return EventId(m_atDestroy.back(), m_now, 0xffffffff, 2);
    }

    void Remove(const EventId& id) override
    {
        const auto order = m_orders.find(id.GetUid());
        if (order != m_orders.end())
        {
            m_events.erase({static_cast<int64_t>(id.GetTs()), order->second, id.GetUid()});
            m_orders.erase(order);
        }
    }

    void Cancel(const EventId& id) override
    {
        if (!IsExpired(id))
        {
            id.PeekEventImpl()->Cancel();
        }
    }

    bool IsExpired(const EventId& id) const override
    {
        return id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled() ||
               (id.GetUid() != 2 && m_orders.count(id.GetUid()) == 0);
    }

    void Run() override
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

    Time Now() const override
    {
        return TimeStep(m_now);
    }

    Time GetDelayLeft(const EventId& id) const override
    {
        return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - m_now);
    }

    Time GetMaximumSimulationTime() const override
    {
        return TimeStep(0x7fffffffffffffffLL);
    }

    void SetScheduler(ObjectFactory) override
    {
    }

    uint32_t GetSystemId() const override
    {
        return 0;
    }

    uint32_t GetContext() const override
    {
        return m_context;
    }

    uint64_t GetEventCount() const override
    {
        return m_count;
    }

  private:
    /** Instant, place in it, number. */
    using Key = std::tuple<int64_t, uint64_t, uint32_t>;

    EventId Insert(uint32_t context, const Time& delay, EventImpl* event)
    {
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

    uint64_t m_salt;
    int64_t m_now{0};
    uint32_t m_uid{4};     //!< the first numbers mean something else
    uint32_t m_running{0}; //!< the event that runs
    uint32_t m_context{0xffffffff};
    uint64_t m_count{0};
    bool m_begun{false};
    bool m_stop{false};
    std::map<Key, std::pair<uint32_t, Ptr<EventImpl>>> m_events;
    std::map<uint32_t, uint64_t> m_orders; //!< of the events that are pending
    std::vector<Ptr<EventImpl>> m_atDestroy;
};

NS_OBJECT_ENSURE_REGISTERED(ShuffledSimulatorImpl);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H */
