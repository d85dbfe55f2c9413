/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-endpoint.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostEndpoint");

NS_OBJECT_ENSURE_REGISTERED(HostEndpoint);

TypeId
HostEndpoint::GetTypeId()
{
    // HostLatency: NCCL's tuning table (src/graph/tuning.cc) counts 1.0 us a step through PCIe and
    // 2.7 us through the network, and a proxy thread in the server polls for work between the two:
    // 5 us is that, rounded up. The timeouts suit a network of some 10 us; ns-3's own are those of
    // the Internet, 1 s and more.
    static TypeId tid =
        TypeId("ns3::HostEndpoint")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<HostEndpoint>()
            .AddAttribute("Port",
                          "TCP port that it listens at, the same at all servers.",
                          UintegerValue(4790),
                          MakeReadOnceAccessor("HostEndpoint::Port",
                                               &HostEndpoint::HasStarted,
                                               MakeUintegerAccessor(&HostEndpoint::m_port)),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("HostLatency",
                          "From a GPU to its server's software and back: PCIe, and the thread that "
                          "polls; 1 ps or more.",
                          TimeValue(MicroSeconds(5)),
                          MakeReadOnceAccessor("HostEndpoint::HostLatency",
                                               &HostEndpoint::HasStarted,
                                               MakeTimeAccessor(&HostEndpoint::m_hostLatency)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SegmentSize",
                          "Payload of a TCP segment, in bytes: the MTU less 52 (IPv4 20, TCP 20, "
                          "time stamps 12).",
                          UintegerValue(8948),
                          MakeReadOnceAccessor("HostEndpoint::SegmentSize",
                                               &HostEndpoint::HasStarted,
                                               MakeUintegerAccessor(&HostEndpoint::m_segmentSize)),
                          MakeUintegerChecker<uint32_t>(1, 65483))
            .AddAttribute("BufferSize",
                          "Of a socket, each way, in bytes. The default keeps 100 Gb/s busy over "
                          "80 us there and back.",
                          UintegerValue(1 << 20),
                          MakeReadOnceAccessor("HostEndpoint::BufferSize",
                                               &HostEndpoint::HasStarted,
                                               MakeUintegerAccessor(&HostEndpoint::m_bufferSize)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinimumTimeout",
                          "Before TCP repeats a segment, at least. It gives up after six repeats, "
                          "each timeout twice the one before.",
                          TimeValue(MilliSeconds(10)),
                          MakeReadOnceAccessor("HostEndpoint::MinimumTimeout",
                                               &HostEndpoint::HasStarted,
                                               MakeTimeAccessor(&HostEndpoint::m_minimumTimeout)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ConnectTimeout",
                          "Before TCP repeats the first segment of a connection; it gives up after "
                          "six repeats.",
                          TimeValue(MilliSeconds(100)),
                          MakeReadOnceAccessor("HostEndpoint::ConnectTimeout",
                                               &HostEndpoint::HasStarted,
                                               MakeTimeAccessor(&HostEndpoint::m_connectTimeout)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Timeout",
                "While receipts are due and nothing comes back for so long, not even an "
                "acknowledgement, a connection is given up. Longer than TCP's own limits: "
                "it is for receipts that were lost with everything else acknowledged.",
                TimeValue(Seconds(20)),
                MakeReadOnceAccessor("HostEndpoint::Timeout",
                                     &HostEndpoint::HasStarted,
                                     MakeTimeAccessor(&HostEndpoint::m_timeout)),
                MakeTimeChecker(Time(0)))
            .AddTraceSource("MessageSettled",
                            "The receipt of a message of this server is here.",
                            MakeTraceSourceAccessor(&HostEndpoint::m_messageSettled),
                            "ns3::HostEndpoint::MessageTracedCallback")
            .AddTraceSource("MessageArrived",
                            "A message for a GPU of this server is here, whole.",
                            MakeTraceSourceAccessor(&HostEndpoint::m_messageArrived),
                            "ns3::HostEndpoint::MessageTracedCallback")
            .AddTraceSource("MessageFailed",
                            "A message of this server is given up, and why.",
                            MakeTraceSourceAccessor(&HostEndpoint::m_messageFailed),
                            "ns3::HostEndpoint::FailureTracedCallback");
    return tid;
}

HostEndpoint::HostEndpoint()
{
    NS_LOG_FUNCTION(this);
}

HostEndpoint::~HostEndpoint()
{
    NS_LOG_FUNCTION(this);
}

void
HostEndpoint::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Clear();
    m_receivers.clear();
    m_handed.Clear();
    Application::DoDispose();
}

void
HostEndpoint::Clear()
{
    m_running = false;
    m_removal.Cancel();
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener = nullptr;
    }
    m_outgoing.clear();
    m_incoming.clear();
    m_endedOutgoing.clear();
    m_endedIncoming.clear();
}

void
HostEndpoint::StartApplication()
{
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("HostEndpoint");
    GetHostLatency();                                   // aborts if it is too short
    const Picoseconds longest = Hours(1).GetTimeStep(); // TCP doubles them six times
    RequireAtMost(m_minimumTimeout, longest, "HostEndpoint::MinimumTimeout");
    RequireAtMost(m_connectTimeout, longest, "HostEndpoint::ConnectTimeout");
    m_running = true;
    m_listener = MakeSocket();
    const int bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    NS_ABORT_MSG_IF(bound != 0,
                    "HostEndpoint: port " << m_port << " of node " << GetNode()->GetId()
                                          << " is taken; give the endpoints another Port");
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&HostEndpoint::Accepted, this));
}

bool
HostEndpoint::IsRunning() const
{
    return m_running;
}

void
HostEndpoint::EndProcess()
{
    NS_LOG_FUNCTION(this);
    if (m_running)
    {
        StopApplication();
    }
}

void
HostEndpoint::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    if (m_listener)
    {
        m_listener->Close();
    }
    while (!m_outgoing.empty())
    {
        m_outgoing.begin()->second->End("this server's HostEndpoint was stopped");
    }
    while (!m_incoming.empty())
    {
        m_incoming.back()->End();
    }
}

