/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-attribute-job.h"

#include "ns3/channel-list.h"
#include "ns3/collective-application.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-job.h"
#include "ns3/communication-group.h"
#include "ns3/config.h"
#include "ns3/controller-core.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/host-network-helper.h"
#include "ns3/mac48-address.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/operation-record.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-endpoint.h"
#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-client-application.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstddef>
#include <map>
#include <memory>

namespace ns3
{

AttributeJob::AttributeJob(Rails rails)
    : m_middle(rails)
{
    Config::SetDefault("ns3::OpticalCircuitSwitch::ReconfigurationTime",
                       StringValue("ns3::ConstantRandomVariable[Constant=0.0001]"));
    // one operation goes over the network of the hosts: reconfiguration seems to take too long
    Config::SetDefault("ns3::OpusShimApp::ReconfigurationTime", StringValue("10ms"));
    Config::SetDefault("ns3::OpusShimApp::HostBytesPerSecond", StringValue("10000000000"));
    // a frame each, whatever attributes of RDMA change once the queue pair is made
    Config::SetDefault("ns3::RdmaClientApplication::MessageSize", StringValue("1000"));
    Config::SetDefault("ns3::RdmaClientApplication::Messages", StringValue("2"));
}

AttributeJob::~AttributeJob() = default;

std::string
AttributeJob::Run()
{
    Build();
    Simulator::Run();
    return Describe();
}

std::string
AttributeJob::Run(const std::string& attribute, const std::string& value, When when)
{
    const std::size_t colons = attribute.rfind("::");
    m_type = TypeId::LookupByName(attribute.substr(0, colons));
    m_name = attribute.substr(colons + 2);
    m_value = value;
    if (when == When::BEFORE)
    {
        Config::SetDefault(attribute, StringValue(value));
    }
    Build();
    if (when == When::INSTALLED)
    {
        Set();
    }
    if (when == When::RUNNING)
    {
        Simulator::Schedule(PicoSeconds(1), &AttributeJob::Set, this);
    }
    Simulator::Run();
    return Describe();
}

void
AttributeJob::Build()
{
    m_gpus.Create(8);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    m_rails =
        m_middle == OPTICAL ? photonic.InstallRails(m_gpus, 2) : electrical.InstallRails(m_gpus, 2);
    RdmaHelper().Install(m_gpus);
    const std::vector<Ptr<ScaleUpDomain>> domains = ScaleUpHelper().Install(m_gpus, 2);
    m_objects.insert(m_objects.end(), domains.begin(), domains.end());
    NodeContainer servers(4);
    CollectiveHelper collectives;
    collectives.SetScaleUp(domains);
    collectives.SetHostNetwork(HostNetworkHelper().Install(servers));
    if (m_middle == OPTICAL)
    {
        OpusHelper opus;
        opus.SetStandby(true);
        m_plane = std::make_unique<OpusControlPlane>(opus.Install(m_rails, servers));
        collectives.SetBrokers(m_plane->brokers);
    }
    m_collectives = collectives.Install(m_rails);
    m_applications = m_collectives->GetApplications();
    for (uint32_t rank = 0; rank < m_gpus.GetN(); ++rank)
    {
        m_applications.Get(rank)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&AttributeJob::Ended, this));
    }
    SetPrograms();
    AddClient();
    Collect();
}

void
AttributeJob::AddClient()
{
    const TypeId type = RdmaClientApplication::GetTypeId();
    PhotonicRailHelper photonic;
    const Rail rail = photonic.Install(NodeContainer(2), RailId(2));
    PhotonicRailHelper::ConnectRing(rail);
    RdmaHelper().Install(NodeContainer(rail.GetGpu(0), rail.GetGpu(1)));
    if (!IsDefaultSet(type, "Remote"))
    {
        Config::SetDefault(
            "ns3::RdmaClientApplication::Remote",
            Mac48AddressValue(Mac48Address::ConvertFrom(rail.GetNic(1)->GetAddress())));
    }
    ObjectFactory clients;
    clients.SetTypeId(type);
    m_client = clients.Create<RdmaClientApplication>();
    rail.GetGpu(0)->AddApplication(m_client);
}

