/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MAC_NUMBER_H
#define PHOTONIC_RAILS_MAC_NUMBER_H

#include "ns3/mac48-address.h"

#include <cstdint>

namespace ns3
{

/** @return a MAC address as a number of 48 bits, which is quick to compare and to mix */
inline uint64_t
ToNumber(Mac48Address address)
{
    uint8_t bytes[6];
    address.CopyTo(bytes);
    uint64_t number = 0;
    for (const uint8_t byte : bytes)
    {
        number = number << 8 | byte;
    }
    return number;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_MAC_NUMBER_H */
