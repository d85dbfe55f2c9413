/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// Parallel aggregated trees (NCCL 2.23, arXiv 2506.20252): each share spreads over its own binomial
// tree, the far branch first. The trees are shifts of each other, so in a round all ranks send the
// same distance ahead. That is Bruck's algorithm with its rounds reversed: a single share goes the
// longest distance, and half of the shares go to the neighbour. NCCL sends fewer shares at a time
// when they exceed its buffers; here a round has no such limit.

namespace ns3
{

namespace
{

/** @return the greatest power of two below n: the longest distance */
uint32_t
GetLongest(uint32_t n)
{
    uint32_t distance = 1;
    while (distance < n - distance)
    {
        distance *= 2;
    }
    return distance;
}

/**
 * A rank whose distance from a share's home is a multiple of twice the present distance has the
 * share, and sends it.
 */
void
WritePatAllGather(ScheduleChannel& channel)
{
    const uint32_t n = channel.GetRanks();
    const std::vector<uint32_t> shares = channel.AddShares();
    uint32_t round = 0;
    for (uint32_t distance = GetLongest(n); distance > 0; distance /= 2, ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t past = 0; past + distance < n; past += 2 * distance)
            {
                channel.Copy(round,
                             rank,
                             channel.Ahead(rank, distance),
                             shares[channel.Back(rank, past)]);
            }
        }
    }
}

/**
 * The same trees from the leaves to the roots: sums go to the neighbour first, and then to the
 * home.
 */
void
WritePatReduceScatter(ScheduleChannel& channel)
{
    const uint32_t n = channel.GetRanks();
    const std::vector<uint32_t> shares = channel.AddShares();
    uint32_t round = 0;
    for (uint32_t distance = 1; distance < n; distance *= 2, ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t past = distance; past < n; past += 2 * distance)
            {
                channel.Reduce(round,
                               rank,
                               channel.Back(rank, distance),
                               shares[channel.Back(rank, past)]);
            }
        }
    }
}

} // namespace

std::vector<CollectiveAlgorithm>
MakePatAlgorithms()
{
    CollectiveAlgorithm allGather;
    allGather.name = "pat";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "parallel aggregated trees, the longest way first";
    allGather.write = WritePatAllGather;
    // each share comes to every rank once, over trees that differ only in their place
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return buffer - buffer / p.ranks;
    };
    allGather.fallback = "ring";

    CollectiveAlgorithm reduceScatter = allGather;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "parallel aggregated trees, the longest way last";
    reduceScatter.write = WritePatReduceScatter;
    return {allGather, reduceScatter};
}

} // namespace ns3