void
AttributeJob::SetPrograms()
{
    std::vector<std::shared_ptr<const CommunicationGroup>> groups;
    const auto add = [&](const std::string& name, const std::vector<uint32_t>& ranks) {
        groups.push_back(m_collectives->MakeGroup(name, ranks));
        return groups.back();
    };
    std::map<uint32_t, CollectiveApplication::Groups> groupsOf;
    for (uint32_t server = 0; server < 4; ++server)
    {
        const auto tp = m_collectives->MakeGroup("tp", {2 * server, 2 * server + 1}, 2);
        groupsOf[2 * server].push_back(tp);
        groupsOf[2 * server + 1].push_back(tp);
    }
    for (const char* name : {"dp", "pp"})
    {
        const uint32_t step = name == std::string("dp") ? 2 : 4;
        for (const uint32_t first : {0, 1, step == 2 ? 4 : 2, step == 2 ? 5 : 3})
        {
            const auto group = add(name, {first, first + step});
            groupsOf[first].push_back(group);
            groupsOf[first + step].push_back(group);
        }
    }
    for (uint32_t rank = 0; rank < m_gpus.GetN(); ++rank)
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < 2; ++i)
        {
            program->BeginIteration();
            program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 16, "ring");
            program->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1 << 18, "ring");
            program->Compute(0, ToTime(20'000'000));
            rank < 4 ? program->Send(0, 2, 1, 1 << 16) : program->Receive(0, 2, 0, 1 << 16);
            program->Compute(0, ToTime(20'000'000));
            program->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1 << 14);
        }
        m_collectives->SetProgram(rank, program, groupsOf[rank]);
    }
}

void
AttributeJob::Collect()
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (auto part = (*node)->GetAggregateIterator(); part.HasNext();)
        {
            m_objects.push_back(ConstCast<Object>(part.Next()));
        }
        for (uint32_t a = 0; a < (*node)->GetNApplications(); ++a)
        {
            m_objects.push_back((*node)->GetApplication(a));
        }
        for (uint32_t d = 0; d < (*node)->GetNDevices(); ++d)
        {
            m_objects.push_back((*node)->GetDevice(d));
        }
    }
    for (uint32_t c = 0; c < ChannelList::GetNChannels(); ++c)
    {
        m_objects.push_back(ChannelList::GetChannel(c));
    }
}

void
AttributeJob::Set()
{
    for (const Ptr<Object>& object : m_objects)
    {
        const TypeId type = object->GetInstanceTypeId();
        if (type == m_type || type.IsChildOf(m_type))
        {
            object->SetAttribute(m_name, StringValue(m_value));
        }
    }
}

void
AttributeJob::Ended(const OperationRecord& record)
{
    std::ostringstream line; // sorted later: the order of events of an instant is no property
    line << record.rank << " " << record.operation << " " << record.start.GetTimeStep() << " "
           << record.end.GetTimeStep() << " " << record.messagesSent << " " << record.host << "\n";
    m_operations.insert(line.str());
}

std::string
AttributeJob::Describe()
{
    for (const std::string& line : m_operations)
    {
        m_seen << line;
    }
    m_seen << "end " << NowPicoseconds() << "\n";
    // not when: its first frame leaves before an attribute is set in the first picosecond
    m_seen << "client " << m_client->GetCompleted() << "\n";
    for (const Ptr<Object>& object : m_objects)
    {
        if (const auto endpoint = DynamicCast<OpusEndpoint>(object))
        {
            const OpusChannelCounters& counters = endpoint->GetChannelCounters();
            m_seen << "datagrams " << counters.datagrams << " " << counters.retransmitted << "\n";
        }
        if (const auto controller = DynamicCast<OpusControllerApp>(object))
        {
            const ControllerCounters counters = controller->GetCore().GetCounters();
            m_seen << "grants not released in time " << counters.notReleased << "\n";
        }
        if (const auto engine = DynamicCast<RdmaEngine>(object))
        {
            for (const Ptr<RdmaQueuePair>& pair : engine->GetQueuePairs())
            {
                const QueuePairSender::Counters counters = pair->GetSenderCounters();
                m_seen << "frames " << counters.frames << " " << counters.retransmitted << " "
                       << counters.acks << "\n";
            }
        }
    }
    return m_seen.str();
}

} // namespace ns3
