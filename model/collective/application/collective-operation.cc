/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-operation.h"

#include "message-tag.h"
#include "send-past.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

CollectiveOperation::CollectiveOperation(const NumberedProgram& program,
                                         uint32_t number,
                                         OperationFlow& flow,
                                         const RankConnections& connections,
                                         MessagePoster& poster,
                                         Owner& owner)
    : m_program(program),
      m_connections(connections),
      m_flow(flow),
      m_owner(owner),
      m_flowKey(program.GetFlowKey(number)),
      m_ranks(program.GetRanks(number)),
      m_ways(m_flowKey, connections.rank, m_ranks, m_circuits),
      m_sender(connections, m_record, m_flowKey.group, m_ranks, m_circuits, poster)
{
    m_record.rank = connections.rank;
    m_record.operation = number;
    m_record.call = program.GetOperations()[number];
    m_record.group = program.GetGroupOf(number).GetName();
    m_record.number = program.GetNumber(number);
    m_record.start = ToTime(NowPicoseconds()); // the past may be simulated
}

CollectiveOperation::~CollectiveOperation()
{
    Simulator::Remove(m_startUp); // a cancelled one would prolong the simulation
    if (m_asOne == AsOne::RUNNING && m_connections.intraNode)
    {
        m_connections.intraNode->Forget(this);
    }
}

// ------------------------------------------------------------------------- start

void
CollectiveOperation::Start(std::shared_ptr<const AlgorithmChoice> choice,
                           const CollectiveSettings& settings,
                           uint64_t messageSize)
{
    m_choice = std::move(choice);
    m_eager = settings.eager;
    m_timing = OperationTiming(settings.times, m_choice->protocol);
    RecordChoice();
    m_owner.OperationStarted(m_record);
    if (m_record.algorithm.empty())
    {
        Fail(m_record.why);
        return;
    }
    m_messageSize = messageSize;
    m_allowsAsOne = settings.intraNodeAsOne;
    m_allowsMemo = settings.memoizeOperations;
    FindPart();
    if (!m_part->stages.empty() || !MayBeOne())
    {
        MakeRun();
    }
    Memoize();
    Fold();
    m_circuits.Begin(m_record.start.GetTimeStep());
    RequestNextStage();
    if (m_owner.IsStopped())
    {
        return;
    }
    m_hasPath = m_hasPath || m_part->stages.empty(); // over the scale-up fabric
    const Time startUp = GetStartUp();
    if (startUp.IsStrictlyPositive())
    {
        m_startUp = Simulator::Schedule(startUp, &CollectiveOperation::StartUpIsOver, this);
    }
    else
    {
        Activate();
    }
    m_begun = true;
    Follow();
}

Time
CollectiveOperation::GetStartUp() const
{
    if (m_timing.AreZero())
    {
        return Time(0);
    }
    const bool isOnHosts = m_choice->host || m_circuits.UseHostNetwork();
    return m_timing.GetStart(*m_part, isOnHosts, [this](uint32_t place) {
        return m_connections.broker->AreIntraNode(m_record.rank, m_ranks[place]);
    });
}

void
CollectiveOperation::StartUpIsOver()
{
    if (m_owner.IsStopped())
    {
        return;
    }
    m_begun = false; // Follow() comes at the end
    Activate();
    m_begun = true;
    Follow();
}

void
CollectiveOperation::Activate()
{
    if (m_connections.memo && !m_choice->schedule->EndsDependOnAll())
    {
        // ranks that have ended it may be in the next one, whose messages have come before this
        m_connections.memo->DisturbLater(m_flowKey, m_record.number);
    }
    m_isActive = true;
    m_active = NowPicoseconds();
    if (!m_fold || !m_fold->Activated())
    {
        SendOwnMessages();
    }
}

void
CollectiveOperation::BeginMessages()
{
    m_hasBegunMessages = true;
    ReportToSender();
    if (CallAsOne())
    {
        return;
    }
    MakeRun();
    if (!m_held)
    {
        m_run->Start();
    }
    TakeEarly();
}

