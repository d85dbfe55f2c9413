/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_TEST_PHASES_H
#define PHOTONIC_RAILS_OPUS_TEST_PHASES_H

#include "ns3/circuit-planner.h"
#include "ns3/opus-phase.h"

#include <cstdint>

namespace ns3
{

/** @return a phase of a group of job 0 */
inline OpusPhase
Operation(uint32_t group, uint64_t operation, uint32_t stage = 0)
{
    OpusPhase phase;
    phase.group = GroupId(group);
    phase.operation = operation;
    phase.stage = stage;
    return phase;
}

/** @return a pair of ranks */
inline JoinedRanks
Pair(uint32_t one, uint32_t other)
{
    return {RankId(one), RankId(other)};
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_TEST_PHASES_H */
