/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_EVENTS_H
#define PHOTONIC_RAILS_PORT_EVENTS_H

#include "ns3/event-id.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The port events that a NIC gives to its host: carrier has come, some time ago, or it is
 * gone.
 *
 * Firmware and driver process each carrier for a random time, in seconds, before the host has the
 * event. The event of a loss comes at once, and a carrier that is lost before gives no event.
 * Frames do not wait for events.
 */
class PortEvents
{
  public:
    /** @param notify is called with each event: true for carrier, false for its loss */
    explicit PortEvents(std::function<void(bool)> notify);

    /** @param seconds from carrier to the event; null: none */
    void SetTime(Ptr<RandomVariableStream> seconds);
    /** @return the seconds from carrier to the event; null: none */
    Ptr<RandomVariableStream> GetTime() const;
    /** Fixes the random draws. @return the number of streams used: 0 without a time */
    int64_t AssignStreams(int64_t stream);

    /** The carrier is as it was before the simulation began; there is no event. */
    void Preset(bool carrier);
    /** The carrier changes, now. */
    void Change(bool carrier);
    /** @return whether the last event was carrier */
    bool IsUp() const;
    /** Cancels a pending event. */
    void Dispose();

  private:
    /** Gives the event of a carrier. */
    void Rise();

    std::function<void(bool)> m_notify;
    Ptr<RandomVariableStream> m_time;
    bool m_isUp{false};
    EventId m_event; //!< a pending one
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_EVENTS_H */
