/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_TIMING_H
#define PHOTONIC_RAILS_OPERATION_TIMING_H

#include "ns3/collective-protocol.h"
#include "ns3/nstime.h"
#include "ns3/rank-schedule.h"
#include "ns3/transport-times.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The start-up time and the steps of one operation of a rank, by the networks and the
 * protocol that it takes.
 *
 * Plain C++: no simulator.
 */
class OperationTiming
{
  public:
    /** Returns whether the rank at a place of the group is in the same server. */
    using IsInside = std::function<bool(uint32_t place)>;

    OperationTiming() = default;

    /** @param times of the rank, for the protocol SIMPLE @param protocol of the operation */
    OperationTiming(const CollectiveTimes& times, CollectiveProtocol protocol);

    /** @return whether nothing takes time */
    bool AreZero() const;

    /**
     * @param part of the schedule
     * @param isOnHosts whether messages to other servers take the network of the hosts
     * @param isInside of the group
     * @return the longest start-up time of the networks that the rank's messages take; 0 if it has
     * no messages
     */
    Time GetStart(const RankSchedule& part, bool isOnHosts, const IsInside& isInside) const;

    /** @return the time of a step of a message that a network has brought */
    Time GetStep(TransportKind kind) const;

  private:
    CollectiveTimes m_times; //!< with the steps of the protocol
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_TIMING_H */
