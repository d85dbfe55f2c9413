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
 * @brief Which of several equally good paths the frames of a flow take.
 *
 * Equal for all frames of a flow, so that they keep their order: a hash of IPv4 addresses, protocol
 * and UDP or TCP ports; of the two MAC addresses and the EtherType for frames that have none of
 * these, fragments included. A frame hashes alike whether it travels as a packet or as the headers
 * of an offload's frame. The queue pairs of one pair of ports differ by their UDP source port.
 *
 * @param seed of the switch, so that switches in a row do not choose alike
 * @return 64 bits
 */
uint64_t FlowHash(const WireFrame& frame, uint64_t seed);

/**
 * @ingroup photonic-rails
 * @param hash of a flow
 * @param paths how many there are, 1 or more
 * @return one of them, from 0
 */
inline uint32_t
PathOf(uint64_t hash, uint32_t paths)
{
    return (hash >> 32) * paths >> 32;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLOW_HASH_H */
