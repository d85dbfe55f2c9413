/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-app.h"

#include "decision-words.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/circuit-policy.h"
#include "ns3/controller-core.h"
#include "ns3/controller-inbox.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/policy-names.h"
#include "ns3/read-once-accessor.h"
#include "ns3/string.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusController");

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
                "until nothing is in flight on its rails (Rail), or all rails are reconfigured as "
                "one network, when nothing is in flight on any (Network).",
                EnumValue(GROUP),
                MakeReadOnceAccessor(
                    "OpusControllerApp::Granularity",
                    &OpusControllerApp::HasStarted,
                    MakeRailsEnumAccessor<Granularity>(&OpusControllerApp::m_granularity)),
                MakeEnumChecker(GROUP, "Group", RAIL, "Rail", NETWORK, "Network"))
            .AddAttribute(
                "GatherTime",
                "With Granularity Network, the least wait of the first phase that needs a "
                "reconfiguration, so that others share it; give more than lies between "
                "the arrivals of requests that ranks send at one instant.",
                TimeValue(MilliSeconds(1)),
                MakeReadOnceAccessor("OpusControllerApp::GatherTime",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_gatherTime)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Speculation",
                          "Treatment of phases that some ranks only requested in advance: their "
                          "circuits are set up (Prepare), or they are granted like others (Grant).",
                          EnumValue(PREPARE),
                          MakeReadOnceAccessor("OpusControllerApp::Speculation",
                                               &OpusControllerApp::HasStarted,
                                               MakeRailsEnumAccessor<Speculation>(
                                                   &OpusControllerApp::m_speculation)),
                          MakeEnumChecker(GRANT, "Grant", PREPARE, "Prepare"))
            .AddAttribute(
                "Fallback",
                "Treatment of a phase whose circuits get no light: it is refused (None), or its "
                "rails fall back on giant rings for the rest of the run (GiantRing), or it gets "
                "circuits of ports that have light, on another rail if a GPU has none (OtherRail). "
                "A policy that keeps or rotates its circuits has no fallback.",
                EnumValue(NO_FALLBACK),
                MakeReadOnceAccessor(
                    "OpusControllerApp::Fallback",
                    &OpusControllerApp::HasStarted,
                    MakeRailsEnumAccessor<Fallback>(&OpusControllerApp::m_fallback)),
                MakeEnumChecker(NO_FALLBACK,
                                "None",
                                GIANT_RING,
                                "GiantRing",
                                OTHER_RAIL,
                                "OtherRail"))
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
                "Interval of the heartbeats from the controller in charge to its standby.",
                TimeValue(MilliSeconds(10)),
                MakeReadOnceAccessor("OpusControllerApp::HeartbeatInterval",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_heartbeatInterval)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "TakeoverAfter",
                "Time without a heartbeat after which the standby requests a term; "
                "several heartbeats, so that a lost one does no harm.",
                TimeValue(MilliSeconds(50)),
                MakeReadOnceAccessor("OpusControllerApp::TakeoverAfter",
                                     &OpusControllerApp::HasStarted,
                                     MakeTimeAccessor(&OpusControllerApp::m_takeoverAfter)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "TakeDownAtEnd",
                "Whether all circuits are taken down when the ranks have left, so that "
                "their ports can be given to other jobs.",
                BooleanValue(false),
                MakeReadOnceAccessor("OpusControllerApp::TakeDownAtEnd",
                                     &OpusControllerApp::HasStarted,
                                     MakeBooleanAccessor(&OpusControllerApp::m_takesDown)),
                MakeBooleanChecker())
            .AddTraceSource("Decision",
                            "A decision, or an event that it has detected.",
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
    : m_succession(*this),
      m_heartbeats(MakeCallback(&OpusControllerApp::SendHeartbeat, this),
                   MakeCallback(&OpusControllerApp::Probe, this)),
      m_inputs(MakeCallback(&OpusControllerApp::Wake, this))
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
    NS_LOG_FUNCTION(this);
    OpusEndpoint::DoDispose();
    m_core.reset();
    m_cabling.reset();
}

// ------------------------------------------------------------------------ set-up

