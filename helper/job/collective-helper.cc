/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/bootstrap-network.h"
#include "ns3/collective-application.h"
#include "ns3/collective-ledger.h"
#include "ns3/forwarding-transport.h"
#include "ns3/intra-node-memory.h"
#include "ns3/intra-node-operations.h"
#include "ns3/log.h"
#include "ns3/multi-hop-transport.h"
#include "ns3/operation-memo.h"
#include "ns3/own-random-variable.h"
#include "ns3/pointer.h"
#include "ns3/rail-links.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-transport.h"
#include "ns3/scale-up-helper.h"
#include "ns3/scale-up-transport.h"
#include "ns3/simulation-processes.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveHelper");

namespace
{

/**
 * @return as many channels as ports, or twice as many if half of an odd number are to go round a
 * ring the other way; one port is on no ring
 */
uint32_t
GetChannelsFor(uint32_t ports)
{
    return ports > 1 && ports % 2 != 0 ? 2 * ports : ports;
}

/** Sets the attributes that follow from the ports of a GPU. */
void
SuggestPorts(SuggestibleFactory& factory, uint32_t ports)
{
    factory.Suggest("Channels", UintegerValue(GetChannelsFor(ports)));
    factory.Suggest("Ports", UintegerValue(ports));
}

/**
 * Connects a rank to the scale-up fabric of its server.
 * @param rail its own rail
 * @return its transport, which forwards messages of the other ranks of the server
 */
Ptr<ForwardingTransport>
JoinScaleUp(Ptr<CollectiveApplication> application,
            Ptr<ScaleUpTransport> inside,
            Ptr<Transport> rail)
{
    const Ptr<ForwardingTransport> both = CreateObject<ForwardingTransport>();
    both->Join(inside, rail);
    application->SetRail(both);
    application->SetScaleUp(both);
    return both;
}

/** @return by rank: whether it is in this process */
std::vector<bool>
ListHere(const RailLinks& links)
{
    std::vector<bool> here;
    for (uint32_t rank = 0; rank < links.GetRanks(); ++rank)
    {
        here.push_back(SimulationProcesses::IsHere(links.GetNode(RankId(rank))));
    }
    return here;
}

/** @return by rank: what works out operations of its server as one; null: it is on several
 * processes, and they go by messages */
std::vector<Ptr<IntraNodeFabric>>
MakeIntraNode(const std::vector<Ptr<ScaleUpDomain>>& domains)
{
    const Ptr<IntraNodeMemory> memory = Create<IntraNodeMemory>();
    std::vector<Ptr<IntraNodeFabric>> byRank;
    for (const Ptr<ScaleUpDomain>& domain : domains)
    {
        if (domain->IsSplit())
        {
            byRank.insert(byRank.end(), domain->GetMembers(), nullptr);
            continue;
        }
        const Ptr<IntraNodeOperations> operations = CreateObject<IntraNodeOperations>();
        operations->SetFabric(domain, RankId(byRank.size()), memory);
        byRank.insert(byRank.end(), domain->GetMembers(), operations);
    }
    return byRank;
}

} // namespace

CollectiveHelper::CollectiveHelper()
{
    m_factory.SetTypeId(CollectiveApplication::GetTypeId());
}

void
CollectiveHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
CollectiveHelper::SuggestAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Suggest(name, value);
}

void
CollectiveHelper::SetTimes(const CollectiveTimes& times)
{
    const auto set = [this](const std::string& name, Time time) {
        if (time.IsStrictlyPositive())
        {
            SetAttribute(name, TimeValue(time));
        }
    };
    for (const auto& [kind, network] : {std::pair(TransportKind::RAIL, std::string("Rail")),
                                        std::pair(TransportKind::SCALE_UP, std::string("ScaleUp")),
                                        std::pair(TransportKind::HOST, std::string("Host"))})
    {
        const TransportTimes& its = times.Get(kind);
        set(network + "StartTime", its.start);
        set(network + "StepTime", its.step);
        set(network + "MessageTime", its.message);
    }
}

void
CollectiveHelper::SetBroker(Ptr<CircuitBroker> broker)
{
    m_broker = broker;
}

void
CollectiveHelper::SetBrokers(const std::vector<Ptr<CircuitBroker>>& brokers)
{
    m_brokers = brokers;
}

void
CollectiveHelper::SetMultiHop(bool multiHop)
{
    m_multiHop = multiHop;
}

void
CollectiveHelper::SetReceiptLatency(Time latency)
{
    m_receiptLatency = latency;
}

void
CollectiveHelper::SetScaleUp(const std::vector<Ptr<ScaleUpDomain>>& domains)
{
    m_domains = domains;
}

void
CollectiveHelper::SetHostNetwork(const HostNetwork& network)
{
    m_hosts = network;
    m_hasHosts = true;
}

void
CollectiveHelper::RequireMatch(const RailLinks& links, const std::vector<Rail>& rails) const
{
    NS_ABORT_MSG_UNLESS(m_domains.empty() || m_domains.size() == rails[0].GetGpus(),
                        "CollectiveHelper: there are fabrics for "
                            << m_domains.size() << " servers, and each rail joins "
                            << rails[0].GetGpus() << " GPUs, one of each server");
    NS_ABORT_MSG_UNLESS(!m_hasHosts || m_hosts.endpoints.size() == rails[0].GetGpus(),
                        "CollectiveHelper: the hosts' network joins "
                            << m_hosts.endpoints.size() << " servers, and each rail "
                            << rails[0].GetGpus() << " GPUs, one of each server");
    NS_ABORT_MSG_UNLESS(m_brokers.empty() || m_brokers.size() == links.GetRanks(),
                        "CollectiveHelper: there are brokers for "
                            << m_brokers.size() << " ranks, and rails join " << links.GetRanks());
}

