/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-domain.h"

#include "scale-up-generation.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/log.h"
#include "ns3/observed-trace.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/process-links.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ScaleUpDomain");

NS_OBJECT_ENSURE_REGISTERED(ScaleUpDomain);

namespace
{

/** A message that has left, without its content. */
struct Departed
{
    ScaleUpDeparture departure;
    ScaleUpOrder order;
    uint64_t number; //!< of the message, at its sender
};

/** The notice of a delivery. */
struct Delivery
{
    MemberId from;
    MemberId to;
    uint64_t number;
};

/** What comes from another process. */
enum class Remote : uint8_t
{
    DEPARTED,
    NOTICE,
};

} // namespace

TypeId
ScaleUpDomain::GetTypeId()
{
    // Latency: the module's assumption, the same for all generations. NCCL's tuning table
    // (src/graph/tuning.cc, NVLink, protocol LL) counts 0.47 us a step of a ring and 0.52 us a step
    // of a tree, with the flag that the receiver polls.
    static TypeId tid =
        TypeId("ns3::ScaleUpDomain")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<ScaleUpDomain>()
            .AddAttribute("Generation",
                          "A name in ScaleUpGeneration::GetAll(): sets the rate of the ports and "
                          "how many members there may be. Set it before the first member.",
                          StringValue("nvlink4"),
                          MakeReadOnceAccessor("ScaleUpDomain::Generation",
                                               &ScaleUpDomain::HasBegun,
                                               MakeStringAccessor(&ScaleUpDomain::m_generation)),
                          MakeStringChecker())
            .AddAttribute("PortRate",
                          "Rate of a port in one direction; 0 takes the generation's. With "
                          "another, there may be any number of members.",
                          DataRateValue(DataRate(0)),
                          MakeReadOnceAccessor("ScaleUpDomain::PortRate",
                                               &ScaleUpDomain::HasBegun,
                                               MakeDataRateAccessor(&ScaleUpDomain::m_portRate)),
                          MakeDataRateChecker())
            .AddAttribute("Latency",
                          "From the sender's port to the receiver's, 1 ps or more.",
                          TimeValue(NanoSeconds(500)),
                          MakeReadOnceAccessor("ScaleUpDomain::Latency",
                                               &ScaleUpDomain::HasBegun,
                                               MakeTimeAccessor(&ScaleUpDomain::m_latency)),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("MessageSent",
                            "A member has handed a message to the fabric.",
                            MakeObservedTraceSourceAccessor(&ScaleUpDomain::m_messageSent,
                                                            &ScaleUpDomain::NotifyObservers),
                            "ns3::ScaleUpDomain::MessageTracedCallback")
            .AddTraceSource("MessageDelivered",
                            "A message is at its receiver, whole.",
                            MakeObservedTraceSourceAccessor(&ScaleUpDomain::m_messageDelivered,
                                                            &ScaleUpDomain::NotifyObservers),
                            "ns3::ScaleUpDomain::MessageTracedCallback");
    return tid;
}

ScaleUpDomain::ScaleUpDomain()
{
    NS_LOG_FUNCTION(this);
}

ScaleUpDomain::~ScaleUpDomain()
{
    NS_LOG_FUNCTION(this);
}

void
ScaleUpDomain::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (Member& member : m_members)
    {
        member.delivered = {};
        member.settled = {};
        member.due.clear();
        member.notices.Clear();
    }
    m_messages.clear();
    m_away.clear();
    if (m_isSplit)
    {
        m_links->StopListening(m_listener);
        m_links = nullptr;
        m_isSplit = false;
    }
    m_writer = {};
    m_reader = {};
    Object::DoDispose();
}

void
ScaleUpDomain::Begin()
{
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("ScaleUpDomain");
    // no state is known at two nodes at once
    RequireAtLeast(m_latency, 1, "ScaleUpDomain::Latency");
    const ScaleUpGeneration& generation = ScaleUpGeneration::Get(m_generation);
    const bool own = m_portRate.GetBitRate() != 0;
    m_largest = own ? std::numeric_limits<uint32_t>::max() : generation.largestDomain;
    m_ports = ScaleUpPorts(own ? m_portRate.GetBitRate() : generation.bitsPerSecond,
                           m_latency.GetTimeStep());
}

MemberId
ScaleUpDomain::AddMember(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_UNLESS(node, "ScaleUpDomain::AddMember: a member needs a node, and it is null");
    if (m_members.empty())
    {
        Begin();
    }
    NS_ABORT_MSG_UNLESS(m_members.size() < m_largest,
                        "ScaleUpDomain: member " << m_members.size() + 1
                                                 << " would join, but the generation "
                                                 << m_generation << " joins " << m_largest
                                                 << " at most; set another Generation, or a "
                                                    "PortRate");
    m_members.emplace_back();
    m_members.back().node = node->GetId();
    m_members.back().process = node->GetSystemId();
    m_members.back().isHere = SimulationProcesses::IsHere(node);
    const MemberId member = m_ports.AddMember();
    if (!m_members.back().isHere)
    {
        m_ports.SetElsewhere(member);
    }
    if (!m_isSplit && SimulationProcesses::GetNumber() > 1 &&
        m_members.front().process != m_members.back().process)
    {
        Split();
    }
    return member;
}

