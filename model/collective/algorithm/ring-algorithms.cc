/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

// Rings: each rank sends to the next only, so they need the fewest circuits there are. In ring
// order r is followed by r + 1, or by r - 1 on lanes that go round the other way.

namespace ns3
{

namespace
{

/** Share c starts at its home's next and is summed on its way home. @return the rounds it takes */
uint32_t
WriteReduceScatter(ScheduleLane& lane, const std::vector<uint32_t>& shares)
{
    const uint32_t n = lane.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            lane.Reduce(round, rank, lane.Next(rank), shares[lane.Back(rank, round + 1)]);
        }
    }
    return n - 1;
}

/** Share c goes from its home all the way round. */
void
WriteAllGather(ScheduleLane& lane, const std::vector<uint32_t>& shares, uint32_t firstRound)
{
    const uint32_t n = lane.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            lane.Copy(firstRound + round, rank, lane.Next(rank), shares[lane.Back(rank, round)]);
        }
    }
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeRingAlgorithms()
{
    CollectiveAlgorithm allGather;
    allGather.name = "ring";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "each share goes round";
    allGather.write = [](ScheduleLane& lane) { WriteAllGather(lane, lane.AddShares(), 0); };
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return buffer / p.ranks * (p.ranks - 1);
    };

    CollectiveAlgorithm reduceScatter = allGather;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "each share is summed on its way home";
    reduceScatter.write = [](ScheduleLane& lane) { WriteReduceScatter(lane, lane.AddShares()); };

    CollectiveAlgorithm allReduce = allGather;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "reduce-scatter, then all-gather";
    allReduce.write = [](ScheduleLane& lane) {
        const std::vector<uint32_t> shares = lane.AddShares();
        WriteAllGather(lane, shares, WriteReduceScatter(lane, shares));
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (buffer / p.ranks) * (p.ranks - 1);
    };

    CollectiveAlgorithm broadcast;
    broadcast.name = "ring";
    broadcast.kind = CollectiveKind::BROADCAST;
    broadcast.help = "the root's buffer goes from rank to rank";
    broadcast.write = [](ScheduleLane& lane) {
        const uint32_t root = lane.GetParameters().root;
        const uint32_t all = lane.AddChunk(root, 0, 1);
        for (uint32_t round = 0; round + 1 < lane.GetRanks(); ++round)
        {
            lane.Copy(round, lane.Ahead(root, round), lane.Ahead(root, round + 1), all);
        }
    };
    broadcast.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        // all but the last on each lane
        const uint32_t forward = p.twoWay ? p.lanes / 2 : p.lanes;
        const bool lastForward = rank == (p.root + p.ranks - 1) % p.ranks;
        const bool lastBackward = rank == (p.root + 1) % p.ranks;
        return buffer / p.lanes *
               ((lastForward ? 0 : forward) + (lastBackward ? 0 : p.lanes - forward));
    };

    CollectiveAlgorithm reduce;
    reduce.name = "ring";
    reduce.kind = CollectiveKind::REDUCE;
    reduce.help = "the sum grows from rank to rank until it is at the root";
    reduce.write = [](ScheduleLane& lane) {
        const uint32_t root = lane.GetParameters().root;
        const uint32_t all = lane.AddChunk(root, 0, 1);
        for (uint32_t round = 0; round + 1 < lane.GetRanks(); ++round)
        {
            lane.Reduce(round, lane.Ahead(root, round + 1), lane.Ahead(root, round + 2), all);
        }
    };
    reduce.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return rank == p.root ? 0 : buffer;
    };

    CollectiveAlgorithm barrier;
    barrier.name = "ring";
    barrier.kind = CollectiveKind::BARRIER;
    barrier.help = "word goes round, and round again";
    barrier.write = [](ScheduleLane& lane) {
        const uint32_t word = lane.AddChunk(0, 0, 1);
        const uint32_t last = lane.GetRanks() - 1;
        for (uint32_t step = 0; step < last; ++step)
        {
            lane.Reduce(step, lane.Ahead(0, step), lane.Ahead(0, step + 1), word);
        }
        for (uint32_t step = 0; step < last; ++step)
        {
            lane.Copy(last + step,
                      lane.Ahead(0, last + step),
                      lane.Ahead(0, last + step + 1),
                      word);
        }
    };
    barrier.bytesSent = [](const CollectiveParameters&, uint32_t, uint64_t) { return 0; };
    return {allGather, reduceScatter, allReduce, broadcast, reduce, barrier};
}

} // namespace ns3