Ptr<Socket>
HostEndpoint::MakeSocket() const
{
    Ptr<Socket> socket = Socket::CreateSocket(GetNode(), TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    socket->SetAttribute("SndBufSize", UintegerValue(m_bufferSize));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_bufferSize));
    socket->SetAttribute("ConnTimeout", TimeValue(m_connectTimeout));
    socket->SetAttribute("MinRto", TimeValue(m_minimumTimeout));
    // or the last segment of every receipt would be repeated before it is acknowledged
    socket->SetAttribute("DelAckTimeout", TimeValue(TimeStep(m_minimumTimeout.GetTimeStep() / 4)));
    return socket;
}

void
HostEndpoint::SetServerOf(RankId rank, Ipv4Address server)
{
    NS_LOG_FUNCTION(this << rank << server);
    m_servers[rank] = server;
}

Ipv4Address
HostEndpoint::ServerOf(RankId rank) const
{
    const auto server = m_servers.find(rank);
    NS_ABORT_MSG_IF(server == m_servers.end(),
                    "HostEndpoint: a message is for rank "
                        << rank << ", but node " << GetNode()->GetId() << " knows the servers of "
                        << m_servers.size() << " ranks only; tell it by SetServerOf()");
    return server->second;
}

bool
HostEndpoint::HasStarted() const
{
    return m_listener != nullptr;
}

uint16_t
HostEndpoint::GetPort() const
{
    return m_port;
}

Time
HostEndpoint::GetHostLatency() const
{
    // no state is known at two nodes at once
    RequireAtLeast(m_hostLatency, 1, "HostEndpoint::HostLatency");
    return m_hostLatency;
}

uint64_t
HostEndpoint::GetSettled() const
{
    return m_settled;
}

uint64_t
HostEndpoint::GetArrived() const
{
    return m_arrived;
}

uint64_t
HostEndpoint::GetFailed() const
{
    return m_failed;
}

void
HostEndpoint::Attach(RankId rank, HostReportReceiver* receiver)
{
    const bool added = m_receivers.emplace(rank, receiver).second;
    NS_ABORT_MSG_UNLESS(added,
                        "HostEndpoint: rank " << rank << " has a HostTransport at node "
                                              << GetNode()->GetId()
                                              << " already; join one for each rank");
}

void
HostEndpoint::Detach(RankId rank)
{
    m_receivers.erase(rank);
}

