/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-job.h"

#include "stage-program.h"

#include "ns3/abort.h"

#include <algorithm>
#include <optional>

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
      m_groups(m_task.plan, m_task.checkpointInterval > 0)
{
    std::optional<ExpertRouting> routing;
    if (!m_task.recipe.router.IsEven())
    {
        routing.emplace(m_task.shape, m_task.plan, m_task.recipe);
    }
    for (uint32_t rank = 0; rank < m_layout.GetRanks(); ++rank)
    {
        const Place place = GetPlace(rank);
        std::shared_ptr<const RankProgram>& program = m_programs[place];
        if (!program)
        {
            const auto [pipeline, context, expert] = place;
            program = StageProgram(m_task,
                                   m_groups,
                                   {pipeline, context, expert},
                                   routing ? &*routing : nullptr)
                          .Write();
        }
    }
}

TrainingJob::Place
TrainingJob::GetPlace(uint32_t rank) const
{
    const bool isRing = m_task.recipe.context == ContextExchange::RING;
    const bool isRouted = !m_task.recipe.router.IsEven();
    return {m_layout.GetPlace(rank, Parallelism::PIPELINE),
            isRing ? m_layout.GetPlace(rank, Parallelism::CONTEXT) : 0,
            isRouted ? m_layout.GetPlace(rank, Parallelism::EXPERT) : 0};
}

std::shared_ptr<const RankProgram>
TrainingJob::GetProgram(uint32_t rank) const
{
    return m_programs.at(GetPlace(rank));
}

template <typename FUNCTION>
void
TrainingJob::RouteAll(FUNCTION function) const
{
    const ModelShape& shape = m_task.shape;
    if (shape.experts == 0)
    {
        return;
    }
    ExpertRouting routing(shape, m_task.plan, m_task.recipe);
    const bool isEven = m_task.recipe.router.IsEven(); // all iterations are alike
    for (uint32_t iteration = 0; iteration < m_task.iterations; ++iteration)
    {
        for (uint32_t layer = shape.denseLayers; layer < shape.layers; ++layer)
        {
            function(routing.Get(layer, isEven ? 0 : iteration), routing.GetVisitsOfRank());
        }
    }
}

ExpertVisits
TrainingJob::CountVisits() const
{
    const ParallelismPlan& plan = m_task.plan;
    const uint64_t groups =
        uint64_t{plan.cp} * (plan.dp / plan.ep) * (plan.sequenceParallel ? plan.tp : 1);
    ExpertVisits all;
    RouteAll([&](const RoutedLayer& routed, uint64_t) {
        all.Add(routed.visits, groups * m_task.recipe.microBatches);
    });
    return all;
}

double
TrainingJob::FindLargestLoad() const
{
    double largest = m_task.shape.experts == 0 ? 1 : 0;
    RouteAll([&largest](const RoutedLayer& routed, uint64_t even) {
        const uint64_t most = *std::max_element(routed.load.begin(), routed.load.end());
        largest = std::max(largest, static_cast<double>(most) / even);
    });
    return largest;
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
