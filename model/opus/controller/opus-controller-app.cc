/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-app.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/enum.h"
#include "ns3/event-delay.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/policy-names.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusControllerApp");

NS_OBJECT_ENSURE_REGISTERED(OpusControllerApp);

TypeId
OpusControllerApp::GetTypeId()
{
    const ControllerLimits limits;
    static TypeId tid =
        TypeId("ns3::OpusControllerApp")
            .SetParent<OpusEndpoint>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OpusControllerApp>()
            .AddAttribute(
                "Policy",
                "Which circuits phases get: a CircuitPolicy, as a short name, a type, or a "
                "type with attributes.",
                StringValue("on-demand"),
                MakeReadOnceAccessor("OpusControllerApp::Policy",
                                     &OpusControllerApp::IsInstalled,
                                     MakeObjectFactoryAccessor(&OpusControllerApp::m_policy)),
                MakeTypeAliasChecker(&GetPolicyAliases))
            .AddAttribute(
                "Granularity",
                "Whether parallelisms share a rail: each group's circuits are set up when its "
                "own ports are free (Group), or a phase of another parallelism waits "
                "until nothing is in flight on its rails (Rail).",
                EnumValue(GROUP),
                MakeReadOnceAccessor(
                    "OpusControllerApp::Granularity",
                    &OpusControllerApp::HasStarted,
                    MakeRailsEnumAccessor<Granularity>(&OpusControllerApp::m_granularity)),
                MakeEnumChecker(GROUP, "Group", RAIL, "Rail"))
            .AddAttribute("Speculation",
                          "What becomes of phases that some ranks only asked for in advance: their "
                          "circuits are set up (Prepare), or they are granted like others (Grant).",
                          EnumValue(PREPARE),
                          MakeReadOnceAccessor("OpusControllerApp::Speculation",
                                               &OpusControllerApp::HasStarted,
                                               MakeRailsEnumAccessor<Speculation>(
                                                   &OpusControllerApp::m_speculation)),
                          MakeEnumChecker(GRANT, "Grant", PREPARE, "Prepare"))
            .AddAttribute("VoteLimit",
                          "From the first rank's request for a phase to the last one's; then it is "
                          "refused. Give more than a rank computes while others wait for it.",
                          TimeValue(PicoSeconds(limits.votes)),
                          MakeReadOnceAccessor("OpusControllerApp::VoteLimit",
                                               &OpusControllerApp::HasStarted,
                                               MakeTimeAccessor(&OpusControllerApp::m_voteLimit)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PortLimit",
                          "From complete votes to free ports; then a phase is refused.",
                          TimeValue(PicoSeconds(limits.ports)),
                          MakeReadOnceAccessor("OpusControllerApp::PortLimit",
                                               &OpusControllerApp::HasStarted,
                                               MakeTimeAccessor(&OpusControllerApp::m_portLimit)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ProgramLimit",
                "For an agent to answer a plan; give more than its switch takes to reconfigure.",
                TimeValue(PicoSeconds(limits.program)),
                MakeReadOnceAccessor("OpusControllerApp::ProgramLimit",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_programLimit)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "TrafficLimit",
                "From a grant to its release; a longer one is reported, and not cut.",
                TimeValue(PicoSeconds(limits.traffic)),
                MakeReadOnceAccessor("OpusControllerApp::TrafficLimit",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_trafficLimit)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "HeartbeatInterval",
                "How often the one in charge tells its standby that it is alive.",
                TimeValue(MilliSeconds(10)),
                MakeReadOnceAccessor("OpusControllerApp::HeartbeatInterval",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_heartbeatInterval)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "TakeoverAfter",
                "How long the one in charge may be silent before its standby asks for a term; "
                "several heartbeats, so that a lost one does no harm.",
                TimeValue(MilliSeconds(50)),
                MakeReadOnceAccessor("OpusControllerApp::TakeoverAfter",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_takeoverAfter)),
                MakeTimeChecker(Time(0)))
            .AddTraceSource("Decision",
                            "Something that it did or found.",
                            MakeTraceSourceAccessor(&OpusControllerApp::m_decision),
                            "ns3::OpusControllerApp::DecisionCallback")
            .AddTraceSource("RoleChanged",
                            "It is in charge, or retires, or stands by, or is a candidate; "
                            "and the term.",
                            MakeTraceSourceAccessor(&OpusControllerApp::m_roleChanged),
                            "ns3::OpusControllerApp::RoleCallback");
    return tid;
}

OpusControllerApp::OpusControllerApp()
{
    NS_LOG_FUNCTION(this);
}

OpusControllerApp::~OpusControllerApp()
{
    NS_LOG_FUNCTION(this);
}

void
OpusControllerApp::DoDispose()
{
    OpusEndpoint::DoDispose();
    m_core.reset();
    m_cabling.reset();
}

// ------------------------------------------------------------------------ set-up

void
OpusControllerApp::SetCabling(std::shared_ptr<const Cabling> cabling)
{
    m_cabling = std::move(cabling);
}

void
OpusControllerApp::AddDemand(const JobDemand& demand)
{
    NS_ABORT_MSG_IF(m_core,
                    "OpusControllerApp: it has started, and the demand of job "
                        << demand.job << " comes too late; give it before the simulation runs");
    m_demands.push_back(demand);
}

void
OpusControllerApp::AddWholeSwitch(RailId rail)
{
    m_wholeSwitches.insert(rail);
}

void
OpusControllerApp::AddShim(JobId job, ServerId server, const OpusPeer& peer)
{
    m_peers.AddShim({job, server}, peer);
}

void
OpusControllerApp::AddAgent(RailId rail, const OpusPeer& peer)
{
    m_peers.AddAgent(rail, peer);
    m_term.AddAgent(rail);
}

void
OpusControllerApp::SetStandby(const OpusPeer& peer)
{
    m_other = peer;
    m_hasOther = true;
    m_hasStandby = true;
}

void
OpusControllerApp::SetStandbyOf(const OpusPeer& peer)
{
    m_other = peer;
    m_hasOther = true;
    m_role = Role::STANDBY;
    m_term.SetIndex(1);
}

void
OpusControllerApp::Restart()
{
    if (HasCrashed())
    {
        m_role = Role::RETIRED;
        m_hasStandby = false;
        BeginAnew();
    }
}

bool
OpusControllerApp::IsInstalled() const
{
    return m_cabling != nullptr;
}

OpusControllerApp::Role
OpusControllerApp::GetRole() const
{
    return m_role;
}

const ControllerCore&
OpusControllerApp::GetCore() const
{
    NS_ABORT_MSG_UNLESS(m_core, "OpusControllerApp: it has not started; run the simulation first");
    return *m_core;
}

ControllerSettings
OpusControllerApp::MakeSettings() const
{
    ControllerSettings settings;
    settings.policy = m_policy;
    settings.granularity =
        m_granularity == RAIL ? CircuitGranularity::RAIL : CircuitGranularity::GROUP;
    settings.speculation =
        m_speculation == GRANT ? SpeculationRule::GRANT : SpeculationRule::PREPARE;
    settings.limits.votes = m_voteLimit.GetTimeStep();
    settings.limits.ports = m_portLimit.GetTimeStep();
    settings.limits.program = m_programLimit.GetTimeStep();
    settings.limits.traffic = m_trafficLimit.GetTimeStep();
    settings.demands = m_demands;
    settings.wholeSwitch = m_wholeSwitches;
    return settings;
}

void
OpusControllerApp::CheckLimits() const
{
    RequireAtLeast(m_voteLimit, 1, "OpusControllerApp::VoteLimit");
    RequireAtLeast(m_portLimit, 1, "OpusControllerApp::PortLimit");
    RequireAtLeast(m_programLimit, 1, "OpusControllerApp::ProgramLimit");
    RequireAtLeast(m_trafficLimit, 1, "OpusControllerApp::TrafficLimit");
    RequireAtLeast(m_heartbeatInterval, 1, "OpusControllerApp::HeartbeatInterval");
    RequireAtLeast(m_takeoverAfter, 1, "OpusControllerApp::TakeoverAfter");
    if (m_hasOther)
    {
        // else each replaces the other before its heartbeat can arrive, without end
        RequireAtLeast(m_takeoverAfter,
                       GetRetransmitAfter().GetTimeStep(),
                       "OpusControllerApp::TakeoverAfter");
    }
}

void
OpusControllerApp::Begin()
{
    NS_ABORT_MSG_UNLESS(m_cabling,
                        "OpusControllerApp: it was not told the cabling; install it by OpusHelper");
    CheckLimits();
    m_core = std::make_unique<ControllerCore>(m_cabling, MakeSettings());
    if (m_role == Role::RETIRED)
    {
        Join();
    }
    else if (m_role == Role::IN_CHARGE)
    {
        m_term.BeginFirst();
        Say(m_core->Start(NowPicoseconds()));
        if (m_hasStandby)
        {
            // by then a shim has registered, or there is nothing to take over
            m_beat =
                Simulator::Schedule(DelayOf(m_heartbeatInterval), &OpusControllerApp::Beat, this);
        }
    }
    else
    {
        NoteContact(false); // the other controller may be gone already
    }
}

void
OpusControllerApp::End()
{
    // not Cancel: a cancelled event still prolongs a simulation until its time
    Simulator::Remove(m_timer);
    Simulator::Remove(m_beat);
    Simulator::Remove(m_watch);
    m_arrived.clear();
    m_isDue = false;
    m_term.Withdraw();
    m_active.Clear();
}

// --------------------------------------------------------------- the one in charge

void
OpusControllerApp::Take(const OpusMessage& message, const OpusPeer& peer)
{
    const bool isAccept = message.type == OpusMessage::Type::ACCEPT; // of its own term
    if (!isAccept && m_term.Hear(message.term))
    {
        Retire();
    }
    if (isAccept && m_role == Role::CANDIDATE)
    {
        TakeAnswer(message);
    }
    else if (m_hasOther && IsOther(peer))
    {
        TakeOfOther(message, peer);
    }
    else if (m_role == Role::IN_CHARGE)
    {
        Notice(message);
        if (message.type != OpusMessage::Type::LEAVE &&
            message.type != OpusMessage::Type::HEARTBEAT)
        {
            m_arrived.push_back(message);
        }
    }
}

void
OpusControllerApp::Decide()
{
    NS_LOG_FUNCTION(this << m_arrived.size());
    for (const OpusMessage& message : std::vector<OpusMessage>(std::move(m_arrived)))
    {
        m_core->Collect(message);
    }
    m_arrived.clear();
    Say(m_core->TimePassed(NowPicoseconds()));
}

bool
OpusControllerApp::IsOther(const OpusPeer& peer) const
{
    return !m_peers.Has(peer);
}

void
OpusControllerApp::Say(const ControllerCore::Outbox& outbox)
{
    Deliver(outbox);
    TellNotes();
    SetTimer();
}

void
OpusControllerApp::TellNotes()
{
    for (const ControllerNote& note : m_core->TakeNotes())
    {
        m_decision(note);
    }
}

void
OpusControllerApp::Deliver(const ControllerCore::Outbox& outbox)
{
    for (const OutgoingMessage& outgoing : outbox)
    {
        if (const OpusPeer* receiver = m_peers.FindReceiver(outgoing))
        {
            Send(outgoing.message, *receiver);
        }
        else
        {
            // a plan for it fails by its limit; OpusHelper makes no unknown shim
            NS_LOG_WARN("no way to the receiver of a " << ToString(outgoing.message.type));
        }
    }
}

void
OpusControllerApp::Acknowledged(const OpusMessage& message, const OpusPeer&)
{
    if (message.type == OpusMessage::Type::JOIN && m_role == Role::RETIRED)
    {
        NoteContact(false); // if it is in charge, there will be heartbeats
    }
    if (message.type == OpusMessage::Type::HEARTBEAT)
    {
        m_active.Hear({message.phase.job, message.server}, NowPicoseconds());
    }
}

bool
OpusControllerApp::IsWorthRepeating(const OpusMessage& message) const
{
    switch (message.type)
    {
    case OpusMessage::Type::HEARTBEAT:
        return false;
    case OpusMessage::Type::JOIN:
        return m_role == Role::RETIRED;
    case OpusMessage::Type::CLAIM:
        return m_term.IsOpen(message.term, message.speculative);
    default:
        return m_role == Role::IN_CHARGE && message.term == m_core->GetTerm();
    }
}

void
OpusControllerApp::Failed(const OpusMessage& message, const OpusPeer& peer)
{
    if (message.type == OpusMessage::Type::JOIN && m_role == Role::RETIRED)
    {
        Stand(); // there is no other controller
    }
    else if (m_hasStandby && peer == m_other)
    {
        NS_LOG_WARN("the standby does not answer");
        m_hasStandby = false;
        Simulator::Remove(m_beat);
    }
    if (message.type == OpusMessage::Type::GRANT && m_role == Role::IN_CHARGE)
    {
        m_core->NotTold(message);
        WhenOver({0, 0}, [this]() { m_isDue = true; });
    }
    for (const ShimName& shim : m_peers.FindShims(peer))
    {
        Left(shim);
        if (message.type == OpusMessage::Type::TERM && m_role == Role::IN_CHARGE)
        {
            GiveUp(shim);
        }
    }
}

void
OpusControllerApp::GiveUp(const ShimName& shim)
{
    OpusMessage nothing;
    nothing.type = OpusMessage::Type::TERM;
    nothing.term = m_core->GetTerm();
    nothing.phase.job = shim.first;
    nothing.server = shim.second;
    m_arrived.push_back(nothing);
    WhenOver({0, 0}, [this]() { m_isDue = true; });
}

void
OpusControllerApp::SetTimer()
{
    const Picoseconds due = m_core->GetNextDeadline();
    if (due == m_timerAt && !m_timer.IsExpired())
    {
        return;
    }
    Simulator::Remove(m_timer);
    m_timerAt = due;
    if (due != NEVER)
    {
        const Picoseconds wait = std::max(Picoseconds{0}, due - NowPicoseconds());
        m_timer = Simulator::Schedule(ToTime(wait), &OpusControllerApp::HandleTimer, this);
    }
}

void
OpusControllerApp::HandleTimer()
{
    WhenOver({0, 0}, [this]() { m_isDue = true; });
}

void
OpusControllerApp::InstantOver()
{
    if (m_isDue || !m_arrived.empty())
    {
        m_isDue = false;
        Decide();
    }
}

// --------------------------------------------------------------------- heartbeats

void
OpusControllerApp::Notice(const OpusMessage& message)
{
    const ShimName shim{message.phase.job, message.server};
    m_active.Hear(shim, NowPicoseconds());
    if (message.type == OpusMessage::Type::LEAVE)
    {
        Left(shim);
    }
    else if (message.type == OpusMessage::Type::REGISTER_GROUP)
    {
        m_active.Register(shim, NowPicoseconds());
        if (m_hasStandby && m_beat.IsExpired())
        {
            Beat();
        }
    }
}

void
OpusControllerApp::Left(const ShimName& shim)
{
    if (m_active.Remove(shim) && m_hasStandby)
    {
        Simulator::Remove(m_beat);
        SendHeartbeat(true);
    }
}

void
OpusControllerApp::Probe()
{
    for (const ShimName& shim : m_active.TakeSilent(NowPicoseconds(), GetRetryFor().GetTimeStep()))
    {
        OpusMessage message;
        message.type = OpusMessage::Type::HEARTBEAT;
        message.term = m_core->GetTerm();
        message.phase.job = shim.first;
        message.server = shim.second;
        Send(message, m_peers.GetShims().at(shim));
    }
}

void
OpusControllerApp::Beat()
{
    SendHeartbeat(m_active.IsEmpty());
    if (!m_active.IsEmpty())
    {
        Probe();
        m_beat = Simulator::Schedule(DelayOf(m_heartbeatInterval), &OpusControllerApp::Beat, this);
    }
}

void
OpusControllerApp::SendHeartbeat(bool idle)
{
    OpusMessage message;
    message.type = OpusMessage::Type::HEARTBEAT;
    message.term = m_core->GetTerm();
    message.speculative = idle;
    Send(message, m_other);
}

// ------------------------------------------------------------- the choice of the one in charge

void
OpusControllerApp::SetRole(Role role, uint32_t term)
{
    if (m_role != role)
    {
        m_role = role;
        m_roleChanged(role, term);
    }
}

void
OpusControllerApp::TakeOfOther(const OpusMessage& message, const OpusPeer& peer)
{
    if (message.type == OpusMessage::Type::JOIN)
    {
        m_other = peer;
        if (m_role == Role::IN_CHARGE)
        {
            m_hasStandby = true;
            Simulator::Remove(m_beat);
            Beat();
        }
        else if (m_role != Role::CANDIDATE)
        {
            Stand(); // neither of the two is in charge
        }
    }
    else if (message.type != OpusMessage::Type::HEARTBEAT)
    {
        return;
    }
    else if (m_role == Role::IN_CHARGE)
    {
        SendHeartbeat(m_active.IsEmpty()); // it has not received this yet
    }
    else if (message.term >= m_term.GetGreatest())
    {
        m_other = peer;
        m_term.Withdraw();
        SetRole(Role::STANDBY, message.term);
        NoteContact(message.speculative);
    }
}

void
OpusControllerApp::NoteContact(bool idle)
{
    Simulator::Remove(m_watch);
    if (!idle)
    {
        m_watch = Simulator::Schedule(DelayOf(m_takeoverAfter), &OpusControllerApp::Stand, this);
    }
}

void
OpusControllerApp::Retire()
{
    const bool wasInCharge = m_role == Role::IN_CHARGE;
    End();
    m_hasStandby = false;
    SetRole(wasInCharge ? Role::RETIRED : Role::STANDBY, m_term.GetGreatest());
    if (wasInCharge)
    {
        Join();
    }
    else
    {
        NoteContact(false); // the controller that claims the term either begins it, or is gone
    }
}

void
OpusControllerApp::Join()
{
    if (!m_hasOther)
    {
        Stand();
        return;
    }
    OpusMessage message;
    message.type = OpusMessage::Type::JOIN;
    message.term = m_term.GetGreatest();
    Send(message, m_other);
}

void
OpusControllerApp::Stand()
{
    NS_LOG_FUNCTION(this);
    Simulator::Remove(m_watch);
    m_accepts.clear();
    const uint32_t term = m_term.Ask();
    SetRole(Role::CANDIDATE, term);
    SendClaims(true);
}

void
OpusControllerApp::SendClaims(bool onlyAsked)
{
    OpusMessage message;
    message.type = OpusMessage::Type::CLAIM;
    message.term = m_term.GetClaim();
    message.speculative = onlyAsked;
    for (const auto& [rail, agent] : m_peers.GetAgents())
    {
        message.rail = rail;
        Send(message, agent);
    }
}

void
OpusControllerApp::TakeAnswer(const OpusMessage& message)
{
    if (!message.speculative && m_term.IsOpen(message.term, false))
    {
        m_accepts.push_back(message);
    }
    switch (m_term.Accepted(message.rail, message.term, message.speculative))
    {
    case ControllerTerm::Step::NOTHING:
        break;
    case ControllerTerm::Step::CLAIM:
        SendClaims(false);
        break;
    case ControllerTerm::Step::BEGIN:
        TakeOver();
        break;
    }
}

void
OpusControllerApp::TakeOver()
{
    NS_LOG_FUNCTION(this);
    const uint32_t term = m_term.GetClaim();
    SetRole(Role::IN_CHARGE, term);
    m_active.Clear();
    m_core = std::make_unique<ControllerCore>(m_cabling, MakeSettings());
    m_timerAt = NEVER;
    Say(m_core->BeginTerm(term, NowPicoseconds()));
    OpusMessage news;
    news.type = OpusMessage::Type::TERM;
    news.term = term;
    for (const auto& [which, shim] : m_peers.GetShims())
    {
        news.phase.job = which.first;
        news.server = which.second;
        Send(news, shim);
    }
    m_arrived.swap(m_accepts);
    m_accepts.clear(); // they are taken when this instant is over
    m_hasStandby = m_hasOther;
    if (m_hasStandby)
    {
        SendHeartbeat(false);
        // by then a shim has registered, or there is nothing to take over
        m_beat = Simulator::Schedule(DelayOf(m_heartbeatInterval), &OpusControllerApp::Beat, this);
    }
}

} // namespace ns3
