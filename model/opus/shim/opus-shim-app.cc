/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-shim-app.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusShimApp");

NS_OBJECT_ENSURE_REGISTERED(OpusShimApp);

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
                "or when its program says so (CoScheduled).",
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
                "Iterations that it watches before it predicts anything.",
                UintegerValue(settings.profileIterations),
                MakeReadOnceAccessor("OpusShimApp::ProfileIterations",
                                     &OpusShimApp::HasStarted,
                                     MakeUintegerAccessor(&OpusShimApp::m_profileIterations)),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostNetwork",
                          "Whether what is refused goes over the network of the hosts; else it "
                          "fails.",
                          BooleanValue(settings.hostNetwork),
                          MakeReadOnceAccessor("OpusShimApp::HostNetwork",
                                               &OpusShimApp::HasStarted,
                                               MakeBooleanAccessor(&OpusShimApp::m_hostNetwork)),
                          MakeBooleanChecker())
            .AddAttribute("GiveUpAfter",
                          "How long it waits for an answer to a request, before it does what "
                          "WhenGivenUp says, 1 ps or more. The default is longer than the "
                          "controller's limits for votes and ports together.",
                          TimeValue(Seconds(100)),
                          MakeReadOnceAccessor("OpusShimApp::GiveUpAfter",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_giveUpAfter)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WhenGivenUp",
                          "What becomes of a stage for which no answer comes: it is sent over the "
                          "circuits that there were last (Send), or over the network of the hosts "
                          "(Host), or fails (Fail).",
                          EnumValue(FAIL),
                          MakeReadOnceAccessor(
                              "OpusShimApp::WhenGivenUp",
                              &OpusShimApp::HasStarted,
                              MakeRailsEnumAccessor<WhenGivenUp>(&OpusShimApp::m_whenGivenUp)),
                          MakeEnumChecker(SEND, "Send", HOST, "Host", FAIL, "Fail"))
            .AddAttribute("KeepIdle",
                          "How long circuits are kept that will be needed again, while the rank "
                          "waits for others.",
                          TimeValue(PicoSeconds(settings.keepIdle)),
                          MakeReadOnceAccessor("OpusShimApp::KeepIdle",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_keepIdle)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostLatency",
                          "From a rank to its shim, and back, 2 ps or more: through memory, and a "
                          "thread that polls it.",
                          TimeValue(MicroSeconds(1)),
                          MakeReadOnceAccessor("OpusShimApp::HostLatency",
                                               &OpusShimApp::HasStarted,
                                               MakeTimeAccessor(&OpusShimApp::m_hostLatency)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ReconfigurationTime",
                "What a reconfiguration is expected to take, all included, by which it is "
                "chosen what operations need circuits for; 0: all do, and nothing is "
                "weighed.",
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
            .AddTraceSource("Answered",
                            "A rank's request is answered: how long it waited, and for what.",
                            MakeTraceSourceAccessor(&OpusShimApp::m_answered),
                            "ns3::OpusShimApp::NoteCallback")
            .AddTraceSource("WrongPrediction",
                            "A rank did something else than was predicted.",
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
    OpusEndpoint::DoDispose();
    for (const auto& [rank, broker] : m_brokers)
    {
        broker->Dispose();
    }
    m_brokers.clear();
    m_core.reset();
    m_cabling.reset();
}

// ------------------------------------------------------------------------ set-up

void
OpusShimApp::SetJob(JobId job)
{
    m_job = job;
}

void
OpusShimApp::SetServer(ServerId server)
{
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
    costs.reconfiguration = m_reconfigurationTime.GetTimeStep();
    costs.hostBytesPerSecond = m_hostBytesPerSecond;
    costs.hostHopLatency = m_hostHopLatency.GetTimeStep();
    return costs;
}

void
OpusShimApp::SetCabling(std::shared_ptr<const Cabling> cabling)
{
    m_cabling = std::move(cabling);
}

void
OpusShimApp::SetController(const OpusPeer& peer)
{
    m_controller = peer;
}

Ptr<OpusBroker>
OpusShimApp::MakeBroker(RankId rank, Ptr<Node> gpu)
{
    NS_ABORT_MSG_UNLESS(m_cabling && m_cabling->IsKnown(rank) &&
                            m_cabling->GetServer(rank) == m_server,
                        "OpusShimApp: rank " << rank << " is not on server " << m_server
                                             << "; use the shim of its own server");
    Ptr<OpusBroker>& broker = m_brokers[rank];
    if (!broker)
    {
        broker = CreateObject<OpusBroker>(Ptr<LocalShim>(this), gpu, m_job, m_cabling);
    }
    return broker;
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
                                                   : ShimSettings::WhenGivenUp::FAIL;
    settings.keepIdle = m_keepIdle.GetTimeStep();
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
    RequireAtLeast(m_giveUpAfter, 1, "OpusShimApp::GiveUpAfter");
    RequireAtLeast(m_hostLatency, 2, "OpusShimApp::HostLatency"); // the last ends the instant
    m_core = std::make_unique<ShimCore>(MakeSettings());
}

void
OpusShimApp::End()
{
    m_timer.Set(NEVER);
}

// -------------------------------------------------------------------------- ranks

void
OpusShimApp::WhenCalled(RankId rank, Call call, uint64_t order, std::function<void()> action)
{
    if (IsRunning())
    {
        WhenOver({rank.Get() * CALLS + call, order}, std::move(action));
    }
}

void
OpusShimApp::WhenCalled(const CircuitRequest& ask, Call call, std::function<void()> action)
{
    WhenCalled(ask.rank, call, uint64_t{ask.place} << 32 | ask.stage, std::move(action));
}

void
OpusShimApp::Join(RankId rank, CommunicationGroup group)
{
    WhenCalled(rank, JOIN, group.GetId().Get(), [this, rank, group]() {
        m_here.insert(rank);
        m_core->Join(rank, group);
    });
}

void
OpusShimApp::BeginIteration(RankId rank)
{
    WhenCalled(rank, BEGIN_ITERATION, 0, [this, rank]() { m_core->BeginIteration(rank); });
}

void
OpusShimApp::Ask(CircuitRequest ask)
{
    WhenCalled(ask, ASK, [this, ask]() { Handle(m_core->Request(ask, NowPicoseconds())); });
}

void
OpusShimApp::Finish(CircuitRequest ask)
{
    WhenCalled(ask, FINISH, [this, ask]() { Handle(m_core->Finish(ask, NowPicoseconds())); });
}

void
OpusShimApp::Hint(CircuitHint hint)
{
    WhenCalled(hint.first, ASK, [this, hint]() { Handle(m_core->Hint(hint, NowPicoseconds())); });
}

void
OpusShimApp::Leave(RankId rank)
{
    WhenCalled(rank, LEAVE, 0, [this, rank]() {
        m_core->End(rank);
        m_leaves = (m_here.erase(rank) > 0 && m_here.empty()) || m_leaves;
    });
}

void
OpusShimApp::Handle(const ShimOutcome& outcome)
{
    for (const ShimAnswer& one : outcome.answers)
    {
        const Ptr<OpusBroker>& broker = m_brokers.at(one.request.rank);
        Simulator::ScheduleWithContext(broker->GetNode()->GetId(),
                                       m_hostLatency,
                                       one.isHint ? &OpusBroker::HandleHintAnswer
                                                  : &OpusBroker::HandleAnswer,
                                       broker,
                                       one.request,
                                       one.answer);
    }
}

void
OpusShimApp::InstantOver()
{
    const ShimOutcome outcome = m_core->Flush(NowPicoseconds());
    for (const OpusMessage& outgoing : outcome.outbox)
    {
        OpusEndpoint::Send(outgoing, m_controller);
    }
    if (m_leaves) // what it has to say comes before
    {
        m_leaves = false;
        OpusMessage message;
        message.type = OpusMessage::Type::LEAVE;
        message.term = m_core->GetTerm();
        message.server = m_server;
        message.phase.job = m_job;
        OpusEndpoint::Send(message, m_controller);
    }
    SetTimer();
    TellNotes();
}

// ------------------------------------------------------------------ the controller

void
OpusShimApp::Take(const OpusMessage& message, const OpusPeer& peer)
{
    if (message.term > m_core->GetTerm())
    {
        m_controller = peer;
    }
    else if (message.term < m_core->GetTerm())
    {
        OpusMessage answer; // a controller that has been replaced, and does not know
        answer.type = OpusMessage::Type::HEARTBEAT;
        answer.term = m_core->GetTerm();
        answer.server = m_server;
        answer.phase.job = m_job;
        OpusEndpoint::Send(answer, peer);
    }
    const bool isNew = message.term > m_core->GetTerm();
    Handle(m_core->Take(message, NowPicoseconds()));
    m_leaves = m_leaves || (isNew && m_here.empty()); // it tells of groups, as if it was there
}

bool
OpusShimApp::IsWorthRepeating(const OpusMessage& message) const
{
    return message.term == m_core->GetTerm(); // else it has been said again, to another
}

void
OpusShimApp::SetTimer()
{
    m_timer.Set(m_core->GetNextDeadline());
}

void
OpusShimApp::HandleTimer()
{
    // after all that ranks call: a timer may come too early, and there is a deadline for each ask
    WhenOver({std::numeric_limits<uint64_t>::max(), 0}, [this]() {
        if (m_core->GetNextDeadline() <= NowPicoseconds())
        {
            Handle(m_core->TimePassed(NowPicoseconds()));
        }
    });
}

void
OpusShimApp::TellNotes()
{
    for (const ShimNote& note : m_core->TakeNotes())
    {
        m_answered(note);
    }
    const uint64_t wrong = m_core->GetCounters().wrongPredictions;
    if (wrong != m_wrongPredictions)
    {
        m_wrongPredictions = wrong;
        m_wrongPrediction(m_server, wrong);
    }
}

} // namespace ns3
