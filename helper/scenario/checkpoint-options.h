/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHECKPOINT_OPTIONS_H
#define PHOTONIC_RAILS_CHECKPOINT_OPTIONS_H

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;
class TrainingJobHelper;

/**
 * @ingroup photonic-rails
 * @brief The checkpoints of a training job as options: `--checkpoint-interval` and
 * `--checkpoint-network`.
 */
struct CheckpointOptions
{
    uint32_t interval{0}; //!< iterations from a checkpoint to the next; 0: none
    std::string network{"rails"};

    /** Adds the options. */
    void Add(ScenarioOptions& options);
    /** Sets up a helper. */
    void SetUp(TrainingJobHelper& helper) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHECKPOINT_OPTIONS_H */
