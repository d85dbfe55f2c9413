/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operations-in-flight.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OperationsInFlight");

OperationsInFlight::OperationsInFlight(const NumberedProgram& program,
                                       const RankConnections& connections,
                                       const ProgramRunner& runner,
                                       OperationChoices& choices,
                                       const CollectiveSettings& settings,
                                       Listener& listener)
    : m_program(program),
      m_connections(connections),
      m_runner(runner),
      m_choices(choices),
      m_settings(settings),
      m_listener(listener)
{
}

void
OperationsInFlight::Load()
{
    m_flows.resize(m_program.GetFlows());
    for (uint32_t flow = 0; flow < m_flows.size(); ++flow)
    {
        const uint32_t first = m_program.GetOrder().GetFlows()[flow];
        m_flows[flow].group = m_program.GetOperations()[first].group;
    }
    if (m_connections.intraNode)
    {
        m_connections.intraNode->Join(m_connections.rank, this);
    }
}

void
OperationsInFlight::Start()
{
    m_poster.SetTimes(m_settings.times);
}

void
OperationsInFlight::Clear()
{
    m_poster.Clear();
    m_running.clear();
    m_flows.clear();
}

// -------------------------------------------------------------------- operations

void
OperationsInFlight::Begin(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    OperationFlow& flow = m_flows[m_program.GetFlow(number)];
    CollectiveOperation::Owner& self = *this; // conversion that is private to make_unique
    std::unique_ptr<CollectiveOperation>& operation = m_running[number];
    operation = std::make_unique<CollectiveOperation>(m_program,
                                                      number,
                                                      flow,
                                                      m_connections,
                                                      m_poster,
                                                      self);
    flow.now = operation.get();
    const CommunicationGroup& group = m_program.GetGroupOf(number);
    const std::string mistake = m_connections.ledger->Call(m_program.GetFlowKey(number),
                                                           m_program.GetNumber(number),
                                                           group,
                                                           group.GetPlace(m_connections.rank),
                                                           m_program.GetOperations()[number]);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << mistake);
    m_choices.Call(number);
    if (const OperationChoices::Choice choice = m_choices.Get(number))
    {
        Start(*operation, choice);
    }
}

void
OperationsInFlight::Start(CollectiveOperation& operation, const OperationChoices::Choice& choice)
{
    const RankOperation& call = m_program.GetOperations()[operation.GetProgramNumber()];
    operation.Start(choice, m_settings, m_choices.GetMessageSize(call, choice->protocol));
}

bool
OperationsInFlight::HasFlow(const FlowKey& flowKey) const
{
    return m_program.FindFlow(flowKey).has_value();
}

bool
OperationsInFlight::IsNext(uint32_t operation) const
{
    const uint32_t number = m_program.GetFlow(operation);
    return m_flows[number].now == nullptr && m_flows[number].early.IsEmpty() &&
           m_runner.GetOver(number) == m_program.GetNumber(operation);
}

bool
OperationsInFlight::FollowsRail() const
{
    return std::any_of(m_running.begin(), m_running.end(), [](const auto& one) {
        return one.second->FollowsRail();
    });
}

void
OperationsInFlight::StartIfCalled(const FlowKey& flowKey,
                                  uint64_t number,
                                  const OperationChoices::Choice& choice)
{
    CollectiveOperation* operation = m_flows[m_program.FindFlow(flowKey).value()].now;
    if (operation != nullptr && operation->GetNumber() == number && !operation->IsDecided())
    {
        Start(*operation, choice);
    }
}

void
OperationsInFlight::RequestCircuits(const CollectiveOperation& operation, uint32_t place)
{
    // one number, since older releases of ns-3 bind one argument
    const uint64_t which = uint64_t{operation.GetProgramNumber()} << 32 | place;
    if (operation.IsOnHostNetwork())
    {
        CircuitAnswer answer;
        answer.network = CircuitAnswer::Network::HOST;
        Answered(which, answer); // it needs no circuits
        return;
    }
    const CircuitRequest request = operation.GetRequest(place); // the answer may bring more stages
    NS_LOG_DEBUG("rank " << request.rank << " requests circuits for stage " << request.stage
                         << " of operation " << request.operation << " in group " << request.group);
    m_connections.broker->Request(request,
                                  MakeCallback(&OperationsInFlight::Answered, this).Bind(which));
}

