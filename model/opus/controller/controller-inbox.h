/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_INBOX_H
#define PHOTONIC_RAILS_CONTROLLER_INBOX_H

#include "ns3/opus-message.h"

#include <cstddef>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief All that a controller hears at an instant that is not over.
 *
 * It is taken in an order of its own, so that the order of events of the instant has no influence:
 * first the messages of agents by rail, then those of shims by job and server. Messages of one
 * sender stay in the order in which the sender sent them.
 */
class ControllerInbox
{
  public:
    /** A message comes. */
    void Add(const OpusMessage& message);
    /** A rank could not be told of the grant of a phase. */
    void AddUntold(const OpusPhase& phase);

    /** @return the messages in order, which are no more in the inbox */
    std::vector<OpusMessage> TakeMessages();
    /** @return the phases of which a rank could not be told, which are no more in the inbox */
    std::set<OpusPhase> TakeUntold();
    /** @return how many messages are in the inbox */
    std::size_t CountMessages() const;

  private:
    std::vector<OpusMessage> m_messages;
    std::set<OpusPhase> m_untold;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_INBOX_H */
