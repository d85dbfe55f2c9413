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
 * @brief Finds out that nothing has happened at a rank for as long as a limit.
 *
 * One event is pending while the watch runs. It stands at the limit after the last progress that
 * was known when it was set, so progress itself costs no event. Computing may take any time: while
 * the rank computes, the watch waits.
 */
class StallWatch
{
  public:
    /**
     * @param isComputing whether the rank computes at present
     * @param stalled called when nothing has happened for the limit
     */
    StallWatch(std::function<bool()> isComputing, std::function<void()> stalled);

    /** Begins with the next progress. @param limit 1 ps or more */
    void Start(Time limit);

    /** Ends for good: the simulation does not go on for the sake of the watch. */
    void Stop();

    /** Something happens now. */
    void NoteProgress();

  private:
    /** Compares the last progress with the limit. */
    void Check();

    std::function<bool()> m_isComputing;
    std::function<void()> m_stalled;
    Time m_limit;
    bool m_running{false};
    Picoseconds m_progress{0}; //!< when something happened last
    EventId m_check;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STALL_WATCH_H */
