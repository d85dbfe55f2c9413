/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "leaf-partition.h"

#include "leaf-layout.h"
#include "process-cut.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the leaves of a rail */
LeafLayout
LayoutOf(const LeafPartition::Shape& shape)
{
    return LeafLayout::Of(shape.servers * shape.portsPerGpu, shape.radix);
}

} // namespace

std::string
LeafPartition::FindMisfit(const Shape& shape, uint32_t processes)
{
    const uint32_t leaves = LayoutOf(shape).leaves;
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
    const LeafLayout layout = LayoutOf(m_shape);
    const uint32_t leaf = server * m_shape.portsPerGpu / layout.portsALeaf;
    return GetProcessOfPart(leaf, layout.leaves, m_processes);
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
