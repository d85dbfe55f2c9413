/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-operations.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
#include "ns3/past-events.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/scale-up-transport.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("IntraNodeOperations");

NS_OBJECT_ENSURE_REGISTERED(IntraNodeOperations);

namespace
{

using Party = IntraNodeSession::Party;

} // namespace

TypeId
IntraNodeOperations::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IntraNodeOperations")
                            .SetParent<IntraNodeFabric>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<IntraNodeOperations>();
    return tid;
}

IntraNodeOperations::IntraNodeOperations()
{
    NS_LOG_FUNCTION(this);
}

IntraNodeOperations::~IntraNodeOperations()
{
    NS_LOG_FUNCTION(this);
    if (m_domain)
    {
        m_domain->RemoveAhead(this);
    }
}

void
IntraNodeOperations::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_domain)
    {
        m_domain->RemoveAhead(this);
        m_domain = nullptr;
    }
    m_stretches = nullptr;
    m_sessions.clear();
    m_sessionOf.clear();
    m_operations.clear();
    m_groups.clear();
    m_libraries.clear();
    IntraNodeFabric::DoDispose();
}

void
IntraNodeOperations::SetFabric(Ptr<ScaleUpDomain> domain, RankId first, Ptr<IntraNodeMemory> memory)
{
    NS_LOG_FUNCTION(this << domain << first);
    m_domain = domain;
    m_first = first;
    m_memory = memory;
    m_libraries.resize(domain->GetMembers());
    m_sessionOf.resize(domain->GetMembers());
    IntraNodeStretches::Owner& self = *this; // conversion that is private to Create
    m_stretches = Create<IntraNodeStretches>(domain, memory, self);
    domain->SetAhead(this);
}

void
IntraNodeOperations::Join(RankId rank, IntraNodeRank* library)
{
    NS_LOG_FUNCTION(this << rank);
    m_libraries[GetMember(rank).Get()] = library;
    m_groups.clear();
}

void
IntraNodeOperations::Leave(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    if (!m_libraries.empty())
    {
        m_libraries[GetMember(rank).Get()] = nullptr;
        m_groups.clear();
        m_stretches->Drop(GetMember(rank));
    }
    const auto isGone = [](const IntraNodeRank* library) { return library == nullptr; };
    if (std::all_of(m_libraries.begin(), m_libraries.end(), isGone))
    {
        m_sessionOf.assign(m_sessionOf.size(), nullptr);
        m_sessions.clear(); // their events refer to this
        m_operations.clear();
    }
}

bool
IntraNodeOperations::Contains(const CommunicationGroup& group) const
{
    const auto& ranks = group.GetRanks();
    return std::all_of(ranks.begin(), ranks.end(), [this](RankId rank) {
        return rank.Get() - m_first.Get() < m_libraries.size();
    });
}

MemberId
IntraNodeOperations::GetMember(RankId rank) const
{
    return MemberId(rank.Get() - m_first.Get());
}

// ------------------------------------------------------------------------- calls

IntraNodeAnswer
IntraNodeOperations::Call(const IntraNodeCall& call)
{
    NS_LOG_FUNCTION(this << call.rank << call.group->GetId() << call.number);
    const bool isPast = PastEvents::AreOn(); // CatchUp() schedules
    for (const RankId rank : call.group->GetRanks())
    {
        m_stretches->Leave(GetMember(rank));
        IntraNodeSession* const session = isPast ? FindSession(rank) : nullptr;
        if (session != nullptr && session->HasRun())
        {
            session->Plan(); // the instant of the last call is over
        }
    }
    std::shared_ptr<Operation>& place = m_operations[{call.group->GetId(), call.number}];
    if (!place)
    {
        place = Begin(call);
    }
    const std::shared_ptr<Operation> operation = place; // it may be erased
    ++operation->calls;
    const bool isSame =
        operation->plan && call.mayBeOne &&
        operation->plan ==
            m_memory->GetPlan(call.schedule, call.bytes, call.messageSize, call.protocol);
    if (operation->plan && !isSame)
    {
        GoOnByMessages(*operation->session);
    }
    if (!operation->plan)
    {
        ForgetIfCalled(operation);
        return {};
    }
    const IntraNodePlan::Place& its = operation->plan->GetPlaces()[call.place];
    IntraNodeAnswer answer;
    answer.how = IntraNodeAnswer::How::AS_ONE;
    answer.totals = {its.messagesOut, its.dataOut, its.messagesIn, its.dataIn};
    IntraNodeSession& session = *operation->session;
    Party& party = operation->parties[call.place];
    party.operation = call.operation;
    const Picoseconds now = NowPicoseconds();
    if (session.Call(*operation, call.place, now))
    {
        if (!isPast)
        {
            Arm(session);
        }
        return answer;
    }
    if (!isPast && !IsEventPending(session.plan))
    {
        session.plan = Simulator::Schedule(ToTime(1),
                                           &IntraNodeOperations::Plan,
                                           Ptr<IntraNodeOperations>(this),
                                           session.number);
    }
    if (party.end <= now)
    {
        answer.how = IntraNodeAnswer::How::OVER;
        party.state = Party::State::ENDING;
        Count(operation, call.place);
    }
    EndThose(session);
    return answer;
}

