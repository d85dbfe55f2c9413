/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_ORDERS_H
#define PHOTONIC_RAILS_RING_ORDERS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** All ranks of a group, in the order of a ring: each is joined with the next, the last with the
 * first. */
using RingOrder = std::vector<uint32_t>;

/**
 * @param ranks of the group, 3 or more
 * @param ports of a rank, 2 or more
 * @return the number of others that several rings join a rank with, such that the most ports are
 * in use if each of these others gets an equal number; of equal choices the largest. It is even if
 * the number of ranks is odd
 */
uint32_t GetRingNeighbors(uint32_t ranks, uint32_t ports);

/**
 * Rings for ranks with a number of neighbors each. Together they use each link equally:
 * - an even number: neighbors / 2 rings without a common link. For an odd number of ranks they are
 *   those of Walecki (Lucas, Recreations mathematiques II, 1892). For an even number a ring is two
 *   rounds in a row of a tournament by the circle method;
 * - an odd number: rings, of which each link is in two. Three rings share three rounds of the
 *   tournament, two rounds each, and further pairs of rounds are a ring each, which is listed
 *   twice.
 * @param neighbors GetRingNeighbors()
 */
std::vector<RingOrder> MakeRingOrders(uint32_t ranks, uint32_t neighbors);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_ORDERS_H */
