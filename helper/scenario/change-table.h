/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHANGE_TABLE_H
#define PHOTONIC_RAILS_CHANGE_TABLE_H

#include "training-outcome.h"
#include "training-variant.h"

#include "ns3/training-task.h"

#include <ostream>
#include <vector>

namespace ns3
{

/**
 * Prints the iterations around a change of a job: the last before it, the first with it, and those
 * that follow.
 *
 * The cost of mispredictions is the time by which the first iteration with the change exceeds the
 * next, in which shims have learned the new calls: both have the same work.
 * @param os receives the table
 * @param task with a change
 * @param variants the runs
 * @param outcomes of the runs, all of them complete
 */
void PrintChange(std::ostream& os,
                 const TrainingTask& task,
                 const std::vector<TrainingVariant>& variants,
                 const std::vector<TrainingOutcome>& outcomes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHANGE_TABLE_H */
