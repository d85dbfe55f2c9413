/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/forwarding-transport.h"
#include "ns3/own-random-variable.h"
#include "ns3/pointer.h"
#include "ns3/rdma-transport.h"
#include "ns3/scale-up-helper.h"
#include "ns3/uinteger.h"

namespace ns3
{

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
CollectiveHelper::AddScaleUp(Ptr<CollectiveApplication> application,
                             Ptr<ScaleUpTransport> inside,
                             Ptr<Transport> rail)
{
    const Ptr<ForwardingTransport> both = CreateObject<ForwardingTransport>();
    const std::shared_ptr<const RailLinks> links = m_links;
    const RankId rank = application->GetRank();
    both->Join(inside, rail, [links, rank](RankId to) { return links->GetRelay(rank, to); });
    application->SetRail(both);
    application->SetScaleUp(both);
    m_forwarders.push_back(both);
}

uint64_t
CollectiveHelper::GetForwardedBytes() const
{
    uint64_t bytes = 0;
    for (const Ptr<ForwardingTransport>& forwarder : m_forwarders)
    {
        bytes += forwarder->GetForwardedBytes();
    }
    return bytes;
}

ApplicationContainer
CollectiveHelper::Install(const Rail& rail)
{
    return Install(std::vector<Rail>{rail});
}

ApplicationContainer
CollectiveHelper::Install(const std::vector<Rail>& rails)
{
    NS_ABORT_MSG_IF(m_links, "CollectiveHelper: a helper makes the applications of one job, once");
    auto links = std::make_shared<const RailLinks>(rails, !m_domains.empty());
    m_links = links;
    NS_ABORT_MSG_UNLESS(m_domains.empty() || m_domains.size() == rails[0].GetGpus(),
                        "CollectiveHelper: there are fabrics for "
                            << m_domains.size() << " servers, and each rail joins "
                            << rails[0].GetGpus() << " GPUs, one of each server");
    NS_ABORT_MSG_UNLESS(!m_hasHosts || m_hosts.endpoints.size() == rails[0].GetGpus(),
                        "CollectiveHelper: the hosts' network joins "
                            << m_hosts.endpoints.size() << " servers, and each rail "
                            << rails[0].GetGpus() << " GPUs, one of each server");
    std::vector<Ptr<ScaleUpTransport>> inside = ScaleUpHelper::MakeTransports(m_domains);
    const uint32_t ports = rails[0].GetPortsPerGpu();
    m_factory.Suggest("Channels", UintegerValue(ports));
    const uint64_t rate = rails[0].GetNic(0)->GetDataRate().GetBitRate();
    m_factory.Suggest("BytesPerSecond", UintegerValue(ports * rate / 8));
    NS_ABORT_MSG_UNLESS(m_brokers.empty() || m_brokers.size() == links->GetRanks(),
                        "CollectiveHelper: there are brokers for "
                            << m_brokers.size() << " ranks, and rails join " << links->GetRanks());
    if (!m_broker && m_brokers.empty())
    {
        m_broker = CreateObject<StandingCircuits>(links);
        if (!IsDefaultSet(StandingCircuits::GetTypeId(), "HostNetwork"))
        {
            m_broker->SetAttribute("HostNetwork", BooleanValue(m_hasHosts));
        }
    }
    const Ptr<CollectiveLedger> ledger = Create<CollectiveLedger>();
    const Ptr<BootstrapNetwork> bootstrap = Create<BootstrapNetwork>();
    const Ptr<RankDirectory> directory = Create<RankDirectory>();
    for (uint32_t rank = 0; rank < links->GetRanks(); ++rank)
    {
        const Ptr<Node> node = links->GetNode(RankId(rank));
        NS_ABORT_MSG_UNLESS(node->GetObject<RdmaEngine>(),
                            "CollectiveHelper: the node of rank "
                                << rank << " has no RdmaEngine; install one with RdmaHelper");
        const Ptr<RdmaTransport> rail = CreateObject<RdmaTransport>(RankId(rank), node, directory);
        directory->Add(rail);
        const Ptr<CollectiveApplication> application = m_factory.Create<CollectiveApplication>();
        application->SetRank(RankId(rank));
        if (inside.empty())
        {
            application->SetRail(rail);
        }
        else
        {
            AddScaleUp(application, inside[rank], rail);
        }
        if (m_hasHosts)
        {
            application->SetHostNetwork(
                m_hosts.Join(RankId(rank), links->GetPlace(RankId(rank)), node));
        }
        application->SetBroker(m_brokers.empty() ? m_broker : m_brokers[rank]);
        application->SetLedger(ledger);
        application->SetBootstrap(bootstrap);
        bootstrap->Add(node->GetId(),
                       MakeCallback(&CollectiveApplication::HandleChoice, application));
        node->AddApplication(application);
        m_applications.Add(application);
    }
    return m_applications;
}

std::shared_ptr<const CommunicationGroup>
CollectiveHelper::MakeGroup(const std::string& name,
                            const std::vector<uint32_t>& ranks,
                            uint32_t perServer)
{
    std::vector<RankId> ids;
    for (const uint32_t rank : ranks)
    {
        NS_ABORT_MSG_UNLESS(rank < m_applications.GetN(),
                            "CollectiveHelper: group \""
                                << name << "\" names rank " << rank << ", and there are "
                                << m_applications.GetN() << ", counted from 0");
        ids.emplace_back(rank);
    }
    return std::make_shared<const CommunicationGroup>(GroupId(m_groups++), name, ids, perServer);
}

void
CollectiveHelper::SetProgram(uint32_t rank,
                             std::shared_ptr<const RankProgram> program,
                             const CollectiveApplication::Groups& groups)
{
    Get(rank)->SetProgram(std::move(program), groups);
}

void
CollectiveHelper::Call(const std::shared_ptr<const CommunicationGroup>& group,
                       CollectiveKind kind,
                       uint64_t bytes,
                       const std::string& algorithm)
{
    auto program = std::make_shared<RankProgram>();
    program->Collective(0, 0, kind, bytes, algorithm);
    for (const RankId rank : group->GetRanks())
    {
        SetProgram(rank.Get(), program, {group});
    }
}

Ptr<CollectiveApplication>
CollectiveHelper::Get(uint32_t rank) const
{
    NS_ABORT_MSG_UNLESS(rank < m_applications.GetN(),
                        "CollectiveHelper: there is no rank " << rank << "; Install() made "
                                                              << m_applications.GetN());
    return DynamicCast<CollectiveApplication>(m_applications.Get(rank));
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

std::shared_ptr<const RailLinks>
CollectiveHelper::GetLinks() const
{
    return m_links;
}

} // namespace ns3
