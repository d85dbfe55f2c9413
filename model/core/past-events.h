/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAST_EVENTS_H
#define PHOTONIC_RAILS_PAST_EVENTS_H

#include "picoseconds.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A span of time that is over, in which models do what was left out at first: a small
 * simulation inside the present instant of the simulator.
 *
 * While an object exists, NowPicoseconds() is an instant of the past. Models that support this
 * schedule their events here rather than at the simulator. When the object is destroyed, events
 * that are left are given to the simulator: they are due now or later.
 *
 * Only one object exists at a time.
 *
 * @code
 * {
 *     PastEvents past;
 *     past.AdvanceTo(begin); // NowPicoseconds() == begin
 *     queuePair->Post(...);
 *     past.AdvanceTo(Simulator::Now().GetTimeStep());
 * } // the model is now as if it had sent the message at `begin`
 * @endcode
 */
class PastEvents
{
  public:
    PastEvents();
    ~PastEvents();
    PastEvents(const PastEvents&) = delete;
    PastEvents& operator=(const PastEvents&) = delete;

    /** @return whether there is an object: the present calls belong to its instant */
    static bool AreOn()
    {
        return s_now != NEVER;
    }

    /** @return the instant of the object that there is */
    static Picoseconds GetNow()
    {
        return s_now;
    }

    /**
     * Calls all events before an instant, and goes there.
     * @param instant not before the one of the last call, and not after the simulator's
     */
    void AdvanceTo(Picoseconds instant);

    /** Calls all events of the present instant too, and those that they schedule in it. */
    void Finish();

    /**
     * Schedules an event, while there is an object.
     * @param context of the event
     * @param event from MakeEvent()
     */
    static void Schedule(uint32_t context, Picoseconds at, EventImpl* event);

  private:
    /** Calls the first event. */
    void CallFirst();

    /** An event and its context. */
    struct Event
    {
        uint32_t context;
        Ptr<EventImpl> call;
    };

    static Picoseconds s_now;     //!< NEVER: there is no object
    static PastEvents* s_current; //!< null: there is none

    std::multimap<Picoseconds, Event> m_events; //!< those of one instant in order
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAST_EVENTS_H */
