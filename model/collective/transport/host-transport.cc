/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostTransport");

NS_OBJECT_ENSURE_REGISTERED(HostTransport);

TypeId
HostTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HostTransport")
                            .SetParent<Transport>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<HostTransport>();
    return tid;
}

HostTransport::HostTransport()
{
    NS_LOG_FUNCTION(this);
}

HostTransport::~HostTransport()
{
    NS_LOG_FUNCTION(this);
    Leave(); // the server may outlive a transport that was not disposed of
}

void
HostTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Leave();
    m_reports.Clear();
    Transport::DoDispose();
}

void
HostTransport::Leave()
{
    if (m_endpoint)
    {
        m_endpoint->Detach(m_rank);
        m_endpoint = nullptr;
    }
}

void
HostTransport::Join(Ptr<HostEndpoint> endpoint, RankId rank, Ptr<Node> gpu)
{
    NS_LOG_FUNCTION(this << endpoint << rank << gpu);
    NS_ABORT_MSG_UNLESS(endpoint && gpu,
                        "HostTransport::Join: rank "
                            << rank << " needs the HostEndpoint of its server and its own node, "
                            << "and one of them is null");
    NS_ABORT_MSG_IF(m_endpoint,
                    "HostTransport: rank " << rank << " would join, but this is the transport of "
                                           << "rank " << m_rank << "; create one for each rank");
    endpoint->Attach(rank, this);
    m_endpoint = endpoint;
    m_rank = rank;
    m_node = gpu->GetId();
}

void
HostTransport::Send(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    NS_ABORT_MSG_UNLESS(m_endpoint, "HostTransport: it has no server; call Join() before sending");
    NS_ABORT_MSG_UNLESS(message.from == m_rank,
                        "HostTransport: a message of rank "
                            << message.from << " is sent by the transport of rank " << m_rank
                            << "; send it by its own, or its end is not reported");
    m_endpoint->Hand(message);
}

std::string
HostTransport::Describe(const TransportMessage& message) const
{
    return m_endpoint ? m_endpoint->Describe(message) : "no server";
}

void
HostTransport::Report(const HostReport& report)
{
    const Time latency = m_endpoint->GetHostLatency();
    const RankId other =
        report.outcome == HostReport::ARRIVED ? report.message.from : report.message.to;
    m_reports.Put(NowPicoseconds() + latency.GetTimeStep(),
                  {other.Get(),
                   uint64_t{report.message.group.Get()} << 32 | report.message.channel,
                   static_cast<uint64_t>(report.outcome)},
                  report);
    Simulator::ScheduleWithContext(m_node,
                                   latency,
                                   &HostTransport::TakeReports,
                                   Ptr<HostTransport>(this));
}

void
HostTransport::TakeReports()
{
    while (const auto report = m_reports.Take(NowPicoseconds()))
    {
        switch (report->outcome)
        {
        case HostReport::ARRIVED:
            NotifyArrived(report->message);
            break;
        case HostReport::SETTLED:
            NotifySettled(report->message);
            break;
        case HostReport::FAILED:
            NotifyFailed(report->message, report->why);
            break;
        }
    }
}

} // namespace ns3
