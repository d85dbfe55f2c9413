/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LEAF_PARTITION_H
#define PHOTONIC_RAILS_LEAF_PARTITION_H

#include "ns3/node-container.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The cut of a cluster with electrical rails of leaves and spines into the processes of a
 * distributed simulation (SimulationProcesses): by leaf, so that fibers between leaves and spines
 * are cut, and no server is.
 *
 * A server has one GPU on each rail, at the same place, so the leaves of the same number on all
 * rails join the same servers. These leaves are on one process with their servers, and neighbouring
 * leaves on the same one where there are more than processes. ElectricalRailHelper puts the spines
 * of a rail on all processes in turn.
 *
 * @code
 * const LeafPartition partition(LeafPartition::Shape{16, 2, 8}, SimulationProcesses::GetNumber());
 * const NodeContainer gpus = partition.CreateGpus(4);
 * @endcode
 */
class LeafPartition
{
  public:
    /** What decides which servers a leaf joins. */
    struct Shape
    {
        uint32_t servers;     //!< each with one GPU on a rail
        uint32_t portsPerGpu; //!< on its rail
        uint32_t radix;       //!< of a switch; 0: a rail has one switch
    };

    /** @param processes number of processes; a misfit aborts */
    LeafPartition(const Shape& shape, uint32_t processes);

    /** @return why rails can't be cut like that; empty: they can */
    static std::string FindMisfit(const Shape& shape, uint32_t processes);

    /** @return the process of a server */
    uint32_t GetProcess(uint32_t server) const;

    /** @return nodes for GPUs, server by server, each on the process of its server */
    NodeContainer CreateGpus(uint32_t gpusPerServer) const;

  private:
    Shape m_shape;
    uint32_t m_processes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LEAF_PARTITION_H */
