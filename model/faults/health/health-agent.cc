/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "health-agent.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HealthAgent");
NS_OBJECT_ENSURE_REGISTERED(HealthAgent);

TypeId
HealthAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HealthAgent")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<HealthAgent>()
            .AddAttribute("Interval",
                          "Time between the heartbeats of a server.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&HealthAgent::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ProcessPoll",
                          "Time between two checks of the processes of the ranks. The agent of "
                          "torchrun checks every 0.1 s (monitor_interval).",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&HealthAgent::m_processPoll),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HostLatency",
                          "Time from a rank to the agent of its server, or back.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&HealthAgent::m_hostLatency),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ReportsQueuePairs",
                          "Whether a queue pair that gave up is a sign of a failure; it is none "
                          "where ranks send its messages again over another rail.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HealthAgent::m_reportsQueuePairs),
                          MakeBooleanChecker())
            .AddTraceSource("SignFound",
                            "The agent has found a sign of a failure.",
                            MakeTraceSourceAccessor(&HealthAgent::m_signFound),
                            "ns3::HealthAgent::ReportCallback");
    return tid;
}

HealthAgent::HealthAgent()
{
    NS_LOG_FUNCTION(this);
    m_instant.SetOver([this]() { SendIfDue(); });
}

HealthAgent::~HealthAgent()
{
    NS_LOG_FUNCTION(this);
}

void
HealthAgent::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_ranks.clear();
    Application::DoDispose();
}

void
HealthAgent::Set(uint32_t server, Ipv4Address monitor, std::shared_ptr<const Places> places)
{
    NS_LOG_FUNCTION(this << server << monitor);
    m_places = std::move(places);
    m_server = server;
    m_monitor = monitor;
}

void
HealthAgent::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_crashed)
    {
        return;
    }
    m_running = true;
    m_socket.Open(GetNode(), HealthHeader::Type::ORDER, [this](const HealthHeader& order) {
        Receive(order);
    });
    Beat();
}

void
HealthAgent::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    Simulator::Cancel(m_beat);
    m_instant.Clear();
    m_socket.Close();
}

void
HealthAgent::Crash()
{
    NS_LOG_FUNCTION(this);
    m_crashed = true;
    StopApplication();
    Release();
}

void
HealthAgent::Restart()
{
    NS_LOG_FUNCTION(this);
    if (m_crashed)
    {
        m_crashed = false;
        StartApplication();
    }
}

void
HealthAgent::Watch(uint32_t attempt, const std::map<uint32_t, Ptr<CollectiveApplication>>& ranks)
{
    NS_LOG_FUNCTION(this << attempt << ranks.size());
    if (m_crashed || attempt < m_least)
    {
        return;
    }
    m_attempt = attempt;
    m_stopping = 0;
    m_ranks = ranks;
    m_reports.clear();
    m_ended.clear();
    for (const auto& [gpu, rank] : m_ranks)
    {
        rank->TraceConnectWithoutContext("ProcessEnded",
                                         MakeCallback(&HealthAgent::ProcessEnded, this).Bind(gpu));
        rank->TraceConnectWithoutContext(
            "OperationFailed",
            MakeCallback(&HealthAgent::OperationFailed, this).Bind(gpu));
        rank->TraceConnectWithoutContext("Stalled",
                                         MakeCallback(&HealthAgent::Stalled, this).Bind(gpu));
        if (m_listened.insert(gpu).second)
        {
            rank->GetNode()->GetObject<RdmaEngine>()->TraceConnectWithoutContext(
                "MessageFailed",
                MakeCallback(&HealthAgent::MessageFailed, this).Bind(gpu));
        }
    }
}

void
HealthAgent::Release()
{
    NS_LOG_FUNCTION(this);
    m_attempt = 0;
    m_stopping = 0;
    m_ranks.clear();
    m_reports.clear();
}

void
HealthAgent::Beat()
{
    // behind what is found in this instant, which sends one too
    const Time due = Simulator::Now();
    m_instant.Add({2, 0, 0}, [this, due]() {
        if (m_sequence == 0 || m_lastBeat < due)
        {
            m_mustBeat = true;
            m_since = due; // the ends of instants don't add up
        }
    });
}

void
HealthAgent::SendIfDue()
{
    if (!m_mustBeat)
    {
        return;
    }
    m_mustBeat = false;
    m_lastBeat = Simulator::Now();
    const Time since = std::exchange(m_since, std::nullopt).value_or(m_lastBeat);
    Simulator::Cancel(m_beat);
    m_beat = Simulator::Schedule(since + m_interval - m_lastBeat, &HealthAgent::Beat, this);
    HealthHeader header;
    header.type = HealthHeader::Type::HEARTBEAT;
    header.server = m_server;
    header.attempt = m_attempt;
    header.sequence = ++m_sequence;
    header.reports.assign(m_reports.begin(), m_reports.end());
    m_socket.Send(header, m_monitor);
}