void
OperationsInFlight::Answered(uint64_t which, const CircuitAnswer& answer)
{
    const auto found = m_running.find(which >> 32);
    if (found == m_running.end() || IsStopped())
    {
        return; // it is over, or has failed
    }
    NS_LOG_DEBUG("rank " << m_connections.rank << " has an answer for operation " << (which >> 32)
                         << " of its program: network " << static_cast<int>(answer.network) << " "
                         << answer.why);
    m_listener.NoteProgress();
    found->second->Answered(which & 0xffffffff, answer);
}

bool
OperationsInFlight::IsStopped() const
{
    return m_runner.IsStopped() || NowPicoseconds() > m_haltedAt;
}

void
OperationsInFlight::HaltAfter(Picoseconds at)
{
    m_haltedAt = at;
    GoOnByMessages();
}

void
OperationsInFlight::NoteEarlierProgress(Picoseconds at)
{
    m_listener.NoteEarlierProgress(at);
}

void
OperationsInFlight::MessagesWereEarly(std::size_t waiting)
{
    m_listener.MessagesWereEarly(waiting);
}

void
OperationsInFlight::OperationStarted(const OperationRecord& record)
{
    m_listener.OperationStarted(record);
}

void
OperationsInFlight::OperationEnded(const OperationRecord& record)
{
    m_flows[m_program.GetFlow(record.operation)].now = nullptr;
    m_choices.Forget(record.operation);
    m_running.erase(record.operation);
    m_listener.OperationEnded(record);
}

void
OperationsInFlight::OperationFailed(const OperationRecord& record, const std::string& description)
{
    m_flows[m_program.GetFlow(record.operation)].now = nullptr;
    m_listener.OperationFailed(record, description);
}

// ---------------------------------------------------------------------- messages

FlowMessage
OperationsInFlight::MakeFlowMessage(const OperationFlow& flow,
                                    const TransportMessage& message,
                                    TransportKind kind) const
{
    FlowMessage one;
    one.at = NowPicoseconds();
    one.kind = kind;
    one.tag = message.tag;
    one.channel = message.channel & ~TransportMessage::POINT_TO_POINT;
    one.bytes = message.bytes;
    if (message.channel < TransportMessage::POINT_TO_POINT)
    {
        const std::vector<RankId>& ranks = m_program.GetGroup(flow.group).GetRanks();
        one.peer = std::find(ranks.begin(), ranks.end(), message.from) - ranks.begin();
    }
    return one;
}

TransportKind
OperationsInFlight::GetKind(const TransportMessage& message) const
{
    const bool isInside =
        !m_settings.times.AreZero() && m_connections.broker->AreIntraNode(message.from, message.to);
    return isInside ? TransportKind::SCALE_UP : TransportKind::RAIL;
}

void
OperationsInFlight::Arrived(const TransportMessage& message)
{
    Take(message, GetKind(message));
}

void
OperationsInFlight::ArrivedFromHost(const TransportMessage& message)
{
    Take(message, TransportKind::HOST);
}

OperationFlow&
OperationsInFlight::FindFlow(const FlowKey& flowKey, const TransportMessage& message)
{
    const std::optional<uint32_t> found = m_program.FindFlow(flowKey);
    NS_ABORT_MSG_IF(!found,
                    "CollectiveApplication: rank "
                        << message.from << " sends to rank " << m_connections.rank
                        << " in a group or direction that the program of rank "
                        << m_connections.rank << " does not name");
    return m_flows[*found];
}

