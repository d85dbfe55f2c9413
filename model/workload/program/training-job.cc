/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-job.h"

#include "stage-program.h"

#include "ns3/abort.h"
#include "ns3/pipeline-schedule.h"

namespace ns3
{

namespace
{

TrainingTask
Check(const TrainingTask& task)
{
    const std::string mistake = FindMistake(task);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "TrainingJob: " << mistake);
    return task;
}

} // namespace

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

TrainingJob::TrainingJob(const TrainingTask& task)
    : m_task(Check(task)),
      m_layout(m_task.plan),
      m_groups(m_task.plan)
{
    const bool ring = m_task.plan.cp > 1 && m_task.recipe.context == ContextExchange::RING;
    for (uint32_t place = 0; place < m_task.plan.pp; ++place)
    {
        for (uint32_t context = 0; context < (ring ? m_task.plan.cp : 1); ++context)
        {
            m_programs[{place, context}] = StageProgram(m_task, m_groups, place, context).Write();
        }
    }
}

std::shared_ptr<const RankProgram>
TrainingJob::GetProgram(uint32_t rank) const
{
    const uint32_t place = m_layout.GetPlace(rank, Parallelism::PIPELINE);
    const auto own = m_programs.find({place, m_layout.GetPlace(rank, Parallelism::CONTEXT)});
    return own != m_programs.end() ? own->second : m_programs.at({place, 0});
}

} // namespace ns3
