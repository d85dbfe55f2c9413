/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STALL_WATCH_H
#define PHOTONIC_RAILS_STALL_WATCH_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Detects that nothing has happened at a rank for as long as a limit.
 *
 * One event is pending while the watch runs. It is due one limit after the last progress before it
 * was scheduled, so progress itself costs no event. A computation may take any time: meanwhile the
 * watch waits.
 */
class StallWatch
{
  public:
    /**
     * @param isComputing returns whether the rank computes now
     * @param stalled is called when nothing has happened for the limit
     * @param latest returns the last instant by now at which something has happened that is not
     * noted
     */
    StallWatch(std::function<bool()> isComputing,
               std::function<void()> stalled,
               std::function<Picoseconds()> latest);

    /** Begins to measure at the next progress. @param limit 1 ps or more */
    void Start(Time limit);

    /** Stops for good, so that no event of the watch prolongs the simulation. */
    void Stop();

    /** Notes that something happens now. */
    void NoteProgress();

    /** Notes that something has happened. @param at the instant, now or earlier */
    void NoteEarlierProgress(Picoseconds at);

  private:
    /** Compares the last progress with the limit. */
    void Check();
    /** Schedules the next comparison. */
    void CheckIn(Time delay);

    std::function<bool()> m_isComputing;
    std::function<void()> m_stalled;
    std::function<Picoseconds()> m_latest;
    Time m_limit;
    bool m_running{false};
    Picoseconds m_progress{0}; //!< the time of the last progress
    EventId m_check;
    bool m_checks{false}; //!< whether it is scheduled: asking the event costs more
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STALL_WATCH_H */
