/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRANSPORT_TIMES_H
#define PHOTONIC_RAILS_TRANSPORT_TIMES_H

#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/** The networks that carry the messages of a rank. */
enum class TransportKind : uint8_t
{
    RAIL,     //!< NICs of GPUs, by RDMA
    SCALE_UP, //!< the fabric inside a server
    HOST,     //!< the network of the hosts, by TCP
};

/** The number of kinds. */
constexpr std::size_t TRANSPORT_KINDS = 3;

/**
 * The times that a communication library and the GPU's kernels take on one network, beside the
 * network itself.
 */
struct TransportTimes
{
    Time start{0};   //!< from the call of an operation until its first message may go
    Time step{0};    //!< from the arrival of a message until the rank can use its data
    Time message{0}; //!< of posting a message, one after another on the network

    /** @return whether nothing takes time */
    bool AreZero() const
    {
        return start.IsZero() && step.IsZero() && message.IsZero();
    }
};

/** @return whether both are equal */
inline bool
operator==(const TransportTimes& one, const TransportTimes& other)
{
    return one.start == other.start && one.step == other.step && one.message == other.message;
}

/**
 * @ingroup photonic-rails
 * @brief The start-up times, times a step and times a message of a rank, by network.
 *
 * - Start-up: an operation sends nothing and takes no message before this time after its call has
 *   its algorithm. An operation on several networks has the longest of their times; one whose
 *   circuits are refused later has that of rails.
 * - Step: a message that has arrived can be sent on, added, or end the operation this time later. A
 *   message of k hops takes k steps. Messages take their steps side by side.
 * - Message: a rank posts its messages to a network one after another, and each takes this time
 *   before it is sent.
 *
 * All are spans of time, 0 by default.
 */
class CollectiveTimes
{
  public:
    /** @return the times on a network */
    const TransportTimes& Get(TransportKind kind) const
    {
        return m_times[static_cast<std::size_t>(kind)];
    }

    /** @return the times on a network, to be changed */
    TransportTimes& Edit(TransportKind kind)
    {
        return m_times[static_cast<std::size_t>(kind)];
    }

    /** @return whether nothing takes time on any network */
    bool AreZero() const
    {
        for (const TransportTimes& one : m_times)
        {
            if (!one.AreZero())
            {
                return false;
            }
        }
        return true;
    }

  private:
    std::array<TransportTimes, TRANSPORT_KINDS> m_times{};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRANSPORT_TIMES_H */
