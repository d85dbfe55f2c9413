/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// From the source to the destination of each chunk, without a relay: the fewest rounds, and the
// most pairs.

namespace ns3
{

namespace
{

using Wires = CollectiveTransfer::Wires;

/** @return the wires that join two ranks: those of their server, if both are in one */
Wires
GetWires(const ScheduleChannel& channel, uint32_t from, uint32_t to)
{
    const uint32_t perServer = channel.GetParameters().perServer;
    return from / perServer == to / perServer ? Wires::SCALE_UP : Wires::RAIL;
}

/**
 * Each rank exchanges a message with each other one, and begins with the next so that all are busy.
 */
void
WriteDirectAllGather(ScheduleChannel& channel)
{
    const std::vector<uint32_t> shares = channel.AddShares();
    for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
    {
        for (uint32_t step = 1; step < channel.GetRanks(); ++step)
        {
            const uint32_t to = channel.Ahead(rank, step);
            channel.Copy(0, rank, to, shares[rank], GetWires(channel, rank, to));
        }
    }
    channel.JoinStages();
}

void
WriteDirectReduceScatter(ScheduleChannel& channel)
{
    const std::vector<uint32_t> shares = channel.AddShares();
    for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
    {
        for (uint32_t step = 1; step < channel.GetRanks(); ++step)
        {
            const uint32_t to = channel.Ahead(rank, step);
            channel.Reduce(0, rank, to, shares[to], GetWires(channel, rank, to));
        }
    }
    channel.JoinStages();
}

/**
 * Hensgen, Finkel, Manber 1988: in each round a rank sends the set of all arrived ranks that it has
 * to another rank, twice as far ahead as in the round before. Each round doubles the set. In the
 * last round some ranks are sent again if n is no power of two.
 */
void
WriteDissemination(ScheduleChannel& channel)
{
    const uint32_t word = channel.AddChunk(0, 0, 1);
    uint32_t round = 0;
    for (uint32_t distance = 1; distance < channel.GetRanks(); distance *= 2, ++round)
    {
        for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
        {
            channel.Reduce(round, rank, channel.Ahead(rank, distance), word);
        }
    }
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeDirectAlgorithms()
{
    CollectiveAlgorithm allGather;
    allGather.name = "direct";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "each share to everybody at once";
    allGather.write = WriteDirectAllGather;
    // the own share to each of the other ranks
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return (p.ranks - 1) * (buffer / p.ranks);
    };
    allGather.fallback = "ring";

    CollectiveAlgorithm reduceScatter = allGather;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "to each rank at once what is for its share";
    reduceScatter.write = WriteDirectReduceScatter;

    CollectiveAlgorithm sendReceive;
    sendReceive.name = "direct";
    sendReceive.kind = CollectiveKind::SEND_RECV;
    sendReceive.help = "from rank 0 to rank 1";
    sendReceive.write = [](ScheduleChannel& channel) {
        channel.Copy(0, 0, 1, channel.AddChunk(0, 0, 1), GetWires(channel, 0, 1));
    };
    sendReceive.bytesSent = [](const CollectiveParameters&, uint32_t rank, uint64_t buffer) {
        return rank == 0 ? buffer : 0;
    };
    sendReceive.whyNot = [](const CollectiveParameters& p) {
        return p.ranks == 2 ? std::string()
                            : "rank 0 sends to rank 1, so the group is these 2 ranks, and not " +
                                  std::to_string(p.ranks);
    };

    CollectiveAlgorithm barrier;
    barrier.name = "dissemination";
    barrier.kind = CollectiveKind::BARRIER;
    barrier.help = "word to those 1, 2, 4, ... ahead";
    barrier.fallback = "ring";
    barrier.write = WriteDissemination;
    barrier.bytesSent = [](const CollectiveParameters&, uint32_t, uint64_t) { return 0; };
    return {allGather, reduceScatter, sendReceive, barrier};
}

} // namespace ns3
