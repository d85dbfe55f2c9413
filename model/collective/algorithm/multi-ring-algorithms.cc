/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "ring-orders.h"
#include "ring-writer.h"

#include <algorithm>

// Several rings at once, on which ranks have different orders. An even number of ports is as fast
// on one ring, with several links to each neighbor. An odd number above 1 leaves a port idle there;
// the rings here use all of them if the number of ranks is even.

namespace ns3
{

namespace
{

/** @return the ring of a channel: ranks by place, in the direction of the channel */
RingOrder
GetRingOf(const ScheduleChannel& channel)
{
    const CollectiveParameters& all = channel.GetParameters();
    const std::vector<RingOrder> orders =
        MakeRingOrders(all.ranks, GetRingNeighbors(all.ranks, all.ports));
    RingOrder order = orders[channel.GetChannel() % orders.size()];
    if (all.bidirectional && channel.GetChannel() >= all.channels / 2)
    {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

RingWriter
MakeWriter(ScheduleChannel& channel)
{
    return RingWriter(channel, GetRingOf(channel), [](uint32_t, uint32_t) {
        return RingWriter::Wires::RAIL;
    });
}

std::string
GetWhyNoRings(const CollectiveParameters& p)
{
    if (p.ranks < 3)
    {
        return "a ring is of 3 ranks or more; with 2, ring uses all ports";
    }
    return p.ports > 1 ? "" : "a rank on a ring has 2 neighbors, and 1 port; give 2 or more";
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeMultiRingAlgorithms()
{
    CollectiveAlgorithm allGather;
    allGather.name = "multi-ring";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "each share goes round, on rings of different orders";
    allGather.write = [](ScheduleChannel& channel) {
        MakeWriter(channel).Gather(channel.AddShares(), 0);
    };
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return buffer / p.ranks * (p.ranks - 1);
    };
    allGather.whyNot = GetWhyNoRings;
    allGather.fallback = "ring";
    allGather.usesPorts = true;
    allGather.isReserve = true;

    CollectiveAlgorithm reduceScatter = allGather;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "each share is summed on its way home, on rings of different orders";
    reduceScatter.write = [](ScheduleChannel& channel) {
        MakeWriter(channel).Scatter(channel.AddShares());
    };

    CollectiveAlgorithm allReduce = allGather;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "reduce-scatter, then all-gather, on rings of different orders";
    allReduce.write = [](ScheduleChannel& channel) {
        MakeWriter(channel).ScatterAndGather(channel.AddShares());
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (buffer / p.ranks) * (p.ranks - 1);
    };
    return {allGather, reduceScatter, allReduce};
}

} // namespace ns3