void
CollectiveOperation::RecordChoice()
{
    const CommunicationGroup& group = m_program.GetGroupOf(m_record.operation);
    const std::string mistake = m_connections.ledger->Begin(m_flowKey,
                                                            m_record.number,
                                                            group,
                                                            group.GetPlace(m_record.rank),
                                                            *m_choice);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << mistake);
    m_record.algorithm = m_choice->algorithm;
    m_record.fellBack = m_choice->fellBack;
    m_record.why = m_choice->why;
    m_record.host = m_choice->host;
    m_record.protocol = m_choice->protocol;
    m_record.trafficPath = m_choice->trafficPath;
    m_record.reason = m_choice->reason;
}

void
CollectiveOperation::FindPart()
{
    const RankOperation& call = m_record.call;
    const uint64_t number = m_record.number;
    if (m_flowKey.pointToPoint)
    {
        const bool sends = call.kind == RankOperation::Kind::SEND;
        m_held = sends && !m_flow.rendezvous.MayGo(m_eager, number, call.bytes);
        m_mustReport = !sends && SendRendezvous::MustReport(m_eager, number, call.bytes);
    }
    m_record.rounds = m_choice->schedule->GetRounds();
    m_part = RankSchedule::Get(m_choice->schedule, m_program.GetPlace(m_record.operation));
    m_flow.Keep(m_part);
}

void
CollectiveOperation::MakeRun()
{
    if (m_run)
    {
        return;
    }
    CollectiveRun::Owner& self = *this; // conversion that is private to make_unique
    m_run = std::make_unique<CollectiveRun>(m_part,
                                            m_record.call.bytes,
                                            m_messageSize,
                                            self,
                                            m_choice->protocol);
}

void
CollectiveOperation::TakeEarly()
{
    // those of this instant come before or after the call, as the order of events has it
    m_mostEarly = m_flow.early.Count(NowPicoseconds());
    m_owner.MessagesWereEarly(m_mostEarly);
    m_flow.early.Take(*m_run, [this](const FlowMessage& message) { TakeStep(message); });
}

// ---------------------------------------------------------------------- circuits

void
CollectiveOperation::RequestNextStage()
{
    const auto& stages = m_part->stages;
    const uint32_t next = m_circuits.GetStages().size();
    if (next == stages.size())
    {
        return;
    }
    CircuitRequest request = m_program.MakeRequest(m_record.operation, *m_choice, stages[next]);
    request.place = m_record.operation;
    request.bytes = m_run->GetBytesOut(request.stage);
    m_circuits.Add(request);
    m_owner.RequestCircuits(*this, next);
}

void
CollectiveOperation::Answered(uint32_t place, const CircuitAnswer& answer)
{
    const uint32_t stage = GetRequest(place).stage;
    if (m_asOne == AsOne::RUNNING)
    {
        m_connections.intraNode->Stop(m_record.rank); // circuits have changed
    }
    switch (answer.network)
    {
    case CircuitAnswer::Network::NONE:
        Fail("circuits are refused: " + answer.why);
        return;
    case CircuitAnswer::Network::WITHDRAWN:
        if (m_fold)
        {
            m_fold->Disturb("its circuits are withdrawn");
        }
        if (m_memo && m_memo->Leave())
        {
            m_hasEntered = false;
        }
        else if (m_memo)
        {
            m_memo->Refuse();
        }
        if (m_circuits.Withdraw(place))
        {
            m_run->CloseStage(stage);
            Follow();
        }
        return;
    default:
        break;
    }
    m_circuits.Open(place, answer, NowPicoseconds());
    m_hasPath = true;
    if (!m_fold || !m_fold->Opened(MakeFoldedPath(place)))
    {
        SendOwnMessages();
    }
    if (!m_owner.IsStopped() && place + 1 == m_circuits.GetStages().size())
    {
        RequestNextStage();
    }
    Follow(); // all messages may have come before the answer
}

void
CollectiveOperation::Follow()
{
    if (m_owner.IsStopped() || m_asOne == AsOne::RUNNING)
    {
        return;
    }
    if (m_following || !m_begun)
    {
        m_again = true; // the call that is under way runs once more
        return;
    }
    m_following = true;
    do
    {
        m_again = false;
        FollowStages();
    } while (m_again && !m_owner.IsStopped());
    m_following = false;
    if (!m_owner.IsStopped() && IsOver())
    {
        OperationRecord record = MakeFinalRecord(std::move(m_record)); // it is over
        record.asOne = m_isCountedAsOne;
        const MessageTotals totals = GetTotals();
        if (m_fold)
        {
            m_fold->End(totals);
        }
        if (m_memo)
        {
            m_memo->End(totals, m_mostEarly);
        }
        record.messagesSent = totals.messagesSent;
        record.bytesSent = totals.bytesSent;
        record.messagesReceived = totals.messagesReceived;
        record.bytesReceived = totals.bytesReceived;
        m_owner.OperationEnded(record);
    }
}

