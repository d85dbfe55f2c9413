/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "checkpoint-plan.h"

#include "ns3/gpu-memory.h"

#include <algorithm>

namespace ns3
{

CheckpointPlan::CheckpointPlan(const TrainingTask& task)
    : m_bytes(task.plan.GetRanks() / task.plan.scaleUp)
{
    const RankLayout layout(task.plan);
    std::vector<uint64_t> ofPlace;
    for (uint32_t place = 0; place < task.plan.pp; ++place)
    {
        const GpuMemory memory = CountGpuMemory(task.shape, task.plan, task.recipe, place);
        ofPlace.push_back(memory.parameters + memory.optimizer);
    }
    for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
    {
        uint64_t& bytes = m_bytes[layout.GetServer(rank)];
        bytes = std::max(bytes, ofPlace[layout.GetPlace(rank, Parallelism::PIPELINE)]);
    }
}

std::vector<GroupedSend>
CheckpointPlan::GetSends() const
{
    std::vector<GroupedSend> sends;
    for (uint32_t server = 0; server < GetServers(); ++server)
    {
        sends.push_back({server, GetHolder(server), m_bytes[server]});
    }
    return sends;
}

} // namespace ns3
