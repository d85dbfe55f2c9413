/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-helper.h"

#include "attribute-check.h"
#include "named-node.h"
#include "rail-neighbors.h"
#include "suggestible-factory.h"

#include "ns3/abort.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nstime.h"
#include "ns3/queue-item.h"
#include "ns3/rail-capture.h"
#include "ns3/string.h"

#include <cmath>
#include <regex>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailHelper");

namespace
{

// Group index of standard single-mode fiber (G.652) at 1310 nm, from Corning's SMF-28 data sheet.
constexpr double GROUP_INDEX = 1.4676;
constexpr double METRES_A_SECOND = 299792458.0;

/** Fixes the random draws of the fibers that begin at a switch and end at another. */
int64_t
AssignStreamsBetweenSwitches(Ptr<ElectricalRailSwitch> railSwitch, int64_t stream)
{
    int64_t used = 0;
    for (uint32_t p = 0; p < railSwitch->GetPorts(); ++p)
    {
        const Ptr<ElectricalSwitchPort> port = railSwitch->GetPort(PortId(p));
        const Ptr<OpticalFiber> fiber = port->GetFiber();
        if (fiber && fiber->GetDevice(0) == port)
        {
            used += fiber->AssignStreams(stream + used);
        }
    }
    return used;
}

} // namespace

