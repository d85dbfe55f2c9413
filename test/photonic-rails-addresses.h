/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ADDRESSES_H
#define PHOTONIC_RAILS_ADDRESSES_H

#include "ns3/mac48-address.h"
#include "ns3/simulator.h"

namespace ns3
{

/** @return whether each run has the same addresses; ns-3.35 goes on counting */
inline bool
AddressesBeginAnew()
{
    const Mac48Address one = Mac48Address::Allocate();
    Simulator::Destroy();
    const Mac48Address other = Mac48Address::Allocate();
    Simulator::Destroy();
    return one == other;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_ADDRESSES_H */
