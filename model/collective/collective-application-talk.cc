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

// a tag is the operation's number modulo 2^14, and the message's modulo 2^18
constexpr uint32_t ORDINAL_BITS = 18;
static_assert(CollectiveRun::MOST_MESSAGES == uint64_t{1} << ORDINAL_BITS, "each has a tag");
constexpr uint32_t NUMBER_MASK = (1U << (32 - ORDINAL_BITS)) - 1;

uint32_t
MakeTag(uint64_t number, uint32_t ordinal)
{
    return static_cast<uint32_t>(number & NUMBER_MASK) << ORDINAL_BITS | ordinal;
}

/** @return the number that a tag means, if those below `over` are over */
uint64_t
NumberOf(uint32_t tag, uint64_t over)
{
    return over + (((tag >> ORDINAL_BITS) - static_cast<uint32_t>(over)) & NUMBER_MASK);
}

} // namespace

// -------------------------------------------------------------------- operations

CollectiveParameters
CollectiveApplication::MakeParameters(const RankOperation& call) const
{
    CollectiveParameters parameters;
    parameters.lanes = m_lanes;
    if (call.kind != RankOperation::Kind::COLLECTIVE)
    {
        parameters.kind = CollectiveKind::SEND_RECV;
        if (IsBesideMe(call)) // a GPU has one port there
        {
            parameters.perServer = parameters.ranks;
            parameters.lanes = 1;
        }
        return parameters;
    }
    const CommunicationGroup& group = *m_groups[call.group];
    parameters.kind = call.collective;
    parameters.ranks = group.GetRanks().size();
    parameters.twoWay = m_twoWay && m_lanes % 2 == 0;
    parameters.root = call.place;
    parameters.straggler = call.straggler;
    parameters.perServer = group.GetPerServer();
    parameters.demand = call.demand;
    if (IsInside(group)) // a GPU has one port there
    {
        parameters.lanes = 1;
        parameters.twoWay = false;
    }
    return parameters;
}

bool
CollectiveApplication::IsInside(const CommunicationGroup& group) const
{
    return m_scaleUp && group.GetPerServer() == group.GetRanks().size();
}

bool
CollectiveApplication::IsBesideMe(const RankOperation& call) const
{
    const CommunicationGroup& group = *m_groups[call.group];
    const uint32_t perServer = group.GetPerServer();
    return m_scaleUp && perServer > 1 &&
           call.place / perServer == group.GetPlace(m_rank) / perServer;
}

uint64_t
CollectiveApplication::GetMessageSize(const RankOperation& call) const
{
    if (IsInside(*m_groups[call.group]))
    {
        return m_insideSize;
    }
    return call.kind == RankOperation::Kind::COLLECTIVE ? m_messageSize : m_pointToPointSize;
}

AlgorithmChoice
CollectiveApplication::Choose(uint32_t operation, const std::vector<RankId>& ranks) const
{
    const RankOperation& call = m_program->GetOperations()[operation];
    AlgorithmPreference preference;
    preference.algorithm = call.algorithm;
    preference.fallback = m_fallback;
    preference.inside = m_scaleUp != nullptr;
    preference.bytesPerSecond = m_bytesPerSecond;
    preference.hop = m_hop.GetTimeStep();
    preference.messageSize = GetMessageSize(call);
    preference.hostNetwork = m_host != nullptr;
    preference.mayUseHost = m_mayUseHost;
    preference.about.rank = m_rank;
    preference.about.group = m_conversation[operation].group;
    preference.about.operation = m_number[operation];
    preference.about.pointToPoint = m_conversation[operation].pointToPoint;
    return ChooseAlgorithm(MakeParameters(call), call.bytes, ranks, *m_broker, preference);
}

void
CollectiveApplication::BeginTalk(uint32_t number)
{
    const RankOperation& call = m_program->GetOperations()[number];
    const CommunicationGroup& group = *m_groups[call.group];
    auto& place = m_running[number];
    place = std::make_unique<Operation>();
    Operation& operation = *place;
    operation.application = this;
    operation.conversation = m_conversation[number];
    const Conversation& conversation = operation.conversation;
    OperationRecord& record = operation.record;
    record.rank = m_rank;
    record.operation = number;
    record.call = call;
    record.group = group.GetName();
    record.number = m_number[number];
    record.start = NowPicoseconds();
    operation.ranks = group.GetRanks();
    uint32_t own = group.GetPlace(m_rank);
    std::string mistake;
    if (conversation.pointToPoint)
    {
        operation.ranks = {group.GetRanks()[conversation.from], group.GetRanks()[conversation.to]};
    }
    operation.choice = m_ledger->Call(
        conversation,
        record.number,
        group,
        own,
        call,
        [this, number, &operation]() { return Choose(number, operation.ranks); },
        mistake);
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
    if (conversation.pointToPoint)
    {
        own = call.kind == RankOperation::Kind::SEND ? 0 : 1;
    }
    record.rounds = operation.choice->schedule->GetRounds();
    operation.run =
        std::make_unique<CollectiveRun>(RankSchedule::Get(operation.choice->schedule, own),
                                        call.bytes,
                                        GetMessageSize(call),
                                        operation);
    Talk& talk = m_talks.at(conversation);
    talk.now = &operation;
    operation.dark = record.start;
    Ask(operation);
    if (m_stopped)
    {
        return;
    }
    operation.run->Start();
    std::vector<Early> early;
    early.swap(talk.early);
    for (const Early& one : early)
    {
        if (one.number != record.number)
        {
            talk.early.push_back(one);
            continue;
        }
        mistake = operation.run->Arrived(one.peer, one.lane, one.ordinal, one.bytes);
        NS_ABORT_MSG_UNLESS(mistake.empty(),
                            "CollectiveApplication: " << Tell(operation) << mistake);
    }
    operation.begun = true;
    Follow(operation);
}

