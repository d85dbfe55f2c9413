/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H
#define PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/simulator-impl.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A simulator that runs the events of an instant in an order of its own, which the attribute Salt
 * chooses. All of ns-3's schedulers keep to the order in which events were scheduled, so only this
 * simulator shows whether results depend on that order.
 *
 * Events that one event scheduled keep their order among themselves, if they are for the same
 * instant: light that comes and goes at an instant is dark in the end. Events that were scheduled
 * for time zero before the run begins keep their order: they build a scenario.
 */
class ShuffledSimulatorImpl : public SimulatorImpl
{
  public:
    static TypeId GetTypeId();

    void Destroy() override;

    bool IsFinished() const override;

    void Stop() override;

    /** The result of Stop() with a delay differs between releases. */
    using Stopped = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    Stopped Stop(const Time& delay) override;

    EventId Schedule(const Time& delay, EventImpl* event) override;

    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;

    EventId ScheduleNow(EventImpl* event) override;

    EventId ScheduleDestroy(EventImpl* event) override;

    void Remove(const EventId& id) override;

    void Cancel(const EventId& id) override;

    bool IsExpired(const EventId& id) const override;

    void Run() override;

    Time Now() const override;

    Time GetDelayLeft(const EventId& id) const override;

    Time GetMaximumSimulationTime() const override;

    void SetScheduler(ObjectFactory) override;

    uint32_t GetSystemId() const override;

    uint32_t GetContext() const override;

    uint64_t GetEventCount() const override;

  private:
    /** Instant, place in it, number. */
    using Key = std::tuple<int64_t, uint64_t, uint32_t>;

    EventId Insert(uint32_t context, const Time& delay, EventImpl* event);

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

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHUFFLED_SIMULATOR_H */
