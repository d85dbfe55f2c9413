/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROCESS_CUT_H
#define PHOTONIC_RAILS_PROCESS_CUT_H

#include <cstdint>

namespace ns3
{

/** How a cluster is cut into the processes of a distributed simulation. */
enum class ProcessCut
{
    RAILS,    //!< each rail is on one process (RailPartition)
    SWITCHES, //!< each leaf of an electrical rail is, with its servers (LeafPartition)
};

/**
 * @param part of a cluster that is on one process, from 0 @param parts number of them
 * @return its process: neighbouring parts are on the same one if there are more than processes
 */
constexpr uint32_t
GetProcessOfPart(uint32_t part, uint32_t parts, uint32_t processes)
{
    return uint64_t{part} * processes / parts;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROCESS_CUT_H */
