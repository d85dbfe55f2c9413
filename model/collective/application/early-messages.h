/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EARLY_MESSAGES_H
#define PHOTONIC_RAILS_EARLY_MESSAGES_H

#include "ns3/collective-run.h"
#include "ns3/picoseconds.h"
#include "ns3/transport-times.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/** A message of a flow that has arrived, in the terms of its operation. */
struct FlowMessage
{
    uint32_t tag{0};
    uint32_t peer{0}; //!< the sender: a place among the operation's ranks
    uint16_t channel{0};
    uint64_t bytes{0};
    Picoseconds at{0};                       //!< the instant at which it arrived
    TransportKind kind{TransportKind::RAIL}; //!< the network that brought it
};

/**
 * @ingroup photonic-rails
 * @brief The messages of a flow that came before their operation was called.
 *
 * Messages from one rank on one channel belong to operations in the order in which they came. So an
 * operation takes from each rank and channel as many as it awaits; the others stay, in order.
 *
 * Plain C++.
 */
class EarlyMessages
{
  public:
    /** Keeps a message. @return the number of messages kept now */
    std::size_t Keep(const FlowMessage& message);

    /** @return the number of messages that came before an instant */
    std::size_t Count(Picoseconds before) const;

    /** @return whether messages are kept that are not of an operation @param number of it */
    bool HasOthers(uint64_t number) const;

    /** @return whether no message is kept */
    bool IsEmpty() const
    {
        return m_messages.empty();
    }

    /**
     * Removes the messages of an operation, in the order in which they came.
     * @param run of the operation
     * @param deliver is called for each message; it gives the message to the run, and may call
     * Keep()
     */
    void Take(const CollectiveRun& run, const std::function<void(const FlowMessage&)>& deliver);

  private:
    std::vector<FlowMessage> m_messages; //!< in order
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EARLY_MESSAGES_H */
