/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail.h"

#include "ns3/abort.h"
#include "ns3/simulation-processes.h"

#include <algorithm>

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
    m_switchPorts.emplace_back(m_nics.size());
    m_nics.push_back(nic);
    m_fibers.push_back(fiber);
}

Rail
Rail::Select(const std::vector<uint32_t>& places) const
{
    Rail part(m_id, NodeContainer(), m_portsPerGpu, nullptr);
    part.m_switches = m_switches;
    for (std::size_t p = 0; p < places.size(); ++p)
    {
        NS_ABORT_MSG_IF(std::count(places.begin(), places.begin() + p, places[p]) > 0,
                        "Rail " << m_id << ": GPU " << places[p] << " is selected twice");
        part.m_gpus.Add(GetGpu(places[p]));
        for (uint32_t port = 0; port < m_portsPerGpu; ++port)
        {
            const uint32_t index = IndexOf(places[p], port);
            part.m_nics.push_back(m_nics[index]);
            part.m_fibers.push_back(m_fibers[index]);
            part.m_switchPorts.push_back(m_switchPorts[index]);
        }
    }
    return part;
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
    return m_switchPorts[IndexOf(gpu, port)];
}

Ptr<Node>
Rail::GetSwitchNode() const
{
    return m_switches.GetN() > 0 ? m_switches.Get(0) : nullptr;
}

bool
Rail::IsHere() const
{
    const auto isHere = [](const Ptr<Node>& node) { return SimulationProcesses::IsHere(node); };
    return std::any_of(m_gpus.Begin(), m_gpus.End(), isHere) ||
           std::any_of(m_switches.Begin(), m_switches.End(), isHere);
}

bool
Rail::IsSplit() const
{
    return SimulationProcesses::GetNumber() > 1 &&
           std::any_of(m_gpus.Begin(), m_gpus.End(), [this](const Ptr<Node>& node) {
               return node->GetSystemId() != m_gpus.Get(0)->GetSystemId();
           });
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

std::vector<Rail>
SelectRails(const std::vector<Rail>& rails, const std::vector<uint32_t>& places)
{
    std::vector<Rail> parts;
    for (const Rail& rail : rails)
    {
        parts.push_back(rail.Select(places));
    }
    return parts;
}

void
RequireEqualRails(const std::vector<Rail>& rails, const std::string& user)
{
    NS_ABORT_MSG_IF(rails.empty() || rails[0].GetGpus() == 0, user << ": there are no rails");
    for (const Rail& rail : rails)
    {
        NS_ABORT_MSG_UNLESS(rail.GetGpus() == rails[0].GetGpus(),
                            user << ": rail " << rail.GetId() << " has " << rail.GetGpus()
                                 << " GPUs, and rail 0 " << rails[0].GetGpus()
                                 << "; give each one of each server");
    }
}

} // namespace ns3
