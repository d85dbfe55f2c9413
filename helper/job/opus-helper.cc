/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-helper.h"

#include "job-feasibility.h"
#include "reconfiguration-estimate.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/co-scheduled-policy.h"
#include "ns3/enum.h"
#include "ns3/free-port.h"
#include "ns3/giant-rings.h"
#include "ns3/nstime.h"
#include "ns3/opus-broker.h"
#include "ns3/provisioned-policy.h"
#include "ns3/rail-links.h"
#include "ns3/simulation-processes.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** @return the address and port of an application; its port is fixed from now on */
OpusPeer
PeerOf(const ManagementNetwork& network, Ptr<OpusEndpoint> application)
{
    return {network.GetAddress(application->GetNode()), application->GetPort()};
}

/** The mask of the networks of control planes with a number. */
const Ipv4Mask NETWORK_MASK("255.255.0.0");

/** @return the network 10.x.0.0, x so many below 255 */
Ipv4Address
GetNetwork(uint32_t below)
{
    return Ipv4Address(10U << 24 | (255 - below) << 16);
}

/** Sets the port of an endpoint: its own, or the next one that no endpoint of the node has. */
void
TakeFreePort(Ptr<OpusEndpoint> endpoint, Ptr<Node> node)
{
    UintegerValue port;
    endpoint->GetAttribute("Port", port);
    port.Set(FindFreePort<OpusEndpoint>(NodeContainer(node), port.Get()));
    endpoint->SetAttribute("Port", port);
}

/** @return the default mode of shims for a policy */
OpusShimApp::Mode
GetModeFor(Ptr<CircuitPolicy> policy)
{
    return DynamicCast<ProvisionedPolicy>(policy)   ? OpusShimApp::PROVISIONED
           : DynamicCast<CoScheduledPolicy>(policy) ? OpusShimApp::CO_SCHEDULED
                                                    : OpusShimApp::ON_DEMAND;
}

} // namespace

OpusHelper::OpusHelper()
{
    m_shims.SetTypeId(OpusShimApp::GetTypeId());
    m_controllers.SetTypeId(OpusControllerApp::GetTypeId());
    m_agents.SetTypeId(OcsAgent::GetTypeId());
}

void
OpusHelper::SetShimAttribute(const std::string& name, const AttributeValue& value)
{
    m_shims.Set(name, value);
}

void
OpusHelper::SetControllerAttribute(const std::string& name, const AttributeValue& value)
{
    m_controllers.Set(name, value);
}

void
OpusHelper::SetAgentAttribute(const std::string& name, const AttributeValue& value)
{
    m_agents.Set(name, value);
}

void
OpusHelper::SuggestShimAttribute(const std::string& name, const AttributeValue& value)
{
    m_shims.Suggest(name, value);
}

void
OpusHelper::SuggestControllerAttribute(const std::string& name, const AttributeValue& value)
{
    m_controllers.Suggest(name, value);
}

void
OpusHelper::SuggestLimits(const OpusLimits& limits)
{
    SuggestControllerAttribute("ProgramLimit", TimeValue(limits.program));
    SuggestControllerAttribute("VoteLimit", TimeValue(limits.votes));
    SuggestControllerAttribute("PortLimit", TimeValue(limits.ports));
    SuggestControllerAttribute("TrafficLimit", TimeValue(limits.traffic));
    SuggestShimAttribute("GiveUpAfter", TimeValue(limits.givingUp));
}

void
OpusHelper::SetManagementNetwork(const ManagementNetworkHelper& network)
{
    m_network = network;
}

ManagementNetworkHelper&
OpusHelper::GetManagementNetwork()
{
    return m_network;
}

const ManagementNetworkHelper&
OpusHelper::GetManagementNetwork() const
{
    return m_network;
}

void
OpusHelper::SetForwarding(bool forwarding)
{
    m_forwarding = forwarding;
}

void
OpusHelper::SetHostNetwork(const std::optional<HostNetworkHelper>& network)
{
    m_hosts = network;
}

void
OpusHelper::SetNetworkNumber(uint32_t number)
{
    NS_ABORT_MSG_IF(number > MOST_PLANES,
                    "OpusHelper: control plane " << number
                                                 << " of a simulation; there are networks "
                                                 << "for " << MOST_PLANES << ", counted from 0");
    m_networkNumber = number;
}

void
OpusHelper::SetControllerNodes(const NodeContainer& nodes)
{
    m_controllerNodes = nodes;
}

void
OpusHelper::SetStandby(bool standby)
{
    m_standby = standby;
}

JobId
OpusHelper::AddJob(const std::vector<uint32_t>& ranks)
{
    m_jobs.push_back(ranks);
    return JobId(m_jobs.size() - 1);
}

