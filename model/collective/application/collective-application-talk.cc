/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"
#include "collective-operation.h"

#include "ns3/abort.h"
#include "ns3/event-delay.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

// How a CollectiveApplication takes part in operations with others: circuits, messages, trouble.

namespace ns3
{

namespace
{

// A tag is the operation's number modulo 2^14, and the message's in it, below 2^18. The number is
// not needed: messages of a rank on a channel come in the order of its operations.
constexpr uint32_t ORDINAL_BITS = 18;
static_assert(CollectiveRun::MOST_MESSAGES == uint64_t{1} << ORDINAL_BITS, "each has a tag");
constexpr uint32_t NUMBER_MASK = (1U << (32 - ORDINAL_BITS)) - 1;

uint32_t
MakeTag(uint64_t number, uint32_t ordinal)
{
    return static_cast<uint32_t>(number & NUMBER_MASK) << ORDINAL_BITS | ordinal;
}

} // namespace

// -------------------------------------------------------------------- operations

void
CollectiveApplication::BeginExchange(uint32_t number)
{
    const RankOperation& call = m_program->GetOperations()[number];
    const CommunicationGroup& group = *m_groups[call.group];
    auto& place = m_running[number];
    place = std::make_unique<Operation>();
    Operation& operation = *place;
    operation.application = this;
    operation.flowKey = m_flowKey[number];
    operation.ranks = RanksOf(number);
    OperationRecord& record = operation.record;
    record.rank = m_rank;
    record.operation = number;
    record.call = call;
    record.group = group.GetName();
    record.number = m_number[number];
    record.start = NowPicoseconds();
    m_exchanges.at(operation.flowKey).now = &operation;
    const std::string mistake =
        m_ledger->Call(operation.flowKey, record.number, group, group.GetPlace(m_rank), call);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << mistake);
    if (const std::shared_ptr<const AlgorithmChoice> choice = GetChoice(number))
    {
        Start(operation, choice);
    }
}

void
CollectiveApplication::Start(Operation& operation, std::shared_ptr<const AlgorithmChoice> choice)
{
    OperationRecord& record = operation.record;
    const RankOperation& call = record.call;
    const CommunicationGroup& group = *m_groups[call.group];
    Exchange& exchange = m_exchanges.at(operation.flowKey);
    uint32_t own = group.GetPlace(m_rank);
    operation.choice = std::move(choice);
    std::string mistake =
        m_ledger->Begin(operation.flowKey, record.number, group, own, *operation.choice);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << mistake);
    record.algorithm = operation.choice->algorithm;
    record.fellBack = operation.choice->fellBack;
    record.why = operation.choice->why;
    record.host = operation.choice->host;
    record.reason = operation.choice->reason;
    m_operationStarted(record);
    if (record.algorithm.empty())
    {
        GiveUp(operation, record.why);
        return;
    }
    if (operation.flowKey.pointToPoint)
    {
        const bool sends = call.kind == RankOperation::Kind::SEND;
        own = sends ? 0 : 1;
        operation.held = sends && !exchange.rendezvous.MayGo(m_eager, record.number, call.bytes);
        operation.mustTell = !sends && SendRendezvous::MustTell(m_eager, record.number, call.bytes);
    }
    record.rounds = operation.choice->schedule->GetRounds();
    exchange.part = RankSchedule::Get(operation.choice->schedule, own);
    operation.run =
        std::make_unique<CollectiveRun>(exchange.part, call.bytes, GetMessageSize(call), operation);
    operation.dark = record.start;
    Ask(operation);
    if (m_stopped)
    {
        return;
    }
    if (operation.run->GetPart().stages.empty())
    {
        TellSender(operation); // by the fabric inside the server
    }
    if (!operation.held)
    {
        operation.run->Start();
    }
    TakeEarly(operation, exchange);
    operation.begun = true;
    Follow(operation);
}

void
CollectiveApplication::TakeEarly(Operation& operation, Exchange& exchange)
{
    std::deque<Incoming> early;
    early.swap(exchange.early);
    std::deque<Incoming> others;
    while (!early.empty() && !operation.run->HasReceivedAll())
    {
        const Incoming one = early.front();
        early.pop_front();
        if (!operation.run->Awaits(one.peer, one.channel))
        {
            others.push_back(one);
            continue;
        }
        const std::string mistake = Deliver(operation, one);
        NS_ABORT_MSG_UNLESS(mistake.empty(),
                            "CollectiveApplication: " << Tell(operation) << mistake);
    }
    early.insert(early.begin(), others.begin(), others.end());
    early.insert(early.end(), exchange.early.begin(), exchange.early.end());
    exchange.early.swap(early);
}

