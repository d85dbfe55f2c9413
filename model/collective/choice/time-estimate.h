/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIME_ESTIMATE_H
#define PHOTONIC_RAILS_TIME_ESTIMATE_H

#include "algorithm-preference.h"

#include "ns3/collective-schedule.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * The least time of a schedule on an empty network. Each channel of a rank sends one chunk after
 * another at its part of the rank's rate, and receives at most at that rate. A chunk arrives one
 * hop latency and one step later, and is forwarded message by message. It is fast enough to be
 * called for every algorithm. Without a protocol it is the time of SIMPLE.
 * @param bytes of the buffer
 * @param preference has the rates, the message size, the protocol, the hop latency and the steps
 * @return the time
 */
Time EstimateTime(const CollectiveSchedule& schedule,
                  uint64_t bytes,
                  const AlgorithmPreference& preference);

/**
 * The same, worked out once for as long as the schedule exists: ranks that choose at different
 * instants, and later operations, have the same schedules.
 */
Time RecallTimeEstimate(const std::shared_ptr<const CollectiveSchedule>& schedule,
                        uint64_t bytes,
                        const AlgorithmPreference& preference);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIME_ESTIMATE_H */
