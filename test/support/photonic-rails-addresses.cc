/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-addresses.h"

#include "ns3/mac48-address.h"
#include "ns3/simulator.h"

namespace ns3
{

bool
AddressesBeginAnew()
{
    const Mac48Address one = Mac48Address::Allocate();
    Simulator::Destroy();
    const Mac48Address other = Mac48Address::Allocate();
    Simulator::Destroy();
    return one == other;
}

} // namespace ns3