void
HealthAgent::Receive(const HealthHeader& order)
{
    if (order.server != m_server)
    {
        NS_LOG_WARN("server " << m_server << " drops an order for server " << order.server);
        return;
    }
    m_instant.Add({0, order.sequence, 0}, [this, order]() { Obey(order.attempt); });
}

void
HealthAgent::Obey(uint32_t attempt)
{
    m_least = std::max(m_least, attempt);
    if (m_attempt == 0 || m_attempt >= m_least || m_stopping == m_attempt)
    {
        return;
    }
    NS_LOG_INFO("server " << m_server << " stops attempt " << m_attempt);
    m_stopping = m_attempt;
    for (const auto& [gpu, rank] : m_ranks)
    {
        const Ptr<RdmaEngine> engine = rank->GetNode()->GetObject<RdmaEngine>();
        Simulator::ScheduleWithContext(rank->GetNode()->GetId(), m_hostLatency, [rank, engine]() {
            rank->EndProcess(true);
            engine->Reset("the job was stopped");
        });
    }
    // the answer of the ranks, which comes when the instant over there is over
    Simulator::Schedule(m_hostLatency + m_hostLatency + TimeStep(1),
                        &HealthAgent::Stopped,
                        this,
                        m_attempt);
}

void
HealthAgent::Stopped(uint32_t attempt)
{
    if (m_running && attempt == m_attempt)
    {
        NS_LOG_INFO("server " << m_server << " has stopped attempt " << attempt);
        Release();
        m_instant.Add({1, 0, 0}, [this]() { m_mustBeat = true; });
    }
}

FailureReport
HealthAgent::MakeReport(FailureSign sign, uint32_t gpu) const
{
    FailureReport report;
    report.sign = sign;
    report.at = {m_server, gpu};
    return report;
}

void
HealthAgent::Pass(const FailureReport& report, Time later)
{
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   m_hostLatency + later,
                                   &HealthAgent::Found,
                                   Ptr<HealthAgent>(this),
                                   m_attempt,
                                   report);
}

void
HealthAgent::ProcessEnded(uint32_t gpu, RankId)
{
    m_ended.insert(gpu);
    if (m_stopping == m_attempt || m_attempt == 0)
    {
        return; // by order
    }
    // the next check of the processes that comes when the exit is known
    const int64_t known = (Simulator::Now() + m_hostLatency).GetTimeStep();
    const int64_t every = m_processPoll.GetTimeStep();
    const int64_t check = (known + every - 1) / every * every;
    Pass(MakeReport(FailureSign::PROCESS_EXIT, gpu), TimeStep(check - known));
}

void
HealthAgent::MessageFailed(uint32_t gpu,
                           const RdmaQueuePair& queuePair,
                           const RdmaMessage&,
                           const std::string& why)
{
    if (!m_reportsQueuePairs || m_ended.count(gpu) > 0 || m_ranks.count(gpu) == 0 ||
        m_stopping == m_attempt)
    {
        return; // its process has ended or is being ended, which closes them
    }
    FailureReport report =
        MakeReport(why.find("no carrier") != std::string::npos ? FailureSign::NO_CARRIER
                                                               : FailureSign::RETRY_LIMIT,
                   gpu);
    const RdmaEngine& engine = *m_ranks.at(gpu)->GetNode()->GetObject<RdmaEngine>();
    for (const RdmaQueuePair::SubQueuePair& sub : queuePair.GetSubQueuePairs())
    {
        const auto peer = m_places->find(engine.GetPort(sub.port).GetPeer(sub.queuePair));
        if (peer != m_places->end())
        {
            report.suspect = peer->second;
            Pass(report, Time(0));
        }
    }
}

void
HealthAgent::OperationFailed(uint32_t gpu, const OperationRecord& record)
{
    if (!record.unreachable) // else a queue pair has failed
    {
        Pass(MakeReport(FailureSign::NO_CIRCUITS, gpu), Time(0));
    }
}

void
HealthAgent::Stalled(uint32_t gpu, const std::string& words)
{
    NS_LOG_INFO("server " << m_server << ": " << words);
    Pass(MakeReport(FailureSign::TIMEOUT, gpu), Time(0));
}

void
HealthAgent::Found(uint32_t attempt, FailureReport report)
{
    if (!m_running || attempt != m_attempt)
    {
        return;
    }
    report.since = Simulator::Now();
    const GpuPlace suspect = report.suspect.value_or(GpuPlace());
    m_instant.Add({1,
                   uint64_t{report.at.gpu} << 8 | static_cast<uint64_t>(report.sign),
                   uint64_t{suspect.server} << 32 | suspect.gpu},
                  [this, report]() { Add(report); });
}

void
HealthAgent::Add(const FailureReport& report)
{
    for (const FailureReport& known : m_reports)
    {
        if (known.sign == report.sign && known.at == report.at && known.suspect == report.suspect)
        {
            return;
        }
    }
    NS_LOG_INFO("server " << m_server << " finds: " << report);
    m_reports.insert(report);
    m_signFound(report);
    m_mustBeat = true;
}

} // namespace ns3