// --------------------------------------------------------------------- stretches

std::shared_ptr<const StretchSteps>
IntraNodeOperations::ShareSteps(StretchSteps&& steps)
{
    return m_memory->ShareSteps(std::move(steps));
}

bool
IntraNodeOperations::EnterStretch(const StretchEntry& entry)
{
    NS_LOG_FUNCTION(this << entry.rank << entry.number);
    return m_stretches->Enter(entry);
}

void
IntraNodeOperations::LeaveStretch(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    if (m_stretches)
    {
        m_stretches->LeaveWholly(GetMember(rank));
    }
}

bool
IntraNodeOperations::MayEnter(const StretchEntry& entry, Picoseconds call)
{
    IntraNodeCall first;
    first.group = entry.group;
    first.number = entry.number;
    first.mayBeOne = true;
    if (m_operations.count({entry.group->GetId(), entry.number}) > 0 || !MayBeOne(first))
    {
        return false;
    }
    for (const RankId rank : entry.group->GetRanks())
    {
        IntraNodeSession* const session = FindSession(rank);
        if (session == nullptr)
        {
            continue;
        }
        if (session->GetLastEnd() <= NowPicoseconds())
        {
            Close(*session);
        }
        else if (session->GetLastEnd() > call || !session->IsSettled(entry.group->GetId()))
        {
            return false; // it is not sure to be over when the rank calls its first operation
        }
    }
    return true;
}

void
IntraNodeOperations::CallOver(const IntraNodeCall& call)
{
    Call(call);
}

void
IntraNodeOperations::CatchUp(const std::vector<MemberId>& members)
{
    for (const MemberId member : members)
    {
        IntraNodeSession* const session = m_sessionOf[member.Get()];
        if (session == nullptr)
        {
            continue;
        }
        if (session->HasRun())
        {
            session->Advance(NowPicoseconds());
            session->Plan();
        }
        if (session->GetLastEnd() <= NowPicoseconds())
        {
            Close(*session);
        }
        else
        {
            Arm(*session);
        }
    }
}

// ------------------------------------------------------------------------ calls

std::shared_ptr<IntraNodeOperations::Operation>
IntraNodeOperations::Begin(const IntraNodeCall& call)
{
    auto operation = std::make_shared<Operation>();
    operation->group = call.group->GetId();
    operation->number = call.number;
    operation->parties.resize(call.group->GetRanks().size());
    if (!MayBeOne(call))
    {
        return operation;
    }
    operation->ranks = FindRanks(*call.group);
    operation->plan = m_memory->GetPlan(call.schedule, call.bytes, call.messageSize, call.protocol);
    if (operation->plan->IsSpecial())
    {
        operation->plan = nullptr;
        return operation;
    }
    OpenSession(operation->ranks->members).Add(operation, NowPicoseconds());
    return operation;
}