bool
ScaleUpDomain::HasBegun() const
{
    return !m_members.empty();
}

uint32_t
ScaleUpDomain::GetMembers() const
{
    return m_members.size();
}

const ScaleUpDomain::Member&
ScaleUpDomain::Get(MemberId member) const
{
    NS_ABORT_MSG_UNLESS(member.Get() < m_members.size(),
                        "ScaleUpDomain: there is no member "
                            << member << "; the domain has " << m_members.size()
                            << " members, counted from 0; add it by AddMember()");
    return m_members[member.Get()];
}

ScaleUpDomain::Member&
ScaleUpDomain::Get(MemberId member)
{
    return const_cast<Member&>(std::as_const(*this).Get(member));
}

void
ScaleUpDomain::SetDeliveredCallback(MemberId member, MessageCallback callback)
{
    NS_LOG_FUNCTION(this << member);
    Get(member).delivered = callback;
}

void
ScaleUpDomain::SetSettledCallback(MemberId member, MessageCallback callback)
{
    NS_LOG_FUNCTION(this << member);
    Get(member).settled = callback;
}

DataRate
ScaleUpDomain::GetPortRate() const
{
    return m_members.empty() && m_portRate.GetBitRate() == 0
               ? DataRate(ScaleUpGeneration::Get(m_generation).bitsPerSecond)
               : DataRate(m_members.empty() ? m_portRate.GetBitRate()
                                            : m_ports.GetClock().GetRate());
}

Time
ScaleUpDomain::GetLatency() const
{
    return m_members.empty() ? m_latency : ToTime(m_ports.GetLatency());
}

const ScaleUpCount&
ScaleUpDomain::GetCount(MemberId member) const
{
    if (m_ahead != nullptr)
    {
        m_ahead->Commit();
    }
    // no part of it is left out
    const_cast<ScaleUpDomain*>(this)->DisturbHeld(member, member);
    return Get(member).count;
}

uint32_t
ScaleUpDomain::GetNodeId(MemberId member) const
{
    return Get(member).node;
}

void
ScaleUpDomain::Send(const ScaleUpMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    Get(message.to); // aborts if there is none
    Member& sender = Get(message.from);
    NS_ABORT_MSG_IF(message.from == message.to,
                    "ScaleUpDomain: member " << message.from
                                             << " sends to itself; the fabric joins it to others "
                                                "only, so copy inside the GPU");
    DisturbHeld(message.from, message.to);
    if (m_ahead != nullptr)
    {
        m_ahead->Disturb(message.from, message.to);
    }
    ++sender.count.messagesSent;
    sender.count.bytesSent += message.bytes;
    m_ports.Send(Keep(message), NowPicoseconds());
    ScheduleCalls();
    if (!PastEvents::AreOn()) // messages that are made up for came before the observer
    {
        m_messageSent(message);
    }
}

// ------------------------------------------------------ members on several processes

void
ScaleUpDomain::Split()
{
    NS_LOG_FUNCTION(this);
    // a message leaves when its instant is over, and is there before its first bit
    RequireAtLeast(m_latency, 3, "ScaleUpDomain::Latency");
    m_isSplit = true;
    m_links = ProcessLinks::Get();
    m_listener =
        m_links->Listen(m_latency - ToTime(2), [this](ByteReader& bytes) { TakeRemote(bytes); });
}

void
ScaleUpDomain::SetContentCodec(const ContentWriter& writer, const ContentReader& reader)
{
    m_writer = writer;
    m_reader = reader;
}

bool
ScaleUpDomain::IsSplit() const
{
    return m_isSplit;
}

void
ScaleUpDomain::SendDeparted()
{
    for (const ScaleUpDeparture& departure : m_ports.TakeDepartures())
    {
        const auto kept = m_messages.find(departure.post.message);
        if (kept == m_messages.end())
        {
            continue; // disposed
        }
        const ScaleUpMessage& message = kept->second;
        --Get(message.from).underWay;
        --Get(message.to).underWay;
        ByteWriter bytes;
        bytes.Put(Remote::DEPARTED);
        bytes.Put(Departed{departure, message.order, kept->first});
        bytes.Put(message.content.has_value() && m_writer);
        if (message.content.has_value() && m_writer)
        {
            m_writer(message.content, bytes);
        }
        const Picoseconds there = m_ports.GetClock().Round(departure.reaches);
        m_links->Send(Get(message.to).process,
                      ToTime(there - 1 - NowPicoseconds()),
                      m_listener,
                      bytes);
        m_away.emplace(kept->first, message);
        m_messages.erase(kept);
    }
}

