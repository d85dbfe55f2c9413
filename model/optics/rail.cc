/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail.h"

#include "ns3/abort.h"

namespace ns3
{

Rail::Rail(RailId id, NodeContainer gpus, uint32_t portsPerGpu, Ptr<Node> railSwitch)
    : m_id(id),
      m_gpus(gpus),
      m_portsPerGpu(portsPerGpu),
      m_switches(railSwitch)
{
}

void
Rail::Add(Ptr<RailNetDevice> nic, Ptr<OpticalFiber> fiber)
{
    m_nics.push_back(nic);
    m_fibers.push_back(fiber);
}

RailId
Rail::GetId() const
{
    return m_id;
}

uint32_t
Rail::GetGpus() const
{
    return m_gpus.GetN();
}

uint32_t
Rail::GetPortsPerGpu() const
{
    return m_portsPerGpu;
}

uint32_t
Rail::IndexOf(uint32_t gpu, uint32_t port) const
{
    NS_ABORT_MSG_UNLESS(gpu < GetGpus() && port < m_portsPerGpu,
                        "Rail " << m_id << ": there is no port " << port << " of GPU " << gpu
                                << "; the rail has " << GetGpus() << " GPUs with " << m_portsPerGpu
                                << " ports each, both counted from 0");
    return gpu * m_portsPerGpu + port;
}

Ptr<Node>
Rail::GetGpu(uint32_t gpu) const
{
    IndexOf(gpu, 0);
    return m_gpus.Get(gpu);
}

Ptr<RailNetDevice>
Rail::GetNic(uint32_t gpu, uint32_t port) const
{
    return m_nics[IndexOf(gpu, port)];
}

NetDeviceContainer
Rail::GetNics() const
{
    NetDeviceContainer all;
    for (const Ptr<RailNetDevice>& nic : m_nics)
    {
        all.Add(nic);
    }
    return all;
}

Ptr<OpticalFiber>
Rail::GetFiber(uint32_t gpu, uint32_t port) const
{
    return m_fibers[IndexOf(gpu, port)];
}

PortId
Rail::GetSwitchPort(uint32_t gpu, uint32_t port) const
{
    return PortId(IndexOf(gpu, port));
}

Ptr<Node>
Rail::GetSwitchNode() const
{
    return m_switches.GetN() > 0 ? m_switches.Get(0) : nullptr;
}

NodeContainer
Rail::GetSwitchNodes() const
{
    return m_switches;
}

void
Rail::SetSwitchNodes(const NodeContainer& railSwitches)
{
    m_switches = railSwitches;
}

Ptr<OpticalCircuitSwitch>
Rail::GetOpticalSwitch() const
{
    const Ptr<Node> railSwitch = GetSwitchNode();
    return railSwitch ? railSwitch->GetObject<OpticalCircuitSwitch>() : nullptr;
}

} // namespace ns3