bool
IntraNodeOperations::MayBeOne(const IntraNodeCall& call)
{
    // the end of an operation must not come before its instant is over
    constexpr Picoseconds LEAST_LATENCY = 2;
    if (PastEvents::AreOn())
    {
        return call.mayBeOne; // it was in a stretch; what disturbs that finds it as one operation
    }
    if (!call.mayBeOne || !m_domain->HasAhead(this) || m_domain->IsObserved() ||
        m_domain->GetLatency().GetTimeStep() < LEAST_LATENCY)
    {
        return false;
    }
    const auto before = m_operations.find({call.group->GetId(), call.number - 1});
    const auto last = m_lastByMessages.find(call.group->GetId());
    if ((call.number > 0 && before != m_operations.end() && !before->second->plan) ||
        (last != m_lastByMessages.end() && last->second == NowPicoseconds()))
    {
        return false; // messages of both may wait for a rank
    }
    const std::shared_ptr<const IntraNodeRanks> ranks = FindRanks(*call.group);
    return ranks && std::all_of(ranks->members.begin(), ranks->members.end(), [this](MemberId one) {
               return m_domain->IsQuiet(one);
           });
}

std::shared_ptr<const IntraNodeRanks>
IntraNodeOperations::FindRanks(const CommunicationGroup& group)
{
    std::shared_ptr<const IntraNodeRanks>& known = m_groups[group.GetId()];
    if (known)
    {
        return known;
    }
    auto ranks = std::make_shared<IntraNodeRanks>();
    ranks->group = group.GetId();
    ranks->ranks = group.GetRanks();
    for (const RankId rank : ranks->ranks)
    {
        const MemberId member = GetMember(rank);
        const IntraNodeRank* library = m_libraries[member.Get()];
        if (library == nullptr || !library->HasGroup(ranks->group))
        {
            return nullptr;
        }
        ranks->members.push_back(member);
        ranks->distances.push_back(int64_t{rank.Get()} - ranks->ranks.front().Get());
    }
    known = std::move(ranks);
    return known;
}

IntraNodeSession&
IntraNodeOperations::OpenSession(const std::vector<MemberId>& members)
{
    const Picoseconds now = NowPicoseconds();
    IntraNodeSession* session = nullptr;
    for (const MemberId member : members)
    {
        IntraNodeSession* const its = m_sessionOf[member.Get()];
        if (its == nullptr || its == session)
        {
            continue;
        }
        if (its->GetLastEnd() <= now)
        {
            Close(*its);
        }
        else if (session == nullptr)
        {
            session = its;
            EndThose(*session);
        }
        else
        {
            EndThose(*its);
            session->Merge(*its, now);
            for (const MemberId moved : its->GetMembers())
            {
                m_sessionOf[moved.Get()] = session;
            }
            Erase(*its);
        }
    }
    if (session == nullptr)
    {
        m_sessions.push_back(std::make_unique<IntraNodeSession>(m_domain, m_memory));
        session = m_sessions.back().get();
        session->number = ++m_numbers;
    }
    session->AddMembers(members);
    for (const MemberId member : members)
    {
        m_sessionOf[member.Get()] = session;
    }
    return *session;
}

// ------------------------------------------------------------------------ events

void
IntraNodeOperations::Arm(IntraNodeSession& session)
{
    const Picoseconds next = session.GetNextEnd();
    const Picoseconds now = NowPicoseconds();
    if (IsEventPending(session.wake))
    {
        if (static_cast<Picoseconds>(session.wake.GetTs()) <= next)
        {
            return; // it arms the next one
        }
        Simulator::Remove(session.wake);
    }
    if (next != NEVER)
    {
        session.wake = Simulator::Schedule(ToTime(std::max<Picoseconds>(0, next - now)),
                                           &IntraNodeOperations::Wake,
                                           Ptr<IntraNodeOperations>(this),
                                           session.number);
    }
}

IntraNodeSession*
IntraNodeOperations::FindSession(RankId rank) const
{
    const uint32_t member = GetMember(rank).Get();
    return member < m_sessionOf.size() ? m_sessionOf[member] : nullptr; // none: it is disposed
}

IntraNodeSession*
IntraNodeOperations::FindSession(uint64_t number) const
{
    for (const std::unique_ptr<IntraNodeSession>& session : m_sessions)
    {
        if (session->number == number)
        {
            return session.get();
        }
    }
    return nullptr;
}

