/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-partition.h"

#include "process-cut.h"

#include "ns3/abort.h"
#include "ns3/node.h"

namespace ns3
{

std::string
RailPartition::FindMisfit(uint32_t rails, uint32_t processes)
{
    if (processes <= rails)
    {
        return "";
    }
    return std::to_string(processes) + " processes, and there are " + std::to_string(rails) +
           (rails == 1 ? " rail" : " rails") + ", each of which is on one process; start " +
           std::to_string(rails) + " or fewer, or have more GPUs a server";
}

RailPartition::RailPartition(uint32_t rails, uint32_t processes)
    : m_rails(rails),
      m_processes(processes)
{
    const std::string misfit = FindMisfit(rails, processes);
    NS_ABORT_MSG_UNLESS(misfit.empty(), "RailPartition: " << misfit);
}

uint32_t
RailPartition::GetProcess(uint32_t rail) const
{
    return GetProcessOfPart(rail, m_rails, m_processes);
}

NodeContainer
RailPartition::CreateGpus(uint32_t gpus) const
{
    NodeContainer nodes;
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        nodes.Add(CreateObject<Node>(GetProcess(gpu % m_rails)));
    }
    return nodes;
}

} // namespace ns3