MessageTotals
CollectiveOperation::GetTotals() const
{
    return FollowsRail()          ? m_fold->GetCounts()
           : IsMemoized()         ? m_memo->GetTotals()
           : m_asOne == AsOne::NO ? m_run->GetTotals()
                                  : m_totals;
}

void
CollectiveOperation::Fail(const std::string& why, std::optional<RankId> unreachable)
{
    OperationRecord record = MakeFinalRecord(m_record);
    record.why = why;
    record.unreachable = unreachable;
    if (m_fold)
    {
        m_fold->Disturb("it failed");
    }
    if (m_memo)
    {
        m_memo->Refuse();
    }
    m_owner.OperationFailed(record, Describe());
}

OperationRecord
CollectiveOperation::MakeFinalRecord(OperationRecord record) const
{
    record.end = Simulator::Now();
    record.waited = ToTime(m_circuits.GetWaited());
    if (m_circuits.UseHostNetwork()) // because circuits were refused
    {
        record.trafficPath = TrafficPath::HOST_NETWORK;
    }
    else if (m_circuits.UseHops())
    {
        record.trafficPath = TrafficPath::MULTI_HOP;
    }
    return record;
}

void
CollectiveOperation::FollowStages()
{
    using State = OperationCircuits::State;
    bool inOrder = true; // stages before it are over; brokers rely on that
    // more stages may be added in the middle
    for (uint32_t place = 0; place < m_circuits.GetStages().size() && !m_owner.IsStopped(); ++place)
    {
        const OperationCircuits::Stage& stage = m_circuits.GetStages()[place];
        const bool isOver = inOrder && IsStageOver(place) && !IsReporting();
        const bool givesBack = stage.state == State::WITHDRAWN && m_notices == 0 &&
                               m_run->GetUnsettledOf(stage.request.stage) == 0;
        if (!stage.HasCircuits() || !(isOver || givesBack))
        {
            inOrder = inOrder && stage.state == State::OVER;
            continue;
        }
        inOrder = isOver;
        if (m_fold && isOver && !m_fold->IsHeld())
        {
            m_fold->EndStage(place);
        }
        const CircuitRequest request = stage.request;
        m_circuits.Close(place, isOver, NowPicoseconds());
        if (!IsOnHostNetwork())
        {
            m_connections.broker->Finished(request);
        }
        if (!isOver)
        {
            m_owner.RequestCircuits(*this, place);
        }
    }
}

bool
CollectiveOperation::IsReporting() const
{
    return !FollowsRail() && !IsMemoized() && (m_mustReport || m_notices > 0);
}

bool
CollectiveOperation::IsStageOver(uint32_t place) const
{
    return FollowsRail()  ? m_fold->IsStageOver(place)
           : IsMemoized() ? m_memo->IsOver()
                          : m_asOne == AsOne::OVER || m_run->IsStageOver(GetRequest(place).stage);
}

bool
CollectiveOperation::IsOver() const
{
    const bool isRunOver = FollowsRail()  ? m_fold->IsOver()
                           : IsMemoized() ? m_memo->IsOver()
                                          : m_asOne == AsOne::OVER || m_run->IsOver();
    return m_isActive && isRunOver && !IsReporting() &&
           m_circuits.GetStages().size() == m_part->stages.size() && m_circuits.AreOver();
}

// ------------------------------------------------------------------------ as one

bool
CollectiveOperation::MayBeOne() const
{
    // a stage after another ends before the operation does, and the broker gets a release
    const bool hasStages = !m_part->stages.empty();
    return m_allowsAsOne && m_connections.intraNode && !m_flowKey.pointToPoint &&
           m_timing.AreZero() && !m_choice->host && m_flow.early.IsEmpty() &&
           (!hasStages || (m_choice->schedule->GetStages().size() == 1 &&
                           m_connections.rail == m_connections.scaleUp));
}

