/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "ring-writer.h"

#include <algorithm>

// A ring through all ranks of all servers for each channel, as NCCL builds them: it visits the
// ranks of a server over the fabric, and goes on to the next server. Channels begin at different
// ranks of the server, so that the rings leave a server on different rails, and all rails carry an
// equal part. The rank before the first is on another rail than the first, so its messages to the
// next server take a relay (PXN in NCCL).

namespace ns3
{

namespace
{

/** @return the ring of a channel, in its direction; the channels of a direction leave on all rails
 */
RingOrder
GetServerRingOf(const ScheduleChannel& channel)
{
    const CollectiveParameters& all = channel.GetParameters();
    const uint32_t g = all.perServer;
    const uint32_t ofDirection = all.bidirectional ? all.channels / 2 : all.channels;
    const uint32_t first = channel.GetChannel() % ofDirection * g / ofDirection;
    RingOrder order;
    for (uint32_t server = 0; server < all.ranks / g; ++server)
    {
        for (uint32_t local = 0; local < g; ++local)
        {
            order.push_back(server * g + (first + local) % g);
        }
    }
    if (channel.GetChannel() >= ofDirection)
    {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

RingWriter
MakeServerRing(ScheduleChannel& channel)
{
    const uint32_t g = channel.GetParameters().perServer;
    return RingWriter(channel, GetServerRingOf(channel), [g](uint32_t from, uint32_t to) {
        return from / g == to / g ? RingWriter::Wires::SCALE_UP : RingWriter::Wires::RAIL;
    });
}

std::string
GetWhyNoServers(const CollectiveParameters& p)
{
    if (p.perServer < 2)
    {
        return "a server has " + std::to_string(p.perServer) +
               " ranks of the group; set perServer to 2 or more";
    }
    return p.ranks % p.perServer == 0 && p.ranks > p.perServer
               ? ""
               : "perServer is " + std::to_string(p.perServer) +
                     "; set it to a divisor of the number of ranks, " + std::to_string(p.ranks) +
                     ", that leaves 2 servers or more";
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeRailRingsAlgorithms()
{
    CollectiveAlgorithm allGather;
    allGather.name = "rail-rings";
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "each share goes round all ranks, on rings that leave servers on all rails";
    allGather.write = [](ScheduleChannel& channel) {
        MakeServerRing(channel).Gather(channel.AddShares(), 0);
    };
    allGather.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return buffer / p.ranks * (p.ranks - 1);
    };
    allGather.whyNot = GetWhyNoServers;
    allGather.fallback = "hierarchical";
    allGather.isReserve = true;

    CollectiveAlgorithm reduceScatter = allGather;
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "each share is summed on its way home, on rings that leave servers on all "
                         "rails";
    reduceScatter.write = [](ScheduleChannel& channel) {
        MakeServerRing(channel).Scatter(channel.AddShares());
    };

    CollectiveAlgorithm allReduce = allGather;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "reduce-scatter, then all-gather, on rings that leave servers on all rails";
    allReduce.write = [](ScheduleChannel& channel) {
        MakeServerRing(channel).ScatterAndGather(channel.AddShares());
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (buffer / p.ranks) * (p.ranks - 1);
    };
    return {allGather, reduceScatter, allReduce};
}

} // namespace ns3
