/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "health-monitor.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HealthMonitor");
NS_OBJECT_ENSURE_REGISTERED(HealthMonitor);

TypeId
HealthMonitor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HealthMonitor")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<HealthMonitor>()
            .AddAttribute("MissingAfter",
                          "Time without a heartbeat after which a server is silent: three "
                          "heartbeats by default.",
                          TimeValue(MilliSeconds(300)),
                          MakeTimeAccessor(&HealthMonitor::m_missingAfter),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("GatherTime",
                          "Time from the first sign of a failure to the diagnosis.",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&HealthMonitor::m_gatherTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("SignReceived",
                            "A sign of a failure is known to the monitor.",
                            MakeTraceSourceAccessor(&HealthMonitor::m_signReceived),
                            "ns3::HealthMonitor::SignCallback");
    return tid;
}

HealthMonitor::HealthMonitor()
{
    NS_LOG_FUNCTION(this);
}

HealthMonitor::~HealthMonitor()
{
    NS_LOG_FUNCTION(this);
}

void
HealthMonitor::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_diagnosed = nullptr;
    m_stopped = nullptr;
    Application::DoDispose();
}

void
HealthMonitor::AddServer(uint32_t server, Ipv4Address agent)
{
    NS_LOG_FUNCTION(this << server << agent);
    m_servers[server].agent = agent;
}

void
HealthMonitor::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_socket.Open(GetNode(), HealthHeader::Type::HEARTBEAT, [this](const HealthHeader& heartbeat) {
        Receive(heartbeat);
    });
}

void
HealthMonitor::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Release();
    m_instant.Clear();
    m_socket.Close();
}

void
HealthMonitor::Watch(uint32_t attempt,
                     const std::set<uint32_t>& servers,
                     const std::set<GpuPlace>& left,
                     const std::function<void(const FailureDiagnosis&)>& diagnosed)
{
    NS_LOG_FUNCTION(this << attempt << servers.size());
    Release();
    m_attempt = attempt;
    m_least = attempt;
    m_watched = servers;
    m_left = left;
    m_diagnosed = diagnosed;
    for (const uint32_t server : servers)
    {
        NS_ABORT_MSG_IF(m_servers.count(server) == 0,
                        "HealthMonitor: server " << server
                                                 << " is to be watched and has no agent; call "
                                                    "AddServer()");
        Server& one = m_servers[server];
        one.contact = Simulator::Now();
        one.isSilent = false;
        one.attempt = attempt;
    }
    Check();
}

void
HealthMonitor::Release()
{
    NS_LOG_FUNCTION(this);
    m_attempt = 0;
    m_watched.clear();
    m_signs.clear();
    m_reports.clear();
    m_diagnosed = nullptr;
    m_stopped = nullptr;
    m_check.Cancel();
    m_conclude.Cancel();
}

void
HealthMonitor::Check()
{
    Time next = Time::Max();
    bool isDue = false;
    for (const uint32_t number : m_watched)
    {
        const Server& server = m_servers[number];
        const Time due = *server.contact + m_missingAfter;
        if (!server.isSilent)
        {
            next = due > Simulator::Now() ? std::min(next, due) : next;
            isDue = isDue || due <= Simulator::Now();
        }
    }
    if (isDue)
    {
        m_instant.Add({1, 0, 0}, [this]() { NoteSilent(); }); // behind the datagrams
    }
    else if (next != Time::Max())
    {
        m_check = Simulator::Schedule(next - Simulator::Now(), &HealthMonitor::Check, this);
    }
}

void
HealthMonitor::NoteSilent()
{
    for (const uint32_t number : m_watched)
    {
        Server& server = m_servers[number];
        if (!server.isSilent && *server.contact + m_missingAfter < Simulator::Now())
        {
            server.isSilent = true;
            FailureReport report;
            report.sign = FailureSign::NO_HEARTBEAT;
            report.at.server = number;
            report.since = *server.contact;
            Add(report);
        }
    }
    ReportIfStopped();
    m_check.Cancel();
    Check();
}