void
CollectiveApplication::Ask(Operation& operation)
{
    const auto& stages = operation.run->GetPart().stages;
    const uint32_t next = operation.stages.size();
    if (next == stages.size())
    {
        return;
    }
    CircuitRequest ask = MakeRequest(operation.flowKey,
                                     operation.record.number,
                                     operation.ranks,
                                     *operation.choice,
                                     stages[next]);
    ask.place = operation.record.operation;
    ask.bytes = operation.run->GetBytesOut(ask.stage);
    operation.stages.push_back({ask});
    AskFor(operation, next);
}

CircuitRequest
CollectiveApplication::MakeRequest(const FlowKey& flowKey,
                                   uint64_t number,
                                   const std::vector<RankId>& ranks,
                                   const AlgorithmChoice& choice,
                                   uint32_t stage) const
{
    CircuitRequest ask;
    ask.rank = m_rank;
    ask.group = flowKey.group;
    ask.operation = number;
    ask.pointToPoint = flowKey.pointToPoint;
    if (flowKey.pointToPoint)
    {
        ask.from = ranks[0];
        ask.to = ranks[1];
    }
    ask.stage = stage;
    ask.stages = choice.schedule->GetStages().size();
    ask.kind = choice.schedule->GetParameters().kind;
    ask.pairs = choice.pairs[stage];
    return ask;
}

void
CollectiveApplication::AskFor(Operation& operation, uint32_t stage)
{
    // one number, since older releases of ns-3 bind one argument
    const uint64_t which = uint64_t{operation.record.operation} << 32 | stage;
    if (operation.choice->host)
    {
        CircuitAnswer answer;
        answer.network = CircuitAnswer::Network::HOST;
        Answered(which, answer); // it needs no circuits
        return;
    }
    const CircuitRequest ask = operation.stages[stage].ask; // the answer may bring more stages
    m_broker->Request(ask, MakeCallback(&CollectiveApplication::Answered, this).Bind(which));
}

void
CollectiveApplication::Answered(uint64_t which, const CircuitAnswer& answer)
{
    const uint32_t place = which & 0xffffffff;
    const auto found = m_running.find(which >> 32);
    if (found == m_running.end() || m_stopped)
    {
        return; // it is over, or has been given up
    }
    Operation& operation = *found->second;
    Operation::Stage& stage = operation.stages[place];
    NoteProgress();
    switch (answer.network)
    {
    case CircuitAnswer::Network::NONE:
        GiveUp(operation, "circuits are refused: " + answer.why);
        return;
    case CircuitAnswer::Network::WITHDRAWN:
        if (stage.state == Operation::Stage::State::OPEN)
        {
            stage.state = Operation::Stage::State::WITHDRAWN;
            operation.run->CloseStage(stage.ask.stage);
            Follow(operation);
        }
        return;
    default:
        break;
    }
    if (operation.CountLit() == 0)
    {
        operation.record.waited += NowPicoseconds() - operation.dark;
    }
    stage.state = Operation::Stage::State::OPEN;
    stage.answer = answer;
    operation.ForgetLinks(stage.ask.stage);
    TellSender(operation);
    operation.run->OpenStage(stage.ask.stage);
    if (!m_stopped && place + 1 == operation.stages.size())
    {
        Ask(operation);
    }
    Follow(operation); // all may have come before the answer
}

void
CollectiveApplication::Send(Operation& operation, const CollectiveRun::Message& message)
{
    TransportMessage out;
    out.from = m_rank;
    out.to = operation.ranks[message.peer];
    out.group = operation.flowKey.group;
    out.channel = message.channel;
    if (operation.flowKey.pointToPoint)
    {
        out.channel |= TransportMessage::POINT_TO_POINT;
    }
    out.tag = MakeTag(operation.record.number, message.ordinal);
    out.bytes = message.bytes;
    SendOn(operation, message, out);
}

