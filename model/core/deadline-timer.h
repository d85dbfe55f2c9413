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
 * @brief A timer for a deadline that is nearly always put off or lifted, such as that of an
 * acknowledgement.
 *
 * An event that is cancelled stays in ns-3's list, and a simulation that has nothing else to do
 * goes on until then: Simulator::Now() is no end of a job. Taking each out of the list costs as
 * much as the list is long. So all timers of a simulation share the few events that are needed for
 * the earliest of them, a deadline that is put off or lifted touches no event, and when the last
 * deadline is lifted the events are taken out.
 *
 * The owner may be called too early, where a deadline has been put off: it looks whether it is
 * over, and sets the timer again. The call has the context in which the timer was set.
 *
 * @code
 * m_timer.Set(now + limit); // in the constructor: m_timer(MakeCallback(&MyModel::Expired, this))
 * m_timer.Set(NEVER);       // lifted
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
     * @param when the owner is called by then; NEVER: there is no deadline
     */
    void Set(Picoseconds when);

  private:
    class All;

    Callback<void> m_expired;
    Picoseconds m_when{NEVER}; //!< it is entered for this instant; NEVER: for none
    uint64_t m_number{0};      //!< of the entry: orders those of one instant
    uint32_t m_context{0};     //!< of the call
    bool m_isSet{false};       //!< there is a deadline; else the entry means nothing
    bool m_isDue{false};       //!< the call comes in this instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DEADLINE_TIMER_H */