void
OpusControllerApp::SetCabling(std::shared_ptr<const Cabling> cabling)
{
    NS_LOG_FUNCTION(this);
    m_cabling = std::move(cabling);
}

void
OpusControllerApp::AddDemand(const JobDemand& demand)
{
    NS_LOG_FUNCTION(this << demand.job);
    NS_ABORT_MSG_IF(m_core,
                    "OpusControllerApp: it has started, and the demand of job "
                        << demand.job << " comes too late; give it before the simulation runs");
    m_demands.push_back(demand);
}

void
OpusControllerApp::AddWholeSwitch(RailId rail)
{
    NS_LOG_FUNCTION(this << rail);
    m_wholeSwitches.insert(rail);
}

void
OpusControllerApp::AddShim(JobId job, ServerId server, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << job << server << peer);
    m_peers.AddShim({job, server}, peer);
}

void
OpusControllerApp::AddAgent(RailId rail, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << rail << peer);
    m_peers.AddAgent(rail, peer);
    m_succession.AddAgent(rail);
}

void
OpusControllerApp::SetStandby(const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << peer);
    m_other = peer;
    m_succession.HasStandby();
    m_heartbeats.SetStandby(true);
}

void
OpusControllerApp::SetStandbyOf(const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << peer);
    m_other = peer;
    m_succession.BeStandby();
}

void
OpusControllerApp::Restart()
{
    NS_LOG_FUNCTION(this);
    if (HasCrashed())
    {
        NS_LOG_INFO("restarts after a crash");
        m_succession.Retired();
        m_heartbeats.SetStandby(false);
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
    return m_succession.GetRole();
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
    settings.granularity = m_granularity == RAIL      ? CircuitGranularity::RAIL
                           : m_granularity == NETWORK ? CircuitGranularity::NETWORK
                                                      : CircuitGranularity::GROUP;
    settings.gather = m_gatherTime.GetTimeStep();
    settings.speculation =
        m_speculation == GRANT ? SpeculationRule::GRANT : SpeculationRule::PREPARE;
    settings.ringFallback = m_fallback == GIANT_RING;
    settings.otherRails = m_fallback == OTHER_RAIL;
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
    if (m_succession.HasOther())
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
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_cabling,
                        "OpusControllerApp: it has no cabling; install it by OpusHelper");
    CheckLimits();
    NS_LOG_INFO("starts as " << ToString(GetRole()));
    m_core = std::make_unique<ControllerCore>(m_cabling, MakeSettings());
    m_heartbeats.SetInterval(m_heartbeatInterval);
    m_succession.Begin(m_takeoverAfter);
    if (GetRole() == Role::IN_CHARGE)
    {
        SendOutbox(m_core->Start(NowPicoseconds()));
        m_heartbeats.Begin();
    }
}

void
OpusControllerApp::End()
{
    NS_LOG_FUNCTION(this);
    // its events are removed, and not cancelled: a cancelled event still prolongs a simulation
    // until its time
    m_inputs.End();
    m_heartbeats.End();
    m_succession.End();
}

// --------------------------------------------------------------- the one in charge

void
OpusControllerApp::Take(const OpusMessage& message, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << ToString(message.GetType()) << peer);
    const bool isAccept = message.Is<OpusAccept>(); // of its own term
    if (!isAccept)
    {
        m_succession.NoteTerm(message.term);
    }
    if (isAccept && GetRole() == Role::CANDIDATE)
    {
        m_succession.TakeAccept(message);
    }
    else if (message.Is<OpusJoin>() && !IsOther(peer))
    {
        NS_LOG_INFO(peer << " has begun anew");
        m_succession.Renew();
    }
    else if (m_succession.HasOther() && IsOther(peer))
    {
        TakeOfOther(message, peer);
    }
    else if (GetRole() == Role::IN_CHARGE)
    {
        Notice(message);
        if (!message.Is<OpusLeave>() && !message.Is<OpusHeartbeat>())
        {
            m_inputs.Add(message);
        }
    }
}

