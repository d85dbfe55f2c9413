/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLOW_HASH_H
#define PHOTONIC_RAILS_FLOW_HASH_H

#include "ns3/wire-frame.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The choice of a path among several equally good ones, by flow.
 *
 * The hash is equal for all frames of a flow, so that they keep their order. Its input is the IPv4
 * addresses, protocol and UDP or TCP ports; for frames without these, fragments included, the two
 * MAC addresses and the EtherType. A frame has the same hash as a packet and as the headers of an
 * offload's frame. The queue pairs of one pair of ports differ by their UDP source port.
 *
 * @param seed of the switch, so that consecutive switches make different choices
 * @return 64 bits
 */
uint64_t FlowHash(const WireFrame& frame, uint64_t seed);

/**
 * @ingroup photonic-rails
 * @param hash of a flow
 * @param paths number of paths, 1 or more
 * @return one of them, from 0
 */
inline uint32_t
PathOf(uint64_t hash, uint32_t paths)
{
    return (hash >> 32) * paths >> 32;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLOW_HASH_H */
