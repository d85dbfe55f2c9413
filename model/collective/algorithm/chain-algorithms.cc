/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// One pair of ranks at a time, up the chain of ranks and down again: slow, but where each rank has
// one port, and messages between rails take the port of a relay, no other algorithm may run.

namespace ns3
{

namespace
{

/** Each rank passes its sum to the next one, and the last one's comes back. */
void
WriteChainAllReduce(ScheduleChannel& channel)
{
    const uint32_t last = channel.GetRanks() - 1;
    const uint32_t all = channel.AddChunk(0, 0, 1);
    for (uint32_t rank = 0; rank < last; ++rank)
    {
        channel.Reduce(rank, rank, rank + 1, all);
    }
    for (uint32_t rank = last; rank > 0; --rank)
    {
        channel.Copy(2 * last - rank, rank, rank - 1, all);
    }
}

/** What has come from below goes up, then what is above comes down. */
void
WriteChainAllGather(ScheduleChannel& channel)
{
    const uint32_t last = channel.GetRanks() - 1;
    const std::vector<uint32_t> shares = channel.AddShares();
    for (uint32_t rank = 0; rank < last; ++rank)
    {
        for (uint32_t home = 0; home <= rank; ++home)
        {
            channel.Copy(rank, rank, rank + 1, shares[home]);
        }
    }
    for (uint32_t rank = last; rank > 0; --rank)
    {
        for (uint32_t home = rank; home <= last; ++home)
        {
            channel.Copy(2 * last - rank, rank, rank - 1, shares[home]);
        }
    }
}

/** Sums of the shares above go up, then those of the shares below come down. */
void
WriteChainReduceScatter(ScheduleChannel& channel)
{
    const uint32_t last = channel.GetRanks() - 1;
    const std::vector<uint32_t> shares = channel.AddShares();
    for (uint32_t rank = 0; rank < last; ++rank)
    {
        for (uint32_t home = rank + 1; home <= last; ++home)
        {
            channel.Reduce(rank, rank, rank + 1, shares[home]);
        }
    }
    for (uint32_t rank = last; rank > 0; --rank)
    {
        for (uint32_t home = 0; home < rank; ++home)
        {
            channel.Reduce(2 * last - rank, rank, rank - 1, shares[home]);
        }
    }
}

/** @return parts that a rank sends: some up, unless it is the last, and some down, if not first */
uint64_t
CountParts(const CollectiveParameters& p, uint32_t rank, uint64_t up, uint64_t down)
{
    return (rank + 1 < p.ranks ? up : 0) + (rank > 0 ? down : 0);
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeChainAlgorithms()
{
    CollectiveAlgorithm allReduce;
    allReduce.name = "chain";
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "one pair at a time: sums go up the ranks, and the result comes down";
    allReduce.write = WriteChainAllReduce;
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return buffer * CountParts(p, rank, 1, 1);
    };
    allReduce.isReserve = true;

    CollectiveAlgorithm allGather = allReduce;
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "one pair at a time: shares go up the ranks, then come down";
    allGather.write = WriteChainAllGather;
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return buffer / p.ranks * CountParts(p, rank, rank + 1, p.ranks - rank);
    };

    CollectiveAlgorithm reduceScatter = allReduce;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "one pair at a time: sums of shares go up the ranks, then come down";
    reduceScatter.write = WriteChainReduceScatter;
    reduceScatter.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return buffer / p.ranks * CountParts(p, rank, p.ranks - 1 - rank, rank);
    };
    return {allReduce, allGather, reduceScatter};
}

} // namespace ns3
