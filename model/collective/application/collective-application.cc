/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

namespace
{

/** Aborts if a time is longer than the simulator can add to instants. */
void
RequireTimes(const CollectiveTimes& times)
{
    for (const auto& [kind, name] :
         {std::pair(TransportKind::RAIL, "CollectiveApplication::Rail"),
          std::pair(TransportKind::SCALE_UP, "CollectiveApplication::ScaleUp"),
          std::pair(TransportKind::HOST, "CollectiveApplication::Host")})
    {
        const TransportTimes& its = times.Get(kind);
        RequireAtMost(its.start, LONGEST_TIME, std::string(name) + "StartTime");
        RequireAtMost(its.step, LONGEST_TIME, std::string(name) + "StepTime");
        RequireAtMost(its.message, LONGEST_TIME, std::string(name) + "MessageTime");
    }
}

} // namespace

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid = AddTimes(MakeTypeId()).AddConstructor<CollectiveApplication>();
    return tid;
}

CollectiveApplication::CollectiveApplication()
    : m_runner(m_program, [this](uint32_t operation) { Begin(operation); }),
      m_stragglers(m_program, m_connections, m_settings),
      m_choices(m_program, m_connections, m_settings, m_stragglers),
      m_hints(m_program,
              m_connections,
              m_runner,
              m_choices,
              [this](uint32_t operation) { EndQuietly(operation); }),
      m_inFlight(m_program, m_connections, m_runner, m_choices, m_settings, *this),
      m_computations([this](uint32_t operation, Time start) { Computed(operation, start); }),
      m_stretches(m_program,
                  m_connections,
                  m_settings,
                  m_runner,
                  m_choices,
                  m_inFlight,
                  m_computations,
                  *this),
      m_watch([this]() { return m_computations.IsAny() || m_inFlight.FollowsRail(); },
              [this]() { Stalled(); },
              [this]() {
                  CatchUp();
                  return m_inFlight.GetLastActivity();
              })
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
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("CollectiveApplication");
    Application::DoInitialize();
}

void
CollectiveApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_inFlight.Clear();
    m_connections.LeaveIntraNode(); // else operations would go on by messages
    StopApplication();
    m_choices.Clear();
    m_stragglers.Clear();
    m_connections.Dispose();
    m_program.Clear();
    Application::DoDispose();
}

// ------------------------------------------------------------------------ set-up

void
CollectiveApplication::SetRank(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    m_connections.rank = rank;
}

void
CollectiveApplication::ListenTo(Ptr<Transport> transport)
{
    transport->SetSettledCallback(MakeCallback(&OperationsInFlight::Settled, &m_inFlight));
    transport->SetFailedCallback(MakeCallback(&OperationsInFlight::Failed, &m_inFlight));
}

void
CollectiveApplication::SetRail(Ptr<Transport> transport)
{
    NS_LOG_FUNCTION(this << transport);
    m_connections.rail = transport;
    transport->SetArrivedCallback(MakeCallback(&OperationsInFlight::Arrived, &m_inFlight));
    ListenTo(transport);
}

void
CollectiveApplication::SetScaleUp(Ptr<Transport> transport)
{
    NS_LOG_FUNCTION(this << transport);
    m_connections.scaleUp = transport;
    transport->SetArrivedCallback(MakeCallback(&OperationsInFlight::Arrived, &m_inFlight));
    ListenTo(transport);
}

void
CollectiveApplication::SetHostNetwork(Ptr<Transport> transport)
{
    NS_LOG_FUNCTION(this << transport);
    m_connections.host = transport;
    transport->SetArrivedCallback(MakeCallback(&OperationsInFlight::ArrivedFromHost, &m_inFlight));
    ListenTo(transport);
}

void
CollectiveApplication::SetBroker(Ptr<CircuitBroker> broker)
{
    NS_LOG_FUNCTION(this << broker);
    m_connections.broker = broker;
}

void
CollectiveApplication::SetLedger(Ptr<CollectiveLedger> ledger)
{
    NS_LOG_FUNCTION(this);
    m_connections.ledger = ledger;
}

void
CollectiveApplication::SetIntraNode(Ptr<IntraNodeFabric> intraNode)
{
    NS_LOG_FUNCTION(this << intraNode);
    m_connections.intraNode = intraNode;
}

void
CollectiveApplication::SetBootstrap(Ptr<BootstrapNetwork> network)
{
    NS_LOG_FUNCTION(this);
    m_connections.bootstrap = network;
}

void
CollectiveApplication::SetFold(Ptr<RailFold> fold)
{
    NS_LOG_FUNCTION(this);
    m_connections.fold = fold;
}

void
CollectiveApplication::SetMemo(Ptr<OperationMemo> memo)
{
    NS_LOG_FUNCTION(this);
    m_connections.memo = memo;
}

