/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-app.h"

#include "opus-encoding.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/enum.h"
#include "ns3/event-delay.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

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
            .AddAttribute("Policy",
                          "Which circuits phases get: a CircuitPolicy, by name.",
                          StringValue("on-demand"),
                          MakeReadOnceAccessor("OpusControllerApp::Policy",
                                               &OpusControllerApp::IsInstalled,
                                               MakeStringAccessor(&OpusControllerApp::m_policy)),
                          MakeStringChecker())
            .AddAttribute("Granularity",
                          "Whether parallelisms share a rail: each group's circuits turn when its "
                          "own ports are free (Group), or a phase of another parallelism waits "
                          "until nothing is in flight on its rails (Rail).",
                          EnumValue(GROUP),
                          MakeReadOnceAccessor("OpusControllerApp::Granularity",
                                               &OpusControllerApp::HasStarted,
                                               MakeRailsEnumAccessor<Granularity>(
                                                   &OpusControllerApp::m_granularity)),
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
                          "From the first rank that asks for a phase to the last; then it is "
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
                "For an agent to answer a plan; give more than its switch takes to turn.",
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
                "How long the one in charge may be silent before its standby takes over; "
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
                            "It takes over, or retires; and the term.",
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
    m_shims[{job, server}] = peer;
}

void
OpusControllerApp::AddAgent(RailId rail, const OpusPeer& peer)
{
    m_agents[rail] = peer;
}

void
OpusControllerApp::SetStandby(const OpusPeer& peer)
{
    m_other = peer;
    m_hasStandby = true;
}

void
OpusControllerApp::SetStandbyOf(const OpusPeer& peer)
{
    m_other = peer;
    m_role = Role::STANDBY;
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
}

void
OpusControllerApp::Begin()
{
    NS_ABORT_MSG_UNLESS(m_cabling,
                        "OpusControllerApp: it was not told the cabling; install it by OpusHelper");
    CheckLimits();
    m_core = std::make_unique<ControllerCore>(m_cabling, MakeSettings());
    if (m_role == Role::IN_CHARGE)
    {
        Enter(Input::START, {});
        if (m_hasStandby)
        {
            // until then somebody has registered, or there is nothing to take over
            m_beat =
                Simulator::Schedule(DelayOf(m_heartbeatInterval), &OpusControllerApp::Beat, this);
        }
    }
    else
    {
        Heard(false); // the other one may be gone already
    }
}

void
OpusControllerApp::End()
{
    // not Cancel: what is cancelled still lets a simulation go on until then
    Simulator::Remove(m_timer);
    Simulator::Remove(m_beat);
    Simulator::Remove(m_watch);
    m_arrived.clear();
    m_isDue = false;
    m_held.clear();
}

// --------------------------------------------------------------- the one in charge

