/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_TASK_H
#define PHOTONIC_RAILS_TRAINING_TASK_H

#include "checkpoint-network.h"

#include "ns3/compute-times.h"
#include "ns3/model-shape.h"
#include "ns3/parallelism-plan.h"
#include "ns3/recipe-change.h"
#include "ns3/training-recipe.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/** The task of a training job: the model, its division over ranks, and the compute times. */
struct TrainingTask
{
    ModelShape shape;
    ParallelismPlan plan;
    TrainingRecipe recipe;
    std::shared_ptr<const ComputeTimes> times;
    uint32_t iterations{2};
    RecipeChange change{};          //!< of the recipe, during the training
    uint32_t checkpointInterval{0}; //!< iterations from a checkpoint to the next; 0: none
    bool checkpointsAtStart{false}; //!< there is one before the first iteration too
    CheckpointNetwork checkpointNetwork{CheckpointNetwork::RAILS}; //!< that they go over

    /** @return the recipe of an iteration @param iteration from 1 */
    TrainingRecipe GetRecipe(uint32_t iteration) const
    {
        return change.GetRecipe(recipe, iteration);
    }
};

/** @return the mistake in a task, with the remedy; empty if there is none */
std::string FindMistake(const TrainingTask& task);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_TASK_H */
