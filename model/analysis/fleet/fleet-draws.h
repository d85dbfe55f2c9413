/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_DRAWS_H
#define PHOTONIC_RAILS_FLEET_DRAWS_H

#include "ns3/fault-schedule.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Rates of the faults of a fleet: faults by component, and the server-days in which they are
 * counted. They are the totals of the public trace of InfiniteHBD (SIGCOMM 2025): 584 faults in 349
 * days on 400 servers, of which 158 are of a GPU, 30 of a NIC, 40 of a cable, and all others count
 * as a server's; repairs of 5.54 days in the mean and 0.85 in the median, which is a Weibull
 * distribution of the shape 0.42.
 *
 * Each component fails by itself, at exponential times: the clusters of faults that the trace has
 * are not drawn.
 */
struct FleetRates
{
    double serverDays{400 * 349.0}; //!< in which the faults are counted
    double gpuFaults{158};
    double nicFaults{30};
    double cableFaults{40};
    double serverFaults{356};
    double repairDays{5.54};
    double repairShape{0.42};
};

/**
 * Draws the faults of a fleet (FaultDraws).
 * @param rates of servers, each with all of its components
 * @param servers of the cluster @param gpus of each server
 * @param days length
 * @param seed of all draws
 * @return in which a millisecond stands for a second (FLEET_SCALE)
 */
FaultSchedule DrawFleetFaults(const FleetRates& rates,
                              uint32_t servers,
                              uint32_t gpus,
                              uint32_t days,
                              uint64_t seed);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_DRAWS_H */
