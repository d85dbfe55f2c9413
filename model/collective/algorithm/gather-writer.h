/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GATHER_WRITER_H
#define PHOTONIC_RAILS_GATHER_WRITER_H

#include "gather-plan.h"

#include "ns3/schedule-channel.h"

#include <cstdint>
#include <vector>

namespace ns3
{

// A GatherPlan as transfers of a channel. Channels in the other direction run a circulant plan with
// ranks in descending order: where a partner ahead sends more than the one behind, the two
// directions together use both links equally.

/**
 * Adds the all-gather of a plan.
 * @param shares the chunks, by rank
 * @param firstRound the round of the plan's first round
 */
void WriteGather(ScheduleChannel& channel,
                 const GatherPlan& plan,
                 const std::vector<uint32_t>& shares,
                 uint32_t firstRound);

/** Adds the reduce-scatter of a plan: the gather backwards, from round 0 on. */
void WriteScatter(ScheduleChannel& channel,
                  const GatherPlan& plan,
                  const std::vector<uint32_t>& shares);

/**
 * Adds the all-reduce of a plan. The last round of the scatter and the first of the gather have
 * the same pairs, so their circuits stay.
 */
void WriteScatterAndGather(ScheduleChannel& channel,
                           const GatherPlan& plan,
                           const std::vector<uint32_t>& shares);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GATHER_WRITER_H */
