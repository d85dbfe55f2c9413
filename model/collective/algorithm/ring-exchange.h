/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_EXCHANGE_H
#define PHOTONIC_RAILS_RING_EXCHANGE_H

#include "collective-algorithm.h"

#include <cstdint>

namespace ns3
{

// An all-to-all over rings. In servers of g ranks there is a ring of servers on each rail; a rank's
// data goes inside the server to the rail of its destination, and is forwarded on that ring. With
// g = 1 there is one ring of all ranks.

/** @return whether a rank has bytes for another in an all-to-all */
bool HasDemand(const CollectiveParameters& parameters, uint32_t from, uint32_t to);

/**
 * Writes the exchange: one round inside servers if they have several ranks, and then rounds in
 * each of which all data that has not arrived is forwarded to the next server, first the data with
 * the longest way. On a bidirectional ring data goes the shorter way; if both are equal, half of it
 * each.
 * @param perServer the ranks of a server, g, a divisor of the number of ranks
 */
void WriteRingExchange(ScheduleChannel& channel, uint32_t perServer);

/**
 * @param perServer the ranks of a server
 * @param buffer of a rank, in bytes, if there is no demand matrix
 * @return the bytes that a rank sends in it: its data for other rails once, and all data of its
 * rail on whose way it is
 */
uint64_t GetRingExchangeBytes(const CollectiveParameters& parameters,
                              uint32_t perServer,
                              uint32_t rank,
                              uint64_t buffer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_EXCHANGE_H */
