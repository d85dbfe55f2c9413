/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EFFORT_ESTIMATE_H
#define PHOTONIC_RAILS_EFFORT_ESTIMATE_H

#include "training-variant.h"

#include "ns3/training-job.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Estimates the frames of a job on rails.
 * @return the frames of an iteration, with rings for collectives and 4096 bytes of payload a frame
 */
double EstimateTrainingFrames(const TrainingJob& job);

/**
 * @ingroup photonic-rails
 * @brief Estimates the run time of a simulation of a job, with the present fidelity.
 * @return seconds on some computer: only ratios matter
 */
double EstimateTrainingEffort(const TrainingJob& job, const TrainingVariant& variant);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EFFORT_ESTIMATE_H */
