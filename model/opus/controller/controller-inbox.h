/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_INBOX_H
#define PHOTONIC_RAILS_CONTROLLER_INBOX_H

#include "ns3/opus-message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages that a controller receives at an instant that is not over.
 *
 * It sorts them, so that the order of events of the instant has no influence: first the messages of
 * agents by rail, then those of shims by job and server. Messages of one sender stay in the order
 * of sending.
 */
class ControllerInbox
{
  public:
    /** @return the sort key of a message among those of one instant: that of its sender */
    static std::array<uint64_t, 3> GetTurn(const OpusMessage& message);

    /** Adds a message that has come. */
    void Add(OpusMessage message);
    /** Adds a phase of whose grant a rank could not be informed. */
    void AddUndelivered(const OpusPhase& phase);

    /** Removes the messages. @return them, in order */
    std::vector<OpusMessage> TakeMessages();
    /** Removes the phases of whose grant a rank could not be informed. @return them */
    std::set<OpusPhase> TakeUndelivered();
    /** @return the number of messages in the inbox */
    std::size_t CountMessages() const;

  private:
    std::vector<OpusMessage> m_messages;
    std::set<OpusPhase> m_undelivered;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_INBOX_H */