void
OperationsInFlight::Take(const TransportMessage& message, TransportKind kind)
{
    if (IsStopped() && m_runner.HasStarted())
    {
        return;
    }
    if (m_connections.memo && m_connections.memo->TakeArrived(m_connections.rank, message))
    {
        return;
    }
    const FlowKey flowKey = m_program.FindFlowKey(message);
    OperationFlow& flow = FindFlow(flowKey, message);
    m_listener.NoteProgress();
    if (flowKey.pointToPoint && message.channel & TransportMessage::CLEAR_TO_SEND)
    {
        flow.rendezvous.TakeReport(message.tag);
        if (flow.now != nullptr)
        {
            flow.now->ReceiverIsReady();
        }
        return;
    }
    const FlowMessage one = MakeFlowMessage(flow, message, kind);
    if (flow.now == nullptr || !flow.now->Awaits(one))
    {
        NS_LOG_DEBUG("rank " << m_connections.rank << " keeps a message for a later operation");
        flow.early.Keep(one);
        if (m_connections.memo)
        {
            m_connections.memo->NoteEarly(flowKey);
        }
        return;
    }
    flow.now->Arrived(one);
}

void
OperationsInFlight::Settled(const TransportMessage& message)
{
    if (IsStopped())
    {
        return;
    }
    if (m_connections.memo && m_connections.memo->TakeSettled(m_connections.rank, message))
    {
        return;
    }
    CollectiveOperation* operation =
        m_flows[m_program.FindFlow(m_program.FindFlowKey(message)).value()].now;
    if (operation != nullptr) // else it has failed
    {
        m_listener.NoteProgress();
        operation->Settled(message);
    }
}

void
OperationsInFlight::Failed(const TransportMessage& message, const std::string& why)
{
    if (IsStopped())
    {
        return;
    }
    CollectiveOperation* operation =
        m_flows[m_program.FindFlow(m_program.FindFlowKey(message)).value()].now;
    if (operation != nullptr && operation->SendAgain(message))
    {
        m_listener.NoteProgress();
    }
    else if (operation != nullptr)
    {
        std::ostringstream words;
        words << "a message of " << message.bytes << " bytes to rank " << message.to
              << " failed: " << why << " (" << operation->DescribePath(message) << ")";
        operation->Fail(words.str(), message.to);
    }
}

// ----------------------------------------------------------------- operations as one

bool
OperationsInFlight::HasGroup(GroupId group) const
{
    FlowKey flowKey;
    flowKey.group = group;
    return HasFlow(flowKey);
}

void
OperationsInFlight::KeepEarly(const TransportMessage& message, Picoseconds at)
{
    if (IsStopped() && m_runner.HasStarted())
    {
        return;
    }
    OperationFlow& flow = FindFlow(m_program.FindFlowKey(message), message);
    FlowMessage one = MakeFlowMessage(flow, message, GetKind(message));
    one.at = at;
    flow.early.Keep(one);
}

void
OperationsInFlight::NoteEarly(uint64_t most)
{
    m_listener.MessagesWereEarly(most);
}

void
OperationsInFlight::NoteActivity(Picoseconds at)
{
    m_listener.NoteEarlierProgress(at);
}

void
OperationsInFlight::GoOnByMessages() const
{
    if (m_connections.memo)
    {
        m_connections.memo->Stop(m_connections.rank);
    }
    if (m_connections.intraNode)
    {
        m_connections.intraNode->Stop(m_connections.rank);
    }
}

uint64_t
OperationsInFlight::GetMostEarly() const
{
    if (m_connections.memo)
    {
        m_connections.memo->Stop(m_connections.rank); // which notes it
    }
    return m_connections.intraNode ? m_connections.intraNode->GetMostEarly(m_connections.rank) : 0;
}

Picoseconds
OperationsInFlight::GetLastActivity() const
{
    if (m_connections.memo)
    {
        m_connections.memo->Stop(m_connections.rank); // which notes it
    }
    return m_connections.intraNode ? m_connections.intraNode->GetLastActivity(m_connections.rank)
                                   : 0;
}

std::string
OperationsInFlight::Describe() const
{
    GoOnByMessages(); // which can be described
    std::string words;
    for (const auto& [number, operation] : m_running)
    {
        words += operation->DescribeWaiting();
    }
    return words;
}

} // namespace ns3
