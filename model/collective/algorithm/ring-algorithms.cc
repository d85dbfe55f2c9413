/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// Rings: each rank sends to the next only, so they need the fewest circuits. In ring order r + 1
// follows r, or r - 1 on channels in the other direction. A rank with one port is on no ring of
// circuits of 3 or more; algorithms whose rounds are matchings run instead.

namespace ns3
{

namespace
{

/** Share c starts at its home's next and is summed on its way home. @return the number of rounds */
uint32_t
WriteRingReduceScatter(ScheduleChannel& channel, const std::vector<uint32_t>& shares)
{
    const uint32_t n = channel.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            channel.Reduce(round, rank, channel.Next(rank), shares[channel.Back(rank, round + 1)]);
        }
    }
    return n - 1;
}

/** Share c goes from its home round the whole ring. */
void
WriteRingAllGather(ScheduleChannel& channel,
                   const std::vector<uint32_t>& shares,
                   uint32_t firstRound)
{
    const uint32_t n = channel.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            channel.Copy(firstRound + round,
                         rank,
                         channel.Next(rank),
                         shares[channel.Back(rank, round)]);
        }
    }
}

CollectiveAlgorithm
MakeAllGather()
{
    CollectiveAlgorithm allGather;
    allGather.name = "ring";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "each share goes round";
    allGather.write = [](ScheduleChannel& channel) {
        WriteRingAllGather(channel, channel.AddShares(), 0);
    };
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return buffer / p.ranks * (p.ranks - 1);
    };
    allGather.fallback = "recursive-doubling";
    return allGather;
}

CollectiveAlgorithm
MakeReduceScatter()
{
    CollectiveAlgorithm reduceScatter = MakeAllGather(); // it sends as many bytes
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "each share is summed on its way home";
    reduceScatter.fallback = "recursive-halving";
    reduceScatter.write = [](ScheduleChannel& channel) {
        WriteRingReduceScatter(channel, channel.AddShares());
    };
    return reduceScatter;
}

CollectiveAlgorithm
MakeAllReduce()
{
    CollectiveAlgorithm allReduce;
    allReduce.name = "ring";
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "reduce-scatter, then all-gather";
    allReduce.write = [](ScheduleChannel& channel) {
        const std::vector<uint32_t> shares = channel.AddShares();
        WriteRingAllGather(channel, shares, WriteRingReduceScatter(channel, shares));
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (buffer / p.ranks) * (p.ranks - 1);
    };
    allReduce.fallback = "halving-doubling";
    return allReduce;
}

CollectiveAlgorithm
MakeBroadcast()
{
    CollectiveAlgorithm broadcast;
    broadcast.name = "ring";
    broadcast.kind = CollectiveKind::BROADCAST;
    broadcast.help = "the root's buffer goes from rank to rank";
    broadcast.write = [](ScheduleChannel& channel) {
        const uint32_t root = channel.GetParameters().root;
        const uint32_t all = channel.AddChunk(root, 0, 1);
        for (uint32_t round = 0; round + 1 < channel.GetRanks(); ++round)
        {
            channel.Copy(round, channel.Ahead(root, round), channel.Ahead(root, round + 1), all);
        }
    };
    broadcast.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        // all but the last on each channel
        const uint32_t forward = p.bidirectional ? p.channels / 2 : p.channels;
        const bool lastForward = rank == (p.root + p.ranks - 1) % p.ranks;
        const bool lastBackward = rank == (p.root + 1) % p.ranks;
        return buffer / p.channels *
               ((lastForward ? 0 : forward) + (lastBackward ? 0 : p.channels - forward));
    };
    return broadcast;
}

CollectiveAlgorithm
MakeReduce()
{
    CollectiveAlgorithm reduce;
    reduce.name = "ring";
    reduce.kind = CollectiveKind::REDUCE;
    reduce.help = "the sum grows from rank to rank until it is at the root";
    reduce.write = [](ScheduleChannel& channel) {
        const uint32_t root = channel.GetParameters().root;
        const uint32_t all = channel.AddChunk(root, 0, 1);
        for (uint32_t round = 0; round + 1 < channel.GetRanks(); ++round)
        {
            channel.Reduce(round,
                           channel.Ahead(root, round + 1),
                           channel.Ahead(root, round + 2),
                           all);
        }
    };
    reduce.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return rank == p.root ? 0 : buffer;
    };
    return reduce;
}

CollectiveAlgorithm
MakeBarrier()
{
    CollectiveAlgorithm barrier;
    barrier.name = "ring";
    barrier.kind = CollectiveKind::BARRIER;
    barrier.help = "word goes round, and round again";
    barrier.fallback = "recursive-doubling";
    barrier.write = [](ScheduleChannel& channel) {
        const uint32_t word = channel.AddChunk(0, 0, 1);
        const uint32_t last = channel.GetRanks() - 1;
        for (uint32_t step = 0; step < last; ++step)
        {
            channel.Reduce(step, channel.Ahead(0, step), channel.Ahead(0, step + 1), word);
        }
        for (uint32_t step = 0; step < last; ++step)
        {
            channel.Copy(last + step,
                         channel.Ahead(0, last + step),
                         channel.Ahead(0, last + step + 1),
                         word);
        }
    };
    barrier.bytesSent = [](const CollectiveParameters&, uint32_t, uint64_t) { return 0; };
    return barrier;
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeRingAlgorithms()
{
    return {MakeAllGather(),
            MakeReduceScatter(),
            MakeAllReduce(),
            MakeBroadcast(),
            MakeReduce(),
            MakeBarrier()};
}

} // namespace ns3
