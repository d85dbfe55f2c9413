/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DEADLINE_TIMER_H
#define PHOTONIC_RAILS_DEADLINE_TIMER_H

#include "picoseconds.h"

#include "ns3/callback.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A timer for a deadline that is nearly always postponed or cancelled, such as that of an
 * acknowledgement.
 *
 * An event that is cancelled stays in ns-3's list, and a simulation that has nothing else to do
 * goes on until then, so Simulator::Now() is not the end of a job. The removal of one event from
 * the list costs time that grows with the list. So all timers of a simulation share the few events
 * that are needed for the earliest of them, a deadline that is postponed or cancelled touches no
 * event, and the events are removed when the last deadline is cancelled.
 *
 * The timer may call its owner too early, after a deadline was postponed: the owner checks the
 * deadline and sets the timer again. The call has the context in which the timer was set.
 *
 * @code
 * m_timer.Set(now + limit); // in the constructor: m_timer(MakeCallback(&MyModel::Expired, this))
 * m_timer.Set(NEVER);       // cancelled
 * @endcode
 */
class DeadlineTimer
{
  public:
    /** @param expired called when a deadline may be over */
    explicit DeadlineTimer(Callback<void> expired);
    ~DeadlineTimer();
    DeadlineTimer(const DeadlineTimer&) = delete;
    DeadlineTimer& operator=(const DeadlineTimer&) = delete;

    /**
     * Sets the deadline in place of the one before.
     * @param when the timer calls the owner by then; NEVER cancels the deadline
     */
    void Set(Picoseconds when);

  private:
    class All;

    Callback<void> m_expired;
    Picoseconds m_when{NEVER}; //!< the instant of its entry; NEVER: it has no entry
    uint64_t m_number{0};      //!< of the entry, for the order in one instant
    uint32_t m_context{0};     //!< of the call
    bool m_isSet{false};       //!< there is a deadline; else the entry means nothing
    bool m_isDue{false};       //!< the call comes in this instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DEADLINE_TIMER_H */