void
CollectiveApplication::SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups)
{
    NS_LOG_FUNCTION(this << groups.size());
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

// ------------------------------------------------------------------- the program

void
CollectiveApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_program.IsSet() || m_hasEnded || m_inFlight.IsStopped())
    {
        return; // a rank without work, or whose process has ended, as its GPU has failed
    }
    m_connections.Require();
    RequireAtLeast(m_stallLimit, 1, "CollectiveApplication::StallLimit");
    RequireAtLeast(m_bootstrapLatency, 1, "CollectiveApplication::BootstrapLatency");
    m_settings = MakeSettings();
    RequireTimes(m_settings.times);
    m_inFlight.Start();
    m_runner.Start();
    if (!m_runner.IsStopped() && !IsOver())
    {
        m_watch.Start(m_stallLimit);
    }
    NoteProgress();
    for (uint32_t group = 0; group < m_program.GetProgram().GetGroups(); ++group)
    {
        m_connections.broker->Join(GetRank(), m_program.GetGroup(group));
    }
    m_runner.Proceed();
}

void
CollectiveApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_inFlight.GoOnByMessages();
    m_runner.Stop();
    m_watch.Stop();
    m_computations.Stop();
}

void
CollectiveApplication::EndProcess(bool leaves)
{
    NS_LOG_FUNCTION(this << leaves);
    if (m_hasEnded)
    {
        return;
    }
    m_hasEnded = true;
    NS_LOG_INFO("rank " << GetRank() << " ends");
    if (!IsOver())
    {
        const bool holds = HasStarted() && !m_runner.IsStopped() && m_connections.broker;
        StopApplication();
        m_counters.failed = m_counters.started - m_counters.ended;
        if (leaves && holds)
        {
            m_connections.broker->Leave(GetRank());
        }
    }
    m_processEnded(GetRank());
}

void
CollectiveApplication::Halt()
{
    NS_LOG_FUNCTION(this);
    if (IsHalted())
    {
        return;
    }
    NS_LOG_INFO("the GPU of rank " << GetRank() << " has failed");
    m_isHalted = true;
    m_inFlight.HaltAfter(NowPicoseconds());
    Simulator::Schedule(ToTime(1), &CollectiveApplication::EndProcess, this, true);
}

void
CollectiveApplication::SetSlowFactor(double factor)
{
    NS_LOG_FUNCTION(this << factor);
    NS_ABORT_MSG_UNLESS(factor >= 0.001 && factor <= 1e6,
                        "CollectiveApplication: a slow factor of "
                            << factor << " for rank " << GetRank() << "; give 0.001 to 1000000");
    CatchUp(); // it holds for what is computed from now on
    m_computations.SetFactor(factor);
}

void
CollectiveApplication::Begin(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    const RankOperation& call = m_program.GetOperations()[operation];
    if (m_stretches.Enter(operation))
    {
        NS_LOG_INFO("rank " << GetRank() << " begins a stretch of its program " << call.label);
        NoteProgress();
        return;
    }
    NS_LOG_INFO("rank " << GetRank() << " calls operation " << operation << " of its program "
                        << call.label);
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
        m_choices.BeginIteration(operation);
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
    NS_LOG_FUNCTION(this << number << choice->algorithm);
    if (m_inFlight.IsStopped() || !m_inFlight.HasFlow(flowKey))
    {
        return;
    }
    m_choices.Learn(flowKey, number, choice);
    NoteProgress();
    m_inFlight.StartIfCalled(flowKey, number, choice);
    m_hints.GiveWaiting();
}

void
CollectiveApplication::HandleCall(GroupId group, const RankCall& call)
{
    NS_LOG_FUNCTION(this << group << call.rank << call.operation);
    if (!m_inFlight.IsStopped())
    {
        m_stragglers.TakeCall(group, call);
    }
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
    GoOn();
}

