/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_SCHEDULE_H
#define PHOTONIC_RAILS_FAULT_SCHEDULE_H

#include "fault.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The numbers of components of a cluster, for the check of a fault. */
struct FaultCluster
{
    uint32_t rails{0};
    uint32_t servers{0};
    uint32_t gpus{0};        //!< of each server
    uint32_t ports{0};       //!< NIC ports of each GPU
    uint32_t switchPorts{0}; //!< of each rail's switch; 0: it is no OCS
    bool hasController{false};
    bool hasStandby{false};
};

/**
 * @return the mistake in a fault: the value, the limit and the remedy; empty: none
 * @param fault any
 */
std::string FindMistake(const Fault& fault, const FaultCluster& cluster);

/**
 * @ingroup photonic-rails
 * @brief Faults in the order of their instants; those of one instant are ordered by their content.
 *
 * @code
 * FaultSchedule schedule;
 * Fault cut;
 * cut.kind = FaultKind::FIBER_CUT;
 * cut.at = MilliSeconds(3);
 * cut.duration = MilliSeconds(5);
 * cut.server = 1;
 * schedule.Add(cut);
 * @endcode
 *
 * Plain C++: no simulator.
 */
class FaultSchedule
{
  public:
    /** Adds a fault, at its place. */
    void Add(const Fault& fault);
    /** Adds faults, in any order. */
    void Add(std::vector<Fault> faults);
    /** Adds all faults of another schedule. */
    void Add(const FaultSchedule& other);

    /** @return the faults, in order */
    const std::vector<Fault>& GetFaults() const
    {
        return m_faults;
    }

    /** @return the mistakes of all faults, one a line */
    std::vector<std::string> FindMistakes(const FaultCluster& cluster) const;

    /** @return the faults of which the instant is in [from, to), moved to begin at `from` */
    FaultSchedule Select(Time from, Time to) const;

    bool operator==(const FaultSchedule& other) const
    {
        return m_faults == other.m_faults;
    }

  private:
    std::vector<Fault> m_faults;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_SCHEDULE_H */