void
OpusControllerApp::Decide()
{
    NS_LOG_FUNCTION(this);
    for (OpusMessage& message : m_inputs.Take())
    {
        m_core->Collect(std::move(message));
    }
    SendOutbox(m_core->TimePassed(NowPicoseconds()));
}

void
OpusControllerApp::InstantOver()
{
    if (m_inputs.IsDue())
    {
        Decide();
    }
}

InputProcessor::Turn
OpusControllerApp::GetTurn(const OpusMessage& message, const OpusPeer&) const
{
    return ControllerInbox::GetTurn(message);
}

void
OpusControllerApp::Wake()
{
    NS_LOG_FUNCTION(this);
    WhenOver({0, 0}, [this]() { m_inputs.MarkDue(); });
}

void
OpusControllerApp::Abandon(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (GetRole() == Role::IN_CHARGE && m_core)
    {
        m_heartbeats.RemoveAll();
        m_core->Abandon(reason);
        Wake();
    }
}

void
OpusControllerApp::SendOutbox(const std::vector<OutgoingMessage>& outbox)
{
    NS_LOG_FUNCTION(this << outbox.size());
    Deliver(outbox);
    ReportNotes();
    m_inputs.SetDeadline(m_core->GetNextDeadline());
}

void
OpusControllerApp::ReportNotes()
{
    for (const ControllerNote& note : m_core->TakeNotes())
    {
        NS_LOG_INFO(ToWords(note, *m_core));
        m_decision(note);
    }
}

void
OpusControllerApp::Deliver(const std::vector<OutgoingMessage>& outbox)
{
    for (const OutgoingMessage& outgoing : outbox)
    {
        if (const OpusPeer* receiver = m_peers.FindReceiver(outgoing))
        {
            NS_LOG_DEBUG("sends a " << ToString(outgoing.message.GetType()) << " to " << *receiver);
            Send(outgoing.message, *receiver);
        }
        else
        {
            // a plan for it fails by its limit; OpusHelper makes no unknown shim
            NS_LOG_WARN("no way to the receiver of a " << ToString(outgoing.message.GetType()));
        }
    }
}

void
OpusControllerApp::Notice(const OpusMessage& message)
{
    const ShimName shim{message.GetJob(), message.server};
    m_heartbeats.NoteMessage(shim);
    if (message.Is<OpusLeave>())
    {
        NS_LOG_INFO("the ranks of job " << shim.first << " on server " << shim.second
                                        << " have left");
        if (m_heartbeats.Remove(shim) && m_takesDown)
        {
            m_core->AllLeft();
            Wake();
        }
    }
    else if (message.Is<OpusRegisterGroup>())
    {
        m_heartbeats.Register(shim);
    }
}

void
OpusControllerApp::Probe()
{
    for (const ShimName& shim : m_heartbeats.TakeSilent(GetRetryFor()))
    {
        NS_LOG_DEBUG("probes the shim of job " << shim.first << " on server " << shim.second);
        const auto& [job, server] = shim;
        Send({m_core->GetTerm(), server, RailId(), OpusHeartbeat{job}},
             m_peers.GetShims().at(shim));
    }
}

void
OpusControllerApp::SendHeartbeat(bool idle)
{
    NS_LOG_FUNCTION(this << idle);
    Send({m_core->GetTerm(), ServerId(), RailId(), OpusHeartbeat{JobId(), idle}}, m_other);
}

// ----------------------------------------------------------------------- delivery

void
OpusControllerApp::Acknowledged(const OpusMessage& message, const OpusPeer&)
{
    if (message.Is<OpusJoin>())
    {
        m_succession.JoinArrived();
    }
    if (message.Is<OpusHeartbeat>())
    {
        m_heartbeats.NoteMessage({message.GetJob(), message.server});
    }
}

bool
OpusControllerApp::IsWorthRepeating(const OpusMessage& message) const
{
    if (message.Is<OpusHeartbeat>())
    {
        return false;
    }
    if (message.Is<OpusJoin>())
    {
        return GetRole() == Role::RETIRED;
    }
    if (const OpusClaim* claim = message.Find<OpusClaim>())
    {
        return m_succession.IsOpen(message.term, claim->isQuery);
    }
    return GetRole() == Role::IN_CHARGE && message.term == m_core->GetTerm();
}

