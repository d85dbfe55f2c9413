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
 * @brief The term of the controller that a shim believes, and so which messages count.
 *
 * The term only grows. A message of a greater term comes from a controller that took over; one of
 * an earlier term from one that was replaced, and does not count any more.
 */
class ShimInbox
{
  public:
    /** What the term of a message says. */
    enum class Sender : uint8_t
    {
        REPLACED,  //!< the message does not count
        IN_CHARGE, //!< it does
        NEW,       //!< it does, and its controller is to be told all
    };

    /** @param settings of the shim @param counters of messages; both must outlive it */
    ShimInbox(const ShimSettings& settings, ShimCounters& counters);

    /** A message is here. @return what its controller is; the term is at least its term then */
    Sender Receive(const OpusMessage& message);
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