void
RailHelper::SetProfile(const std::string& profile)
{
    static const std::regex form("([1-9][0-9]{0,3})x([1-9][0-9]{0,5})");
    std::smatch match;
    NS_ABORT_MSG_UNLESS(std::regex_match(profile, match, form),
                        "RailHelper: \"" << profile
                                         << "\" is no port profile; write ports x Gb/s, such as "
                                            "1x400, 2x200 or 4x100");
    SetPorts(std::stoul(match[1]), DataRate(std::stoull(match[2]) * 1'000'000'000));
}

void
RailHelper::SetPorts(uint32_t portsPerGpu, DataRate rate)
{
    NS_ABORT_MSG_IF(portsPerGpu == 0, "RailHelper: a GPU needs at least 1 port on its rail");
    m_portsPerGpu = portsPerGpu;
    m_rate = rate;
}

DataRate
RailHelper::GetPortRate() const
{
    return m_rate ? *m_rate : CreateObject<RailNetDevice>()->GetDataRate();
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
RailHelper::SetQueueInterfaces(bool has)
{
    m_hasQueueInterfaces = has;
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
        SetCheckedAttribute(object, name, *value);
    }
}

void
RailHelper::SuggestSwitchAttribute(TypeId tid, const std::string& name, const AttributeValue& value)
{
    if (!IsDefaultSet(tid, name))
    {
        // before the user's attributes, which replace it
        m_switchAttributes.insert(m_switchAttributes.begin(), {name, value.Copy()});
    }
}

Rail
RailHelper::Install(const NodeContainer& gpus, RailId id) const
{
    NS_LOG_FUNCTION(this << gpus.GetN() << id);
    NS_ABORT_MSG_IF(gpus.GetN() == 0,
                    "RailHelper: rail " << id << " would join no nodes; give it at least 1");
    std::vector<uint32_t> processes;
    for (uint32_t g = 0; g < gpus.GetN(); ++g)
    {
        processes.insert(processes.end(), m_portsPerGpu, gpus.Get(g)->GetSystemId());
    }
    // the switch first: if it cannot have that many ports, the GPUs do not change
    Ptr<Node> railSwitch = CreateSwitch(processes);
    Rail rail(id, gpus, m_portsPerGpu, railSwitch);
    for (uint32_t g = 0; g < gpus.GetN(); ++g)
    {
        for (uint32_t p = 0; p < m_portsPerGpu; ++p)
        {
            Ptr<RailNetDevice> nic = CreateObject<RailNetDevice>();
            if (m_rate)
            {
                nic->SetAttribute("DataRate", DataRateValue(*m_rate));
            }
            SetAttributes(nic, m_nicAttributes);
            nic->SetAddress(Mac48Address::Allocate());
            if (m_hasQueueInterfaces)
            {
                nic->AggregateQueueInterface();
            }
            gpus.Get(g)->AddDevice(nic);
            Ptr<OpticalFiber> fiber = CreateObject<OpticalFiber>();
            SetAttributes(fiber, m_fiberAttributes);
            fiber->Attach(nic, AddSwitchPort(railSwitch));
            rail.Add(nic, fiber);
        }
    }
    FinishSwitch(rail);
    NS_LOG_INFO("rail " << id << " joins " << gpus.GetN() << " GPUs by " << m_portsPerGpu
                        << " ports each");
    return rail;
}

Rail
RailHelper::Install(Ptr<Node> gpu, RailId id) const
{
    return Install(NodeContainer(gpu), id);
}

Rail
RailHelper::Install(const std::string& gpu, RailId id) const
{
    return Install(FindNamedNode(gpu, "RailHelper"), id);
}

uint32_t
RailHelper::FindProcess(const std::vector<uint32_t>& processes)
{
    for (const uint32_t process : processes)
    {
        NS_ABORT_MSG_UNLESS(process == processes.front(),
                            "RailHelper: a switch joins a GPU on process "
                                << processes.front() << " and one on process " << process
                                << "; a switch and its GPUs are on one process, so create these "
                                   "GPUs with the same system id");
    }
    return processes.front();
}

void
RailHelper::FinishSwitch(Rail&) const
{
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
    const NetDeviceContainer nics = rail.GetNics();
    for (auto nic = nics.Begin(); nic != nics.End(); ++nic)
    {
        NS_ABORT_MSG_UNLESS((*nic)->GetNode()->GetObject<Ipv4>(),
                            "RailHelper::AssignIpv4: node "
                                << (*nic)->GetNode()->GetId()
                                << " has no IPv4; install InternetStackHelper on it first");
    }
    for (uint32_t n = 0; n < nics.GetN(); ++n)
    {
        if (!nics.Get(n)->GetObject<NetDeviceQueueInterface>())
        {
            DynamicCast<RailNetDevice>(nics.Get(n))->AggregateQueueInterface();
        }
    }
    const Ipv4Mask ipv4Mask(mask.c_str());
    // the first address is that of the network, the last one is for broadcasts
    const uint64_t room = (uint64_t{1} << (32 - ipv4Mask.GetPrefixLength())) - 1;
    NS_ABORT_MSG_UNLESS(nics.GetN() < room,
                        "RailHelper::AssignIpv4: the rail has "
                            << nics.GetN() << " NIC ports, and " << network << " with mask " << mask
                            << " has fewer addresses; use a mask with more");
    Ipv4AddressHelper addresses(network.c_str(), ipv4Mask);
    Ipv4InterfaceContainer interfaces = addresses.Assign(nics);
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
    const NodeContainer railSwitches = rail.GetSwitchNodes();
    for (auto railSwitch = railSwitches.Begin(); railSwitch != railSwitches.End(); ++railSwitch)
    {
        if (Ptr<OpticalCircuitSwitch> ocs = (*railSwitch)->GetObject<OpticalCircuitSwitch>())
        {
            used += ocs->AssignStreams(stream + used);
        }
        if (Ptr<ElectricalRailSwitch> electrical = (*railSwitch)->GetObject<ElectricalRailSwitch>())
        {
            used += electrical->AssignStreams(stream + used);
            used += AssignStreamsBetweenSwitches(electrical, stream + used);
        }
    }
    return used;
}

int64_t
RailHelper::AssignStreams(const std::vector<Rail>& rails, int64_t stream)
{
    int64_t used = 0;
    for (const Rail& rail : rails)
    {
        used += AssignStreams(rail, stream + used);
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
    else
    {
        NS_LOG_INFO("device " << nd << " is not a RailNetDevice: it is not captured");
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
    else
    {
        NS_LOG_INFO("device " << nd << " is not a RailNetDevice: it is not captured");
    }
}

} // namespace ns3
