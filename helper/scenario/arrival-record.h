/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ARRIVAL_RECORD_H
#define PHOTONIC_RAILS_ARRIVAL_RECORD_H

#include "ns3/json-writer.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The arrivals of messages at one receiver: one message of each sender, all posted at 0 s.
 */
class ArrivalRecord
{
  public:
    /** @param senders their number @param bytes of each message */
    ArrivalRecord(uint32_t senders, uint64_t bytes);

    /** The message of a sender has arrived. @param sender from 0 */
    void Arrive(uint32_t sender, Time at);
    /** The message of a sender failed. @param sender from 0 @param why the reason */
    void Fail(uint32_t sender, const std::string& why);

    /** @return the instant of the last arrival; 0: no message has arrived */
    Time GetLast() const;
    /** @return the number of messages that have arrived */
    uint64_t GetDelivered() const;
    /** @return bits of payload a second, from 0 s to the arrival; 0: it has not arrived */
    uint64_t GetGoodput(uint32_t sender) const;

    /** Prints a line a sender. Senders are counted from 1. */
    void Print(std::ostream& os) const;
    /** Writes the array "senders". */
    void Write(JsonWriter& json) const;

    /** Throws a std::runtime_error if messages failed. */
    void Require() const;

  private:
    uint64_t m_bytes;
    std::vector<Time> m_arrived; //!< by sender; 0: not yet
    std::map<uint32_t, std::string> m_failures;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ARRIVAL_RECORD_H */