void
CollectiveApplication::GoOn()
{
    if (IsOver())
    {
        NS_LOG_INFO("rank " << GetRank() << " has ended its program");
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

// --------------------------------------------------------------------- computing

void
CollectiveApplication::Compute(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    const RankOperation& call = m_program.GetOperations()[operation];
    if (!m_operationStarted.IsEmpty())
    {
        OperationRecord record;
        record.rank = GetRank();
        record.operation = operation;
        record.call = call;
        record.start = Simulator::Now();
        m_operationStarted(record);
    }
    m_computations.Begin(operation, DrawDuration(call.duration));
}

void
CollectiveApplication::Computed(uint32_t operation, Time start)
{
    NS_LOG_FUNCTION(this << operation << start);
    if (m_inFlight.IsStopped())
    {
        return;
    }
    NS_LOG_INFO("rank " << GetRank() << " has computed operation " << operation);
    OperationRecord record;
    record.rank = GetRank();
    record.operation = operation;
    record.call = m_program.GetOperations()[operation];
    record.start = start;
    record.end = Simulator::Now();
    Count(record);
    End(operation);
}

Time
CollectiveApplication::DrawDuration(Time duration)
{
    const double factor = m_computeFactor->GetValue();
    NS_LOG_DEBUG("rank " << GetRank() << " draws factor " << factor << " of " << duration);
    NS_ABORT_MSG_UNLESS(factor >= 0 && factor <= 1e6,
                        "CollectiveApplication: ComputeFactor drew "
                            << factor << " for rank " << GetRank()
                            << "; give a random variable between 0 and 1000000");
    return RankComputations::Lengthen(duration, factor);
}

int64_t
CollectiveApplication::AssignComputeStream(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_computeFactor->SetStream(stream);
    return 1;
}

// --------------------------------------------------------------------- stretches

void
CollectiveApplication::CatchUp() const
{
    m_stretches.Leave();
}

std::optional<double>
CollectiveApplication::GetFactor() const
{
    const auto constant = DynamicCast<ConstantRandomVariable>(m_computeFactor);
    if (!constant || !m_operationStarted.IsEmpty() || !m_operationEnded.IsEmpty())
    {
        return std::nullopt;
    }
    const double factor = constant->GetConstant();
    return factor >= 0 && factor <= 1e6 ? std::optional(factor) : std::nullopt;
}

void
CollectiveApplication::StretchIsLeftAt(uint32_t operation)
{
    NS_LOG_INFO("rank " << GetRank() << " goes on one by one at operation " << operation);
    ++m_counters.started;
}

void
CollectiveApplication::OperationOver(const OperationRecord& record)
{
    ++m_counters.started;
    m_counters.inStretches += record.asOne ? 1 : 0;
    Count(record);
}

void
CollectiveApplication::StretchEnded()
{
    GoOn();
}

// -------------------------------------------------------- reports of operations

void
CollectiveApplication::NoteProgress()
{
    m_watch.NoteProgress();
}

void
CollectiveApplication::NoteEarlierProgress(Picoseconds at)
{
    m_watch.NoteEarlierProgress(at);
}

void
CollectiveApplication::OperationStarted(const OperationRecord& record)
{
    NS_LOG_INFO("rank " << record.rank << " begins operation " << record.operation << ", number "
                        << record.number << " in group " << record.group << ": "
                        << record.call.bytes << " bytes by " << record.algorithm
                        << (record.host ? " over the host network" : ""));
    m_operationStarted(record);
}

void
CollectiveApplication::OperationEnded(const OperationRecord& record)
{
    NS_LOG_INFO("rank " << record.rank << " ends operation " << record.operation << ", number "
                        << record.number << " in group " << record.group << ": " << record.bytesSent
                        << " bytes sent, " << record.bytesReceived << " received by "
                        << record.algorithm << ", " << record.waited << " without circuits");
    Count(record);
    End(record.operation);
}

void
CollectiveApplication::Count(const OperationRecord& record)
{
    ++m_counters.ended;
    m_counters.asOne += record.asOne ? 1 : 0;
    m_counters.stragglAr += record.algorithm.rfind("straggl-ar", 0) == 0 ? 1 : 0;
    m_counters.messagesSent += record.messagesSent;
    m_counters.bytesSent += record.bytesSent;
    m_counters.messagesReceived += record.messagesReceived;
    m_counters.bytesReceived += record.bytesReceived;
    m_operationEnded(record);
    m_operationOver(record);
}

void
CollectiveApplication::OperationFailed(const OperationRecord& record,
                                       const std::string& description)
{
    NS_LOG_INFO("rank " << record.rank << " gives up operation " << record.operation << ": "
                        << record.why);
    NS_ABORT_MSG_IF(m_abort,
                    "CollectiveApplication: " << description << "can't go on: " << record.why);
    StopApplication();
    m_counters.failed = m_counters.started - m_counters.ended; // with it, those of other streams
    m_connections.broker->Leave(GetRank()); // others need not wait for the circuits that it holds
    m_operationFailed(record);
}

void
CollectiveApplication::MessagesWereEarly(std::size_t waiting)
{
    m_counters.mostEarly = std::max<uint64_t>(m_counters.mostEarly, waiting);
}

const CollectiveApplication::Counters&
CollectiveApplication::GetCounters() const
{
    CatchUp();
    m_counters.mostEarly = std::max(m_counters.mostEarly, m_inFlight.GetMostEarly());
    return m_counters;
}

void
CollectiveApplication::Stalled()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_INFO("rank " << GetRank() << " has stalled");
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