bool
CollectiveOperation::CallAsOne()
{
    const CommunicationGroup& group = m_program.GetGroupOf(m_record.operation);
    if (m_flowKey.pointToPoint || !m_connections.intraNode ||
        !m_connections.intraNode->Contains(group))
    {
        return false;
    }
    const auto isOpen = [](const OperationCircuits::Stage& stage) {
        return stage.state == OperationCircuits::State::OPEN &&
               stage.answer.network == CircuitAnswer::Network::RAIL;
    };
    const auto& stages = m_circuits.GetStages();
    IntraNodeCall call;
    call.rank = m_record.rank;
    call.group = &group;
    call.number = m_record.number;
    call.place = group.GetPlace(m_record.rank);
    call.schedule = m_choice->schedule;
    call.bytes = m_record.call.bytes;
    call.messageSize = m_messageSize;
    call.protocol = m_choice->protocol;
    call.mayBeOne = MayBeOne() && std::all_of(stages.begin(), stages.end(), isOpen);
    call.operation = this;
    const IntraNodeAnswer answer = m_connections.intraNode->Call(call);
    switch (answer.how)
    {
    case IntraNodeAnswer::How::MESSAGES:
        return false;
    case IntraNodeAnswer::How::AS_ONE:
        m_asOne = AsOne::RUNNING;
        break;
    case IntraNodeAnswer::How::OVER:
        m_asOne = AsOne::OVER;
        break;
    }
    m_totals = answer.totals;
    return true;
}

void
CollectiveOperation::IsOverAsOne()
{
    m_asOne = AsOne::OVER;
    m_isCountedAsOne = true;
    Follow();
}

void
CollectiveOperation::GoOnByMessages(const IntraNodeHistory& history)
{
    m_asOne = AsOne::NO;
    MakeRun();
    m_sender.SetReplaying(true);
    m_run->Start();
    for (const IntraNodeHistory::Message& message : history.arrived)
    {
        const std::string mistake =
            m_run->Arrived(message.peer, message.channel, message.ordinal, message.bytes);
        NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << Describe() << mistake);
    }
    for (const IntraNodeHistory::Message& message : history.settled)
    {
        m_run->Settled(message.peer, message.channel, message.ordinal);
    }
    m_sender.SetReplaying(false);
}

// ------------------------------------------------------------- rails that do the same

void
CollectiveOperation::Fold()
{
    if (!m_connections.fold)
    {
        return;
    }
    const uint32_t place = m_program.GetPlace(m_record.operation);
    FoldedCall::Owner& self = *this;
    m_fold = m_connections.fold
                 ->Call(m_flowKey, m_record.number, place, m_record.rank, m_memo != nullptr, self);
    if (m_fold && m_part->stages.empty())
    {
        m_fold->HasNoStages();
    }
}

FoldedPath
CollectiveOperation::MakeFoldedPath(uint32_t place) const
{
    FoldedPath path = m_ways.FindOfStage(*m_part, place);
    path.schedule = m_choice->schedule;
    path.protocol = m_choice->protocol;
    path.messageSize = m_messageSize;
    return path;
}

void
CollectiveOperation::SendOwnMessages()
{
    if (m_isPlain && Enter())
    {
        return;
    }
    if (!m_isActive)
    {
        return; // it comes again
    }
    ReportToSender();
    OpenStages();
    if (!m_hasBegunMessages)
    {
        BeginMessages();
    }
}

void
CollectiveOperation::OpenStages()
{
    for (const OperationCircuits::Stage& stage : m_circuits.GetStages())
    {
        if (stage.state == OperationCircuits::State::OPEN)
        {
            m_run->OpenStage(stage.request.stage);
        }
    }
}

void
CollectiveOperation::UseOwnMessages()
{
    SendOwnMessages();
    Follow();
}

void
CollectiveOperation::FollowLeader()
{
    Follow();
}

// ------------------------------------------------------- operations like earlier ones

void
CollectiveOperation::Memoize()
{
    const bool isEager = m_flowKey.pointToPoint && m_record.call.bytes <= m_eager.bytes;
    m_isPlain = m_connections.memo && !isEager && !m_choice->host && m_timing.AreZero() &&
                m_part->stages.size() == 1 && m_choice->schedule->GetStages().size() == 1;
    m_isInside = m_isPlain && OperationPast::IsInside(*m_part);
    if (!m_isPlain || !m_allowsMemo)
    {
        if (m_connections.memo && m_flowKey.pointToPoint && !isEager)
        {
            m_connections.memo->LeaveOut(MakeMemoizedSend());
        }
        return;
    }
    MemoizedCall::Owner& self = *this;
    if (m_flowKey.pointToPoint)
    {
        m_memo = m_connections.memo->Call(MakeMemoizedSend(), self);
        return;
    }
    const CommunicationGroup& group = m_program.GetGroupOf(m_record.operation);
    m_memo = m_connections.memo->Call(
        m_flowKey,
        m_record.number,
        {m_choice->schedule, m_record.call.bytes, m_messageSize, m_choice->protocol},
        group,
        group.GetPlace(m_record.rank),
        self);
}

