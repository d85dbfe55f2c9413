/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECONFIGURATION_ESTIMATE_H
#define PHOTONIC_RAILS_RECONFIGURATION_ESTIMATE_H

#include "ns3/nstime.h"
#include "ns3/rail.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * The expected time of a reconfiguration on an idle control plane, by which shims choose the path
 * of an operation. It is the sum of
 *
 * - the calls from a rank to its shim and back: 2 host latencies;
 * - REQUEST, PROGRAM, DONE and GRANT: 4 datagrams, two round trips on the management network;
 * - the mean reconfiguration time of the switch: of its attribute, or of its technology;
 * - the mean link-up time of its NIC ports, if they have one.
 *
 * It is the largest over the rails. Time for processing, retransmissions, waits for other ranks and
 * the slower ports of a switch are not in it.
 *
 * @param rails with optical switches
 * @param hostLatency from a rank to its shim, in one direction
 * @param roundTrip of two datagrams on the management network
 * @return the time
 */
Time EstimateReconfiguration(const std::vector<Rail>& rails, Time hostLatency, Time roundTrip);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECONFIGURATION_ESTIMATE_H */