void
OpusControllerApp::Take(const OpusMessage& message, const OpusPeer& peer)
{
    if (message.term > m_core->GetTerm() && m_role == Role::IN_CHARGE)
    {
        m_role = Role::RETIRED;
        End();
        m_roleChanged(m_role, message.term);
    }
    if (m_role == Role::STANDBY && peer == m_other)
    {
        Follow(message);
    }
    else if (m_role == Role::IN_CHARGE && peer == m_other)
    {
        SayTerm(peer); // it does not know yet
    }
    else if (m_role == Role::IN_CHARGE)
    {
        Notice(message);
        if (message.type != OpusMessage::Type::LEAVE && message.type != OpusMessage::Type::ENTRY &&
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
    std::vector<OpusMessage> arrived;
    arrived.swap(m_arrived);
    for (std::size_t i = 0; i < arrived.size(); ++i)
    {
        Enter(i + 1 < arrived.size() ? Input::MESSAGE : Input::LAST_MESSAGE, arrived[i]);
    }
    if (arrived.empty())
    {
        Enter(Input::TIME, {});
    }
}

ControllerCore::Letters
OpusControllerApp::Tell(Input input, const OpusMessage& message, Picoseconds now)
{
    switch (input)
    {
    case Input::START:
        return m_core->Start(now);
    case Input::MESSAGE:
        m_core->Collect(message);
        return {};
    case Input::LAST_MESSAGE:
        return m_core->Take(message, now);
    case Input::TIME:
        return m_core->TimePassed(now);
    }
    return {};
}

void
OpusControllerApp::Enter(Input input, const OpusMessage& message)
{
    const Picoseconds now = NowPicoseconds();
    const ControllerCore::Letters letters = Tell(input, message, now);
    if (m_hasStandby)
    {
        OpusMessage entry;
        entry.type = OpusMessage::Type::ENTRY;
        entry.term = m_core->GetTerm();
        entry.plan = m_core->GetInputs();
        entry.others = now;
        entry.links = static_cast<uint32_t>(input);
        entry.speculative = m_active.empty() && input != Input::START;
        if (input == Input::MESSAGE || input == Input::LAST_MESSAGE)
        {
            entry.entry = OpusEncoding::Encode(message);
        }
        m_held.push_back({entry.plan, letters});
        Send(entry, m_other);
    }
    else
    {
        Deliver(letters);
    }
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
OpusControllerApp::Deliver(const ControllerCore::Letters& letters)
{
    for (const OpusLetter& letter : letters)
    {
        const OpusMessage& message = letter.message;
        const auto agent = m_agents.find(message.rail);
        const auto shim = m_shims.find({message.phase.job, message.server});
        if (letter.toAgent && agent != m_agents.end())
        {
            Send(message, agent->second);
        }
        else if (!letter.toAgent && shim != m_shims.end())
        {
            Send(message, shim->second);
        }
        else
        {
            // a plan for it fails by its limit; a shim that nobody knows did not come from
            // OpusHelper
            NS_LOG_WARN("no way to the receiver of a " << ToString(message.type));
        }
    }
}

void
OpusControllerApp::Acknowledged(const OpusMessage& message, const OpusPeer&)
{
    if (message.type == OpusMessage::Type::ENTRY)
    {
        // what comes along with it may say that somebody else is in charge, and is taken first
        m_acknowledged = message.plan;
    }
    const auto active = m_active.find({message.phase.job, message.server});
    if (message.type == OpusMessage::Type::HEARTBEAT && active != m_active.end())
    {
        active->second = NowPicoseconds();
    }
}

void
OpusControllerApp::SayTerm(const OpusPeer& peer)
{
    OpusMessage message;
    message.type = OpusMessage::Type::HEARTBEAT;
    message.term = m_core->GetTerm();
    message.plan = m_core->GetInputs();
    Send(message, peer);
}

void
OpusControllerApp::Release(uint64_t entry)
{
    while (!m_held.empty() && m_held.front().entry <= entry)
    {
        const ControllerCore::Letters letters = std::move(m_held.front().letters);
        m_held.pop_front();
        Deliver(letters);
    }
}

bool
OpusControllerApp::IsWorthRepeating(const OpusMessage& message) const
{
    return m_role == Role::IN_CHARGE && message.term == m_core->GetTerm() &&
           message.type != OpusMessage::Type::ENTRY &&
           (message.type != OpusMessage::Type::HEARTBEAT || !m_hasStandby);
}

void
OpusControllerApp::Failed(const OpusMessage&, const OpusPeer& peer)
{
    if (m_hasStandby && peer == m_other)
    {
        GoOnAlone();
    }
    for (const auto& [shim, where] : m_shims)
    {
        if (where == peer)
        {
            Left(shim);
        }
    }
}

void
OpusControllerApp::GoOnAlone()
{
    NS_LOG_WARN("the standby does not answer");
    m_hasStandby = false;
    Simulator::Remove(m_beat);
    Release(m_core->GetInputs());
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
    Release(m_acknowledged);
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
    const Shim shim{message.phase.job, message.server};
    const auto active = m_active.find(shim);
    if (active != m_active.end())
    {
        active->second = NowPicoseconds();
    }
    if (message.type == OpusMessage::Type::LEAVE)
    {
        Left(shim);
    }
    else if (message.type == OpusMessage::Type::REGISTER_GROUP)
    {
        m_active[shim] = NowPicoseconds();
        if (m_hasStandby && m_beat.IsExpired())
        {
            Beat();
        }
    }
}

void
OpusControllerApp::Left(const Shim& shim)
{
    if (m_active.erase(shim) > 0 && m_active.empty() && m_hasStandby)
    {
        Simulator::Remove(m_beat);
        SendHeartbeat(true);
    }
}

void
OpusControllerApp::Probe()
{
    const Picoseconds now = NowPicoseconds();
    for (auto& [shim, heard] : m_active)
    {
        if (now - heard >= GetRetryFor().GetTimeStep())
        {
            heard = now;
            OpusMessage message;
            message.type = OpusMessage::Type::HEARTBEAT;
            message.term = m_core->GetTerm();
            message.phase.job = shim.first;
            message.server = shim.second;
            Send(message, m_shims.at(shim));
        }
    }
}

void
OpusControllerApp::Beat()
{
    SendHeartbeat(m_active.empty());
    if (!m_active.empty())
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
    message.plan = m_core->GetInputs();
    message.speculative = idle;
    Send(message, m_other);
}

// --------------------------------------------------------------------- the standby

void
OpusControllerApp::Follow(const OpusMessage& message)
{
    if (message.type == OpusMessage::Type::HEARTBEAT)
    {
        Heard(message.speculative);
        return;
    }
    if (message.type != OpusMessage::Type::ENTRY)
    {
        return;
    }
    OpusMessage taken;
    const auto input = static_cast<Input>(message.links);
    if (message.plan != m_core->GetInputs() + 1)
    {
        // one was given up, and the other one goes on alone: what is known here is of no use
        m_role = Role::RETIRED;
        End();
        m_roleChanged(m_role, m_core->GetTerm());
        return;
    }
    const bool isMessage = input == Input::MESSAGE || input == Input::LAST_MESSAGE;
    NS_ABORT_MSG_IF(isMessage && OpusEncoding::Parse(message.entry, taken) != OpusRefusal::NONE,
                    "OpusControllerApp: entry " << message.plan << " of the log is no message");
    Tell(input, taken, message.others);
    m_core->TakeNotes(); // the one in charge tells of them
    Heard(message.speculative);
}

void
OpusControllerApp::Heard(bool idle)
{
    Simulator::Remove(m_watch);
    if (!idle)
    {
        m_watch = Simulator::Schedule(DelayOf(m_takeoverAfter), &OpusControllerApp::TakeOver, this);
    }
}

void
OpusControllerApp::TakeOver()
{
    NS_LOG_FUNCTION(this);
    const uint32_t term = m_core->GetTerm() + 1;
    m_role = Role::IN_CHARGE;
    if (m_core->GetInputs() == 0)
    {
        m_core->Start(NowPicoseconds()); // the other one never began; what it says comes below
    }
    const ControllerCore::Letters letters = m_core->Takeover(term, NowPicoseconds());
    m_roleChanged(m_role, term);
    OpusMessage announcement;
    announcement.type = OpusMessage::Type::HEARTBEAT;
    announcement.term = term;
    announcement.plan = m_core->GetInputs();
    for (const auto& [rail, agent] : m_agents)
    {
        Send(announcement, agent);
    }
    for (const auto& [which, shim] : m_shims)
    {
        Send(announcement, shim);
    }
    Deliver(letters);
    TellNotes();
    SetTimer();
}

} // namespace ns3