void
IntraNodeOperations::Plan(uint64_t number)
{
    NS_LOG_FUNCTION(this << number);
    IntraNodeSession* const session = FindSession(number);
    if (session == nullptr)
    {
        return; // all ranks have left
    }
    session->Advance(NowPicoseconds());
    session->Plan();
    if (session->GetLastEnd() <= NowPicoseconds())
    {
        Close(*session);
        return;
    }
    Arm(*session);
}

void
IntraNodeOperations::Wake(uint64_t number)
{
    NS_LOG_FUNCTION(this << number);
    if (IntraNodeSession* const session = FindSession(number))
    {
        Fire(*session);
        Arm(*session);
    }
}

void
IntraNodeOperations::Fire(IntraNodeSession& session)
{
    const Picoseconds now = NowPicoseconds();
    for (const std::shared_ptr<Operation>& operation : session.GetOperations())
    {
        for (uint32_t place = 0; place < operation->parties.size(); ++place)
        {
            Party& party = operation->parties[place];
            if (party.state == Party::State::RUNNING && party.end <= now)
            {
                party.state = Party::State::ENDING;
                const MemberId member = operation->ranks->members[place];
                Simulator::ScheduleWithContext(m_domain->GetNodeId(member),
                                               Time(0),
                                               &IntraNodeOperations::End,
                                               Ptr<IntraNodeOperations>(this),
                                               operation,
                                               place);
            }
        }
    }
}

void
IntraNodeOperations::EndThose(IntraNodeSession& session)
{
    session.Advance(NowPicoseconds());
    Fire(session);
    session.Prune();
}

void
IntraNodeOperations::End(std::shared_ptr<Operation> operation, uint32_t place)
{
    NS_LOG_FUNCTION(this << operation->group << operation->number << place);
    if (!m_domain)
    {
        return; // disposed
    }
    Party& party = operation->parties[place];
    IntraNodeOperation* const its = party.operation;
    Count(operation, place);
    if (its != nullptr)
    {
        its->IsOverAsOne();
    }
}

void
IntraNodeOperations::Count(const std::shared_ptr<Operation>& operation, uint32_t place)
{
    Party& party = operation->parties[place];
    party.state = Party::State::OVER;
    party.operation = nullptr;
    IntraNodeRank* const library = m_libraries[operation->ranks->members[place].Get()];
    if (party.waited > 0 && library != nullptr)
    {
        library->NoteEarly(party.waited);
    }
    if (++operation->over == operation->parties.size())
    {
        m_operations.erase({operation->group, operation->number});
    }
    IntraNodeSession* const session = operation->session;
    if (session != nullptr && session->GetLastEnd() <= NowPicoseconds())
    {
        Close(*session);
    }
}

// ------------------------------------------------------------- ends of sessions

void
IntraNodeOperations::Close(IntraNodeSession& session)
{
    NS_LOG_FUNCTION(this);
    Fire(session); // its ends may be still to come in this instant
    for (const MemberId member : session.GetMembers())
    {
        m_domain->SetBusy(member, session.GetLastBusy(member));
        const ScaleUpCount count = session.GetLastCount(member);
        m_domain->AddCount(
            member,
            session.committed.empty() ? count : count.Without(session.committed[member.Get()]));
    }
    for (const std::shared_ptr<Operation>& operation : session.GetOperations())
    {
        operation->session = nullptr;
    }
    Erase(session);
}

void
IntraNodeOperations::Erase(IntraNodeSession& session)
{
    for (EventId* event : {&session.plan, &session.wake})
    {
        if (IsEventPending(*event))
        {
            Simulator::Remove(*event);
        }
    }
    for (IntraNodeSession*& its : m_sessionOf)
    {
        its = its == &session ? nullptr : its;
    }
    const auto is = [&session](const auto& one) { return one.get() == &session; };
    m_sessions.erase(std::find_if(m_sessions.begin(), m_sessions.end(), is));
}