void
CollectiveApplication::SendOn(Operation& operation,
                              const CollectiveRun::Message& path,
                              const TransportMessage& message)
{
    if (path.wires == CollectiveRun::Wires::SCALE_UP)
    {
        NS_ABORT_MSG_UNLESS(m_scaleUp,
                            "CollectiveApplication: \"" << operation.record.algorithm
                                                        << "\" sends inside the server, and rank "
                                                        << m_rank
                                                        << " has no scale-up network: install one");
        m_scaleUp->Send(message);
        return;
    }
    const CircuitAnswer& answer = operation.AnswerOf(path.stage);
    if (answer.network == CircuitAnswer::Network::HOST)
    {
        NS_ABORT_MSG_UNLESS(m_host,
                            "CollectiveApplication: the broker sends rank "
                                << m_rank << " to the hosts' network, and there is none");
        m_host->Send(message);
        return;
    }
    const std::vector<RailLink>& links = operation.LinksTo(path.stage, path.peer);
    NS_ABORT_MSG_IF(links.empty(),
                    "CollectiveApplication: the broker granted circuits, and none joins rank "
                        << m_rank << " and rank " << message.to);
    operation.lastSent = message;
    operation.lastSent.link = links[path.channel % links.size()];
    m_rail->Send(operation.lastSent);
}

// ---------------------------------------------------------------------- messages

FlowKey
CollectiveApplication::FlowKeyOf(const TransportMessage& message) const
{
    FlowKey flowKey;
    flowKey.group = message.group;
    flowKey.pointToPoint = message.channel >= TransportMessage::POINT_TO_POINT;
    if (flowKey.pointToPoint)
    {
        for (const auto& group : m_groups)
        {
            if (group->GetId() == message.group)
            {
                flowKey.from = group->GetPlace(message.from);
                flowKey.to = group->GetPlace(message.to);
                if (message.channel & TransportMessage::CLEAR_TO_SEND)
                {
                    std::swap(flowKey.from, flowKey.to); // it is about the way back
                }
                break;
            }
        }
    }
    return flowKey;
}

void
CollectiveApplication::Arrived(const TransportMessage& message)
{
    if (m_stopped && m_started)
    {
        return;
    }
    const FlowKey flowKey = FlowKeyOf(message);
    const auto found = m_exchanges.find(flowKey);
    NS_ABORT_MSG_IF(found == m_exchanges.end(),
                    "CollectiveApplication: rank " << message.from << " sends to rank " << m_rank
                                                   << " in a group or direction that the program "
                                                      "of rank "
                                                   << m_rank << " does not name");
    Exchange& exchange = found->second;
    NoteProgress();
    if (flowKey.pointToPoint && message.channel & TransportMessage::CLEAR_TO_SEND)
    {
        ReceiverIsReady(flowKey, message.tag);
        return;
    }
    const std::vector<RankId>& ranks = m_groups[exchange.group]->GetRanks();
    const uint32_t peer = flowKey.pointToPoint
                              ? 0
                              : std::find(ranks.begin(), ranks.end(), message.from) - ranks.begin();
    const Incoming one{message.tag,
                       peer,
                       static_cast<uint16_t>(message.channel & ~TransportMessage::POINT_TO_POINT),
                       message.bytes};
    Operation* operation = exchange.now;
    if (operation == nullptr || !operation->begun || !operation->run->Awaits(one.peer, one.channel))
    {
        exchange.early.push_back(one);
        m_counters.mostEarly = std::max<uint64_t>(m_counters.mostEarly, exchange.early.size());
        return;
    }
    const std::string mistake = Deliver(*operation, one);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << Tell(*operation) << mistake);
    Follow(*operation);
}

std::string
CollectiveApplication::Deliver(Operation& operation, const Incoming& message)
{
    const uint64_t number = operation.record.number;
    if (message.tag >> ORDINAL_BITS != (number & NUMBER_MASK))
    {
        std::ostringstream why;
        why << "a message from place " << message.peer << " on channel " << message.channel
            << " is of another operation: the ranks' calls differ in bytes, algorithm or message "
               "size";
        return why.str();
    }
    return operation.run->Arrived(message.peer,
                                  message.channel,
                                  message.tag & (CollectiveRun::MOST_MESSAGES - 1),
                                  message.bytes);
}

