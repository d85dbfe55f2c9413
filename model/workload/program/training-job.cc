/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-job.h"

#include "stage-program.h"

#include "ns3/abort.h"

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

JobPrograms
TrainingJob::MakePrograms() const
{
    JobPrograms job;
    for (const JobGroup& group : m_groups.GetGroups())
    {
        job.groups.push_back({group.name, group.ranks});
    }
    for (uint32_t rank = 0; rank < m_layout.GetRanks(); ++rank)
    {
        job.ranks.push_back({GetProgram(rank), m_groups.GetGroupsOf(rank)});
    }
    return job;
}

} // namespace ns3
