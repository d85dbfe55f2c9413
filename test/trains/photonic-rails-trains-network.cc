/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-network.h"

#include "ns3/boolean.h"
#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/electrical-switch-port.h"
#include "ns3/frame-loss.h"
#include "ns3/mac48-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-helper.h"
#include "ns3/rdma-engine.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t FIRST_STREAM = 100; //!< of random numbers

/** Gives an engine the settings of the next queue pair. */
void
Adjust(Ptr<RdmaEngine> engine, const TrainsScenario::Settings& settings)
{
    static const char* const names[]{"none", "static-window", "dcqcn"};
    ObjectFactory congestion =
        GetCongestionControlAliases().MakeFactory(names[settings.congestion]);
    if (settings.congestion == TrainsScenario::STATIC_WINDOW)
    {
        congestion.Set("Window", UintegerValue(settings.window));
    }
    engine->SetAttribute("DataClass", UintegerValue(settings.dataClass));
    engine->SetAttribute("AckClass", UintegerValue(settings.ackClass));
    engine->SetAttribute("CnpClass", UintegerValue(settings.cnpClass));
    engine->SetAttribute("AckEvery", UintegerValue(settings.ackEvery));
    engine->SetAttribute("TimeoutExponent", UintegerValue(settings.timeoutExponent));
    engine->SetAttribute("RetryLimit", UintegerValue(settings.retryLimit));
    engine->SetAttribute("DarkLimit", TimeValue(ToTime(settings.darkLimit)));
    engine->SetAttribute("CongestionControl", ObjectFactoryValue(congestion));
}

} // namespace

TrainsNetwork::TrainsNetwork(const TrainsScenario& scenario)
    : m_scenario(scenario)
{
}

TrainsNetwork::~TrainsNetwork() = default;

void
TrainsNetwork::Build(const std::string& captures, CarrierListener listener)
{
    BuildRail(captures, listener);
    BuildQueuePairs();
}

void
TrainsNetwork::LetGo()
{
    m_rail = Rail();
    m_ocs = nullptr;
}

void
TrainsNetwork::BuildRail(const std::string& captures, CarrierListener listener)
{
    const TrainsScenario& s = m_scenario;
    m_rail = InstallRail();
    m_ocs = s.packetSwitch ? nullptr : m_rail.GetOpticalSwitch();
    for (uint32_t p = 0; p < s.GetPorts(); ++p)
    {
        const std::string address =
            "00:00:5e:00:53:" + std::string(p < 10 ? "0" : "1") + std::to_string(p % 10);
        Nic(p)->SetAddress(Mac48Address(address.c_str()));
        Nic(p)->SetAttribute("DataRate", DataRateValue(DataRate(s.rates[p])));
        if (s.packetSwitch)
        {
            const Ptr<ElectricalSwitchPort> port =
                ElectricalRailHelper::GetSwitchPort(m_rail, p / s.portsPerGpu, p % s.portsPerGpu);
            port->SetAttribute("DataRate", DataRateValue(DataRate(s.rates[p])));
            ForwardingTable& table = port->GetSwitch()->GetTable();
            table.Add(Mac48Address(address.c_str()), table.AddRoute({port->GetPortId()}));
        }
        Nic(p)->TraceConnect("Carrier", std::to_string(p), listener);
        Fiber(p)->SetAttribute("Delay", TimeValue(ToTime(s.fibers[p])));
        Fiber(p)->SetAttribute("FrameLossRate", DoubleValue(s.losses[p]));
        if (s.capture && !captures.empty())
        {
            PhotonicRailHelper().EnablePcap(CaptureName(captures, p), Nic(p), s.promiscuous, true);
        }
    }
    RailHelper::AssignStreams(m_rail, FIRST_STREAM);
    if (s.packetSwitch)
    {
        SizePacketSwitch();
        return;
    }
    for (const auto& [a, b] : s.circuits)
    {
        m_ocs->Connect(PortId(a), PortId(b));
    }
}

Rail
TrainsNetwork::InstallRail() const
{
    const TrainsScenario& s = m_scenario;
    if (s.packetSwitch)
    {
        ElectricalRailHelper helper;
        helper.SetRadix(0);
        helper.SetPorts(s.portsPerGpu, DataRate(s.rates[0]));
        helper.SetSwitchAttribute("SwitchingDelay", TimeValue(ToTime(s.propagation)));
        helper.SetSwitchAttribute(
            "Forwarding",
            StringValue(s.packetSwitch->cutThrough ? "CutThrough" : "StoreAndForward"));
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(s.packetSwitch->kmin));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(4 * s.packetSwitch->kmin));
        helper.SetSwitchAttribute("LosslessClasses", UintegerValue(s.packetSwitch->lossless));
        helper.SetSwitchAttribute("PauseQuanta", UintegerValue(s.packetSwitch->quanta));
        if (!s.linkUpTime.empty())
        {
            helper.SetNicAttribute("LinkUpTime", StringValue(s.linkUpTime));
        }
        return helper.Install(NodeContainer(s.gpus));
    }
    PhotonicRailHelper helper;
    helper.SetPorts(s.portsPerGpu, DataRate(s.rates[0]));
    helper.SetReconfigurationTime(ToTime(s.reconfiguration));
    helper.SetSwitchAttribute("PropagationDelay", TimeValue(ToTime(s.propagation)));
    if (!s.fabric.empty())
    {
        helper.SetSwitchAttribute("Fabric", StringValue(s.fabric));
        helper.SetSwitchAttribute("Rearrange", BooleanValue(s.rearranges));
    }
    helper.SetSwitchAttribute("Granularity",
                              StringValue(s.wholeSwitch ? "WholeSwitch" : "PerPort"));
    helper.SetSwitchAttribute("WhenReconfiguring",
                              StringValue(s.refuseWhenReconfiguring ? "Refuse" : "Queue"));
    if (!s.linkUpTime.empty())
    {
        helper.SetNicAttribute("LinkUpTime", StringValue(s.linkUpTime));
    }
    return helper.Install(NodeContainer(s.gpus));
}

