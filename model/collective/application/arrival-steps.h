/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ARRIVAL_STEPS_H
#define PHOTONIC_RAILS_ARRIVAL_STEPS_H

#include "early-messages.h"

#include "ns3/event-id.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of an operation that have arrived and whose step is not over: the rank's GPU
 * has their data a time later (TransportTimes::step).
 *
 * Steps are side by side. Those that end at one instant end by sender, channel and tag, not in the
 * order of events. Messages from one rank on one channel keep their order if they take equal steps.
 *
 * @code
 * ArrivalSteps steps([this](const FlowMessage& message) { Deliver(message); });
 * steps.Add(message, now + step);
 * @endcode
 */
class ArrivalSteps
{
  public:
    /** Takes a message whose step is over. It may destroy the object that calls it. */
    using Taker = std::function<void(const FlowMessage& message)>;

    explicit ArrivalSteps(Taker taker);
    ~ArrivalSteps();
    ArrivalSteps(const ArrivalSteps&) = delete;
    ArrivalSteps& operator=(const ArrivalSteps&) = delete;

    /** Adds a message. @param over the instant at which its step is over, from now on */
    void Add(const FlowMessage& message, Picoseconds over);

  private:
    /** Ends the step of the next message. */
    void End();
    /** Schedules the next end. */
    void Arm();

    /** Instant, sender, channel, tag. */
    using Key = std::tuple<Picoseconds, uint32_t, uint16_t, uint32_t>;

    Taker m_taker;
    std::map<Key, FlowMessage> m_waiting;
    Picoseconds m_armed{NEVER}; //!< the instant of the event
    EventId m_event;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ARRIVAL_STEPS_H */
