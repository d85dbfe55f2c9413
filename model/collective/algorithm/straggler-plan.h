/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_PLAN_H
#define PHOTONIC_RAILS_STRAGGLER_PLAN_H

#include "straggler-rounds.h"

#include <cstdint>

namespace ns3
{

/**
 * @param ranks 3 or more, up to StragglerSearch::MOST_RANKS unless they are a power of two
 * @return the plan, which is made once and kept
 */
const StragglerPlan& GetStragglerPlan(uint32_t ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_PLAN_H */