bool
CollectiveOperation::Enter()
{
    if (m_memo && m_isActive && !m_isActiveForMemo)
    {
        m_isActiveForMemo = true;
        ActivateMemo();
    }
    const auto& stages = m_circuits.GetStages();
    if (!m_isActive || m_hasEntered || stages.empty() ||
        stages.front().state != OperationCircuits::State::OPEN)
    {
        return IsMemoized();
    }
    m_hasEntered = true;
    const MemoizedWays ways = m_ways.FindAll(*m_part);
    for (const TransportMessage& way : ways.out)
    {
        m_connections.rail->Prepare(way); // in an order that does not depend on memoizing
    }
    if (!m_memo)
    {
        return false;
    }
    const auto isOnRail = [](const RankSchedule::Way& way) {
        return way.wires == CollectiveTransfer::Wires::RAIL;
    };
    const std::size_t awaited =
        std::count_if(m_part->waysOut.begin(), m_part->waysOut.end(), isOnRail) +
        std::count_if(m_part->waysIn.begin(), m_part->waysIn.end(), isOnRail) +
        (m_flowKey.pointToPoint ? 1 : 0);
    if (ways.out.size() + ways.in.size() != awaited)
    {
        m_memo->Refuse();
        if (m_flowKey.pointToPoint)
        {
            m_connections.memo->LeaveOut(MakeMemoizedSend());
        }
        return false;
    }
    return m_memo->Enter(ways, m_isInside ? nullptr : MakePast());
}

void
CollectiveOperation::ActivateMemo()
{
    if (!m_isInside)
    {
        m_memo->Activate(!m_flow.early.IsEmpty());
        return;
    }
    if (!m_connections.scaleUp || m_flow.early.HasOthers(m_record.number))
    {
        m_memo->Refuse();
        return;
    }
    MemoizedInside inside = m_ways.FindInside(*m_part, *m_connections.scaleUp);
    inside.count = OperationPast::CountInside(MakePastOperation());
    m_memo->BeginInside(inside, m_flow.early.Count(NowPicoseconds()), MakePast());
}

MemoizedSend
CollectiveOperation::MakeMemoizedSend() const
{
    MemoizedSend send;
    send.kind = {m_choice->schedule, m_record.call.bytes, m_messageSize, m_choice->protocol};
    send.group = m_flowKey.group;
    send.from = m_ranks[0];
    send.to = m_ranks[1];
    send.number = m_record.number;
    send.isSender = m_record.call.kind == RankOperation::Kind::SEND;
    return send;
}

OperationPast::Operation
CollectiveOperation::MakePastOperation() const
{
    OperationPast::Operation past;
    past.part = m_part;
    past.bytes = m_record.call.bytes;
    past.messageSize = m_messageSize;
    past.protocol = m_choice->protocol;
    past.number = m_record.number;
    past.stage = m_part->stages.front();
    past.ranks = m_ranks;
    past.rank = m_record.rank;
    past.group = m_flowKey.group;
    return past;
}

std::unique_ptr<MemoizedPast>
CollectiveOperation::MakePast() const
{
    const Ptr<Transport> rail = m_connections.rail;
    if (m_flowKey.pointToPoint)
    {
        return std::make_unique<SendPast>(MakePastOperation(), MakeMemoizedSend(), rail, !m_held);
    }
    return std::make_unique<OperationPast>(MakePastOperation(), rail, m_connections.scaleUp);
}

void
CollectiveOperation::EndMemoized()
{
    if (IsMemoized() && m_record.call.kind == RankOperation::Kind::SEND)
    {
        TakeReport();
    }
    if (IsMemoized())
    {
        m_owner.MessagesWereEarly(m_memo->GetMostEarly());
    }
    Follow();
}

void
CollectiveOperation::TakeReport()
{
    m_held = false;
    m_flow.rendezvous.TakeReport(SendRendezvous::MakeReport(m_record.number));
}

