/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_FAULTS_H
#define PHOTONIC_RAILS_FLEET_FAULTS_H

#include "fleet-time.h"

#include "ns3/fault-kind.h"
#include "ns3/fault-schedule.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** A fault that takes a server out of use until its repair. */
struct FleetFault
{
    FleetTime begin{0};
    FleetTime end{0}; //!< of the repair; FLEET_NEVER: for good
    uint32_t server{0};
    FaultKind kind{FaultKind::SERVER_LOSS};
};

/** What faults do to the servers of a cluster, whatever its jobs. */
struct FleetFaultSummary
{
    uint32_t faults{0};
    uint32_t servers{0};  //!< that have any
    double repairDays{0}; //!< mean, of those that end
    double meanOut{0};    //!< servers out of use, on average over the time
    double littleOut{0};  //!< the same by Little's law: faults a day times mean repair
    uint32_t mostOut{0};  //!< servers out of use at a time
    /** By number of servers: the share of the time in which no more are out of use. */
    std::vector<double> shareWithin{};
};

/**
 * A Time holds 106 days, and a fleet's year is longer: in a schedule of faults for a fleet, a
 * millisecond stands for a second.
 */
constexpr int64_t FLEET_SCALE = 1000;

/** @return the time of such a schedule that a day takes */
Time GetFleetDay();

/**
 * @ingroup photonic-rails
 * @brief The faults of a year, of servers.
 *
 * Faults of GPUs, NIC ports and fibers take their server out of use: it is repaired as a whole.
 * A trace numbers its servers in the order of their first faults, and has none of servers without
 * a fault. So the servers are spread over the cluster at random, or spares would be those that do
 * not fail.
 *
 * Plain C++: no simulator.
 */
class FleetFaults
{
  public:
    FleetFaults() = default;

    /**
     * @param faults in any order; servers with lower numbers than `servers`
     * @param servers of the cluster
     */
    FleetFaults(std::vector<FleetFault> faults, uint32_t servers);

    /**
     * @param schedule in which a millisecond stands for a second; kinds that hit no server are an
     *        error
     * @param servers of the cluster
     * @param seed of the place of each server of the schedule in the cluster; 0: as they are
     */
    static FleetFaults Of(const FaultSchedule& schedule, uint32_t servers, uint64_t seed);

    /** @return the faults, by begin, server, end and kind */
    const std::vector<FleetFault>& GetFaults() const
    {
        return m_faults;
    }

    /** @return what they do until an instant */
    FleetFaultSummary Summarize(FleetTime horizon) const;

  private:
    std::vector<FleetFault> m_faults;
    uint32_t m_servers{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_FAULTS_H */
