/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// In servers of g ranks all ranks communicate with each other, and rails join the equal local ranks
// of the servers in a ring. Local rank j handles the shares of all ranks with that number, one part
// in g of the buffer, and a rail carries only that part. On the ring of ranks the next on the rail
// is g places ahead.

namespace ns3
{

namespace
{

using Wires = CollectiveTransfer::Wires;

/** @return the other ranks of a rank's server */
std::vector<uint32_t>
GetOthersOf(uint32_t rank, uint32_t perServer)
{
    std::vector<uint32_t> others;
    const uint32_t first = rank - rank % perServer;
    // beginning with the next, so that not all send to the first at once
    for (uint32_t step = 1; step < perServer; ++step)
    {
        others.push_back(first + (rank + step) % perServer);
    }
    return others;
}

/**
 * One round inside servers sends shares to the ranks that handle them; then rounds on the rail send
 * them to their homes.
 */
uint32_t
WriteHierarchicalReduceScatter(ScheduleChannel& channel, const std::vector<uint32_t>& shares)
{
    const uint32_t n = channel.GetRanks();
    const uint32_t g = channel.GetParameters().perServer;
    uint32_t round = 0;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (const uint32_t other : GetOthersOf(rank, g))
        {
            for (uint32_t share = other % g; share < n; share += g)
            {
                channel.Reduce(round, rank, other, shares[share], Wires::SCALE_UP);
            }
        }
    }
    for (++round; round < n / g; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t share = channel.Back(rank, round * g);
            channel.Reduce(round, rank, channel.Ahead(rank, g), shares[share]);
        }
    }
    return round;
}

/**
 * Rounds on the rail send to the equal local ranks; these send to their servers in a last round.
 */
void
WriteHierarchicalAllGather(ScheduleChannel& channel,
                           const std::vector<uint32_t>& shares,
                           uint32_t round)
{
    const uint32_t n = channel.GetRanks();
    const uint32_t g = channel.GetParameters().perServer;
    for (uint32_t step = 0; step + 1 < n / g; ++step, ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t share = channel.Back(rank, step * g);
            channel.Copy(round, rank, channel.Ahead(rank, g), shares[share]);
        }
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (const uint32_t other : GetOthersOf(rank, g))
        {
            for (uint32_t share = rank % g; share < n; share += g)
            {
                channel.Copy(round, rank, other, shares[share], Wires::SCALE_UP);
            }
        }
    }
}

/** @return the reason why the group is not several servers of several ranks; empty if it is */
std::string
GetWhyNot(const CollectiveParameters& parameters)
{
    const uint32_t g = parameters.perServer;
    const uint32_t n = parameters.ranks;
    if (g < 2)
    {
        return "a server has " + std::to_string(g) +
               " ranks of the group; set perServer to 2 or more";
    }
    if (n % g != 0 || n / g < 2)
    {
        return "perServer is " + std::to_string(g) +
               "; set it to a divisor of the number of ranks, " + std::to_string(n) +
               ", that leaves 2 servers or more";
    }
    return "";
}

/**
 * Inside servers all but the own one of g parts of the buffer, and on the rail all but one share of
 * the own part.
 */
uint64_t
GetBytesScattered(const CollectiveParameters& parameters, uint32_t, uint64_t buffer)
{
    const uint64_t part = buffer / parameters.perServer;
    const uint64_t servers = parameters.ranks / parameters.perServer;
    return (parameters.perServer - 1) * part + (servers - 1) * (part / servers);
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeHierarchicalAlgorithms()
{
    CollectiveAlgorithm reduceScatter;
    reduceScatter.name = "hierarchical";
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "direct inside servers, then rings on the rails";
    reduceScatter.write = [](ScheduleChannel& channel) {
        WriteHierarchicalReduceScatter(channel, channel.AddShares());
    };
    reduceScatter.bytesSent = GetBytesScattered;
    reduceScatter.whyNot = GetWhyNot;

    // the gather reverses the scatter
    CollectiveAlgorithm allGather = reduceScatter;
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "rings on the rails, then direct inside servers";
    allGather.write = [](ScheduleChannel& channel) {
        WriteHierarchicalAllGather(channel, channel.AddShares(), 0);
    };

    CollectiveAlgorithm allReduce = reduceScatter;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "direct inside servers, rings on the rails of S/g each";
    allReduce.write = [](ScheduleChannel& channel) {
        const std::vector<uint32_t> shares = channel.AddShares();
        WriteHierarchicalAllGather(channel,
                                   shares,
                                   WriteHierarchicalReduceScatter(channel, shares));
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return 2 * GetBytesScattered(p, rank, buffer);
    };
    return {reduceScatter, allGather, allReduce};
}

} // namespace ns3
