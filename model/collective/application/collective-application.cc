/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    const auto readOnce = [](const std::string& name, Ptr<const AttributeAccessor> accessor) {
        return MakeReadOnceAccessor("CollectiveApplication::" + name,
                                    &CollectiveApplication::HasStarted,
                                    accessor);
    };
    static TypeId tid =
        TypeId("ns3::CollectiveApplication")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<CollectiveApplication>()
            .AddAttribute("MessageSize",
                          "Bytes of a message of a collective operation at most (NCCL's Simple "
                          "protocol: 1 MiB over a network).",
                          UintegerValue(1 << 20),
                          readOnce("MessageSize",
                                   MakeUintegerAccessor(&CollectiveApplication::m_messageSize)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "PointToPointMessageSize",
                "Bytes of a message of a send at most (NCCL: 128 KiB).",
                UintegerValue(128 << 10),
                readOnce("PointToPointMessageSize",
                         MakeUintegerAccessor(&CollectiveApplication::m_pointToPointSize)),
                MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("IntraNodeMessageSize",
                          "Bytes of a message at most in a group whose ranks are all in one "
                          "server: its fabric takes a message as a whole, so cutting makes "
                          "events and, but for rings, no difference.",
                          UintegerValue(1ULL << 40),
                          readOnce("IntraNodeMessageSize",
                                   MakeUintegerAccessor(&CollectiveApplication::m_insideSize)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "Channels",
                "Equal parts of a buffer that go side by side, each over its own ports: "
                "as many as a GPU has ports, unless something else is wanted.",
                UintegerValue(1),
                readOnce("Channels", MakeUintegerAccessor(&CollectiveApplication::m_channels)),
                MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute(
                "Bidirectional",
                "Whether half of the channels go round a ring the other way, if their number "
                "is even.",
                BooleanValue(true),
                readOnce("Bidirectional",
                         MakeBooleanAccessor(&CollectiveApplication::m_bidirectional)),
                MakeBooleanChecker())
            .AddAttribute(
                "Fallback",
                "Whether an algorithm that lacks circuits gives way to its fallback; "
                "else it is refused.",
                BooleanValue(true),
                readOnce("Fallback", MakeBooleanAccessor(&CollectiveApplication::m_fallback)),
                MakeBooleanChecker())
            .AddAttribute(
                "MayUseHost",
                "Whether an operation whose algorithm is named may go over the network "
                "of the hosts where that is quicker than reconfiguring circuits for it; one "
                "that is not named may in any case.",
                BooleanValue(false),
                readOnce("MayUseHost", MakeBooleanAccessor(&CollectiveApplication::m_mayUseHost)),
                MakeBooleanChecker())
            .AddAttribute(
                "EagerLimit",
                "Bytes of a send at most that goes before its receive is called; a "
                "larger one waits for it. The same for all ranks. (NCCL: "
                "NCCL_P2P_LL_THRESHOLD.)",
                UintegerValue(16 << 10),
                readOnce("EagerLimit", MakeUintegerAccessor(&CollectiveApplication::m_eagerBytes)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "EagerSends",
                "Such sends from a rank to another that are ahead of their receives at "
                "most; the next one waits. The same for all ranks. (NCCL: NCCL_STEPS.)",
                UintegerValue(8),
                readOnce("EagerSends", MakeUintegerAccessor(&CollectiveApplication::m_eagerSends)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("BootstrapLatency",
                          "Until a rank is told how an operation is done by the first rank of "
                          "its group, where costs are a rank's own.",
                          TimeValue(MicroSeconds(30)),
                          readOnce("BootstrapLatency",
                                   MakeTimeAccessor(&CollectiveApplication::m_bootstrapLatency)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BytesPerSecond",
                          "What a rank can send on all its ports, as the choice of algorithms "
                          "sees it.",
                          UintegerValue(50'000'000'000),
                          readOnce("BytesPerSecond",
                                   MakeUintegerAccessor(&CollectiveApplication::m_bytesPerSecond)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "HopLatency",
                "From a rank to another, beside the bytes, as the choice of algorithms "
                "sees it.",
                TimeValue(MicroSeconds(1)),
                readOnce("HopLatency", MakeTimeAccessor(&CollectiveApplication::m_hopLatency)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("ComputeFactor",
                          "How much longer each computing takes than the program says: a random "
                          "variable for jitter, a constant above 1 for a straggler.",
                          StringValue("ns3::ConstantRandomVariable[Constant=1]"),
                          MakePointerAccessor(&CollectiveApplication::m_computeFactor),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute(
                "StallLimit",
                "With an operation under way and nothing happening in any for so long, 1 "
                "ps or more, something is wrong. The default is longer than the slowest optical "
                "switch reconfigures; give more than a rank computes while others wait for it.",
                TimeValue(Seconds(300)),
                readOnce("StallLimit", MakeTimeAccessor(&CollectiveApplication::m_stallLimit)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("AbortOnFailure",
                          "Whether a stall, a failed message or a refusal stops the simulation; "
                          "else it fires a trace source and ends the rank's program.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CollectiveApplication::m_abort),
                          MakeBooleanChecker())
            .AddTraceSource("OperationStarted",
                            "The rank calls an operation.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_operationStarted),
                            "ns3::CollectiveApplication::RecordCallback")
            .AddTraceSource("OperationEnded",
                            "An operation is over: what it was, from when to when, how much it "
                            "moved.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_operationEnded),
                            "ns3::CollectiveApplication::RecordCallback")
            .AddTraceSource("OperationFailed",
                            "An operation is given up, and why.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_operationFailed),
                            "ns3::CollectiveApplication::RecordCallback")
            .AddTraceSource("Stalled",
                            "Nothing has happened for StallLimit: who waits for whom.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_stalled),
                            "ns3::CollectiveApplication::ReportCallback")
            .AddTraceSource("ProgramEnded",
                            "The last operation of the program is over.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_programEnded),
                            "ns3::CollectiveApplication::RankCallback");
    return tid;
}

CollectiveApplication::CollectiveApplication()
    : m_runner(m_program, [this](uint32_t operation) { Begin(operation); }),
      m_choices(m_program, m_connections, m_settings),
      m_hints(m_program,
              m_connections,
              m_runner,
              m_choices,
              [this](uint32_t operation) { EndQuietly(operation); }),
      m_inFlight(m_program, m_connections, m_runner, m_choices, m_settings, *this),
      m_watch([this]() { return !m_computing.empty(); }, [this]() { Stalled(); })
{
    NS_LOG_FUNCTION(this);
}

CollectiveApplication::~CollectiveApplication()
{
    NS_LOG_FUNCTION(this);
}

void
CollectiveApplication::DoInitialize()
{
    RequirePicoseconds("CollectiveApplication");
    Application::DoInitialize();
}

void
CollectiveApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_inFlight.Clear();
    m_choices.Clear();
    for (Ptr<Transport>* transport :
         {&m_connections.rail, &m_connections.scaleUp, &m_connections.host})
    {
        if (*transport)
        {
            (*transport)->Dispose();
        }
        *transport = nullptr;
    }
    m_connections.broker = nullptr;
    m_connections.ledger = nullptr;
    if (m_connections.bootstrap)
    {
        m_connections.bootstrap->Clear(); // it refers to all applications, and they refer to it
    }
    m_connections.bootstrap = nullptr;
    m_program.Clear();
    Application::DoDispose();
}

// ------------------------------------------------------------------------ set-up

void
CollectiveApplication::SetRank(RankId rank)
{
    m_connections.rank = rank;
}

RankId
CollectiveApplication::GetRank() const
{
    return m_connections.rank;
}

void
CollectiveApplication::ListenTo(Ptr<Transport> transport)
{
    transport->SetArrivedCallback(MakeCallback(&OperationsInFlight::Arrived, &m_inFlight));
    transport->SetSettledCallback(MakeCallback(&OperationsInFlight::Settled, &m_inFlight));
    transport->SetFailedCallback(MakeCallback(&OperationsInFlight::Failed, &m_inFlight));
}

void
CollectiveApplication::SetRail(Ptr<Transport> transport)
{
    m_connections.rail = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetScaleUp(Ptr<Transport> transport)
{
    m_connections.scaleUp = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetHostNetwork(Ptr<Transport> transport)
{
    m_connections.host = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetBroker(Ptr<CircuitBroker> broker)
{
    m_connections.broker = broker;
}

void
CollectiveApplication::SetLedger(Ptr<CollectiveLedger> ledger)
{
    m_connections.ledger = ledger;
}

void
CollectiveApplication::SetBootstrap(Ptr<BootstrapNetwork> network)
{
    m_connections.bootstrap = network;
}

void
CollectiveApplication::SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups)
{
    NS_ABORT_MSG_IF(m_program.IsSet(),
                    "CollectiveApplication: rank " << GetRank()
                                                   << " has a program already; put all of it into "
                                                      "one");
    NS_ABORT_MSG_IF(groups.size() < program->GetGroups(),
                    "CollectiveApplication: the program of rank "
                        << GetRank() << " names " << program->GetGroups() << " groups, and "
                        << groups.size() << " are given");
    m_program.Set(GetRank(), std::move(program), groups);
    m_runner.Load();
    m_inFlight.Load();
}

CollectiveSettings
CollectiveApplication::MakeSettings() const
{
    CollectiveSettings settings;
    settings.messageSize = m_messageSize;
    settings.pointToPointMessageSize = m_pointToPointSize;
    settings.intraNodeMessageSize = m_insideSize;
    settings.channels = m_channels;
    settings.bidirectional = m_bidirectional;
    settings.fallback = m_fallback;
    settings.mayUseHost = m_mayUseHost;
    settings.eager.bytes = m_eagerBytes;
    settings.eager.sends = m_eagerSends;
    settings.bootstrapLatency = m_bootstrapLatency;
    settings.bytesPerSecond = m_bytesPerSecond;
    settings.hopLatency = m_hopLatency.GetTimeStep();
    return settings;
}

// ------------------------------------------------------------------- the program

void
CollectiveApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_program.IsSet())
    {
        return; // a rank without work
    }
    const RankConnections& its = m_connections;
    NS_ABORT_MSG_UNLESS(its.broker && its.ledger && its.rail,
                        "CollectiveApplication: rank "
                            << its.rank
                            << " lacks a rail, broker or ledger; install it by CollectiveHelper");
    RequireAtLeast(m_stallLimit, 1, "CollectiveApplication::StallLimit");
    RequireAtLeast(m_bootstrapLatency, 1, "CollectiveApplication::BootstrapLatency");
    NS_ABORT_MSG_UNLESS(its.bootstrap || !its.broker->HasOwnCosts(),
                        "CollectiveApplication: rank "
                            << its.rank
                            << " lacks a bootstrap network, and its costs are its own; install it "
                               "by CollectiveHelper");
    m_settings = MakeSettings();
    m_runner.Start();
    if (!m_runner.IsStopped() && !IsOver())
    {
        m_watch.Start(m_stallLimit);
    }
    NoteProgress();
    for (uint32_t group = 0; group < m_program.GetProgram().GetGroups(); ++group)
    {
        its.broker->Join(its.rank, m_program.GetGroup(group));
    }
    m_runner.Proceed();
}

void
CollectiveApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_runner.Stop();
    m_watch.Stop();
    for (const auto& [operation, computing] : m_computing)
    {
        Simulator::Remove(computing.end);
    }
}

void
CollectiveApplication::Begin(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    const RankOperation& call = m_program.GetOperations()[operation];
    ++m_counters.started;
    NoteProgress();
    switch (call.kind)
    {
    case RankOperation::Kind::COLLECTIVE:
    case RankOperation::Kind::SEND:
    case RankOperation::Kind::RECEIVE:
        m_inFlight.Begin(operation);
        return;
    case RankOperation::Kind::CIRCUITS:
        m_hints.Give(operation);
        return;
    case RankOperation::Kind::ITERATION:
        m_connections.broker->BeginIteration(GetRank());
        EndQuietly(operation);
        return;
    case RankOperation::Kind::COMPUTE:
        Compute(operation);
        return;
    }
}

void
CollectiveApplication::HandleChoice(const FlowKey& flowKey,
                                    uint64_t number,
                                    std::shared_ptr<const AlgorithmChoice> choice)
{
    NS_LOG_FUNCTION(this << number);
    if (m_runner.IsStopped() || !m_inFlight.HasFlow(flowKey))
    {
        return;
    }
    m_choices.Learn(flowKey, number, choice);
    NoteProgress();
    m_inFlight.StartIfCalled(flowKey, number, choice);
    m_hints.GiveWaiting();
}

void
CollectiveApplication::EndQuietly(uint32_t operation)
{
    ++m_counters.ended;
    End(operation);
}

void
CollectiveApplication::End(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    m_runner.End(operation);
    if (IsOver())
    {
        m_watch.Stop(); // the watch must not prolong the simulation
        m_connections.broker->Leave(GetRank());
        m_programEnded(GetRank());
        return;
    }
    NoteProgress();
    m_runner.Proceed();
}

bool
CollectiveApplication::HasStarted() const
{
    return m_runner.HasStarted();
}

bool
CollectiveApplication::IsOver() const
{
    return m_program.IsSet() && m_counters.ended == m_program.GetOperations().size();
}

const CollectiveApplication::Counters&
CollectiveApplication::GetCounters() const
{
    return m_counters;
}

// --------------------------------------------------------------------- computing

void
CollectiveApplication::Compute(uint32_t operation)
{
    OperationRecord record;
    record.rank = GetRank();
    record.operation = operation;
    record.call = m_program.GetOperations()[operation];
    record.start = NowPicoseconds();
    m_operationStarted(record);
    m_computing[operation] = {record.start,
                              Simulator::Schedule(ToTime(DrawDuration(record.call.duration)),
                                                  &CollectiveApplication::Computed,
                                                  this,
                                                  operation)};
}

void
CollectiveApplication::Computed(uint32_t operation)
{
    OperationRecord record;
    record.rank = GetRank();
    record.operation = operation;
    record.call = m_program.GetOperations()[operation];
    record.start = m_computing.at(operation).start;
    record.end = NowPicoseconds();
    m_computing.erase(operation);
    ++m_counters.ended;
    m_operationEnded(record);
    End(operation);
}

Picoseconds
CollectiveApplication::DrawDuration(Picoseconds duration)
{
    const double factor = m_computeFactor->GetValue();
    NS_ABORT_MSG_UNLESS(factor >= 0 && factor <= 1e6,
                        "CollectiveApplication: ComputeFactor drew "
                            << factor << " for rank " << GetRank()
                            << "; give a random variable between 0 and 1000000");
    return factor == 1 ? duration : static_cast<Picoseconds>(std::llround(duration * factor));
}

int64_t
CollectiveApplication::AssignComputeStream(int64_t stream)
{
    m_computeFactor->SetStream(stream);
    return 1;
}

// -------------------------------------------------------- reports of operations

void
CollectiveApplication::NoteProgress()
{
    m_watch.NoteProgress();
}

void
CollectiveApplication::OperationStarted(const OperationRecord& record)
{
    m_operationStarted(record);
}

void
CollectiveApplication::OperationEnded(const OperationRecord& record)
{
    ++m_counters.ended;
    m_counters.messagesSent += record.messagesSent;
    m_counters.bytesSent += record.bytesSent;
    m_counters.messagesReceived += record.messagesReceived;
    m_counters.bytesReceived += record.bytesReceived;
    m_operationEnded(record);
    End(record.operation);
}

void
CollectiveApplication::OperationFailed(const OperationRecord& record,
                                       const std::string& description)
{
    NS_ABORT_MSG_IF(m_abort,
                    "CollectiveApplication: " << description << "can't go on: " << record.why);
    ++m_counters.failed;
    StopApplication();
    m_connections.broker->Leave(GetRank()); // others need not wait for the circuits that it holds
    m_operationFailed(record);
}

void
CollectiveApplication::MessageIsEarly(std::size_t waiting)
{
    m_counters.mostEarly = std::max<uint64_t>(m_counters.mostEarly, waiting);
}

void
CollectiveApplication::Stalled()
{
    std::ostringstream report;
    report << "rank " << GetRank() << ": nothing has happened for " << m_stallLimit.As(Time::S)
           << " (StallLimit). " << GetReport();
    NS_ABORT_MSG_IF(m_abort, "CollectiveApplication: " << report.str());
    StopApplication();
    m_connections.broker->Leave(GetRank());
    m_stalled(report.str());
}

std::string
CollectiveApplication::GetReport() const
{
    return m_inFlight.Describe() + m_runner.Describe();
}

} // namespace ns3