std::string
HostEndpoint::Describe(const TransportMessage& message) const
{
    const Ipv4Address server = ServerOf(message.to);
    const auto stream = m_outgoing.find(server);
    std::ostringstream text;
    text << "TCP to the server at " << server << ", "
         << (stream == m_outgoing.end() ? "not connected" : stream->second->Describe());
    return text.str();
}

void
HostEndpoint::Hand(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    ServerOf(message.to); // aborts where the mistake was made
    const Time latency = GetHostLatency();
    m_handed.Put(NowPicoseconds() + latency.GetTimeStep(),
                 {message.from.Get(),
                  message.to.Get(),
                  uint64_t{message.group.Get()} << 32 | message.channel},
                 message);
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   latency,
                                   &HostEndpoint::TakeHanded,
                                   Ptr<HostEndpoint>(this));
}

void
HostEndpoint::DeliverHere(const TransportMessage& message)
{
    MessageArrived(message);
    // it is settled when the GPU has it
    Simulator::Schedule(GetHostLatency(),
                        &HostEndpoint::MessageSettled,
                        Ptr<HostEndpoint>(this),
                        message);
}

void
HostEndpoint::TakeHanded()
{
    while (const auto message = m_handed.Take(NowPicoseconds()))
    {
        if (m_running && m_receivers.count(message->to) != 0)
        {
            DeliverHere(*message);
        }
        else if (m_running)
        {
            StreamTo(ServerOf(message->to)).Send(*message);
        }
        else
        {
            MessageFailed(*message, "this server's HostEndpoint does not run at that time");
        }
    }
}

HostOutgoingStream&
HostEndpoint::StreamTo(Ipv4Address server)
{
    HostStreamOwner& self = *this; // conversion that is private to make_unique
    std::unique_ptr<HostOutgoingStream>& stream = m_outgoing[server];
    if (!stream)
    {
        stream =
            std::make_unique<HostOutgoingStream>(self, MakeSocket(), server, m_port, m_timeout);
    }
    return *stream;
}

void
HostEndpoint::Accepted(Ptr<Socket> socket, const Address&)
{
    NS_LOG_FUNCTION(this << socket);
    HostStreamOwner& self = *this; // conversion that is private to make_unique
    m_incoming.push_back(std::make_unique<HostIncomingStream>(self, socket, GetHostLatency()));
}

void
HostEndpoint::MessageSettled(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    ++m_settled;
    m_messageSettled(message);
    const auto receiver = m_receivers.find(message.from);
    if (receiver != m_receivers.end())
    {
        receiver->second->Report({HostReport::SETTLED, message, ""});
    }
}

void
HostEndpoint::MessageFailed(const TransportMessage& message, const std::string& why)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    NS_LOG_INFO("a message of rank " << message.from << " to rank " << message.to
                                     << " has failed on the host network: " << why);
    ++m_failed;
    m_messageFailed(message, why);
    const auto receiver = m_receivers.find(message.from);
    if (receiver != m_receivers.end())
    {
        receiver->second->Report({HostReport::FAILED, message, why});
    }
}

HostReceipt::Outcome
HostEndpoint::MessageArrived(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    const auto receiver = m_receivers.find(message.to);
    if (receiver == m_receivers.end())
    {
        return HostReceipt::NO_SUCH_RANK;
    }
    ++m_arrived;
    m_messageArrived(message);
    receiver->second->Report({HostReport::ARRIVED, message, ""});
    return HostReceipt::ARRIVED;
}

void
HostEndpoint::OutgoingEnded(HostOutgoingStream* stream)
{
    const auto found = m_outgoing.find(stream->GetServer());
    m_endedOutgoing.push_back(std::move(found->second));
    m_outgoing.erase(found);
    ScheduleRemoval();
}

void
HostEndpoint::IncomingEnded(HostIncomingStream* stream)
{
    const auto found = std::find_if(m_incoming.begin(),
                                    m_incoming.end(),
                                    [stream](const auto& one) { return one.get() == stream; });
    m_endedIncoming.push_back(std::move(*found));
    m_incoming.erase(found);
    ScheduleRemoval();
}

void
HostEndpoint::ScheduleRemoval()
{
    if (!IsEventPending(m_removal))
    {
        m_removal = Simulator::ScheduleNow(&HostEndpoint::RemoveClosed, this);
    }
}

void
HostEndpoint::RemoveClosed()
{
    m_endedOutgoing.clear();
    m_endedIncoming.clear();
}

} // namespace ns3
