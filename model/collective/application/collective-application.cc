/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"

#include "collective-operation.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveApplication")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<CollectiveApplication>()
            .AddAttribute(
                "MessageSize",
                "Bytes of a message of a collective operation at most (NCCL's Simple "
                "protocol: 1 MiB over a network).",
                UintegerValue(1 << 20),
                MakeReadOnceAccessor("CollectiveApplication::MessageSize",
                                     &CollectiveApplication::HasStarted,
                                     MakeUintegerAccessor(&CollectiveApplication::m_messageSize)),
                MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("PointToPointMessageSize",
                          "Bytes of a message of a send at most (NCCL: 128 KiB).",
                          UintegerValue(128 << 10),
                          MakeReadOnceAccessor(
                              "CollectiveApplication::PointToPointMessageSize",
                              &CollectiveApplication::HasStarted,
                              MakeUintegerAccessor(&CollectiveApplication::m_pointToPointSize)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "IntraNodeMessageSize",
                "Bytes of a message at most in a group whose ranks are all in one "
                "server: its fabric takes a message as a whole, so cutting makes "
                "events and, but for rings, no difference.",
                UintegerValue(1ULL << 40),
                MakeReadOnceAccessor("CollectiveApplication::IntraNodeMessageSize",
                                     &CollectiveApplication::HasStarted,
                                     MakeUintegerAccessor(&CollectiveApplication::m_insideSize)),
                MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "Channels",
                "Equal parts of a buffer that go side by side, each over its own ports: "
                "as many as a GPU has ports, unless something else is wanted.",
                UintegerValue(1),
                MakeReadOnceAccessor("CollectiveApplication::Channels",
                                     &CollectiveApplication::HasStarted,
                                     MakeUintegerAccessor(&CollectiveApplication::m_channels)),
                MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute(
                "Bidirectional",
                "Whether half of the channels go round a ring the other way, if their number "
                "is even.",
                BooleanValue(true),
                MakeReadOnceAccessor("CollectiveApplication::Bidirectional",
                                     &CollectiveApplication::HasStarted,
                                     MakeBooleanAccessor(&CollectiveApplication::m_bidirectional)),
                MakeBooleanChecker())
            .AddAttribute(
                "Fallback",
                "Whether an algorithm that lacks circuits gives way to its fallback; "
                "else it is refused.",
                BooleanValue(true),
                MakeReadOnceAccessor("CollectiveApplication::Fallback",
                                     &CollectiveApplication::HasStarted,
                                     MakeBooleanAccessor(&CollectiveApplication::m_fallback)),
                MakeBooleanChecker())
            .AddAttribute(
                "MayUseHost",
                "Whether an operation whose algorithm is named may go over the network "
                "of the hosts where that is quicker than reconfiguring circuits for it; one "
                "that is not named may in any case.",
                BooleanValue(false),
                MakeReadOnceAccessor("CollectiveApplication::MayUseHost",
                                     &CollectiveApplication::HasStarted,
                                     MakeBooleanAccessor(&CollectiveApplication::m_mayUseHost)),
                MakeBooleanChecker())
            .AddAttribute(
                "EagerLimit",
                "Bytes of a send at most that goes before its receive is called; a "
                "larger one waits for it. The same for all ranks. (NCCL: "
                "NCCL_P2P_LL_THRESHOLD.)",
                UintegerValue(16 << 10),
                MakeReadOnceAccessor("CollectiveApplication::EagerLimit",
                                     &CollectiveApplication::HasStarted,
                                     MakeUintegerAccessor(&CollectiveApplication::SetEagerBytes,
                                                          &CollectiveApplication::GetEagerBytes)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "EagerSends",
                "Such sends from a rank to another that are ahead of their receives at "
                "most; the next one waits. The same for all ranks. (NCCL: NCCL_STEPS.)",
                UintegerValue(8),
                MakeReadOnceAccessor("CollectiveApplication::EagerSends",
                                     &CollectiveApplication::HasStarted,
                                     MakeUintegerAccessor(&CollectiveApplication::SetEagerSends,
                                                          &CollectiveApplication::GetEagerSends)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "BootstrapLatency",
                "Until a rank is told how an operation is done by the first rank of "
                "its group, where costs are a rank's own.",
                TimeValue(MicroSeconds(30)),
                MakeReadOnceAccessor("CollectiveApplication::BootstrapLatency",
                                     &CollectiveApplication::HasStarted,
                                     MakeTimeAccessor(&CollectiveApplication::m_bootstrapLatency)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("BytesPerSecond",
                          "What a rank can send on all its ports, as the choice of algorithms "
                          "sees it.",
                          UintegerValue(50'000'000'000),
                          MakeReadOnceAccessor(
                              "CollectiveApplication::BytesPerSecond",
                              &CollectiveApplication::HasStarted,
                              MakeUintegerAccessor(&CollectiveApplication::m_bytesPerSecond)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute(
                "HopLatency",
                "From a rank to another, beside the bytes, as the choice of algorithms "
                "sees it.",
                TimeValue(MicroSeconds(1)),
                MakeReadOnceAccessor("CollectiveApplication::HopLatency",
                                     &CollectiveApplication::HasStarted,
                                     MakeTimeAccessor(&CollectiveApplication::m_hopLatency)),
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
                MakeReadOnceAccessor("CollectiveApplication::StallLimit",
                                     &CollectiveApplication::HasStarted,
                                     MakeTimeAccessor(&CollectiveApplication::m_stallLimit)),
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
    m_running.clear();
    m_exchanges.clear();
    for (Ptr<Transport>* transport : {&m_rail, &m_scaleUp, &m_host})
    {
        if (*transport)
        {
            (*transport)->Dispose();
        }
        *transport = nullptr;
    }
    m_broker = nullptr;
    m_ledger = nullptr;
    if (m_bootstrap)
    {
        m_bootstrap->Clear(); // it holds all applications, and they hold it
    }
    m_bootstrap = nullptr;
    m_program.reset();
    m_groups.clear();
    Application::DoDispose();
}

// ------------------------------------------------------------------------ set-up

void
CollectiveApplication::SetRank(RankId rank)
{
    m_rank = rank;
}

RankId
CollectiveApplication::GetRank() const
{
    return m_rank;
}

void
CollectiveApplication::ListenTo(Ptr<Transport> transport)
{
    transport->SetArrivedCallback(MakeCallback(&CollectiveApplication::Arrived, this));
    transport->SetSettledCallback(MakeCallback(&CollectiveApplication::Settled, this));
    transport->SetFailedCallback(MakeCallback(&CollectiveApplication::Failed, this));
}

void
CollectiveApplication::SetRail(Ptr<Transport> transport)
{
    m_rail = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetScaleUp(Ptr<Transport> transport)
{
    m_scaleUp = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetHostNetwork(Ptr<Transport> transport)
{
    m_host = transport;
    ListenTo(transport);
}

void
CollectiveApplication::SetBroker(Ptr<CircuitBroker> broker)
{
    m_broker = broker;
}

void
CollectiveApplication::SetLedger(Ptr<CollectiveLedger> ledger)
{
    m_ledger = ledger;
}

void
CollectiveApplication::SetBootstrap(Ptr<BootstrapNetwork> network)
{
    m_bootstrap = network;
}

void
CollectiveApplication::SetEagerBytes(uint64_t bytes)
{
    m_eager.bytes = bytes;
}

uint64_t
CollectiveApplication::GetEagerBytes() const
{
    return m_eager.bytes;
}

void
CollectiveApplication::SetEagerSends(uint32_t sends)
{
    m_eager.sends = sends;
}

uint32_t
CollectiveApplication::GetEagerSends() const
{
    return m_eager.sends;
}

void
CollectiveApplication::SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups)
{
    NS_ABORT_MSG_IF(m_program,
                    "CollectiveApplication: rank " << m_rank
                                                   << " has a program already; put all of it into "
                                                      "one");
    NS_ABORT_MSG_IF(groups.size() < program->GetGroups(),
                    "CollectiveApplication: the program of rank "
                        << m_rank << " names " << program->GetGroups() << " groups, and "
                        << groups.size() << " are given");
    m_program = std::move(program);
    m_groups = groups;
    Number();
}

void
CollectiveApplication::Number()
{
    const auto& operations = m_program->GetOperations();
    m_streams.resize(m_program->GetStreams());
    m_next.resize(m_streams.size());
    m_busy.resize(m_streams.size());
    m_done.resize(operations.size());
    m_flowKey.resize(operations.size());
    m_number.resize(operations.size());
    for (uint32_t o = 0; o < operations.size(); ++o)
    {
        const RankOperation& call = operations[o];
        m_streams[call.stream].push_back(o);
        if (!call.IsExchange())
        {
            continue;
        }
        const CommunicationGroup& group = *m_groups[call.group];
        const uint32_t place = group.GetPlace(m_rank);
        NS_ABORT_MSG_UNLESS(call.place < group.GetRanks().size(),
                            "CollectiveApplication: operation "
                                << o << " of rank " << m_rank << " names place " << call.place
                                << " of group \"" << group.GetName() << "\", which has "
                                << group.GetRanks().size() << " places, counted from 0");
        FlowKey& flowKey = m_flowKey[o];
        flowKey.group = group.GetId();
        if (call.kind != RankOperation::Kind::COLLECTIVE)
        {
            NS_ABORT_MSG_IF(call.place == place,
                            "CollectiveApplication: operation " << o << " of rank " << m_rank
                                                                << " sends to itself");
            const bool sends = call.kind == RankOperation::Kind::SEND;
            flowKey.pointToPoint = true;
            flowKey.from = sends ? place : call.place;
            flowKey.to = sends ? call.place : place;
        }
        Exchange& exchange = m_exchanges[flowKey];
        exchange.group = call.group;
        m_number[o] = exchange.called++;
    }
}

// ------------------------------------------------------------------- the program

void
CollectiveApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_program)
    {
        return; // a rank that has nothing to do
    }
    NS_ABORT_MSG_UNLESS(m_broker && m_ledger && m_rail,
                        "CollectiveApplication: rank "
                            << m_rank
                            << " lacks a rail, broker or ledger; install it by CollectiveHelper");
    RequireAtLeast(m_stallLimit, 1, "CollectiveApplication::StallLimit");
    RequireAtLeast(m_bootstrapLatency, 1, "CollectiveApplication::BootstrapLatency");
    NS_ABORT_MSG_UNLESS(m_bootstrap || !m_broker->HasOwnCosts(),
                        "CollectiveApplication: rank "
                            << m_rank
                            << " lacks a bootstrap network, and its costs are its own; install it "
                               "by CollectiveHelper");
    m_started = true;
    NoteProgress();
    for (uint32_t group = 0; group < m_program->GetGroups(); ++group)
    {
        m_broker->Join(m_rank, *m_groups[group]);
    }
    Proceed();
}

void
CollectiveApplication::StopApplication()
{
    m_stopped = true;
    Simulator::Remove(m_stallCheck); // else the run would go on until then
    for (const auto& [operation, computing] : m_computing)
    {
        Simulator::Remove(computing.end);
    }
}

void
CollectiveApplication::Proceed()
{
    if (m_proceeding)
    {
        m_again = true; // whoever is at it goes on
        return;
    }
    m_proceeding = true;
    do
    {
        m_again = false;
        while (const std::optional<uint32_t> next = m_stopped ? std::nullopt : FindNext())
        {
            m_busy[m_program->GetOperations()[*next].stream] = true;
            Begin(*next);
        }
    } while (m_again && !m_stopped);
    m_proceeding = false;
}

std::optional<uint32_t>
CollectiveApplication::FindNext() const
{
    // in the order in which a program would call them, whatever the streams are numbered
    std::optional<uint32_t> first;
    for (uint32_t s = 0; s < m_streams.size(); ++s)
    {
        if (!m_busy[s] && m_next[s] < m_streams[s].size())
        {
            const uint32_t next = m_streams[s][m_next[s]];
            first = (!first || next < *first) && CanStart(next) ? next : first;
        }
    }
    return first;
}

bool
CollectiveApplication::CanStart(uint32_t operation) const
{
    const RankOperation& call = m_program->GetOperations()[operation];
    for (const uint32_t earlier : call.after)
    {
        if (!m_done[earlier])
        {
            return false;
        }
    }
    return !call.IsExchange() || m_exchanges.at(m_flowKey[operation]).over == m_number[operation];
}

void
CollectiveApplication::Begin(uint32_t operation)
{
    const RankOperation& call = m_program->GetOperations()[operation];
    ++m_counters.started;
    NoteProgress();
    if (call.IsExchange())
    {
        BeginExchange(operation);
        return;
    }
    if (call.kind == RankOperation::Kind::CIRCUITS)
    {
        Hint(operation);
        return;
    }
    if (call.kind == RankOperation::Kind::ITERATION)
    {
        m_broker->BeginIteration(m_rank);
        EndAtOnce(operation);
        return;
    }
    OperationRecord record;
    record.rank = m_rank;
    record.operation = operation;
    record.call = call;
    record.start = NowPicoseconds();
    m_operationStarted(record);
    m_computing[operation] = {record.start,
                              Simulator::Schedule(ToTime(DrawDuration(call.duration)),
                                                  &CollectiveApplication::Computed,
                                                  this,
                                                  operation)};
}

Picoseconds
CollectiveApplication::DrawDuration(Picoseconds duration)
{
    const double factor = m_computeFactor->GetValue();
    NS_ABORT_MSG_UNLESS(factor >= 0 && factor <= 1e6,
                        "CollectiveApplication: ComputeFactor drew "
                            << factor << " for rank " << m_rank
                            << "; give a random variable between 0 and 1000000");
    return factor == 1 ? duration : static_cast<Picoseconds>(std::llround(duration * factor));
}

int64_t
CollectiveApplication::AssignComputeStream(int64_t stream)
{
    m_computeFactor->SetStream(stream);
    return 1;
}

void
CollectiveApplication::EndAtOnce(uint32_t operation)
{
    ++m_counters.ended;
    End(operation);
}

void
CollectiveApplication::Computed(uint32_t operation)
{
    OperationRecord record;
    record.rank = m_rank;
    record.operation = operation;
    record.call = m_program->GetOperations()[operation];
    record.start = m_computing.at(operation).start;
    record.end = NowPicoseconds();
    m_computing.erase(operation);
    ++m_counters.ended;
    m_operationEnded(record);
    End(operation);
}

void
CollectiveApplication::End(uint32_t operation)
{
    const uint32_t stream = m_program->GetOperations()[operation].stream;
    m_done[operation] = true;
    m_busy[stream] = false;
    ++m_next[stream];
    NoteProgress();
    if (IsOver())
    {
        Simulator::Remove(m_stallCheck); // the simulation is not to go on for its sake
        m_broker->Leave(m_rank);
        m_programEnded(m_rank);
        return;
    }
    Proceed();
}

bool
CollectiveApplication::HasStarted() const
{
    return m_started;
}

bool
CollectiveApplication::IsOver() const
{
    return m_program && m_counters.ended == m_program->GetOperations().size();
}

const CollectiveApplication::Counters&
CollectiveApplication::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