std::shared_ptr<const Cabling>
OpusHelper::MakeCabling(const std::vector<Rail>& rails) const
{
    auto cabling = std::make_shared<Cabling>();
    const uint32_t ranks = rails.size() * rails[0].GetGpus();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t server = rank / rails.size();
        const Rail& rail = rails[rank % rails.size()];
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            cabling->Join(RankId(rank),
                          ServerId(server),
                          {RailId(rank % rails.size()), rail.GetSwitchPort(server, port)});
        }
    }
    for (uint32_t rail = 0; rail < rails.size(); ++rail)
    {
        if (const Ptr<OpticalCircuitSwitch> ocs = rails[rail].GetOpticalSwitch())
        {
            cabling->SetFabric(RailId(rail), ocs->FetchFabric());
        }
    }
    if (m_forwarding)
    {
        cabling->SetForwarding();
    }
    if (GetPolicyFactory().Create<CircuitPolicy>()->IsMultiHop())
    {
        cabling->SetMultiHop();
    }
    std::map<uint32_t, uint32_t> owners;
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        for (const uint32_t rank : m_jobs[job])
        {
            NS_ABORT_MSG_UNLESS(rank < ranks,
                                "OpusHelper: job " << job << " names rank " << rank
                                                   << ", and there are " << ranks
                                                   << ", counted from 0");
            const auto [owner, isNew] = owners.emplace(rank, job);
            NS_ABORT_MSG_UNLESS(isNew,
                                "OpusHelper: rank " << rank << " is of job " << owner->second
                                                    << " and of job " << job
                                                    << "; give each rank to one");
            cabling->Own(JobId(job), RankId(rank));
        }
    }
    return cabling;
}

ObjectFactory
OpusHelper::GetPolicyFactory() const
{
    ObjectFactoryValue policy;
    m_controllers.Create<OpusControllerApp>()->GetAttribute("Policy", policy);
    return policy.Get();
}

Ptr<CircuitPolicy>
OpusHelper::MakePolicy(std::shared_ptr<const Cabling> cabling) const
{
    return CircuitPolicy::Create(GetPolicyFactory(), std::move(cabling));
}

bool
OpusHelper::AllowsDetours() const
{
    return GetPolicyFactory().Create<CircuitPolicy>()->AllowsDetours();
}

bool
OpusHelper::UsesHints() const
{
    const Ptr<CircuitPolicy> policy = GetPolicyFactory().Create<CircuitPolicy>();
    SuggestibleFactory shims = m_shims;
    shims.Suggest("Mode", EnumValue(GetModeFor(policy)));
    return policy->NeedsControlPlane() &&
           shims.Create<OpusShimApp>()->GetMode() == OpusShimApp::CO_SCHEDULED;
}

std::string
OpusHelper::FindInfeasible(const JobPrograms& job,
                           uint32_t perServer,
                           uint32_t ports,
                           const CollectiveSettings& settings) const
{
    const uint32_t ranks = job.ranks.size();
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(ranks / perServer, perServer, ports));
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        cabling->Own(JobId(0), RankId(rank));
    }
    if (m_forwarding)
    {
        cabling->SetForwarding();
    }
    FeasibilityInputs inputs;
    inputs.perServer = perServer;
    inputs.hasScaleUp = m_forwarding;
    inputs.cabling = cabling;
    inputs.policy = MakePolicy(cabling);
    if (inputs.policy->IsMultiHop())
    {
        cabling->SetMultiHop();
    }
    inputs.settings = settings;
    inputs.hasHosts = m_hosts && inputs.policy->NeedsControlPlane();
    return ns3::FindInfeasible(job, inputs);
}

OpusControlPlane
OpusHelper::InstallNone(const std::vector<Rail>& rails) const
{
    OpusControlPlane plane;
    const Ptr<StandingCircuits> broker =
        CreateObject<StandingCircuits>(std::make_shared<const RailLinks>(rails, m_forwarding));
    plane.brokers.assign(rails.size() * rails[0].GetGpus(), broker);
    return plane;
}

Ptr<OpusControllerApp>
OpusHelper::MakeController(Ptr<Node> node,
                           const OpusControlPlane& plane,
                           const std::vector<Rail>& rails)
{
    const Ptr<OpusControllerApp> controller = m_controllers.Create<OpusControllerApp>();
    controller->SetCabling(plane.cabling);
    TakeFreePort(controller, node);
    SimulationProcesses::AddApplication(node, controller);
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        controller->AddShim(shim->GetJob(), shim->GetServer(), PeerOf(plane.network, shim));
    }
    for (uint32_t rail = 0; rail < plane.agents.size(); ++rail)
    {
        controller->AddAgent(RailId(rail), PeerOf(plane.network, plane.agents[rail]));
        const bool isWhole = rails[rail].GetOpticalSwitch()->FetchGranularity();
        if (isWhole || plane.cabling->FindFabric(RailId(rail)) != nullptr)
        {
            controller->AddWholeSwitch(RailId(rail));
        }
        if (plane.cabling->FindFabric(RailId(rail)) != nullptr)
        {
            // circuits may move, as nothing is in flight on the rail when it changes
            rails[rail].GetOpticalSwitch()->SetAttribute("Rearrange", BooleanValue(true));
        }
    }
    return controller;
}

