/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-shim-app.h"

#include "opus-broker.h"
#include "rank-link.h"
#include "shim-call.h"
#include "shim-core.h"
#include "shim-link.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/opus-words.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusShim");

NS_OBJECT_ENSURE_REGISTERED(OpusShimApp);

namespace
{

/** @return the end of a sentence about a rank, after an answer to it */
std::string
DescribeAnswer(const CircuitAnswer& answer)
{
    switch (answer.network)
    {
    case CircuitAnswer::Network::RAIL:
        return "is granted circuits";
    case CircuitAnswer::Network::HOST:
        return "sends over the host network";
    case CircuitAnswer::Network::NONE:
        return "is refused: " + answer.why;
    case CircuitAnswer::Network::WITHDRAWN:
        return "releases its circuits: " + answer.why;
    }
    return "";
}

} // namespace

TypeId
OpusShimApp::GetTypeId()
{
    const ShimSettings settings;
    static TypeId tid =
        TypeId("ns3::OpusShimApp")
            .SetParent<OpusEndpoint>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OpusShimApp>()
            .AddAttribute(
                "Mode",
                "When it requests circuits: when a rank shifts to another parallelism "
                "(OnDemand), before it does, by the profile of earlier iterations (Provisioned), "
                "or by its program's circuit hints (CoScheduled).",
                EnumValue(ON_DEMAND),
                MakeReadOnceAccessor("OpusShimApp::Mode",
                                     &OpusShimApp::HasStarted,
                                     MakeRailsEnumAccessor<Mode>(&OpusShimApp::m_mode)),
                MakeEnumChecker(ON_DEMAND,
                                "OnDemand",
                                PROVISIONED,
                                "Provisioned",
                                CO_SCHEDULED,
                                "CoScheduled"))
            .AddAttribute(
                "ProfileIterations",
                "Iterations that it records before it predicts.",
                UintegerValue(settings.profileIterations),
                MakeReadOnceAccessor("OpusShimApp::ProfileIterations",
                                     &OpusShimApp::HasStarted,
                                     MakeUintegerAccessor(&OpusShimApp::m_profileIterations)),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostNetwork",
                          "Whether refused stages go over the network of the hosts; else they "
                          "fail.",
                          BooleanValue(settings.hostNetwork),
                          MakeReadOnceAccessor("OpusShimApp::HostNetwork",
                                               &OpusShimApp::HasStarted,
                                               MakeBooleanAccessor(&OpusShimApp::m_hostNetwork)),
                          MakeBooleanChecker())
            .AddAttribute("GiveUpAfter",
                          "How long it waits for an answer to a request, 1 ps or more; then "
                          "WhenGivenUp applies. The default is longer than the "
                          "controller's limits for votes and ports together.",
                          TimeValue(Seconds(100)),
                          MakeReadOnceAccessor("OpusShimApp::GiveUpAfter",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_giveUpAfter)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WhenGivenUp",
                          "Treatment of a stage without an answer: it is sent over the "
                          "circuits that there were last (Send), or over the network of the hosts "
                          "(Host), or fails (Fail); or all shims leave the controller, and the "
                          "agents set up giant rings for the rest of the run (Ring).",
                          EnumValue(FAIL),
                          MakeReadOnceAccessor(
                              "OpusShimApp::WhenGivenUp",
                              &OpusShimApp::HasStarted,
                              MakeRailsEnumAccessor<WhenGivenUp>(&OpusShimApp::m_whenGivenUp)),
                          MakeEnumChecker(SEND, "Send", HOST, "Host", FAIL, "Fail", RING, "Ring"))
            .AddAttribute("KeepIdle",
                          "How long circuits are kept that will be needed again, while the rank "
                          "waits for others.",
                          TimeValue(PicoSeconds(settings.keepIdle)),
                          MakeReadOnceAccessor("OpusShimApp::KeepIdle",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_keepIdle)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ReportOutages",
                "Whether messages that fail on granted circuits are reported to the controller, "
                "which recalls the grant, and are sent again on other circuits "
                "(OpusControllerApp::Fallback, OtherRail); else their operation fails.",
                BooleanValue(false),
                MakeReadOnceAccessor("OpusShimApp::ReportOutages",
                                     &OpusShimApp::HasStarted,
                                     MakeBooleanAccessor(&OpusShimApp::m_reportsOutages)),
                MakeBooleanChecker())
            .AddAttribute("HostLatency",
                          "From a rank to its shim, and from the shim to a rank, 2 ps or more: "
                          "through memory, and a thread that polls it.",
                          TimeValue(MicroSeconds(1)),
                          MakeReadOnceAccessor("OpusShimApp::HostLatency",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_hostLatency)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ReconfigurationTime",
                "Expected time of a reconfiguration, all included, for the choice of the "
                "path of an operation. OpusHelper sets it by what it builds. 0: all take "
                "circuits, and nothing is weighed.",
                TimeValue(Time(0)),
                MakeReadOnceAccessor("OpusShimApp::ReconfigurationTime",
                                     &OpusShimApp::HasStarted,
                                     MakeTimeAccessor(&OpusShimApp::m_reconfigurationTime)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "HostBytesPerSecond",
                "A rank's part of the network of the hosts, in that choice; 0: there is "
                "none.",
                UintegerValue(0),
                MakeReadOnceAccessor("OpusShimApp::HostBytesPerSecond",
                                     &OpusShimApp::HasStarted,
                                     MakeUintegerAccessor(&OpusShimApp::m_hostBytesPerSecond)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("HostHopLatency",
                          "From a rank to another on that network, beside the bytes, in that "
                          "choice.",
                          TimeValue(MicroSeconds(30)),
                          MakeReadOnceAccessor("OpusShimApp::HostHopLatency",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_hostHopLatency)),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource(
                "Answered",
                "A rank's request is answered; the note has the time that it waited, and "
                "the reasons.",
                MakeTraceSourceAccessor(&OpusShimApp::m_answered),
                "ns3::OpusShimApp::NoteCallback")
            .AddTraceSource("LinkUp",
                            "A rank has waited for the link of granted circuits, or the link has "
                            "come up without a wait.",
                            MakeTraceSourceAccessor(&OpusShimApp::m_linkUp),
                            "ns3::OpusShimApp::LinkUpCallback")
            .AddTraceSource("WrongPrediction",
                            "A misprediction, with their number so far.",
                            MakeTraceSourceAccessor(&OpusShimApp::m_wrongPrediction),
                            "ns3::OpusShimApp::PredictionCallback");
    return tid;
}

OpusShimApp::OpusShimApp()
    : m_timer(MakeCallback(&OpusShimApp::HandleTimer, this))
{
    NS_LOG_FUNCTION(this);
}

OpusShimApp::~OpusShimApp()
{
    NS_LOG_FUNCTION(this);
}

void
OpusShimApp::DoDispose()
{
    NS_LOG_FUNCTION(this);
    OpusEndpoint::DoDispose();
    for (const auto& [rank, broker] : m_brokers)
    {
        broker->Dispose();
    }
    m_brokers.clear();
    if (m_link)
    {
        m_link->Clear();
        m_link = nullptr;
        m_rankLink->Clear();
        m_rankLink = nullptr;
    }
    m_core.reset();
    m_cabling.reset();
    m_policy = nullptr;
}

// ------------------------------------------------------------------------ set-up

void
OpusShimApp::SetJob(JobId job)
{
    NS_LOG_FUNCTION(this << job);
    m_job = job;
}

void
OpusShimApp::SetServer(ServerId server)
{
    NS_LOG_FUNCTION(this << server);
    m_server = server;
}

JobId
OpusShimApp::GetJob() const
{
    return m_job;
}

ServerId
OpusShimApp::GetServer() const
{
    return m_server;
}

uint32_t
OpusShimApp::GetRanks() const
{
    return m_brokers.size();
}

Time
OpusShimApp::GetHostLatency() const
{
    return m_hostLatency;
}

PathCosts
OpusShimApp::GetCosts() const
{
    PathCosts costs;
    costs.reconfiguration = m_reconfigurationTime;
    costs.hostBytesPerSecond = m_hostBytesPerSecond;
    costs.hostHopLatency = m_hostHopLatency;
    return costs;
}

void
OpusShimApp::SetCabling(std::shared_ptr<const Cabling> cabling)
{
    NS_LOG_FUNCTION(this);
    m_cabling = std::move(cabling);
}

void
OpusShimApp::SetRings(std::shared_ptr<const GiantRings> rings)
{
    NS_LOG_FUNCTION(this);
    m_rings = std::move(rings);
    for (const auto& [rank, broker] : m_brokers)
    {
        broker->SetRings(m_rings);
    }
}

void
OpusShimApp::SetPolicy(Ptr<const CircuitPolicy> policy)
{
    NS_LOG_FUNCTION(this);
    m_policy = policy;
    for (const auto& [rank, broker] : m_brokers)
    {
        broker->SetPolicy(m_policy);
    }
}

void
OpusShimApp::AddAgent(RailId rail, const OpusPeer& agent)
{
    NS_LOG_FUNCTION(this << rail << agent);
    m_agents[rail] = agent;
}

void
OpusShimApp::SetController(const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << peer);
    m_controller = peer;
}

Ptr<OpusBroker>
OpusShimApp::MakeBroker(RankId rank, Ptr<Node> gpu)
{
    NS_LOG_FUNCTION(this << rank);
    NS_ABORT_MSG_UNLESS(m_cabling && m_cabling->IsKnown(rank) &&
                            m_cabling->GetServer(rank) == m_server,
                        "OpusShimApp: rank " << rank << " is not on server " << m_server
                                             << "; use the shim of its own server");
    Ptr<OpusBroker>& broker = m_brokers[rank];
    if (!broker)
    {
        broker = CreateObject<OpusBroker>(Ptr<LocalShim>(this), rank, gpu, m_job, m_cabling);
        broker->SetRings(m_rings);
        broker->SetPolicy(m_policy);
        Link(broker);
    }
    return broker;
}

void
OpusShimApp::Link(const Ptr<OpusBroker>& broker)
{
    if (SimulationProcesses::GetNumber() == 1 ||
        broker->GetNode()->GetSystemId() == GetNode()->GetSystemId())
    {
        return;
    }
    if (!m_link)
    {
        RequireAtLeast(m_hostLatency, 2, "OpusShimApp::HostLatency");
        m_link = Create<ShimLink>(*this, GetNode()->GetSystemId(), m_hostLatency, m_cabling);
        m_rankLink = Create<RankLink>(m_hostLatency, m_cabling);
    }
    m_rankLink->Add(broker);
    broker->SetLink(m_link);
}

ShimSettings
OpusShimApp::MakeSettings() const
{
    ShimSettings settings;
    settings.job = m_job;
    settings.server = m_server;
    settings.mode = m_mode == PROVISIONED    ? ShimMode::PROVISIONED
                    : m_mode == CO_SCHEDULED ? ShimMode::CO_SCHEDULED
                                             : ShimMode::ON_DEMAND;
    settings.profileIterations = m_profileIterations;
    settings.hostNetwork = m_hostNetwork;
    settings.giveUpAfter = m_giveUpAfter.GetTimeStep();
    settings.whenGivenUp = m_whenGivenUp == SEND   ? ShimSettings::WhenGivenUp::SEND
                           : m_whenGivenUp == HOST ? ShimSettings::WhenGivenUp::HOST
                           : m_whenGivenUp == RING ? ShimSettings::WhenGivenUp::RING
                                                   : ShimSettings::WhenGivenUp::FAIL;
    settings.keepIdle = m_keepIdle.GetTimeStep();
    settings.cabling = m_cabling;
    settings.rings = m_rings ? m_rings : std::make_shared<const GiantRings>(m_job, m_cabling);
    for (const auto& [rank, broker] : m_brokers)
    {
        settings.ports = std::max<uint32_t>(settings.ports, m_cabling->GetPorts(rank).size());
    }
    return settings;
}

const ShimCore&
OpusShimApp::GetCore() const
{
    NS_ABORT_MSG_UNLESS(m_core, "OpusShimApp: it has not started; run the simulation first");
    return *m_core;
}

void
OpusShimApp::Begin()
{
    NS_LOG_FUNCTION(this);
    RequireAtLeast(m_giveUpAfter, 1, "OpusShimApp::GiveUpAfter");
    RequireAtLeast(m_hostLatency, 2, "OpusShimApp::HostLatency"); // the last ends the instant
    const ShimSettings settings = MakeSettings();
    NS_ABORT_MSG_IF(m_whenGivenUp == RING && !settings.rings->GetWhyNot().empty(),
                    "OpusShimApp: WhenGivenUp is Ring, and " << settings.rings->GetWhyNot());
    m_core = std::make_unique<ShimCore>(settings);
}

void
OpusShimApp::End()
{
    NS_LOG_FUNCTION(this);
    m_timer.Set(NEVER);
}

// -------------------------------------------------------------------------- ranks

void
OpusShimApp::WhenCalled(RankId rank, Call call, uint64_t order, std::function<void()> action)
{
    if (!IsRunning() && !IsProcessDown())
    {
        return;
    }
    const uint64_t number = ++m_calls;
    m_waiting[number] = {NowPicoseconds(), {rank.Get() * CALLS + call, order}, std::move(action)};
    if (IsRunning())
    {
        Enqueue(number);
    }
}

void
OpusShimApp::Enqueue(uint64_t number)
{
    WhenOver(m_waiting.at(number).key,
             [this, number]() { Process([this, number]() { TakeCall(number); }); });
}

void
OpusShimApp::TakeCall(uint64_t number)
{
    const auto call = m_waiting.find(number);
    if (call != m_waiting.end()) // else it was taken with those that have waited for the process
    {
        const std::function<void()> action = std::move(call->second.action);
        m_waiting.erase(call);
        action();
    }
}

void
OpusShimApp::Restarted()
{
    NS_LOG_INFO("the shim of server " << m_server << " begins anew; " << m_waiting.size()
                                      << " calls have waited for it");
    if (!m_waiting.empty())
    {
        WhenOver({0, 0}, [this]() { TakeWaiting(); });
    }
    OpusEndpoint::Send({m_core->GetTerm(), m_server, RailId(), OpusJoin()}, m_controller);
    SetTimer();
}

void
OpusShimApp::TakeWaiting()
{
    // by instant, and those of an instant as ever
    std::map<std::tuple<Picoseconds, std::array<uint64_t, 2>, uint64_t>, uint64_t> order;
    for (const auto& [number, call] : m_waiting)
    {
        order[{call.at, call.key, number}] = number;
    }
    for (const auto& [place, number] : order)
    {
        Process([this, number = number]() { TakeCall(number); });
    }
}

void
OpusShimApp::WhenCalled(const CircuitRequest& request, Call call, std::function<void()> action)
{
    WhenCalled(request.rank,
               call,
               uint64_t{request.place} << 32 | request.stage,
               std::move(action));
}

void
OpusShimApp::Join(RankId rank, CommunicationGroup group)
{
    NS_LOG_FUNCTION(this << rank << group.GetId());
    WhenCalled(rank, JOIN, group.GetId().Get(), [this, rank, group]() {
        m_here.insert(rank);
        m_core->Join(rank, group);
    });
}

void
OpusShimApp::BeginIteration(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    WhenCalled(rank, BEGIN_ITERATION, 0, [this, rank]() { m_core->BeginIteration(rank); });
}

void
OpusShimApp::Request(CircuitRequest request)
{
    NS_LOG_INFO("rank " << request.rank << " requests circuits for "
                        << ToWords(GetPhase(m_job, request)));
    WhenCalled(request, REQUEST, [this, request]() {
        Handle(m_core->Request(request, NowPicoseconds()));
    });
}

void
OpusShimApp::Finish(CircuitRequest request)
{
    NS_LOG_INFO("rank " << request.rank << " is through with "
                        << ToWords(GetPhase(m_job, request)));
    WhenCalled(request, FINISH, [this, request]() {
        Handle(m_core->Finish(request, NowPicoseconds()));
    });
}

void
OpusShimApp::Hint(CircuitHint hint)
{
    NS_LOG_INFO("rank " << hint.first.rank << " gives a hint for "
                        << ToWords(GetPhase(m_job, hint.first)));
    WhenCalled(hint.first, HINT, [this, hint]() { Handle(m_core->Hint(hint, NowPicoseconds())); });
}

void
OpusShimApp::Called(CallNotice notice)
{
    NS_LOG_INFO("rank " << notice.call.rank << " has called operation " << notice.call.operation
                        << " of group " << notice.group << " at "
                        << ToTime(notice.call.at).As(Time::US));
    WhenCalled(notice.call.rank, CALLED, notice.place, [this, notice]() {
        Handle(m_core->Called(notice, NowPicoseconds()));
    });
}

void
OpusShimApp::LinkUp(CircuitRequest request, LinkUpWatch::Outcome outcome)
{
    NS_LOG_FUNCTION(this << request.rank);
    // times of the shim: an answer that it gives is at the rank HostLatency later
    const Picoseconds earlier = m_hostLatency.GetTimeStep();
    outcome.answered -= earlier;
    outcome.exposedFrom -= earlier;
    outcome.exposedTo -= earlier;
    if (IsRunning())
    {
        WhenOver(
            {request.rank.Get() * CALLS + LINK_UP, uint64_t{request.place} << 32 | request.stage},
            [this, request, outcome]() { m_core->LinkUp(request, outcome); });
    }
}

bool
OpusShimApp::ReportsOutages() const
{
    return m_reportsOutages;
}

void
OpusShimApp::LinkFailed(CircuitRequest request, RankCircuit circuit)
{
    NS_LOG_INFO("messages of rank " << request.rank << " have failed on a circuit of "
                                    << ToWords(GetPhase(m_job, request)));
    WhenCalled(request, LINK_FAILED, [this, request, circuit]() {
        m_core->LinkFailed(request, circuit);
    });
}

void
OpusShimApp::Leave(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    WhenCalled(rank, LEAVE, 0, [this, rank]() {
        m_core->End(rank);
        m_leaves = (m_here.erase(rank) > 0 && m_here.empty()) || m_leaves;
    });
}

template <auto Method, typename... Arguments>
void
OpusShimApp::CallRank(const Ptr<OpusBroker>& broker, const Arguments&... arguments)
{
    const Ptr<Node> node = broker->GetNode();
    if (SimulationProcesses::IsHere(node))
    {
        Simulator::ScheduleWithContext(node->GetId(), m_hostLatency, Method, broker, arguments...);
    }
    else
    {
        m_rankLink->Call<Method>(broker, m_hostLatency, arguments...);
    }
}

void
OpusShimApp::Handle(const ShimOutcome& outcome)
{
    for (const ShimAnswer& one : outcome.answers)
    {
        NS_LOG_INFO("rank " << one.request.rank << " " << DescribeAnswer(one.answer) << ", for "
                            << ToWords(GetPhase(m_job, one.request)));
        const Ptr<OpusBroker>& broker = m_brokers.at(one.request.rank);
        if (one.isHint)
        {
            CallRank<&OpusBroker::HandleHintAnswer>(broker, one.request, one.answer);
        }
        else
        {
            CallRank<&OpusBroker::HandleAnswer>(broker, one.request, one.answer, one.exposed);
        }
    }
    for (const ShimSample& one : outcome.samples)
    {
        const auto broker = m_brokers.find(one.to);
        if (broker == m_brokers.end())
        {
            continue; // it is no rank of this server
        }
        NS_LOG_INFO("rank " << one.to << " learns that rank " << one.sample.rank << " was "
                            << ToTime(one.sample.lateness).As(Time::US) << " late at operation "
                            << one.operation << " of group " << one.group);
        CallRank<&OpusBroker::HandleSample>(broker->second, one);
    }
}

void
OpusShimApp::InstantOver()
{
    NS_LOG_FUNCTION(this);
    const ShimOutcome outcome = m_core->Flush(NowPicoseconds());
    Handle(outcome);
    for (const OpusMessage& outgoing : outcome.outbox)
    {
        NS_LOG_DEBUG("sends a " << ToString(outgoing.GetType()) << " to " << m_controller);
        OpusEndpoint::Send(outgoing, m_controller);
    }
    SendFallbacks();
    if (m_leaves && m_core->HasFallenBack())
    {
        m_leaves = false; // there is no controller to leave
    }
    if (m_leaves) // after its other messages
    {
        m_leaves = false;
        NS_LOG_INFO("all ranks of server " << m_server << " have left");
        OpusEndpoint::Send({m_core->GetTerm(), m_server, RailId(), OpusLeave{m_job}}, m_controller);
    }
    ReportPorts();
    SetTimer();
    ReportNotes();
}

void
OpusShimApp::SendFallbacks()
{
    for (auto& [rail, fallback] : m_core->TakeFallbacks())
    {
        const auto agent = m_agents.find(rail);
        NS_ABORT_MSG_IF(agent == m_agents.end(),
                        "OpusShimApp: WhenGivenUp is Ring, and server "
                            << m_server << " does not know the agent of rail " << rail
                            << "; call AddAgent()");
        NS_LOG_INFO("server " << m_server << " has left its controller, and is ready for the ring "
                              << "of rail " << rail);
        OpusEndpoint::Send({m_core->GetTerm(), m_server, rail, std::move(fallback)}, agent->second);
    }
}

bool
OpusShimApp::ProcessesGroups() const
{
    return true; // a rank that gives a call back calls again in the same instant: ShimRank
}

// ------------------------------------------------------------------ the controller

void
OpusShimApp::Take(const OpusMessage& message, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << peer);
    if (const OpusWatch* watch = message.Find<OpusWatch>())
    {
        TakeWatch(*watch, message.rail, peer);
        return;
    }
    if (const OpusFallback* fallback = message.Find<OpusFallback>())
    {
        Handle(m_core->TakeFallback(message.rail, *fallback, NowPicoseconds()));
        return;
    }
    if (m_core->HasFallenBack())
    {
        Handle(m_core->Take(message, NowPicoseconds())); // it is counted only
        return;
    }
    if (message.term > m_core->GetTerm())
    {
        NS_LOG_INFO("term " << message.term << " begins, with the controller " << peer);
        m_controller = peer;
    }
    else if (message.term < m_core->GetTerm())
    {
        // a controller that was replaced and has no message of the new term yet
        OpusEndpoint::Send({m_core->GetTerm(), m_server, RailId(), OpusHeartbeat{m_job}}, peer);
    }
    const bool isNew = message.term > m_core->GetTerm();
    Handle(m_core->Take(message, NowPicoseconds()));
    // the statement of the new term registers its groups, so a LEAVE has to follow
    m_leaves = m_leaves || (isNew && m_here.empty());
}

void
OpusShimApp::TakeWatch(const OpusWatch& watch, RailId rail, const OpusPeer& agent)
{
    NS_LOG_FUNCTION(this << watch.plan << rail << agent);
    for (const SwitchCircuit& circuit : watch.circuits)
    {
        const std::optional<NicPort> nic = m_cabling->FindNicPort({rail, circuit.one});
        const CarrierWatch one{agent, rail, watch.plan, circuit, nic.value_or(NicPort())};
        const auto broker = nic ? m_brokers.find(nic->rank) : m_brokers.end();
        if (broker == m_brokers.end())
        {
            m_up.push_back(one); // no rank of the shim can wait for it
            continue;
        }
        CallRank<&OpusBroker::Watch>(broker->second, one);
    }
}

void
OpusShimApp::PortIsUp(CarrierWatch watch)
{
    NS_LOG_FUNCTION(this << watch.port.rank << watch.port.port);
    if (IsRunning())
    {
        WhenOver({watch.port.rank.Get() * CALLS + LINK_UP, watch.port.port},
                 [this, watch]() { Process([this, watch]() { m_up.push_back(watch); }); });
    }
}

void
OpusShimApp::ReportPorts()
{
    using Agent = std::tuple<OpusPeer, RailId, uint64_t>;
    std::map<Agent, std::vector<SwitchCircuit>> agents;
    for (const CarrierWatch& watch : m_up)
    {
        agents[{watch.agent, watch.rail, watch.plan}].push_back(watch.circuit);
    }
    m_up.clear();
    for (auto& [agent, circuits] : agents)
    {
        const auto& [peer, rail, plan] = agent;
        std::sort(circuits.begin(), circuits.end(), [](const auto& a, const auto& b) {
            return a.one < b.one;
        });
        OpusEndpoint::Send({m_core->GetTerm(), m_server, rail, OpusCarrier{plan, circuits, m_job}},
                           peer);
    }
}

bool
OpusShimApp::IsWorthRepeating(const OpusMessage& message) const
{
    if (message.Is<OpusCarrier>() || message.Is<OpusFallback>())
    {
        return true; // it is about ports or a rail, in whichever term
    }
    // the statement and the requests of a new term replace messages of earlier ones
    return message.term == m_core->GetTerm();
}

void
OpusShimApp::SetTimer()
{
    m_timer.Set(m_core->GetNextDeadline());
}

void
OpusShimApp::HandleTimer()
{
    NS_LOG_FUNCTION(this);
    // after all calls of ranks: a timer may be early, and each request has its own deadline
    WhenOver({std::numeric_limits<uint64_t>::max(), 0}, [this]() {
        if (m_core->GetNextDeadline() <= NowPicoseconds())
        {
            Handle(m_core->TimePassed(NowPicoseconds()));
        }
    });
}

void
OpusShimApp::ReportNotes()
{
    for (const ShimNote& note : m_core->TakeNotes())
    {
        NS_LOG_DEBUG("rank " << note.rank << " waited " << note.exposed.As(Time::MS)
                             << " for circuits and " << note.others.As(Time::MS)
                             << " for other ranks, for " << ToWords(note.phase));
        m_answered(note);
    }
    for (const LinkUpNote& note : m_core->TakeLinkUps())
    {
        m_linkUp(note);
    }
    const uint64_t wrong = m_core->GetCounters().wrongPredictions;
    if (wrong != m_wrongPredictions)
    {
        NS_LOG_INFO("server " << m_server << " has " << wrong << " mispredictions");
        m_wrongPredictions = wrong;
        m_wrongPrediction(m_server, wrong);
    }
}

} // namespace ns3