void
CollectiveOperation::GoOnByMessages(const MemoizedHistory& history)
{
    m_mostEarly = history.mostEarly;
    m_owner.MessagesWereEarly(m_mostEarly);
    m_sender.SetReplaying(true);
    if (history.hasEntered)
    {
        OpenStages();
    }
    ReportToSender();
    if (!m_hasBegunMessages)
    {
        m_hasBegunMessages = true;
        if (!m_held)
        {
            m_run->Start();
        }
    }
    for (const MemoizedMessage& message : history.arrived)
    {
        if (message.channel & TransportMessage::CLEAR_TO_SEND)
        {
            TakeReport();
            m_run->Start();
            continue;
        }
        const std::string mistake =
            m_run->Arrived(message.peer, message.channel, message.ordinal, message.bytes);
        NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << Describe() << mistake);
    }
    for (const MemoizedMessage& message : history.settled)
    {
        if (message.channel & TransportMessage::CLEAR_TO_SEND)
        {
            --m_notices;
            continue;
        }
        m_run->Settled(message.peer, message.channel, message.ordinal);
    }
    m_sender.SetReplaying(false);
    m_owner.NoteEarlierProgress(history.latest);
}

// ---------------------------------------------------------------------- messages

void
CollectiveOperation::SendMessage(CollectiveRun&, const CollectiveRun::Message& message)
{
    m_sender.Send(message);
}

void
CollectiveOperation::ReportToSender()
{
    if (m_mustReport && m_hasPath && m_isActive)
    {
        m_mustReport = false;
        ++m_notices;
        m_sender.SendClearToSend(*m_part);
    }
}

bool
CollectiveOperation::Awaits(const FlowMessage& message) const
{
    // what comes while it is held, and is not made up for it, is of a later one
    return m_hasBegunMessages && !IsMemoized() && m_run &&
           m_run->Awaits(message.peer, message.channel);
}

void
CollectiveOperation::Arrived(const FlowMessage& message)
{
    if (message.at < m_active) // it is made up for
    {
        m_owner.MessagesWereEarly(++m_mostEarly);
    }
    if (TakeStep(message))
    {
        Follow();
    }
}

bool
CollectiveOperation::TakeStep(const FlowMessage& message)
{
    const Picoseconds over = message.at + m_timing.GetStep(message.kind).GetTimeStep();
    if (over <= NowPicoseconds())
    {
        Deliver(message);
        return true;
    }
    m_run->Hold(message.peer, message.channel);
    if (!m_steps)
    {
        m_steps =
            std::make_unique<ArrivalSteps>([this](const FlowMessage& one) { StepIsOver(one); });
    }
    m_steps->Add(message, over);
    return false;
}

void
CollectiveOperation::StepIsOver(const FlowMessage& message)
{
    if (m_owner.IsStopped())
    {
        return;
    }
    m_run->Release(message.peer, message.channel);
    Deliver(message);
    Follow();
}

void
CollectiveOperation::Deliver(const FlowMessage& message)
{
    NS_ABORT_MSG_IF(
        !MessageTag::IsOf(message.tag, m_record.number),
        "CollectiveApplication: "
            << Describe() << "a message from place " << message.peer << " on channel "
            << message.channel
            << " is of another operation: the ranks' calls differ in bytes, algorithm, protocol or "
               "message size");
    const std::string mistake = m_run->Arrived(message.peer,
                                               message.channel,
                                               MessageTag::GetOrdinal(message.tag),
                                               message.bytes);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "CollectiveApplication: " << Describe() << mistake);
}

void
CollectiveOperation::Settled(const TransportMessage& message)
{
    if (m_flowKey.pointToPoint && message.channel & TransportMessage::CLEAR_TO_SEND)
    {
        --m_notices;
        Follow();
        return;
    }
    m_run->Settled(GetPeerOf(message),
                   message.channel & ~TransportMessage::POINT_TO_POINT,
                   MessageTag::GetOrdinal(message.tag));
    Follow();
}

uint32_t
CollectiveOperation::GetPeerOf(const TransportMessage& message) const
{
    // the receiver of a send has place 1
    return m_flowKey.pointToPoint
               ? 1
               : std::find(m_ranks.begin(), m_ranks.end(), message.to) - m_ranks.begin();
}