void
OpusControllerApp::Failed(const OpusMessage& message, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << ToString(message.GetType()) << peer);
    const bool isJoin = message.Is<OpusJoin>() && m_succession.JoinFailed();
    if (!isJoin && m_heartbeats.HasStandby() && peer == m_other)
    {
        NS_LOG_WARN("the standby does not answer");
        m_heartbeats.LoseStandby();
    }
    if (message.Is<OpusGrant>() && GetRole() == Role::IN_CHARGE)
    {
        m_core->NotDelivered(message);
        Wake();
    }
    for (const ShimName& shim : m_peers.FindShims(peer))
    {
        m_heartbeats.Remove(shim);
        if (message.Is<OpusTerm>() && GetRole() == Role::IN_CHARGE)
        {
            GiveUp(shim);
        }
    }
}

void
OpusControllerApp::GiveUp(const ShimName& shim)
{
    NS_LOG_INFO("the shim of job " << shim.first << " on server " << shim.second
                                   << " does not answer: it counts as holding no circuits");
    const auto& [job, server] = shim;
    m_inputs.Add({m_core->GetTerm(), server, RailId(), OpusTerm{job}});
    Wake();
}

// -------------------------------------------------------------- the other controller

bool
OpusControllerApp::IsOther(const OpusPeer& peer) const
{
    return !m_peers.Has(peer);
}

void
OpusControllerApp::TakeOfOther(const OpusMessage& message, const OpusPeer& peer)
{
    const OpusHeartbeat* heartbeat = message.Find<OpusHeartbeat>();
    if (message.Is<OpusJoin>())
    {
        m_other = peer;
        if (GetRole() == Role::IN_CHARGE)
        {
            NS_LOG_INFO("the other controller, " << peer << ", is the standby from now on");
            m_heartbeats.Join();
        }
        else
        {
            m_succession.TakeJoin();
        }
    }
    else if (!heartbeat)
    {
        return;
    }
    else if (GetRole() == Role::IN_CHARGE)
    {
        m_heartbeats.SendOne(); // it has not received this yet
    }
    else if (m_succession.TakeHeartbeat(message.term, heartbeat->isIdle))
    {
        m_other = peer;
    }
}

void
OpusControllerApp::ChangeRole(Role role, uint32_t term)
{
    NS_LOG_INFO("is " << ToString(role) << " from now on, term " << term);
    m_roleChanged(role, term);
}

void
OpusControllerApp::StopDeciding()
{
    NS_LOG_FUNCTION(this);
    m_inputs.End();
    m_heartbeats.End();
    m_heartbeats.SetStandby(false);
}

void
OpusControllerApp::SendJoin(uint32_t greatest)
{
    NS_LOG_FUNCTION(this << greatest);
    Send({greatest, ServerId(), RailId(), OpusJoin()}, m_other);
}

void
OpusControllerApp::SendClaims(uint32_t term, bool isProposal)
{
    NS_LOG_FUNCTION(this << term << isProposal);
    for (const auto& [rail, agent] : m_peers.GetAgents())
    {
        Send({term, ServerId(), rail, OpusClaim{isProposal}}, agent);
    }
}

void
OpusControllerApp::BeginTerm(uint32_t term, const std::vector<OpusMessage>& accepts)
{
    NS_LOG_FUNCTION(this << term << accepts.size());
    m_core = std::make_unique<ControllerCore>(m_cabling, MakeSettings());
    SendOutbox(m_core->BeginTerm(term, NowPicoseconds()));
    AnnounceTerm(term);
    for (const OpusMessage& accept : accepts)
    {
        m_inputs.Add(accept); // they are taken when this instant is over
    }
    m_heartbeats.BeginTerm(m_succession.HasOther());
}

void
OpusControllerApp::AnnounceTerm(uint32_t term)
{
    for (const auto& [which, shim] : m_peers.GetShims())
    {
        const auto& [job, server] = which;
        Send({term, server, RailId(), OpusTerm{job}}, shim);
    }
}

} // namespace ns3