void
CollectiveApplication::Settled(const TransportMessage& message)
{
    if (m_stopped)
    {
        return;
    }
    const FlowKey flowKey = FlowKeyOf(message);
    Operation* operation = m_exchanges.at(flowKey).now;
    if (operation == nullptr)
    {
        return; // it has been given up
    }
    if (flowKey.pointToPoint && message.channel & TransportMessage::CLEAR_TO_SEND)
    {
        NoteProgress();
        --operation->notices;
        Follow(*operation);
        return;
    }
    const std::vector<RankId>& ranks = operation->ranks;
    const uint32_t peer = flowKey.pointToPoint
                              ? 1
                              : std::find(ranks.begin(), ranks.end(), message.to) - ranks.begin();
    NoteProgress();
    operation->run->Settled(peer,
                            message.channel & ~TransportMessage::POINT_TO_POINT,
                            message.tag & (CollectiveRun::MOST_MESSAGES - 1));
    Follow(*operation);
}

void
CollectiveApplication::Failed(const TransportMessage& message, const std::string& why)
{
    if (m_stopped)
    {
        return;
    }
    Operation* operation = m_exchanges.at(FlowKeyOf(message)).now;
    if (operation != nullptr)
    {
        std::ostringstream words;
        words << "a message of " << message.bytes << " bytes to rank " << message.to
              << " failed: " << why << " ("
              << (operation->IsOnHosts() ? m_host : m_rail)->Describe(message) << ")";
        GiveUp(*operation, words.str());
    }
}

void
CollectiveApplication::Follow(Operation& operation)
{
    if (m_stopped)
    {
        return;
    }
    if (operation.following || !operation.begun)
    {
        operation.again = true; // whoever is at it looks once more
        return;
    }
    operation.following = true;
    do
    {
        operation.again = false;
        FollowStages(operation);
    } while (operation.again && !m_stopped);
    operation.following = false;
    if (!m_stopped && operation.IsOver())
    {
        EndExchange(operation);
    }
}

void
CollectiveApplication::FollowStages(Operation& operation)
{
    using State = Operation::Stage::State;
    bool inOrder = true; // stages before it are over; brokers count on that
    for (uint32_t place = 0; place < operation.stages.size() && !m_stopped; ++place)
    {
        Operation::Stage& stage = operation.stages[place];
        const bool isOver =
            inOrder && operation.run->IsStageOver(stage.ask.stage) && !operation.IsTelling();
        const bool givesBack = stage.state == State::WITHDRAWN && operation.notices == 0 &&
                               operation.run->GetUnsettledOf(stage.ask.stage) == 0;
        if (!stage.HasCircuits() || !(isOver || givesBack))
        {
            inOrder = inOrder && stage.state == State::OVER;
            continue;
        }
        inOrder = isOver;
        stage.state = isOver ? State::OVER : State::ASKED;
        operation.dark = operation.CountLit() == 0 ? NowPicoseconds() : operation.dark;
        const CircuitRequest ask = stage.ask;
        if (!operation.choice->host)
        {
            m_broker->Finished(ask);
        }
        if (!isOver)
        {
            AskFor(operation, place);
        }
    }
}

void
CollectiveApplication::EndExchange(Operation& operation)
{
    OperationRecord record = operation.record;
    record.end = NowPicoseconds();
    record.messagesSent = operation.run->GetMessagesSent();
    record.bytesSent = operation.run->GetBytesSent();
    record.messagesReceived = operation.run->GetMessagesReceived();
    record.bytesReceived = operation.run->GetBytesReceived();
    ++m_counters.ended;
    m_counters.messagesSent += record.messagesSent;
    m_counters.bytesSent += record.bytesSent;
    m_counters.messagesReceived += record.messagesReceived;
    m_counters.bytesReceived += record.bytesReceived;
    Exchange& exchange = m_exchanges.at(operation.flowKey);
    exchange.now = nullptr;
    exchange.choices.erase(exchange.over);
    ++exchange.over;
    m_running.erase(record.operation);
    m_operationEnded(record);
    End(record.operation);
}

// ----------------------------------------------------------------------- trouble

void
CollectiveApplication::GiveUp(Operation& operation, const std::string& why)
{
    OperationRecord record = operation.record;
    record.end = NowPicoseconds();
    record.why = why;
    NS_ABORT_MSG_IF(m_abort,
                    "CollectiveApplication: " << Tell(operation) << "can't go on: " << why);
    ++m_counters.failed;
    m_exchanges.at(operation.flowKey).now = nullptr;
    StopApplication();
    m_broker->Leave(m_rank); // others need not wait for what it holds
    m_operationFailed(record);
}

