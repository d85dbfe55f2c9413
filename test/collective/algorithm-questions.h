/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALGORITHM_QUESTIONS_H
#define PHOTONIC_RAILS_ALGORITHM_QUESTIONS_H

#include "ns3/collective-schedule.h"
#include "ns3/identifier.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** @return the ranks 10, 11, ... of n places, so that they differ from places: each, or one in so
 * many */
std::vector<RankId> RanksOf(uint32_t n, uint32_t step = 1, uint32_t first = 0);

/** @return the parameters of an operation of a group */
CollectiveParameters Parameters(CollectiveKind kind,
                                uint32_t ranks,
                                uint32_t channels = 1,
                                bool bidirectional = false);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALGORITHM_QUESTIONS_H */