void
OpusHelper::SuggestCosts(const std::vector<Rail>& rails)
{
    TimeValue latency;
    m_shims.Create<OpusShimApp>()->GetAttribute("HostLatency", latency);
    constexpr uint64_t DATAGRAM = 128; // bytes on a link, of a datagram with a pair
    m_shims.Suggest("ReconfigurationTime",
                    TimeValue(EstimateReconfiguration(rails,
                                                      latency.Get(),
                                                      m_network.GetRoundTrip(DATAGRAM, DATAGRAM))));
    if (m_hosts)
    {
        m_shims.Suggest("HostNetwork", BooleanValue(true));
        // the GPUs of a server share its link
        m_shims.Suggest("HostBytesPerSecond",
                        UintegerValue(m_hosts->GetRate().GetBitRate() / 8 / rails.size()));
        m_shims.Suggest("HostHopLatency", TimeValue(m_hosts->GetHopLatency()));
    }
}

void
OpusHelper::SuggestGatherTime(const std::vector<Rail>& rails)
{
    constexpr uint64_t REQUEST = 216; // bytes on a link, of a rank with two pairs
    const Time least = MilliSeconds(1);
    const uint64_t ranks = rails.size() * rails[0].GetGpus();
    const Time all = m_network.GetTransmissionTime(REQUEST * ranks);
    m_controllers.Suggest("GatherTime", TimeValue(std::max(least, all)));
}

void
OpusHelper::MakeShims(OpusControlPlane& plane, const std::vector<Rail>& rails)
{
    plane.brokers.resize(rails.size() * rails[0].GetGpus());
    const Ptr<CircuitPolicy> policy = MakePolicy(plane.cabling);
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        std::map<uint32_t, Ptr<OpusShimApp>> shims;
        const auto rings = std::make_shared<const GiantRings>(JobId(job), plane.cabling);
        for (const uint32_t rank : m_jobs[job])
        {
            const uint32_t server = rank / rails.size();
            Ptr<OpusShimApp>& shim = shims[server];
            if (!shim)
            {
                shim = m_shims.Create<OpusShimApp>();
                shim->SetJob(JobId(job));
                shim->SetServer(ServerId(server));
                shim->SetCabling(plane.cabling);
                shim->SetRings(rings);
                shim->SetPolicy(policy);
                TakeFreePort(shim, plane.servers.Get(server));
                SimulationProcesses::AddApplication(plane.servers.Get(server), shim);
                plane.shims.push_back(shim);
            }
            const Rail& rail = rails[rank % rails.size()];
            const Ptr<OpusBroker> broker = shim->MakeBroker(RankId(rank), rail.GetGpu(server));
            std::vector<Ptr<RailNetDevice>> ports;
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                ports.push_back(rail.GetNic(server, port));
            }
            broker->SetPorts(ports);
            plane.brokers[rank] = broker;
        }
    }
}

void
OpusHelper::MakeAgents(OpusControlPlane& plane, const std::vector<Rail>& rails)
{
    for (uint32_t rail = 0; rail < rails.size(); ++rail)
    {
        const Ptr<OcsAgent> agent = m_agents.Create<OcsAgent>();
        agent->SetRail(RailId(rail));
        TakeFreePort(agent, rails[rail].GetSwitchNode());
        SimulationProcesses::AddApplication(rails[rail].GetSwitchNode(), agent);
        plane.agents.push_back(agent);
    }
}

void
OpusHelper::ConnectAgents(const OpusControlPlane& plane, const std::vector<Rail>& rails) const
{
    std::map<std::pair<JobId, ServerId>, OpusPeer> shims;
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        shims[{shim->GetJob(), shim->GetServer()}] = PeerOf(plane.network, shim);
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        for (uint32_t rail = 0; rail < plane.agents.size(); ++rail)
        {
            shim->AddAgent(RailId(rail), PeerOf(plane.network, plane.agents[rail]));
        }
    }
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        for (const uint32_t rank : m_jobs[job])
        {
            const ServerId server = plane.cabling->GetServer(RankId(rank));
            for (const PortId port : plane.cabling->GetPorts(RankId(rank)))
            {
                plane.agents[rank % rails.size()]->AddShim(port, shims.at({JobId(job), server}));
            }
        }
    }
}

