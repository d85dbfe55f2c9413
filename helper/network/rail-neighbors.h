/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_NEIGHBORS_H
#define PHOTONIC_RAILS_RAIL_NEIGHBORS_H

#include "ns3/net-device-container.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the IPv4 and IPv6 addresses of devices into each other's neighbor caches,
 * permanently.
 *
 * Devices whose nodes have no internet stack, or that have no address, are skipped.
 *
 * @param devices those that circuits can connect
 */
void FillNeighborCachesOf(const NetDeviceContainer& devices);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_NEIGHBORS_H */