void
IntraNodeOperations::Commit(IntraNodeSession& session)
{
    session.Advance(NowPicoseconds());
    session.committed.resize(m_domain->GetMembers());
    for (const MemberId member : session.GetMembers())
    {
        const ScaleUpCount& count = session.GetRun().GetCount(member);
        ScaleUpCount& committed = session.committed[member.Get()];
        m_domain->AddCount(member, count.Without(committed));
        committed = count;
    }
}

bool
IntraNodeOperations::IsAt(MemberId member) const
{
    const IntraNodeSession* const session = m_sessionOf[member.Get()];
    return m_stretches->IsAt(member) ||
           (session != nullptr && session->GetLastEnd() > NowPicoseconds());
}

void
IntraNodeOperations::Commit()
{
    m_stretches->LeaveAll();
    for (const std::unique_ptr<IntraNodeSession>& session : m_sessions)
    {
        Commit(*session);
    }
}

// -------------------------------------------------------------------- by messages

void
IntraNodeOperations::Disturb(MemberId from, MemberId to)
{
    for (const MemberId member : {from, to})
    {
        m_stretches->Leave(member);
        if (IntraNodeSession* const session = m_sessionOf[member.Get()])
        {
            GoOnByMessages(*session);
        }
    }
}

void
IntraNodeOperations::DisturbAll()
{
    m_stretches->LeaveAll();
    while (!m_sessions.empty())
    {
        GoOnByMessages(*m_sessions.back());
    }
}

void
IntraNodeOperations::Stop(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    LeaveStretch(rank);
    if (IntraNodeSession* const session = FindSession(rank))
    {
        GoOnByMessages(*session);
    }
}

void
IntraNodeOperations::GoOnByMessages(IntraNodeSession& session)
{
    NS_LOG_FUNCTION(this);
    if (session.GetLastEnd() <= NowPicoseconds())
    {
        Close(session);
        return;
    }
    EndThose(session);
    Commit(session);
    const IntraNodeRun& run = session.GetRun();
    for (const MemberId member : session.GetMembers())
    {
        m_domain->SetBusy(member, run.GetBusy(member));
        if (IntraNodeRank* const library = m_libraries[member.Get()])
        {
            library->NoteActivity(run.GetLastActivity(member));
        }
    }
    RestoreMessages(session);
    for (const std::shared_ptr<Operation>& operation : session.GetOperations())
    {
        ReportToRanks(run, *operation);
        operation->session = nullptr;
        operation->plan = nullptr;
        ForgetIfCalled(operation);
    }
    Erase(session);
}

void
IntraNodeOperations::ForgetIfCalled(const std::shared_ptr<Operation>& operation)
{
    if (operation->calls == operation->parties.size())
    {
        m_lastByMessages[operation->group] = NowPicoseconds();
        m_operations.erase({operation->group, operation->number});
    }
}

void
IntraNodeOperations::ReportToRanks(const IntraNodeRun& run, const Operation& operation)
{
    const Picoseconds now = NowPicoseconds();
    const Picoseconds latency = m_domain->GetLatency().GetTimeStep();
    std::vector<IntraNodeHistory> histories(operation.parties.size());
    for (const IntraNodeRun::Delivery& delivery : run.GetDeliveries(operation.index))
    {
        const IntraNodePlan::Message& one = operation.plan->GetMessages()[delivery.message];
        if (operation.parties[one.to].state == Party::State::NOT_CALLED)
        {
            IntraNodeRank* const library = m_libraries[operation.ranks->members[one.to].Get()];
            if (library != nullptr)
            {
                library->KeepEarly(MakeTransportMessage(operation, delivery.message), delivery.at);
            }
        }
        else
        {
            histories[one.to].arrived.push_back({one.from, one.channel, one.ordinal, one.bytes});
        }
        if (delivery.at + latency <= now)
        {
            histories[one.from].settled.push_back({one.to, one.channel, one.ordinal, one.bytes});
        }
    }
    for (uint32_t place = 0; place < operation.parties.size(); ++place)
    {
        const Party& party = operation.parties[place];
        if (IntraNodeRank* const library = m_libraries[operation.ranks->members[place].Get()])
        {
            library->NoteEarly(run.GetEarly(operation.index, place));
        }
        if (party.state == Party::State::RUNNING && party.operation != nullptr)
        {
            party.operation->GoOnByMessages(histories[place]);
        }
    }
}

