/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROCESS_CUT_H
#define PHOTONIC_RAILS_PROCESS_CUT_H

namespace ns3
{

/** How a cluster is cut into the processes of a distributed simulation. */
enum class ProcessCut
{
    RAILS,    //!< each rail is on one process (RailPartition)
    SWITCHES, //!< each leaf of an electrical rail is, with its servers (LeafPartition)
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROCESS_CUT_H */
