/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_DETOURS_H
#define PHOTONIC_RAILS_RAIL_DETOURS_H

#include "cabling.h"

#include "ns3/pair-routes.h"

#include <vector>

namespace ns3
{

/**
 * The detours of two ranks: routes over rails on which at least one of them is not, with a relay in
 * the server of each rank that is not on it. A message takes them where no port of a rank has
 * light: over the fabric inside the server to the relay, over its rail to the other server, and
 * over the fabric there.
 * @return the routes, each in the order of the two ranks, by rail; none if no fabric joins the GPUs
 * of a server, or the ranks are on one server
 */
std::vector<JoinedRanks> ListDetours(const JoinedRanks& pair, const Cabling& cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_DETOURS_H */