void
IntraNodeOperations::RestoreMessages(const IntraNodeSession& session)
{
    const IntraNodeRun& run = session.GetRun();
    std::vector<const Operation*> byIndex;
    for (const std::shared_ptr<Operation>& operation : session.GetOperations())
    {
        byIndex.resize(std::max<std::size_t>(byIndex.size(), operation->index + 1));
        byIndex[operation->index] = operation.get();
    }
    const Picoseconds now = NowPicoseconds();
    const Picoseconds latency = m_domain->GetLatency().GetTimeStep();
    for (const std::shared_ptr<Operation>& operation : session.GetOperations())
    {
        for (const IntraNodeRun::Delivery& delivery : run.GetDeliveries(operation->index))
        {
            if (delivery.at + latency > now)
            {
                m_domain->RestoreNotice(MakeMessage(*operation, delivery.message),
                                        delivery.at + latency);
            }
        }
    }
    for (const IntraNodeRun::UnderWay& one : run.GetUnderWay())
    {
        const ScaleUpMessage message = MakeMessage(*byIndex[one.operation], one.message);
        if (one.delivered != NEVER)
        {
            m_domain->RestoreDue(message, one.delivered);
        }
        else
        {
            m_domain->RestoreUnderWay(message, one.reaches);
        }
    }
    for (const IntraNodeRun::UnderWay& one : run.GetSent())
    {
        m_domain->RestoreSent(MakeMessage(*byIndex[one.operation], one.message));
    }
}

TransportMessage
IntraNodeOperations::MakeTransportMessage(const Operation& operation, uint32_t message) const
{
    const IntraNodePlan::Message& one = operation.plan->GetMessages()[message];
    TransportMessage out;
    out.from = operation.ranks->ranks[one.from];
    out.to = operation.ranks->ranks[one.to];
    out.group = operation.group;
    out.channel = one.channel;
    out.tag = MessageTag::Make(operation.number, one.ordinal);
    out.bytes = one.bytes;
    out.place = one.place;
    return out;
}

ScaleUpMessage
IntraNodeOperations::MakeMessage(const Operation& operation, uint32_t message) const
{
    const IntraNodePlan::Message& one = operation.plan->GetMessages()[message];
    const TransportMessage its = MakeTransportMessage(operation, message);
    return {operation.ranks->members[one.from],
            operation.ranks->members[one.to],
            its.bytes,
            ScaleUpParcel{ScaleUpParcel::PLAIN, its, ""},
            ScaleUpTransport::GetOrder(ScaleUpParcel::PLAIN,
                                       its.from,
                                       its.to,
                                       its.group,
                                       its.channel,
                                       its.place)};
}

// -------------------------------------------------------------------- the library

void
IntraNodeOperations::Forget(const IntraNodeOperation* operation)
{
    for (const auto& [key, one] : m_operations)
    {
        for (Party& party : one->parties)
        {
            party.operation = party.operation == operation ? nullptr : party.operation;
        }
    }
}

uint64_t
IntraNodeOperations::GetMostEarly(RankId rank)
{
    IntraNodeSession* const session = FindSession(rank);
    uint64_t most = 0;
    if (session == nullptr)
    {
        return most;
    }
    session->Advance(NowPicoseconds());
    for (const std::shared_ptr<Operation>& operation : session->GetOperations())
    {
        for (uint32_t place = 0; place < operation->parties.size(); ++place)
        {
            if (operation->ranks->ranks[place] == rank)
            {
                most = std::max(most, session->GetRun().GetEarly(operation->index, place));
            }
        }
    }
    return most;
}

Picoseconds
IntraNodeOperations::GetLastActivity(RankId rank)
{
    IntraNodeSession* const session = FindSession(rank);
    if (session == nullptr)
    {
        return 0;
    }
    session->Advance(NowPicoseconds());
    return session->GetRun().GetLastActivity(GetMember(rank));
}

} // namespace ns3