void
OpusHelper::SetTimeouts(const OpusControlPlane& plane) const
{
    // all ranks at once: three groups and a request of each, and then its grant
    constexpr uint64_t DATAGRAM = 256; // bytes on a link, of a datagram with a pair or two
    const uint64_t ranks = plane.brokers.size();
    const Time least = OpusChannelSettings().retransmitAfter;
    const Time burst = m_network.GetRoundTrip(4 * DATAGRAM * ranks, DATAGRAM * ranks);
    std::vector<Ptr<Application>> endpoints{plane.controller};
    endpoints.insert(endpoints.end(), plane.shims.begin(), plane.shims.end());
    endpoints.insert(endpoints.end(), plane.agents.begin(), plane.agents.end());
    if (plane.standby)
    {
        endpoints.emplace_back(plane.standby);
    }
    for (const Ptr<Application>& endpoint : endpoints)
    {
        TimeValue after;
        endpoint->GetAttribute("RetransmitAfter", after);
        if (after.Get() == least)
        {
            endpoint->SetAttribute("RetransmitAfter", TimeValue(std::max(least, burst)));
        }
    }
}

OpusControlPlane
OpusHelper::Install(const std::vector<Rail>& rails, const NodeContainer& servers)
{
    NS_ABORT_MSG_IF(rails.empty(), "OpusHelper: there are no rails");
    if (m_jobs.empty())
    {
        m_jobs.resize(1);
        m_jobs[0].resize(rails.size() * rails[0].GetGpus());
        std::iota(m_jobs[0].begin(), m_jobs[0].end(), 0);
    }
    const std::shared_ptr<const Cabling> cabling = MakeCabling(rails);
    const Ptr<CircuitPolicy> policy = MakePolicy(cabling);
    if (!policy->NeedsControlPlane())
    {
        return InstallNone(rails);
    }
    OpusControlPlane plane;
    plane.cabling = cabling;
    NodeContainer railSwitches;
    for (const Rail& rail : rails)
    {
        NS_ABORT_MSG_UNLESS(rail.GetOpticalSwitch(),
                            "OpusHelper: rail "
                                << rail.GetId() << " has no optical switch, which policy \""
                                << GetPolicyAliases().GetNameOf(policy->GetInstanceTypeId())
                                << "\" needs; use PhotonicRailHelper, or the "
                                   "policy electrical");
        railSwitches.Add(rail.GetSwitchNode());
    }
    plane.servers = servers;
    if (servers.GetN() == 0)
    {
        plane.servers.Create(rails[0].GetGpus());
    }
    NS_ABORT_MSG_UNLESS(plane.servers.GetN() == rails[0].GetGpus(),
                        "OpusHelper: there are " << servers.GetN() << " servers, and each rail has "
                                                 << rails[0].GetGpus() << " GPUs, one of each");
    NodeContainer controllers = m_controllerNodes;
    const uint32_t needed = m_standby ? 2 : 1;
    while (controllers.GetN() < needed)
    {
        controllers.Create(1);
    }
    ManagementNetworkHelper management = m_network;
    if (m_networkNumber > 0)
    {
        management.SetNetwork(GetNetwork(2 * m_networkNumber), NETWORK_MASK);
    }
    plane.network = management.Install(NodeContainer(plane.servers, railSwitches, controllers));
    m_shims.Suggest("Mode", EnumValue(GetModeFor(policy)));
    SuggestCosts(rails);
    SuggestGatherTime(rails);
    MakeShims(plane, rails);
    MakeAgents(plane, rails);
    ConnectAgents(plane, rails);
    plane.controller = MakeController(controllers.Get(0), plane, rails);
    const OpusPeer inCharge = PeerOf(plane.network, plane.controller);
    if (m_standby)
    {
        plane.standby = MakeController(controllers.Get(1), plane, rails);
        plane.controller->SetStandby(PeerOf(plane.network, plane.standby));
        plane.standby->SetStandbyOf(inCharge);
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        shim->SetController(inCharge);
    }
    SetTimeouts(plane);
    return plane;
}

HostNetwork
OpusHelper::InstallHosts(const OpusControlPlane& plane, CollectiveHelper& collectives) const
{
    HostNetwork network;
    if (m_hosts && plane.controller)
    {
        HostNetworkHelper hosts = *m_hosts;
        if (m_networkNumber > 0)
        {
            hosts.SetNetwork(GetNetwork(2 * m_networkNumber - 1), NETWORK_MASK);
        }
        network = hosts.Install(plane.servers);
        collectives.SetHostNetwork(network);
        collectives.SuggestAttribute("MayUseHost", BooleanValue(true));
    }
    return network;
}

int64_t
OpusHelper::AssignStreams(const OpusControlPlane& plane, int64_t stream)
{
    return plane.AssignStreams(stream);
}

} // namespace ns3