void
CollectiveApplication::NoteProgress()
{
    m_progress = NowPicoseconds();
    if (m_stallCheck.IsExpired() && m_started && !m_stopped && !IsOver())
    {
        m_stallCheck =
            Simulator::Schedule(DelayOf(m_stallLimit), &CollectiveApplication::CheckStall, this);
    }
}

void
CollectiveApplication::CheckStall()
{
    const Picoseconds limit = m_stallLimit.GetTimeStep();
    const Picoseconds due = AddSaturating(m_progress, limit);
    const bool computing = !m_computing.empty();
    if (NowPicoseconds() < due || computing)
    {
        // computing may take as long as it likes
        const Picoseconds next = computing ? AddSaturating(NowPicoseconds(), limit) : due;
        m_stallCheck = Simulator::Schedule(ToTime(next - NowPicoseconds()),
                                           &CollectiveApplication::CheckStall,
                                           this);
        return;
    }
    std::ostringstream report;
    report << "rank " << m_rank << ": nothing has happened for " << m_stallLimit.As(Time::S)
           << " (StallLimit). " << GetReport();
    NS_ABORT_MSG_IF(m_abort, "CollectiveApplication: " << report.str());
    StopApplication();
    m_broker->Leave(m_rank);
    m_stalled(report.str());
}

std::string
CollectiveApplication::Tell(const Operation& operation) const
{
    const OperationRecord& record = operation.record;
    std::ostringstream words;
    words << "rank " << m_rank << ", operation " << record.operation << " of its program (";
    switch (record.call.kind)
    {
    case RankOperation::Kind::SEND:
        words << "send number " << record.number << " to rank " << operation.ranks[1];
        break;
    case RankOperation::Kind::RECEIVE:
        words << "receive number " << record.number << " from rank " << operation.ranks[0];
        break;
    default:
        words << ToString(record.call.collective) << " number " << record.number
              << (record.algorithm.empty() ? "" : " by " + record.algorithm);
    }
    words << " of " << record.call.bytes << " bytes in group \"" << record.group << "\"";
    words << (record.call.label.empty() ? "" : ", " + record.call.label) << "): ";
    return words.str();
}

std::string
CollectiveApplication::GetReport() const
{
    std::ostringstream report;
    for (const auto& [number, operation] : m_running)
    {
        report << Tell(*operation);
        const CommunicationGroup& group = *m_groups[m_program->GetOperations()[number].group];
        for (const RankId rank :
             m_ledger->GetMissing(operation->flowKey, operation->record.number, group))
        {
            report << "rank " << rank << " has not called it; ";
        }
        if (!operation->choice)
        {
            report << "rank " << operation->ranks.front() << " has not told how it is done; ";
        }
        if (operation->held)
        {
            report << "rank " << operation->ranks.back()
                   << " has not said that its receive is called (EagerLimit, EagerSends); ";
        }
        for (const Operation::Stage& stage : operation->stages)
        {
            if (stage.state == Operation::Stage::State::ASKED)
            {
                report << "no circuits yet for stage " << stage.ask.stage << ", "
                       << operation->run->GetWaiting() << " messages wait; ";
            }
        }
        if (operation->run)
        {
            for (const CollectiveRun::Missing& one : operation->run->GetMissing())
            {
                report << "waits for " << one.messages << " messages from rank "
                       << operation->ranks[one.peer] << " on channel " << one.channel
                       << ", the first of chunk " << one.chunk << "; ";
            }
            report << operation->run->GetUnsettled() << " messages sent and not settled";
            if (operation->run->GetUnsettled() > 0)
            {
                report << " (" << m_rail->Describe(operation->lastSent) << ")";
            }
            report << ". ";
        }
    }
    for (uint32_t s = 0; s < m_streams.size(); ++s)
    {
        const bool ends = m_next[s] == m_streams[s].size();
        const uint32_t next = ends ? 0 : m_streams[s][m_next[s]];
        if (!ends && m_busy[s] &&
            m_program->GetOperations()[next].kind == RankOperation::Kind::CIRCUITS)
        {
            report << "stream " << s << " waits for circuits in operation " << next << ". ";
        }
        if (!m_busy[s] && m_next[s] < m_streams[s].size())
        {
            report << "stream " << s << " waits to start operation " << m_streams[s][m_next[s]]
                   << ". ";
        }
    }
    return report.str();
}

} // namespace ns3
