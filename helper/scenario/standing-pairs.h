/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STANDING_PAIRS_H
#define PHOTONIC_RAILS_STANDING_PAIRS_H

#include "ns3/collective-schedule.h"
#include "ns3/rail.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * The pairs of ranks that circuits join for the whole of a collective operation: those of its
 * algorithm if it is named, needs one set of pairs and no rank has more partners than ports; else a
 * ring in the order of the ranks.
 * @param parameters of the operation, with the ports of a rank
 * @param algorithm its name; empty: chosen later, by the circuits
 * @return the pairs; none if a rank has one port and there are more than 2 ranks
 */
std::vector<RankPair> ChooseStandingPairs(const CollectiveParameters& parameters,
                                          const std::string& algorithm);

/**
 * Joins pairs of GPUs of an optical rail by circuits. Each pair gets as many as both can give it:
 * the ports of a GPU, divided by its partners, rounded down. The others stay dark.
 * @param pairs of GPUs, by place on the rail
 */
void JoinPairs(const Rail& rail, const std::vector<RankPair>& pairs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STANDING_PAIRS_H */
