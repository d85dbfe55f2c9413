/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PATH_COSTS_H
#define PHOTONIC_RAILS_PATH_COSTS_H

#include "ns3/collective-kind.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3
{

/** The operation for which a broker is to give the costs. */
struct CostQuestion
{
    RankId rank;           //!< that is about to begin it
    GroupId group;         //!< of the operation
    uint64_t operation{0}; //!< its number in that group, or among the sends of one rank to another
    bool pointToPoint{false}; //!< a send or receive
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};         //!< the buffer
    std::vector<RankId> ranks; //!< that take part; of a send: the sender, then the receiver
};

/**
 * The cost of reconfiguration for an operation, and the network of the hosts. By default
 * reconfiguration costs nothing and there is no such network.
 */
struct PathCosts
{
    Time reconfiguration{0}; //!< from the request for circuits to light on the new ones, each time
    Time window{0};          //!< before the operation: reconfiguration in it costs nothing
    Time windowAfter{0};     //!< after the operation, until others need their earlier circuits
    uint32_t reconfigurationsBack{
        0}; //!< reconfigurations for others afterwards, if this operation reconfigures any circuit
    uint32_t operations{1}; //!< such ones in a row, after which others need their circuits

    uint64_t hostBytesPerSecond{0}; //!< a rank's share of that network; 0: there is none
    Time hostHopLatency{0};         //!< on that network, from a rank to another, beside the bytes

    /** @return whether both are the same */
    bool operator==(const PathCosts& other) const
    {
        const auto list = [](const PathCosts& its) {
            return std::tie(its.reconfiguration,
                            its.window,
                            its.windowAfter,
                            its.reconfigurationsBack,
                            its.operations,
                            its.hostBytesPerSecond,
                            its.hostHopLatency);
        };
        return list(*this) == list(other);
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PATH_COSTS_H */
