/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMORY_ESTIMATE_H
#define PHOTONIC_RAILS_MEMORY_ESTIMATE_H

#include "ns3/parallelism-plan.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Estimates the memory of a job: the objects of each rank, and the schedules of its rings,
 * whose transfers grow with the square of a group.
 * @param plan of the job
 * @return bytes
 */
double EstimateTrainingMemory(const ParallelismPlan& plan);

/** @return the bytes of free memory; infinite if unknown */
double GetFreeMemory();

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMORY_ESTIMATE_H */
