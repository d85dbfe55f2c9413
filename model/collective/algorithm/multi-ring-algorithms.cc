/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "ring-orders.h"

#include <algorithm>

// Several rings at once, on which ranks have different orders. An even number of ports is as fast
// on one ring, with several links to each neighbor. An odd number above 1 leaves a port idle there;
// the rings here use all of them if the number of ranks is even.

namespace ns3
{

namespace
{

/** A channel's ring: ranks by place, in the direction of the channel. */
class ChannelRing
{
  public:
    explicit ChannelRing(const ScheduleChannel& channel)
    {
        const CollectiveParameters& all = channel.GetParameters();
        const std::vector<RingOrder> orders =
            MakeRingOrders(all.ranks, GetRingNeighbors(all.ranks, all.ports));
        m_order = orders[channel.GetChannel() % orders.size()];
        if (all.bidirectional && channel.GetChannel() >= all.channels / 2)
        {
            std::reverse(m_order.begin(), m_order.end());
        }
    }

    /** @return the rank at a place, which may be beyond the last one: the ring goes on */
    uint32_t At(uint32_t place) const
    {
        return m_order[place % m_order.size()];
    }

  private:
    RingOrder m_order;
};

/** The share of the rank at a place starts at the next one, and is summed on its way home. */
void
WriteScatterOnRing(ScheduleChannel& channel,
                   const ChannelRing& ring,
                   const std::vector<uint32_t>& shares)
{
    const uint32_t n = channel.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t place = 0; place < n; ++place)
        {
            channel.Reduce(round,
                           ring.At(place),
                           ring.At(place + 1),
                           shares[ring.At(place + n - round - 1)]);
        }
    }
}

/** Each share goes round. */
void
WriteGatherOnRing(ScheduleChannel& channel,
                  const ChannelRing& ring,
                  const std::vector<uint32_t>& shares,
                  uint32_t firstRound)
{
    const uint32_t n = channel.GetRanks();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t place = 0; place < n; ++place)
        {
            channel.Copy(firstRound + round,
                         ring.At(place),
                         ring.At(place + 1),
                         shares[ring.At(place + n - round)]);
        }
    }
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
        WriteGatherOnRing(channel, ChannelRing(channel), channel.AddShares(), 0);
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
        WriteScatterOnRing(channel, ChannelRing(channel), channel.AddShares());
    };

    CollectiveAlgorithm allReduce = allGather;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "reduce-scatter, then all-gather, on rings of different orders";
    allReduce.write = [](ScheduleChannel& channel) {
        const ChannelRing ring(channel);
        const std::vector<uint32_t> shares = channel.AddShares();
        WriteScatterOnRing(channel, ring, shares);
        WriteGatherOnRing(channel, ring, shares, channel.GetRanks() - 1);
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (buffer / p.ranks) * (p.ranks - 1);
    };
    return {allGather, reduceScatter, allReduce};
}

} // namespace ns3