void
CollectiveApplication::Plead(uint32_t number)
{
    const RankOperation& call = m_program->GetOperations()[number];
    const auto& operations = m_program->GetOperations();
    NS_ABORT_MSG_UNLESS(
        call.first < operations.size() && call.last < operations.size() &&
            operations[call.first].IsTalk() &&
            m_conversation[call.first].IsSame(m_conversation[call.last]) &&
            m_number[call.first] <= m_number[call.last],
        "CollectiveApplication: operation "
            << number << " of rank " << m_rank << " is about circuits for operations " << call.first
            << " to " << call.last << "; name two of one group and direction, the earlier first");
    const RankOperation& target = operations[call.first];
    const Conversation& conversation = m_conversation[call.first];
    const CommunicationGroup& group = *m_groups[target.group];
    std::vector<RankId> ranks = group.GetRanks();
    uint32_t own = group.GetPlace(m_rank);
    if (conversation.pointToPoint)
    {
        own = own == conversation.from ? 0 : 1;
        ranks = {ranks[conversation.from], ranks[conversation.to]};
    }
    const auto choice = m_ledger->Look(conversation, m_number[call.first], [this, &call, &ranks]() {
        return Choose(call.first, ranks);
    });
    if (choice->algorithm.empty() || choice->host ||
        RankSchedule::Get(choice->schedule, own)->stages.empty())
    {
        EndAtOnce(number); // it needs none, or says itself why it can't be done
        return;
    }
    const uint32_t stage = RankSchedule::Get(choice->schedule, own)->stages.front();
    CircuitPlea plea;
    plea.kind = call.plea;
    plea.first = MakeAsk(conversation, m_number[call.first], ranks, *choice, stage);
    plea.first.place = number;
    plea.until = m_number[call.last];
    m_broker->Plead(plea,
                    MakeCallback(&CollectiveApplication::Pleaded, this).Bind(uint64_t{number}));
    if (call.plea != CircuitPlea::Kind::ACQUIRE)
    {
        EndAtOnce(number);
    }
}

void
CollectiveApplication::Pleaded(uint64_t operation, const CircuitAnswer& answer)
{
    // what is refused or withdrawn is told again to the operation itself
    if (!m_stopped && !m_done[operation] && answer.network != CircuitAnswer::Network::WITHDRAWN)
    {
        EndAtOnce(operation);
    }
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
    CircuitAsk ask = MakeAsk(operation.conversation,
                             operation.record.number,
                             operation.ranks,
                             *operation.choice,
                             stages[next]);
    ask.place = operation.record.operation;
    ask.bytes = operation.run->GetBytesOut(ask.stage);
    operation.stages.push_back({ask});
    AskFor(operation, next);
}

CircuitAsk
CollectiveApplication::MakeAsk(const Conversation& conversation,
                               uint64_t number,
                               const std::vector<RankId>& ranks,
                               const AlgorithmChoice& choice,
                               uint32_t stage) const
{
    CircuitAsk ask;
    ask.rank = m_rank;
    ask.group = conversation.group;
    ask.operation = number;
    ask.pointToPoint = conversation.pointToPoint;
    if (conversation.pointToPoint)
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
    const CircuitAsk ask = operation.stages[stage].ask; // the answer may bring more stages
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
    out.group = operation.conversation.group;
    out.lane = message.lane;
    if (operation.conversation.pointToPoint)
    {
        out.lane |= TransportMessage::POINT_TO_POINT;
    }
    out.tag = MakeTag(operation.record.number, message.ordinal);
    out.bytes = message.bytes;
    if (message.wires == CollectiveRun::Wires::SCALE_UP)
    {
        NS_ABORT_MSG_UNLESS(m_scaleUp,
                            "CollectiveApplication: \"" << operation.record.algorithm
                                                        << "\" sends inside the server, and rank "
                                                        << m_rank
                                                        << " has no scale-up network: install one");
        m_scaleUp->Send(out);
        return;
    }
    const CircuitAnswer& answer = operation.AnswerOf(message.stage);
    if (answer.network == CircuitAnswer::Network::HOST)
    {
        NS_ABORT_MSG_UNLESS(m_host,
                            "CollectiveApplication: the broker sends rank "
                                << m_rank << " to the hosts' network, and there is none");
        m_host->Send(out);
        return;
    }
    const std::vector<RailLink>& links = operation.LinksTo(message.stage, message.peer);
    NS_ABORT_MSG_IF(links.empty(),
                    "CollectiveApplication: the broker granted circuits, and none joins rank "
                        << m_rank << " and rank " << out.to);
    out.link = links[message.lane % links.size()];
    operation.lastSent = out;
    m_rail->Send(out);
}

