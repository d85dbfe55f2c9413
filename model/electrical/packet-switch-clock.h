/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PACKET_SWITCH_CLOCK_H
#define PHOTONIC_RAILS_PACKET_SWITCH_CLOCK_H

#include "packet-switch-core.h"

#include "ns3/picoseconds.h"
#include "ns3/recurring-event.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ns-3 event of a packet switch. It carries out the actions of a PacketSwitchCore.
 *
 * There is at most one pending event. An instant is processed when it is over, so all arrivals of
 * the instant are known. The event comes later than that by up to the slack, the delay of the
 * shortest fiber: no result of the switch is visible before. So one event covers many instants.
 */
class PacketSwitchClock
{
  public:
    /** @param core the switch, which must outlive the clock */
    explicit PacketSwitchClock(PacketSwitchCore& core);

    /**
     * The simulation begins.
     * @param slack the largest delay of an event
     * @param node of the switch, in whose context events are
     */
    void Start(Picoseconds slack, uint32_t node);

    /** Sets whether events come at once, so that trace sources fire at their instants. */
    void SetImmediate(bool immediate)
    {
        m_immediate = immediate;
    }

    /** Carries out everything that is due before the present instant. */
    void CatchUp();

    /** Schedules the event for the next due action. */
    void Arm()
    {
        const Picoseconds due = m_core.GetNextDue();
        if (due == NEVER)
        {
            return;
        }
        // an instant is processed when it is over; its decisions are visible one fiber delay later
        const Picoseconds at = due + 1 + (m_immediate ? 0 : m_slack);
        if (m_wakeAt > at)
        {
            WakeAt(at);
        }
    }

    /** Cancels the pending event. */
    void Dispose();

  private:
    /** Schedules the event. */
    void WakeAt(Picoseconds at);
    /** The pending event. */
    void Wake();

    PacketSwitchCore& m_core;
    Picoseconds m_slack{0}; //!< the largest delay of an event
    bool m_immediate{false};
    bool m_started{false};
    bool m_processing{false};
    uint32_t m_node{0}; //!< of the switch
    RecurringEvent m_wake;
    Picoseconds m_wakeAt{NEVER}; //!< the instant of the pending event
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PACKET_SWITCH_CLOCK_H */
