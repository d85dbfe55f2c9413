/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMUNICATION_TIME_H
#define PHOTONIC_RAILS_COMMUNICATION_TIME_H

#include "ns3/nstime.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The time in which GPUs communicate and do not compute: an operation with other ranks is
 * under way, and no computation. With the time in which they compute, and the rest, in which they
 * do neither, it is all of the time.
 *
 * An operation is under way from its call to its end, so it includes waits for ranks that are late,
 * and for circuits.
 * @code
 * CommunicationTime time(2);
 * time.AddComputing(0, Seconds(0), Seconds(2));
 * time.AddExchange(0, Seconds(1), Seconds(4)); // 2 s of it beside computing
 * time.GetMean(Seconds(0), Seconds(10));       // 1 s: rank 1 does nothing
 * @endcode
 */
class CommunicationTime
{
  public:
    /** @param ranks number of ranks */
    explicit CommunicationTime(uint32_t ranks);

    /** Adds a computation of a rank. */
    void AddComputing(uint32_t rank, Time from, Time to);
    /** Adds an operation of a rank with other ranks. Operations may overlap. */
    void AddExchange(uint32_t rank, Time from, Time to);

    /** @return the time between two instants: the mean over ranks, rounded down */
    Time GetMean(Time from, Time to) const;

  private:
    using Span = std::pair<Time, Time>;

    std::vector<std::vector<Span>> m_computing; //!< by rank
    std::vector<std::vector<Span>> m_all;       //!< the same, and exchanges
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_TIME_H */
