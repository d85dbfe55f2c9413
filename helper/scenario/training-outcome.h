/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_OUTCOME_H
#define PHOTONIC_RAILS_TRAINING_OUTCOME_H

#include "training-report.h"

#include "ns3/rail-net-device.h"

#include <string>
#include <vector>

namespace ns3
{

struct TrainingVariant;

/**
 * @ingroup photonic-rails
 * @brief The result of a training run, as bytes that one process sends to another (SideBySide).
 */
struct TrainingOutcome
{
    TrainingFigures figures;
    std::vector<IterationFigures> iterations; //!< from the first on
    RailNetDevice::Trains trains;             //!< without its reason
    std::string json;                         //!< an object with the policy and all results

    /** @return the result of a completed run */
    static TrainingOutcome Of(const TrainingRun& run, const TrainingVariant& variant);

    /** @return all of it as bytes, for a process of the same program */
    std::string Pack() const;
    /** @param bytes of Pack() */
    static TrainingOutcome Unpack(const std::string& bytes);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_OUTCOME_H */
