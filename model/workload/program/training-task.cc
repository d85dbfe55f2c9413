/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-task.h"

#include "ns3/pipeline-schedule.h"

namespace ns3
{

namespace
{

/** @return the mistake in the pipeline of an iteration; empty if there is none */
std::string
FindPipelineMistake(const TrainingTask& task, uint32_t iteration)
{
    const TrainingRecipe recipe = task.GetRecipe(iteration);
    return FindMistake(
        PipelineShape{recipe.schedule, task.plan.pp, recipe.chunks, recipe.microBatches});
}

} // namespace

std::string
FindMistake(const TrainingTask& task)
{
    for (const std::string& mistake : {FindMistake(task.shape),
                                       FindMistake(task.plan),
                                       FindMistake(task.recipe),
                                       FindMistake(task.change, task.recipe, task.iterations),
                                       FindPipelineMistake(task, 1),
                                       FindPipelineMistake(task, task.iterations)})
    {
        if (!mistake.empty())
        {
            return mistake;
        }
    }
    const std::string misfit = FindMisfit(task.recipe.router, task.shape, task.plan);
    if (!misfit.empty())
    {
        return misfit;
    }
    const uint64_t tokens = uint64_t{task.recipe.microBatchSize} * task.recipe.sequence;
    const uint64_t parts = uint64_t{task.plan.cp} * (task.plan.sequenceParallel ? task.plan.tp : 1);
    if (!task.recipe.router.IsEven() && tokens % parts != 0)
    {
        return "a micro-batch has " + std::to_string(tokens) + " tokens, which " +
               std::to_string(parts) +
               " ranks can't divide, and tokens are routed one by one; take a sequence that tp x "
               "cp divides";
    }
    if (!task.times)
    {
        return "no compute times: MakeComputeTimes() or ReadComputeTimes() makes them";
    }
    constexpr uint32_t MOST = 1'000'000;
    if (task.iterations == 0 || task.iterations > MOST)
    {
        return std::to_string(task.iterations) + " iterations: give 1 to " + std::to_string(MOST);
    }
    if (task.checkpointInterval > 0 && task.plan.GetRanks() == task.plan.scaleUp)
    {
        return "checkpoints every " + std::to_string(task.checkpointInterval) +
               " iterations, and one server: state is copied to another server; take two servers "
               "or no checkpoints (0)";
    }
    if (task.shape.layers < task.plan.pp * task.recipe.chunks)
    {
        return std::to_string(task.shape.layers) + " layers over " +
               std::to_string(task.plan.pp * task.recipe.chunks) +
               " stages: give each stage 1 or more";
    }
    return "";
}

} // namespace ns3