void
ScaleUpDomain::TakeRemote(ByteReader& bytes)
{
    bytes.Take<Remote>() == Remote::DEPARTED ? TakeDeparted(bytes) : TakeNotice(bytes);
}

void
ScaleUpDomain::TakeDeparted(ByteReader& bytes)
{
    auto departed = bytes.Take<Departed>();
    ScaleUpPost& post = departed.departure.post;
    ScaleUpMessage message{post.from, post.to, post.bytes, {}, departed.order, departed.number};
    if (bytes.Take<bool>())
    {
        NS_ABORT_MSG_UNLESS(m_reader,
                            "ScaleUpDomain: a message from another process has content; call "
                            "SetContentCodec()");
        message.content = m_reader(bytes);
    }
    post.message = Keep(message).message;
    m_ports.AddDeparted(departed.departure);
    ScheduleCalls();
}

void
ScaleUpDomain::SendNotice(const ScaleUpMessage& message) const
{
    ByteWriter bytes;
    bytes.Put(Remote::NOTICE);
    bytes.Put(Delivery{message.from, message.to, message.number});
    // it is there before its instant, as are those of this process
    m_links->Send(Get(message.from).process, ToTime(m_ports.GetLatency() - 1), m_listener, bytes);
}

void
ScaleUpDomain::TakeNotice(ByteReader& bytes)
{
    const auto delivery = bytes.Take<Delivery>();
    const auto away = m_away.find(delivery.number);
    if (away != m_away.end())
    {
        const ScaleUpMessage message = std::move(away->second);
        m_away.erase(away);
        AddNotice(message, NowPicoseconds() + 1);
    }
}

ScaleUpPost
ScaleUpDomain::Keep(const ScaleUpMessage& message)
{
    const uint64_t number = m_sequence++;
    m_messages.emplace(number, message);
    ++Get(message.from).underWay;
    ++Get(message.to).underWay;
    return {number, message.from, message.to, message.bytes, message.order};
}

void
ScaleUpDomain::ScheduleAt(Picoseconds at, void (ScaleUpDomain::*call)(MemberId), MemberId member)
{
    EventImpl* const event = MakeEvent(call, Ptr<ScaleUpDomain>(this), member);
    const uint32_t node = Get(member).node;
    if (PastEvents::AreOn())
    {
        PastEvents::Schedule(node, at, event);
        return;
    }
    Simulator::ScheduleWithContext(node, ToTime(at - NowPicoseconds()), event);
}

void
ScaleUpDomain::ScheduleCalls()
{
    if (m_isSplit)
    {
        SendDeparted();
    }
    for (const ScaleUpCall& call : m_ports.TakeCalls())
    {
        ScheduleAt(call.when, &ScaleUpDomain::Reach, call.member);
    }
}

void
ScaleUpDomain::Reach(MemberId to)
{
    NS_LOG_FUNCTION(this << to);
    TakeReached(to);
    Member& member = Get(to);
    const Picoseconds now = NowPicoseconds();
    while (!member.due.empty() && member.due.front().delivered <= now)
    {
        const ScaleUpMessage message = std::move(member.due.front().message);
        member.due.pop_front();
        Deliver(message);
    }
}

void
ScaleUpDomain::TakeReached(MemberId to)
{
    for (const ScaleUpPassage& passage : m_ports.Receive(to, NowPicoseconds()))
    {
        const auto message = m_messages.find(passage.message);
        if (message == m_messages.end())
        {
            continue; // disposed
        }
        const ScaleUpMessage due = std::move(message->second);
        m_messages.erase(message);
        AddDue(due, passage.delivered);
    }
    ScheduleCalls();
}

void
ScaleUpDomain::AddDue(const ScaleUpMessage& message, Picoseconds delivered)
{
    Member& member = Get(message.to);
    member.due.push_back({delivered, message});
    if (delivered > NowPicoseconds())
    {
        ScheduleAt(delivered, &ScaleUpDomain::Reach, message.to);
    }
}

void
ScaleUpDomain::Deliver(const ScaleUpMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    NS_LOG_LOGIC("member " << message.to << " has received " << message.bytes << " bytes of member "
                           << message.from);
    Member& receiver = Get(message.to);
    Member& sender = Get(message.from);
    ++receiver.count.messagesDelivered;
    receiver.count.bytesDelivered += message.bytes;
    --receiver.underWay;
    --sender.underWay;
    if (sender.isHere)
    {
        AddNotice(message, NowPicoseconds() + m_ports.GetLatency());
    }
    else
    {
        SendNotice(message);
    }
    if (!PastEvents::AreOn())
    {
        m_messageDelivered(message);
    }
    if (!receiver.delivered.IsNull())
    {
        receiver.delivered(message);
    }
}

