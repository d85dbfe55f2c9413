/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-task.h"

#include "ns3/pipeline-schedule.h"

namespace ns3
{

std::string
FindMistake(const TrainingTask& task)
{
    for (const std::string& mistake : {FindMistake(task.shape),
                                       FindMistake(task.plan),
                                       FindMistake(task.recipe),
                                       FindMistake(PipelineShape{task.recipe.schedule,
                                                                 task.plan.pp,
                                                                 task.recipe.chunks,
                                                                 task.recipe.microBatches})})
    {
        if (!mistake.empty())
        {
            return mistake;
        }
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
    if (task.shape.layers < task.plan.pp * task.recipe.chunks)
    {
        return std::to_string(task.shape.layers) + " layers over " +
               std::to_string(task.plan.pp * task.recipe.chunks) +
               " stages: give each stage 1 or more";
    }
    return "";
}

} // namespace ns3