void
HealthMonitor::Receive(const HealthHeader& heartbeat)
{
    if (m_servers.count(heartbeat.server) == 0)
    {
        NS_LOG_WARN("the monitor drops a heartbeat of server " << heartbeat.server
                                                               << ", which is not known");
        return;
    }
    m_instant.Add({0, heartbeat.server, heartbeat.sequence},
                  [this, heartbeat]() { Take(heartbeat); });
}

void
HealthMonitor::Take(const HealthHeader& heartbeat)
{
    Server& from = m_servers[heartbeat.server];
    if (heartbeat.sequence <= from.sequence)
    {
        return; // it was overtaken
    }
    from.sequence = heartbeat.sequence;
    from.contact = Simulator::Now();
    if (from.isSilent)
    {
        from.isSilent = false;
        m_check.Cancel();
        Check(); // it may be silent again
    }
    from.attempt = heartbeat.attempt;
    if (m_watched.count(heartbeat.server) > 0 && heartbeat.attempt == m_attempt)
    {
        for (const FailureReport& report : heartbeat.reports)
        {
            Add(report);
        }
    }
    if (heartbeat.attempt != 0 && heartbeat.attempt < m_least)
    {
        Order(from, heartbeat.server);
    }
    ReportIfStopped();
}

void
HealthMonitor::Add(const FailureReport& report)
{
    if (m_attempt == 0 || !m_reports.insert(report).second)
    {
        return;
    }
    NS_LOG_INFO("attempt " << m_attempt << ": " << report);
    m_signs.push_back({report, Simulator::Now()});
    m_signReceived(report, Simulator::Now());
    if (m_diagnosed && m_conclude.IsExpired())
    {
        m_conclude = Simulator::Schedule(m_gatherTime, &HealthMonitor::Conclude, this);
    }
}

void
HealthMonitor::Conclude()
{
    // behind all datagrams of this instant
    m_instant.Add({2, 0, 0}, [this, attempt = m_attempt]() {
        if (!m_diagnosed || attempt != m_attempt)
        {
            return;
        }
        const FailureDiagnosis found = Diagnose(m_reports, GetSilent(), m_watched, m_left);
        NS_LOG_INFO("attempt " << m_attempt << " has failed: " << found.words);
        std::exchange(m_diagnosed, nullptr)(found);
    });
}

std::set<uint32_t>
HealthMonitor::GetSilent() const
{
    std::set<uint32_t> silent;
    for (const uint32_t number : m_watched)
    {
        if (m_servers.at(number).isSilent)
        {
            silent.insert(number);
        }
    }
    return silent;
}

bool
HealthMonitor::IsPresent(uint32_t server) const
{
    const auto found = m_servers.find(server);
    return found != m_servers.end() &&
           found->second.contact.value_or(Time(0)) + m_missingAfter > Simulator::Now();
}

void
HealthMonitor::Order(const Server& to, uint32_t number)
{
    HealthHeader header;
    header.type = HealthHeader::Type::ORDER;
    header.server = number;
    header.attempt = m_least;
    header.sequence = ++m_sequence;
    m_socket.Send(header, to.agent);
}

void
HealthMonitor::Stop(const std::function<void()>& stopped)
{
    NS_LOG_FUNCTION(this << m_attempt);
    m_diagnosed = nullptr;
    m_stopped = stopped;
    m_least = m_attempt + 1;
    for (const uint32_t number : m_watched)
    {
        Order(m_servers[number], number);
    }
    ReportIfStopped();
}

void
HealthMonitor::ReportIfStopped()
{
    if (!m_stopped)
    {
        return;
    }
    const bool isOver = std::all_of(m_watched.begin(), m_watched.end(), [this](uint32_t number) {
        const Server& server = m_servers[number];
        return server.isSilent || server.attempt == 0 || server.attempt >= m_least;
    });
    if (isOver)
    {
        const auto stopped = std::move(m_stopped);
        m_stopped = nullptr;
        stopped();
    }
}

} // namespace ns3