void
ScaleUpDomain::AddNotice(const ScaleUpMessage& message, Picoseconds when)
{
    Member& sender = Get(message.from);
    sender.notices.Put(when, {message.to.Get()}, message);
    ScheduleAt(when, &ScaleUpDomain::Settle, message.from);
}

void
ScaleUpDomain::Settle(MemberId from)
{
    NS_LOG_FUNCTION(this << from);
    Member& member = Get(from);
    while (const auto message = member.notices.Take(NowPicoseconds()))
    {
        if (!member.settled.IsNull())
        {
            member.settled(*message);
        }
    }
}

// --------------------------------------------------------- traffic that is ahead

void
ScaleUpDomain::SetAhead(ScaleUpAhead* ahead)
{
    NS_LOG_FUNCTION(this);
    if (m_ahead != nullptr)
    {
        m_ahead->DisturbAll();
    }
    m_ahead = ahead;
}

void
ScaleUpDomain::RemoveAhead(const ScaleUpAhead* ahead)
{
    NS_LOG_FUNCTION(this);
    m_ahead = HasAhead(ahead) ? nullptr : m_ahead;
}

bool
ScaleUpDomain::HasAhead(const ScaleUpAhead* ahead) const
{
    return m_ahead == ahead;
}

void
ScaleUpDomain::NotifyObservers()
{
    NS_LOG_FUNCTION(this);
    // a disconnect need not be the last one, and older releases of ns-3 can't tell
    m_observed = true;
    if (m_ahead != nullptr)
    {
        m_ahead->DisturbAll();
    }
    while (!m_held.empty())
    {
        m_held.back()->DisturbAll(); // it is removed
    }
}

void
ScaleUpDomain::AddHeld(ScaleUpHeld* held)
{
    NS_LOG_FUNCTION(this);
    m_held.push_back(held);
}

void
ScaleUpDomain::RemoveHeld(ScaleUpHeld* held)
{
    NS_LOG_FUNCTION(this);
    m_held.erase(std::remove(m_held.begin(), m_held.end(), held), m_held.end());
}

void
ScaleUpDomain::DisturbHeld(MemberId from, MemberId to)
{
    if (m_held.empty())
    {
        return;
    }
    for (ScaleUpHeld* const held : std::vector<ScaleUpHeld*>(m_held)) // those disturbed are removed
    {
        if (std::find(m_held.begin(), m_held.end(), held) != m_held.end())
        {
            held->Disturb(from, to);
        }
    }
}

bool
ScaleUpDomain::IsAheadAt(MemberId member) const
{
    return m_ahead != nullptr && m_ahead->IsAt(member);
}

bool
ScaleUpDomain::IsObserved() const
{
    return m_observed;
}

bool
ScaleUpDomain::IsQuiet(MemberId member)
{
    DisturbHeld(member, member);
    uint64_t underWay = Get(member).underWay;
    if (underWay == 0)
    {
        return true;
    }
    // events of this instant may be still to come
    const Picoseconds now = NowPicoseconds();
    for (uint32_t to = 0; to < m_members.size(); ++to)
    {
        TakeReached(MemberId(to));
        for (const Due& due : m_members[to].due)
        {
            const bool its = due.message.from == member || due.message.to == member;
            underWay -= its && due.delivered <= now ? 1 : 0;
        }
    }
    return underWay == 0;
}

const ScaleUpClock&
ScaleUpDomain::GetClock() const
{
    return m_ports.GetClock();
}

ScaleUpBusy
ScaleUpDomain::GetBusy(MemberId member) const
{
    return m_ports.GetBusy(member);
}

void
ScaleUpDomain::SetBusy(MemberId member, const ScaleUpBusy& busy)
{
    m_ports.SetBusy(member, busy);
}

void
ScaleUpDomain::AddCount(MemberId member, const ScaleUpCount& more)
{
    Get(member).count += more;
}

void
ScaleUpDomain::RestoreSent(const ScaleUpMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    m_ports.Send(Keep(message), NowPicoseconds());
    ScheduleCalls();
}

void
ScaleUpDomain::RestoreUnderWay(const ScaleUpMessage& message, ScaleUpClock::Fraction reaches)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    m_ports.AddUnderWay(Keep(message), reaches);
    ScheduleCalls();
}

void
ScaleUpDomain::RestoreDue(const ScaleUpMessage& message, Picoseconds delivered)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes << delivered);
    ++Get(message.from).underWay;
    ++Get(message.to).underWay;
    AddDue(message, delivered);
}

void
ScaleUpDomain::RestoreNotice(const ScaleUpMessage& message, Picoseconds when)
{
    NS_LOG_FUNCTION(this << message.from << message.to << when);
    AddNotice(message, when);
}

} // namespace ns3
