/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_PARTITION_H
#define PHOTONIC_RAILS_RAIL_PARTITION_H

#include "ns3/node-container.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The cut of a cluster into the processes of a distributed simulation (SimulationProcesses):
 * by rail, so that no fiber of the data plane is cut.
 *
 * The GPUs, NICs, fibers and the switch of a rail are on one process, and neighbouring rails on the
 * same one where there are more rails than processes. Shims, controllers and the router of the
 * management network are on process 0.
 *
 * @code
 * const RailPartition partition(8, SimulationProcesses::GetNumber());
 * const NodeContainer gpus = partition.CreateGpus(64);
 * @endcode
 */
class RailPartition
{
  public:
    /**
     * @param rails number of rails, which is that of the GPUs of a server
     * @param processes number of processes; more than there are rails abort
     */
    RailPartition(uint32_t rails, uint32_t processes);

    /** @return why so many processes have no work each; empty: they have */
    static std::string FindMisfit(uint32_t rails, uint32_t processes);

    /** @return the process of a rail */
    uint32_t GetProcess(uint32_t rail) const;

    /** @return nodes for GPUs, server by server, each on the process of its rail */
    NodeContainer CreateGpus(uint32_t gpus) const;

  private:
    uint32_t m_rails;
    uint32_t m_processes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_PARTITION_H */
