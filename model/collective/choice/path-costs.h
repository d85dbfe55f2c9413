/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PATH_COSTS_H
#define PHOTONIC_RAILS_PATH_COSTS_H

#include "ns3/collective-kind.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** Which operation is about to be done: of what a broker is to tell the costs. */
struct CostQuestion
{
    RankId rank;              //!< who is about to do it
    GroupId group;            //!< whose operation it is
    uint64_t operation{0};    //!< its number in that group, or among the sends of one to another
    bool pointToPoint{false}; //!< a send or receive
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};         //!< the buffer
    std::vector<RankId> ranks; //!< that take part; of a send the sender, then the receiver
};

/**
 * What it costs to reconfigure circuits for an operation, and what there is beside circuits. As it
 * is here, reconfiguration costs nothing and there is nothing else.
 */
struct PathCosts
{
    Picoseconds reconfiguration{
        0};                     //!< from when circuits are wanted until there is light, each time
    Picoseconds window{0};      //!< before the operation, in which reconfiguration costs nothing
    Picoseconds windowAfter{0}; //!< the same after it, before others need what was there
    uint32_t reconfigurationsBack{
        0};                 //!< reconfigurations for others afterwards, if it reconfigures anything
    uint32_t operations{1}; //!< such ones in a row, after which others need their circuits

    uint64_t hostBytesPerSecond{0}; //!< a rank's part of the hosts' network; 0: there is none
    Picoseconds hostHopLatency{0};  //!< there, from a rank to another, beside the bytes
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PATH_COSTS_H */
