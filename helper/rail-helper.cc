/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-helper.h"

#include "rail-capture.h"
#include "rail-neighbors.h"

#include "ns3/abort.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/nstime.h"
#include "ns3/queue-item.h"

#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

// Group index of standard single-mode fiber (G.652) at 1310 nm, from Corning's SMF-28 data sheet.
constexpr double GROUP_INDEX = 1.4676;
constexpr double METRES_A_SECOND = 299792458.0;

} // namespace

void
RailHelper::SetProfile(const std::string& profile)
{
    std::istringstream in(profile);
    uint32_t ports = 0;
    uint64_t gigabits = 0;
    char times = 0;
    const bool read = static_cast<bool>(in >> ports >> times >> gigabits);
    NS_ABORT_MSG_UNLESS(read && in.peek() == EOF && times == 'x' && ports > 0 && gigabits > 0,
                        "RailHelper: \"" << profile
                                         << "\" is no port profile; write ports x Gb/s, such as "
                                            "1x400, 2x200 or 4x100");
    SetPorts(ports, DataRate(gigabits * 1'000'000'000));
}

void
RailHelper::SetPorts(uint32_t portsPerGpu, DataRate rate)
{
    NS_ABORT_MSG_IF(portsPerGpu == 0, "RailHelper: a GPU needs at least 1 port on its rail");
    m_portsPerGpu = portsPerGpu;
    m_rate = rate;
}

void
RailHelper::SetFiberLength(double metres)
{
    NS_ABORT_MSG_UNLESS(metres >= 0 && metres < 1e8,
                        "RailHelper: a fiber of " << metres
                                                  << " m; give a length from 0 to 100,000,000 m");
    const double picoseconds = metres * GROUP_INDEX / METRES_A_SECOND * 1e12;
    SetFiberAttribute("Delay", TimeValue(PicoSeconds(std::llround(picoseconds))));
}

void
RailHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    m_nicAttributes.emplace_back(name, value.Copy());
}

void
RailHelper::SetFiberAttribute(const std::string& name, const AttributeValue& value)
{
    m_fiberAttributes.emplace_back(name, value.Copy());
}

void
RailHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchAttributes.emplace_back(name, value.Copy());
}

void
RailHelper::SetAttributes(Ptr<Object> object, const Attributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        if (object->SetAttributeFailSafe(name, *value))
        {
            continue;
        }
        std::ostringstream known;
        for (TypeId tid = object->GetInstanceTypeId(); tid != Object::GetTypeId();
             tid = tid.GetParent())
        {
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                known << " " << tid.GetAttribute(i).name;
            }
        }
        NS_ABORT_MSG("RailHelper: "
                     << object->GetInstanceTypeId().GetName() << " has no attribute \"" << name
                     << "\", or it does not take this value; its attributes are:" << known.str());
    }
}

Rail
RailHelper::Install(const NodeContainer& gpus, RailId id) const
{
    NS_ABORT_MSG_IF(gpus.GetN() == 0,
                    "RailHelper: rail " << id << " would join no nodes; give it at least 1");
    // the box first: if it cannot have that many ports, the GPUs stay as they were
    Ptr<Node> box = CreateBox(gpus.GetN() * m_portsPerGpu);
    Rail rail(id, gpus, m_portsPerGpu, box);
    for (uint32_t g = 0; g < gpus.GetN(); ++g)
    {
        for (uint32_t p = 0; p < m_portsPerGpu; ++p)
        {
            Ptr<RailNetDevice> nic = CreateObject<RailNetDevice>();
            nic->SetAttribute("DataRate", DataRateValue(m_rate));
            SetAttributes(nic, m_nicAttributes);
            nic->SetAddress(Mac48Address::Allocate());
            nic->AggregateQueueInterface();
            gpus.Get(g)->AddDevice(nic);
            Ptr<OpticalFiber> fiber = CreateObject<OpticalFiber>();
            SetAttributes(fiber, m_fiberAttributes);
            fiber->Attach(nic, AddBoxPort(box));
            rail.Add(nic, fiber);
        }
    }
    return rail;
}

std::vector<Rail>
RailHelper::InstallRails(const NodeContainer& gpus, uint32_t gpusPerServer) const
{
    NS_ABORT_MSG_IF(gpusPerServer == 0 || gpus.GetN() % gpusPerServer != 0,
                    "RailHelper: " << gpus.GetN() << " GPUs do not make servers of "
                                   << gpusPerServer
                                   << "; their number must be a multiple of the GPUs a server");
    std::vector<Rail> rails;
    for (uint32_t r = 0; r < gpusPerServer; ++r)
    {
        NodeContainer members;
        for (uint32_t g = r; g < gpus.GetN(); g += gpusPerServer)
        {
            members.Add(gpus.Get(g));
        }
        rails.push_back(Install(members, RailId(r)));
    }
    return rails;
}

Ipv4InterfaceContainer
RailHelper::AssignIpv4(const Rail& rail, const std::string& network, const std::string& mask)
{
    Ipv4AddressHelper addresses(network.c_str(), mask.c_str());
    Ipv4InterfaceContainer interfaces = addresses.Assign(rail.GetNics());
    FillNeighborCaches(rail);
    return interfaces;
}

void
RailHelper::FillNeighborCaches(const Rail& rail)
{
    FillNeighborCachesOf(rail.GetNics());
}

int64_t
RailHelper::AssignStreams(const Rail& rail, int64_t stream)
{
    int64_t used = 0;
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            used += rail.GetNic(g, p)->AssignStreams(stream + used);
            used += rail.GetFiber(g, p)->AssignStreams(stream + used);
        }
    }
    if (Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch())
    {
        used += ocs->AssignStreams(stream + used);
    }
    return used;
}

void
RailHelper::EnablePcapInternal(std::string prefix,
                               Ptr<NetDevice> nd,
                               bool promiscuous,
                               bool explicitFilename)
{
    if (Ptr<RailNetDevice> nic = DynamicCast<RailNetDevice>(nd))
    {
        CaptureToPcap(nic, prefix, promiscuous, explicitFilename);
    }
}

void
RailHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                std::string prefix,
                                Ptr<NetDevice> nd,
                                bool explicitFilename)
{
    if (Ptr<RailNetDevice> nic = DynamicCast<RailNetDevice>(nd))
    {
        CaptureToAscii(nic, stream, prefix, explicitFilename);
    }
}

} // namespace ns3