// ---------------------------------------------------------------------- messages

Conversation
CollectiveApplication::ConversationOf(const TransportMessage& message) const
{
    Conversation conversation;
    conversation.group = message.group;
    conversation.pointToPoint = message.lane >= TransportMessage::POINT_TO_POINT;
    if (conversation.pointToPoint)
    {
        for (const auto& group : m_groups)
        {
            if (group->GetId() == message.group)
            {
                conversation.from = group->GetPlace(message.from);
                conversation.to = group->GetPlace(message.to);
                break;
            }
        }
    }
    return conversation;
}

void
CollectiveApplication::Arrived(const TransportMessage& message)
{
    if (m_stopped && m_started)
    {
        return;
    }
    const Conversation conversation = ConversationOf(message);
    const auto found = m_talks.find(conversation);
    NS_ABORT_MSG_IF(found == m_talks.end(),
                    "CollectiveApplication: rank " << message.from << " sends to rank " << m_rank
                                                   << " in a group or direction that the program "
                                                      "of rank "
                                                   << m_rank << " does not name");
    Talk& talk = found->second;
    const uint64_t number = NumberOf(message.tag, talk.over);
    const std::vector<RankId>& ranks = m_groups[talk.group]->GetRanks();
    const uint32_t peer = conversation.pointToPoint
                              ? 0
                              : std::find(ranks.begin(), ranks.end(), message.from) - ranks.begin();
    const Early one{number,
                    peer,
                    static_cast<uint16_t>(message.lane & ~TransportMessage::POINT_TO_POINT),
                    static_cast<uint32_t>(message.tag & (CollectiveRun::MOST_MESSAGES - 1)),
                    message.bytes};
    NoteProgress();
    if (talk.now == nullptr || talk.now->record.number != number)
    {
        talk.early.push_back(one);
        return;
    }
    Operation& operation = *talk.now;
    const std::string mistake = operation.run->Arrived(one.peer, one.lane, one.ordinal, one.bytes);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << Tell(operation) << mistake);
    Follow(operation);
}

void
CollectiveApplication::Settled(const TransportMessage& message)
{
    if (m_stopped)
    {
        return;
    }
    const Conversation conversation = ConversationOf(message);
    Operation* operation = m_talks.at(conversation).now;
    if (operation == nullptr)
    {
        return; // it has been given up
    }
    const std::vector<RankId>& ranks = operation->ranks;
    const uint32_t peer = conversation.pointToPoint
                              ? 1
                              : std::find(ranks.begin(), ranks.end(), message.to) - ranks.begin();
    NoteProgress();
    operation->run->Settled(peer,
                            message.lane & ~TransportMessage::POINT_TO_POINT,
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
    Operation* operation = m_talks.at(ConversationOf(message)).now;
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
        EndTalk(operation);
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
        const bool isOver = inOrder && operation.run->IsStageOver(stage.ask.stage);
        const bool givesBack =
            stage.state == State::WITHDRAWN && operation.run->GetUnsettledOf(stage.ask.stage) == 0;
        if (!stage.HasCircuits() || !(isOver || givesBack))
        {
            inOrder = inOrder && stage.state == State::OVER;
            continue;
        }
        inOrder = isOver;
        stage.state = isOver ? State::OVER : State::ASKED;
        operation.dark = operation.CountLit() == 0 ? NowPicoseconds() : operation.dark;
        const CircuitAsk ask = stage.ask;
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
CollectiveApplication::EndTalk(Operation& operation)
{
    OperationRecord record = operation.record;
    record.end = NowPicoseconds();
    record.messagesSent = operation.run->GetMessagesSent();
    record.bytesSent = operation.run->GetBytesSent();
    record.messagesCome = operation.run->GetMessagesCome();
    record.bytesCome = operation.run->GetBytesCome();
    ++m_counters.ended;
    m_counters.messagesSent += record.messagesSent;
    m_counters.bytesSent += record.bytesSent;
    m_counters.messagesCome += record.messagesCome;
    m_counters.bytesCome += record.bytesCome;
    Talk& talk = m_talks.at(operation.conversation);
    talk.now = nullptr;
    ++talk.over;
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
    m_talks.at(operation.conversation).now = nullptr;
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
             m_ledger->GetMissing(operation->conversation, operation->record.number, group))
        {
            report << "rank " << rank << " has not called it; ";
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
                       << operation->ranks[one.peer] << " on lane " << one.lane
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
