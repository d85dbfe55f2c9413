/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CORE_INPUTS_H
#define PHOTONIC_RAILS_CORE_INPUTS_H

#include "ns3/callback.h"
#include "ns3/deadline-timer.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The inputs of a ControllerCore: the messages of the present instant, and the time at which
 * the core's next wait ends.
 *
 * All messages of an instant go to the core together, when the instant is over. An instant also
 * goes to the core without a message, when a wait of the core has ended.
 */
class CoreInputs
{
  public:
    /** @param waitOver called at the end of the core's next wait */
    explicit CoreInputs(Callback<void> waitOver);
    CoreInputs(const CoreInputs&) = delete;
    CoreInputs& operator=(const CoreInputs&) = delete;

    /** Adds a message of the present instant. */
    void Add(const OpusMessage& message);
    /** Makes the present instant go to the core, with or without messages. */
    void MarkDue();
    /** @return whether the present instant goes to the core */
    bool IsDue() const;
    /** Removes the messages of the instant. @return them, in order */
    std::vector<OpusMessage> Take();

    /** Sets the end of the core's next wait, in picoseconds; NEVER: there is none. */
    void SetDeadline(Picoseconds deadline);
    /** Drops all inputs and the deadline. */
    void End();

  private:
    /** Handles the end of the core's wait. */
    void Expire();

    Callback<void> m_waitOver;
    std::vector<OpusMessage> m_arrived;
    bool m_isDue{false};
    Picoseconds m_deadline{NEVER};
    DeadlineTimer m_timer;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CORE_INPUTS_H */