void
TrainsNetwork::SizePacketSwitch() const
{
    const Ptr<ElectricalRailSwitch> packetSwitch =
        ElectricalRailHelper::GetSwitchPort(m_rail, 0, 0)->GetSwitch();
    uint64_t headroom = 0;
    for (uint32_t p = 0; p < packetSwitch->GetPorts(); ++p)
    {
        headroom += packetSwitch->GetHeadroom(PortId(p));
    }
    const uint64_t classes = __builtin_popcount(m_scenario.packetSwitch->lossless);
    const uint64_t pool = m_scenario.packetSwitch->pool;
    packetSwitch->SetAttribute("BufferSize",
                               UintegerValue(classes * headroom + (pool == 0 ? 32'000'000 : pool)));
}

RdmaHelper
TrainsNetwork::MakeRdmaHelper() const
{
    RdmaHelper helper;
    helper.SetAttribute("Mtu", UintegerValue(m_scenario.mtu));
    helper.SetAttribute("SelectiveRepeat", BooleanValue(m_scenario.selectiveRepeat));
    helper.SetAttribute("InitialPsn", UintegerValue(m_scenario.initialPsn));
    return helper;
}

void
TrainsNetwork::Equip(uint32_t gpu) const
{
    if (!m_rail.GetGpu(gpu)->GetObject<RdmaEngine>())
    {
        MakeRdmaHelper().Install(m_rail.GetGpu(gpu));
    }
}

void
TrainsNetwork::BuildQueuePairs()
{
    const std::vector<uint32_t>& bare = m_scenario.bareGpus;
    NodeContainer nodes;
    for (uint32_t g = 0; g < m_scenario.gpus; ++g)
    {
        if (std::find(bare.begin(), bare.end(), g) == bare.end())
        {
            nodes.Add(m_rail.GetGpu(g));
        }
    }
    MakeRdmaHelper().Install(nodes);
    for (uint32_t q = 0; q < m_scenario.queuePairs.size(); ++q)
    {
        const TrainsScenario::QueuePair& pair = m_scenario.queuePairs[q];
        for (uint32_t end = 0; end < 2; ++end)
        {
            Adjust(m_rail.GetGpu(pair.gpu[end])->GetObject<RdmaEngine>(), pair.settings[end]);
        }
        const auto [here, there] =
            RdmaEngine::Connect(m_rail.GetGpu(pair.gpu[0]), m_rail.GetGpu(pair.gpu[1]), pair.ports);
        m_pairs.push_back({here, there});
    }
}

Ptr<RailNetDevice>
TrainsNetwork::Nic(uint32_t port) const
{
    return m_rail.GetNic(port / m_scenario.portsPerGpu, port % m_scenario.portsPerGpu);
}

Ptr<OpticalFiber>
TrainsNetwork::Fiber(uint32_t port) const
{
    return m_rail.GetFiber(port / m_scenario.portsPerGpu, port % m_scenario.portsPerGpu);
}

std::string
TrainsNetwork::CaptureName(const std::string& folder, uint32_t port) const
{
    return folder + "/trains-" + std::to_string(m_scenario.seed) + "-" + std::to_string(port) +
           ".pcap";
}

std::vector<uint64_t>
TrainsNetwork::ListLost(uint32_t port, uint32_t way) const
{
    const Ptr<OpticalFiber> fiber = Fiber(port);
    const Ptr<RailNetDevice> nic = Nic(port);
    const FiberEnd* from = way == 0 ? static_cast<const FiberEnd*>(PeekPointer(nic))
                                    : PeekPointer(fiber->GetPeer(PeekPointer(nic)));
    std::vector<uint64_t> lost;
    if (m_scenario.losses[port] > 0)
    {
        const uint64_t seed = uint64_t{RngSeedManager::GetSeed()} << 32 ^ RngSeedManager::GetRun();
        // each port has a stream for its NIC and two for its fiber
        const FrameLoss loss(seed, FIRST_STREAM + 3 * port + 1 + way, m_scenario.losses[port]);
        const uint64_t sent = fiber->GetCounters(from).sent;
        for (uint64_t i = 0; i < sent; ++i)
        {
            if (loss.IsLost(i))
            {
                lost.push_back(i);
            }
        }
    }
    return lost;
}

} // namespace ns3
