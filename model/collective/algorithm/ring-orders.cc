/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-orders.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return the partner of a rank in a round of the circle method, for an even number of ranks */
uint32_t
GetCirclePartner(uint32_t ranks, uint32_t round, uint32_t rank)
{
    const uint32_t last = ranks - 1; // it stays, and the others rotate
    if (rank == last)
    {
        return round;
    }
    return rank == round ? last : (2 * round + last - rank) % last;
}

/**
 * Two rounds of the circle method are one ring if the difference of their numbers and n - 1 have no
 * common divisor, as 1 and 2 have with an odd number.
 */
RingOrder
JoinRounds(uint32_t ranks, uint32_t one, uint32_t other)
{
    RingOrder order;
    uint32_t rank = ranks - 1;
    do
    {
        order.push_back(rank);
        rank = GetCirclePartner(ranks, one, rank);
        order.push_back(rank);
        rank = GetCirclePartner(ranks, other, rank);
    } while (rank != ranks - 1);
    NS_ASSERT_MSG(order.size() == ranks, "rounds " << one << " and " << other << " are no ring");
    return order;
}

/** The last rank, and a zigzag through the others, which are on a circle. */
RingOrder
MakeZigzag(uint32_t ranks, uint32_t turn)
{
    const uint32_t others = ranks - 1;
    RingOrder order{others};
    for (uint32_t step = 0; step < others; ++step)
    {
        const uint32_t away = (step + 1) / 2;
        order.push_back((turn + (step % 2 != 0 ? away : others - away)) % others);
    }
    return order;
}

} // namespace

uint32_t
GetRingNeighbors(uint32_t ranks, uint32_t ports)
{
    const uint32_t step = ranks % 2 == 0 ? 1 : 2;
    uint32_t best = 2;
    for (uint32_t neighbors = 2; neighbors <= std::min(ports, ranks - 1); neighbors += step)
    {
        if (ports / neighbors * neighbors >= ports / best * best)
        {
            best = neighbors;
        }
    }
    return best;
}

std::vector<RingOrder>
MakeRingOrders(uint32_t ranks, uint32_t neighbors)
{
    NS_ASSERT_MSG(ranks >= 3 && neighbors >= 2 && neighbors < ranks &&
                      (ranks % 2 == 0 || neighbors % 2 == 0),
                  "no rings of " << ranks << " ranks with " << neighbors << " neighbors");
    std::vector<RingOrder> orders;
    if (ranks % 2 != 0)
    {
        for (uint32_t turn = 0; turn < neighbors / 2; ++turn)
        {
            orders.push_back(MakeZigzag(ranks, turn));
        }
        return orders;
    }
    const uint32_t shared = neighbors % 2 == 0 ? 0 : 3;
    for (uint32_t round = 0; round < shared; ++round)
    {
        orders.push_back(JoinRounds(ranks, round, (round + 1) % shared));
    }
    for (uint32_t round = shared; round < neighbors; round += 2)
    {
        orders.push_back(JoinRounds(ranks, round, round + 1));
        if (shared > 0)
        {
            orders.push_back(orders.back());
        }
    }
    return orders;
}

} // namespace ns3