Ptr<CircuitBroker>
CollectiveHelper::MakeBroker(const std::shared_ptr<const RailLinks>& links) const
{
    const Ptr<CircuitBroker> broker = CreateObject<StandingCircuits>(links);
    if (!IsDefaultSet(StandingCircuits::GetTypeId(), "HostNetwork"))
    {
        broker->SetAttribute("HostNetwork", BooleanValue(m_hasHosts));
    }
    return broker;
}

CollectiveSettings
CollectiveHelper::MakeSettings(uint32_t ports) const
{
    SuggestibleFactory factory = m_factory;
    SuggestPorts(factory, ports);
    return factory.Create<CollectiveApplication>()->MakeSettings();
}

Ptr<CollectiveJob>
CollectiveHelper::Install(const Rail& rail) const
{
    return Install(std::vector<Rail>{rail});
}

Ptr<CollectiveJob>
CollectiveHelper::Install(const std::vector<Rail>& rails) const
{
    NS_LOG_FUNCTION(this << rails.size());
    const auto links = std::make_shared<RailLinks>(rails, !m_domains.empty());
    links->SetMultiHop(m_multiHop);
    RequireMatch(*links, rails);
    const std::vector<Ptr<ScaleUpTransport>> inside = ScaleUpHelper::MakeTransports(m_domains);
    const uint32_t ports = rails[0].GetPortsPerGpu();
    const uint64_t rate = rails[0].GetNic(0)->GetDataRate().GetBitRate();
    SuggestibleFactory factory = m_factory;
    SuggestPorts(factory, ports);
    factory.Suggest("BytesPerSecond", UintegerValue(ports * rate / 8));
    if (!m_domains.empty())
    {
        factory.Suggest("IntraNodeBytesPerSecond",
                        UintegerValue(m_domains[0]->GetPortRate().GetBitRate() / 8));
    }
    const Ptr<CircuitBroker> common = m_broker || !m_brokers.empty() ? m_broker : MakeBroker(links);
    const Ptr<CollectiveLedger> ledger = Create<CollectiveLedger>();
    if (SimulationProcesses::GetNumber() > 1)
    {
        ledger->SetHere(ListHere(*links));
    }
    const Ptr<BootstrapNetwork> bootstrap = Create<BootstrapNetwork>();
    if (SimulationProcesses::GetNumber() > 1)
    {
        bootstrap->Split(MakeSettings(ports).bootstrapLatency);
    }
    const Ptr<RankDirectory> directory = Create<RankDirectory>();
    if (std::any_of(rails.begin(), rails.end(), [](const Rail& rail) { return rail.IsSplit(); }))
    {
        directory->Split();
    }
    const Ptr<OperationMemo> memo = Create<OperationMemo>(directory);
    const Ptr<CollectiveJob> job = Create<CollectiveJob>(links, memo);
    const std::vector<Ptr<IntraNodeFabric>> intraNode = MakeIntraNode(m_domains);
    for (uint32_t rank = 0; rank < links->GetRanks(); ++rank)
    {
        const Ptr<Node> node = links->GetNode(RankId(rank));
        NS_ABORT_MSG_UNLESS(node->GetObject<RdmaEngine>(),
                            "CollectiveHelper: the node of rank "
                                << rank << " has no RdmaEngine; install one with RdmaHelper");
        const Ptr<RdmaTransport> nic = CreateObject<RdmaTransport>(RankId(rank), node, directory);
        if (m_receiptLatency.IsStrictlyPositive())
        {
            nic->SetAttribute("ReceiptLatency", TimeValue(m_receiptLatency));
        }
        directory->Add(nic);
        const Ptr<MultiHopTransport> rail = CreateObject<MultiHopTransport>();
        rail->Join(RankId(rank), nic);
        const Ptr<CollectiveApplication> application = factory.Create<CollectiveApplication>();
        application->SetRank(RankId(rank));
        Ptr<ForwardingTransport> forwarder;
        if (inside.empty())
        {
            application->SetRail(rail);
        }
        else
        {
            forwarder = JoinScaleUp(application, inside[rank], rail);
            application->SetIntraNode(intraNode[rank]);
        }
        if (m_hasHosts)
        {
            application->SetHostNetwork(
                m_hosts.Join(RankId(rank), links->GetPlace(RankId(rank)), node));
        }
        application->SetBroker(m_brokers.empty() ? common : m_brokers[rank]);
        application->SetLedger(ledger);
        application->SetBootstrap(bootstrap);
        application->SetMemo(memo);
        bootstrap->Add(node->GetId(),
                       MakeCallback(&CollectiveApplication::HandleChoice, application),
                       MakeCallback(&CollectiveApplication::HandleCall, application));
        SimulationProcesses::AddApplication(node, application);
        job->Add(application, rail, forwarder);
    }
    NS_LOG_INFO("a job of " << links->GetRanks() << " ranks on " << rails.size() << " rails");
    return job;
}

int64_t
CollectiveHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    int64_t used = 0;
    for (auto one = applications.Begin(); one != applications.End(); ++one)
    {
        if (const auto application = DynamicCast<CollectiveApplication>(*one))
        {
            PointerValue factor;
            application->GetAttribute("ComputeFactor", factor);
            const auto shared = factor.Get<RandomVariableStream>(); // if a factory has set it
            application->SetAttribute("ComputeFactor", PointerValue(OwnCopyOf(shared)));
            used += application->AssignComputeStream(stream + used);
        }
    }
    return used;
}

} // namespace ns3
