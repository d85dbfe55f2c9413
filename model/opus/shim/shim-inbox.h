/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_INBOX_H
#define PHOTONIC_RAILS_SHIM_INBOX_H

#include "shim-settings.h"
#include "shim-statistics.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The term of the controller in charge, by which a shim accepts messages.
 *
 * The term only grows. A message of a greater term comes from a controller that took over; one of
 * an earlier term from one that was replaced, and it is ignored.
 */
class ShimInbox
{
  public:
    /** The sender of a message, by its term. */
    enum class Sender : uint8_t
    {
        REPLACED,  //!< an earlier controller: the message is ignored
        IN_CHARGE, //!< the controller in charge
        NEW,       //!< a new controller: it gets the whole state
    };

    /** @param settings of the shim @param counters of messages; both must outlive it */
    ShimInbox(const ShimSettings& settings, ShimCounters& counters);

    /** A message arrives. @return its sender; GetTerm() is not below the message's term then */
    Sender Receive(const OpusMessage& message);
    /** @return the LATENESS for ranks of the shim, if the message is one; else null */
    const OpusLateness* FindLateness(const OpusMessage& message) const;
    /** @return the ranks that a message of the controller in charge is for */
    std::vector<RankId> GetRanks(const OpusMessage& message);

    /** @return the greatest term that a message had */
    uint32_t GetTerm() const;

  private:
    const ShimSettings& m_settings;
    ShimCounters& m_counters;
    uint32_t m_term{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_INBOX_H */
