/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "leaf-partition.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"
#include "ns3/node.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the leaves of a rail */
uint32_t
CountLeaves(const LeafPartition::Shape& shape)
{
    const uint32_t ports = shape.servers * shape.portsPerGpu;
    return shape.radix == 0 || ports <= shape.radix ? 1 : DivideUp(ports, shape.radix / 2);
}

} // namespace

std::string
LeafPartition::FindMisfit(const Shape& shape, uint32_t processes)
{
    const uint32_t leaves = CountLeaves(shape);
    std::ostringstream why;
    if (processes == 1)
    {
        return "";
    }
    if (leaves == 1)
    {
        why << "a rail of " << shape.servers * shape.portsPerGpu
            << " ports has one switch, and a cut is between switches; have smaller switches, more "
               "servers, or the cut by rails";
    }
    else if (processes > leaves)
    {
        why << processes << " processes, and a rail has " << leaves
            << " leaf switches, each of which is on one process; start " << leaves << " or fewer";
    }
    else if (shape.radix / 2 % shape.portsPerGpu != 0)
    {
        why << "a leaf switch has " << shape.radix / 2 << " ports for GPUs with "
            << shape.portsPerGpu
            << " ports each, and a GPU would be on two processes; give a radix of a multiple of "
            << 2 * shape.portsPerGpu;
    }
    return why.str();
}

LeafPartition::LeafPartition(const Shape& shape, uint32_t processes)
    : m_shape(shape),
      m_processes(processes)
{
    const std::string misfit = FindMisfit(shape, processes);
    NS_ABORT_MSG_UNLESS(misfit.empty(), "LeafPartition: " << misfit);
}

uint32_t
LeafPartition::GetProcess(uint32_t server) const
{
    const uint32_t leaves = CountLeaves(m_shape);
    const uint32_t leaf = leaves == 1 ? 0 : server * m_shape.portsPerGpu / (m_shape.radix / 2);
    return uint64_t{leaf} * m_processes / leaves;
}

NodeContainer
LeafPartition::CreateGpus(uint32_t gpusPerServer) const
{
    NodeContainer nodes;
    for (uint32_t gpu = 0; gpu < m_shape.servers * gpusPerServer; ++gpu)
    {
        nodes.Add(CreateObject<Node>(GetProcess(gpu / gpusPerServer)));
    }
    return nodes;
}

} // namespace ns3
