/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECURRING_EVENT_H
#define PHOTONIC_RAILS_RECURRING_EVENT_H

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The event of a model that has one pending at a time, again and again, such as the end of a
 * frame on a wire.
 *
 * ns-3 allocates memory for each event, and an EventId keeps a counted reference to it. Both cost
 * as much as a short event itself. This one is allocated once, and then scheduled again.
 *
 * An event that is cancelled stays in ns-3's list without effect, as any other there.
 *
 * @code
 * m_decision.Schedule(node, wait, [this] { Decide(); });
 * @endcode
 */
class RecurringEvent
{
  public:
    RecurringEvent() = default;

    ~RecurringEvent()
    {
        Cancel();
    }

    RecurringEvent(const RecurringEvent&) = delete;
    RecurringEvent& operator=(const RecurringEvent&) = delete;

    /**
     * Schedules the event, which must not be pending.
     * @param context of the event: the number of a node
     * @param wait from now on
     * @param call the effect of the event, which is the same each time
     */
    template <typename Call>
    void Schedule(uint32_t context, const Time& wait, Call call)
    {
        if (!m_event)
        {
            m_event = Ptr<EventImpl>(new Event<Call>(std::move(call)), false);
        }
        m_event->Ref(); // the simulator takes over a reference
        Simulator::ScheduleWithContext(context, wait, PeekPointer(m_event));
    }

    /** A pending event has no effect any more. */
    void Cancel()
    {
        if (m_event)
        {
            m_event->Cancel(); // for good: the next one needs another object
            m_event = nullptr;
        }
    }

  private:
    /** The event as ns-3 has it. */
    template <typename Call>
    class Event final : public EventImpl
    {
      public:
        explicit Event(Call call)
            : m_call(std::move(call))
        {
        }

      private:
        void Notify() override
        {
            m_call();
        }

        Call m_call;
    };

    Ptr<EventImpl> m_event; //!< null: not made yet, or cancelled
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECURRING_EVENT_H */