bool
CollectiveOperation::SendAgain(const TransportMessage& message)
{
    const bool isReport =
        m_flowKey.pointToPoint && message.channel & TransportMessage::CLEAR_TO_SEND;
    const std::vector<OperationCircuits::Stage>& stages = m_circuits.GetStages();
    const uint32_t number =
        isReport ? m_part->incoming.front().stage
                 : m_run->GetStageOf(GetPeerOf(message),
                                     message.channel & ~TransportMessage::POINT_TO_POINT,
                                     MessageTag::GetOrdinal(message.tag));
    const auto stage = std::find_if(stages.begin(), stages.end(), [number](const auto& one) {
        return one.request.stage == number;
    });
    if (!stage->HasCircuits() || stage->answer.network != CircuitAnswer::Network::RAIL ||
        !m_connections.broker->LinkFailed(stage->request, message))
    {
        return false;
    }
    if (m_fold)
    {
        m_fold->Disturb("a message failed");
    }
    if (m_memo)
    {
        m_memo->Refuse();
    }
    if (isReport)
    {
        --m_notices;
        m_mustReport = true;
        m_hasPath = false; // until it has circuits again
        m_run->CloseStage(number);
    }
    else
    {
        m_run->Failed(GetPeerOf(message),
                      message.channel & ~TransportMessage::POINT_TO_POINT,
                      MessageTag::GetOrdinal(message.tag));
    }
    Follow();
    return true;
}

void
CollectiveOperation::ReceiverIsReady()
{
    if (m_held && m_flow.rendezvous.MayGo(m_eager, m_record.number, m_record.call.bytes))
    {
        m_held = false;
        if (m_hasBegunMessages)
        {
            m_run->Start();
            Follow();
        }
    }
}

// ------------------------------------------------------------------------- words

std::string
CollectiveOperation::Describe() const
{
    const RankOperation& call = m_record.call;
    std::ostringstream words;
    words << "rank " << m_record.rank << ", operation " << m_record.operation
          << " of its program (";
    switch (call.kind)
    {
    case RankOperation::Kind::SEND:
        words << "send number " << m_record.number << " to rank " << m_ranks[1];
        break;
    case RankOperation::Kind::RECEIVE:
        words << "receive number " << m_record.number << " from rank " << m_ranks[0];
        break;
    default:
        words << ToString(call.collective) << " number " << m_record.number
              << (m_record.algorithm.empty() ? "" : " by " + m_record.algorithm);
    }
    words << " of " << call.bytes << " bytes in group \"" << m_record.group << "\"";
    words << (call.label.empty() ? "" : ", " + call.label) << "): ";
    return words.str();
}

std::string
CollectiveOperation::DescribeWaiting() const
{
    std::ostringstream words;
    words << Describe();
    const CommunicationGroup& group = m_program.GetGroupOf(m_record.operation);
    for (const RankId rank : m_connections.ledger->GetMissing(m_flowKey, m_record.number, group))
    {
        words << "rank " << rank << " has not called it; ";
    }
    if (!m_choice)
    {
        words << "rank " << m_ranks.front() << " has not sent its choice of the algorithm; ";
    }
    if (m_held)
    {
        words << "rank " << m_ranks.back()
              << " has not reported the call of its receive (EagerLimit, EagerSends); ";
    }
    for (const OperationCircuits::Stage& stage : m_circuits.GetStages())
    {
        if (stage.state == OperationCircuits::State::REQUESTED)
        {
            words << "no circuits yet for stage " << stage.request.stage << ", "
                  << m_run->GetWaiting() << " messages wait; ";
        }
    }
    if (!m_run)
    {
        return words.str();
    }
    if (!m_isActive)
    {
        words << "its start-up time is not over; ";
    }
    if (FollowsRail())
    {
        words << "it follows the operation of another rail. ";
        return words.str();
    }
    for (const CollectiveRun::Missing& one : m_run->GetMissing())
    {
        words << "waits for " << one.messages << " messages from rank " << m_ranks[one.peer]
              << " on channel " << one.channel << ", the first of chunk " << one.chunk << "; ";
    }
    words << m_run->GetUnsettled() << " messages sent and not settled";
    if (m_run->GetUnsettled() > 0)
    {
        words << " (" << m_sender.DescribeLast() << ")";
    }
    words << ". ";
    return words.str();
}

std::string
CollectiveOperation::DescribePath(const TransportMessage& message) const
{
    return m_sender.DescribePath(message);
}

} // namespace ns3
