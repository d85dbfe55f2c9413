/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ocs-agent.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/opus-words.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OcsAgent");

NS_OBJECT_ENSURE_REGISTERED(OcsAgent);

namespace
{

/** The inputs from the switch at an instant, in the order in which they are handled. */
enum SwitchInput : uint64_t
{
    ENDED,
    FAULT,
    RINGS,
    FORGOTTEN,
};

} // namespace

TypeId
OcsAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::OcsAgent")
            .SetParent<OpusEndpoint>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OcsAgent>()
            .AddAttribute(
                "DoneWhen",
                "When a plan is done: when the switch has reconfigured "
                "(Reconfigured), or when the NICs at its new circuits "
                "have carrier, too (Carrier).",
                EnumValue(RECONFIGURED),
                MakeReadOnceAccessor("OcsAgent::DoneWhen",
                                     &OcsAgent::HasStarted,
                                     MakeRailsEnumAccessor<DoneWhen>(&OcsAgent::m_doneWhen)),
                MakeEnumChecker(RECONFIGURED, "Reconfigured", CARRIER, "Carrier"))
            .AddTraceSource("PlanBegun",
                            "A controller's plan is given to the switch.",
                            MakeTraceSourceAccessor(&OcsAgent::m_planBegun),
                            "ns3::OcsAgent::ProgramCallback")
            .AddTraceSource("PlanEnded",
                            "A controller's plan is answered.",
                            MakeTraceSourceAccessor(&OcsAgent::m_planEnded),
                            "ns3::OcsAgent::AnswerCallback");
    return tid;
}

OcsAgent::OcsAgent()
{
    NS_LOG_FUNCTION(this);
}

OcsAgent::~OcsAgent()
{
    NS_LOG_FUNCTION(this);
}

void
OcsAgent::SetRail(RailId rail)
{
    NS_LOG_FUNCTION(this << rail);
    m_rail = rail;
}

void
OcsAgent::AddShim(PortId port, const OpusPeer& shim)
{
    NS_LOG_FUNCTION(this << port << shim);
    m_shims[port] = shim;
}

const OcsAgent::Counters&
OcsAgent::GetCounters() const
{
    return m_counters;
}

void
OcsAgent::Begin()
{
    NS_LOG_FUNCTION(this);
    m_switch = GetNode()->GetObject<OpticalCircuitSwitch>();
    NS_ABORT_MSG_UNLESS(m_switch,
                        "OcsAgent: node " << GetNode()->GetId()
                                          << " has no OpticalCircuitSwitch; install it on the node "
                                             "of one");
    m_switch->TraceConnectWithoutContext("Alarm", MakeCallback(&OcsAgent::HandleFault, this));
}

void
OcsAgent::End()
{
    NS_LOG_FUNCTION(this);
    m_switch->TraceDisconnectWithoutContext("Alarm", MakeCallback(&OcsAgent::HandleFault, this));
    if (m_forgottenOpen > 0)
    {
        m_forgottenOpen = 0;
        m_switch->TraceDisconnectWithoutContext("PlanEnded",
                                                MakeCallback(&OcsAgent::HandleSwitchPlan, this));
    }
}

void
OcsAgent::Restarted()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_INFO("rail " << m_rail << ": the agent begins anew, and has forgotten " << m_plans.size()
                        << " plans");
    if (!m_plans.empty())
    {
        m_forgotten = std::max(m_forgotten, m_plans.rbegin()->first);
    }
    m_plans.clear();
    m_linking.clear();
    m_answers = 0;
    m_open = 0;
    m_isOwed = false;
    Begin();
    m_forgottenOpen = m_switch->GetOpenPlans();
    m_lastOfSwitch = m_switch->GetPlans();
    if (m_forgottenOpen > 0)
    {
        m_switch->TraceConnectWithoutContext("PlanEnded",
                                             MakeCallback(&OcsAgent::HandleSwitchPlan, this));
    }
    else
    {
        EndForgotten();
    }
    if (m_known)
    {
        Send({m_promise.term, ServerId(), m_rail, OpusJoin()}, m_controller);
    }
}

void
OcsAgent::HandleSwitchPlan(const CircuitPlanReport& report)
{
    if (report.plan <= m_lastOfSwitch)
    {
        WhenOver({FORGOTTEN, report.plan}, [this]() {
            if (m_forgottenOpen == 0 || --m_forgottenOpen > 0)
            {
                return;
            }
            m_switch->TraceDisconnectWithoutContext(
                "PlanEnded",
                MakeCallback(&OcsAgent::HandleSwitchPlan, this));
            EndForgotten();
        });
    }
}

void
OcsAgent::EndForgotten()
{
    NS_LOG_FUNCTION(this);
    CircuitPlan down;
    for (const Circuit& circuit : m_switch->GetMap().GetCircuits())
    {
        if (IsOwn(circuit.low) && IsOwn(circuit.high) && !m_switch->IsUp(circuit.low) &&
            !m_switch->IsReconfiguring(circuit.low))
        {
            down.Disconnect(circuit.low, circuit.high);
        }
    }
    if (!down.IsEmpty())
    {
        m_switch->Apply(down);
    }
    SendAccept();
}

void
OcsAgent::DoDispose()
{
    NS_LOG_FUNCTION(this);
    OpusEndpoint::DoDispose();
    m_switch = nullptr;
}

bool
OcsAgent::IsInCharge(const OpusMessage& message, const OpusPeer& peer)
{
    const bool isNew = !m_known || message.term > m_promise.term;
    if (!isNew && (message.term < m_promise.term || !(peer == m_controller)))
    {
        return false;
    }
    m_known = true;
    m_promise.term = message.term;
    m_controller = peer;
    return true;
}

void
OcsAgent::Take(const OpusMessage& message, const OpusPeer& peer)
{
    if (const OpusCarrier* carrier = message.Find<OpusCarrier>())
    {
        std::vector<PortId> ports;
        for (const SwitchCircuit& circuit : carrier->circuits)
        {
            ports.push_back(circuit.one);
        }
        EndWait(carrier->plan, ports);
    }
    else if (const OpusFallback* fallback = message.Find<OpusFallback>())
    {
        TakeFallback(*fallback, peer);
    }
    else if (m_rings.HasAny())
    {
        NS_LOG_INFO("rail " << m_rail << ": " << peer << " is no more in charge");
        ++m_counters.stale;
    }
    else if (const OpusClaim* claim = message.Find<OpusClaim>())
    {
        TakeClaim(message.term, claim->isQuery, peer);
    }
    else if (!IsInCharge(message, peer))
    {
        NS_LOG_INFO("rail " << m_rail << ": " << peer << " is replaced: its term is over");
        ++m_counters.stale;
        SendTerm(peer);
    }
    else if (message.Is<OpusProgram>())
    {
        TakeProgram(message);
    }
}

void
OcsAgent::SendTerm(const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << peer);
    Send({m_promise.term, ServerId(), m_rail, OpusHeartbeat()}, peer);
}

void
OcsAgent::TakeClaim(uint32_t term, bool isQuery, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << term << isQuery << peer);
    if (!m_promise.WouldAccept(term, m_known && peer == m_controller))
    {
        SendTerm(peer);
    }
    else if (isQuery)
    {
        Send({term, ServerId(), m_rail, OpusAccept{true, {}}}, peer);
    }
    else
    {
        m_known = true;
        m_promise.term = term;
        m_controller = peer;
        m_isOwed = true;
        NS_LOG_INFO("rail " << m_rail << ": term " << m_promise.term << " of " << peer
                            << " is accepted");
        SendAccept();
    }
}

void
OcsAgent::SendAccept()
{
    NS_LOG_FUNCTION(this);
    SetUpRings(); // they wait for the same
    if (!m_isOwed || m_open > 0 || m_forgottenOpen > 0 || m_rings.HasAny())
    {
        return;
    }
    m_isOwed = false;
    OpusAccept accept;
    for (const Circuit& circuit : m_switch->GetMap().GetCircuits())
    {
        if (IsOwn(circuit.low) && IsOwn(circuit.high))
        {
            accept.circuits.push_back({circuit.low, circuit.high});
        }
    }
    Send({m_promise.term, ServerId(), m_rail, std::move(accept)}, m_controller);
}

bool
OcsAgent::IsOwn(PortId port) const
{
    return m_shims.empty() || m_shims.count(port) > 0;
}

std::string
OcsAgent::FindForeignPort(const OpusProgram& program) const
{
    for (const auto* circuits : {&program.down, &program.up})
    {
        for (const SwitchCircuit& circuit : *circuits)
        {
            for (const PortId port : {circuit.one, circuit.other})
            {
                if (!IsOwn(port))
                {
                    return "port " + std::to_string(port.Get()) + " is of no server of this agent";
                }
            }
        }
    }
    return "";
}

void
OcsAgent::TakeProgram(const OpusMessage& message)
{
    const OpusProgram& program = message.Get<OpusProgram>();
    NS_LOG_FUNCTION(this << program.plan);
    const auto [found, isNew] = m_plans.try_emplace(program.plan);
    Plan& plan = found->second;
    if (!isNew)
    {
        ++m_counters.repetitions;
        if (plan.answered)
        {
            plan.answer.term = m_promise.term;
            Send(plan.answer, m_controller);
        }
        return; // else it is answered at its end
    }
    plan.program = message;
    plan.begun = Simulator::Now();
    ++m_open;
    if (program.plan <= m_forgotten)
    {
        Alarm(plan, "this plan is too old for its answer to be known");
        return;
    }
    if (const std::string foreign = FindForeignPort(program); !foreign.empty())
    {
        Alarm(plan, foreign);
        return;
    }
    ++m_counters.programs;
    EndWaitsFor(program);
    m_planBegun(message);
    CircuitPlan change;
    for (const SwitchCircuit& circuit : program.down)
    {
        change.Disconnect(circuit.one, circuit.other);
    }
    for (const SwitchCircuit& circuit : program.up)
    {
        change.Connect(circuit.one, circuit.other);
    }
    NS_LOG_INFO("rail " << m_rail << ": plan " << program.plan << " begins: " << change);
    const CircuitPlanReport report =
        m_switch->Apply(change, MakeCallback(&OcsAgent::HandleEnded, this).Bind(program.plan));
    if (report.status == CircuitPlanStatus::DONE || report.status == CircuitPlanStatus::REFUSED)
    {
        Ended(program.plan, report, Simulator::Now());
    }
}

std::set<OpusPeer>
OcsAgent::GetShims() const
{
    std::set<OpusPeer> shims;
    for (const auto& [port, shim] : m_shims)
    {
        shims.insert(shim);
    }
    return shims;
}

void
OcsAgent::SendFallback(const OpusFallback& fallback, const OpusPeer* but)
{
    for (const OpusPeer& shim : GetShims())
    {
        if (!but || !(shim == *but))
        {
            Send({m_promise.term, ServerId(), m_rail, fallback}, shim);
        }
    }
}

void
OcsAgent::TakeFallback(const OpusFallback& fallback, const OpusPeer& shim)
{
    NS_LOG_FUNCTION(this << shim);
    if (m_ringsUp)
    {
        Send({m_promise.term, ServerId(), m_rail, *m_ringsUp}, shim);
        return;
    }
    if (m_rings.Add(shim, fallback.up))
    {
        NS_LOG_INFO("rail " << m_rail << ": " << shim << " has no controller; giant rings follow");
        SendFallback(OpusFallback(), &shim);
    }
    SetUpRings();
}

void
OcsAgent::SetUpRings()
{
    if (m_hasBegunRings || m_open > 0 || m_forgottenOpen > 0 || !m_rings.HasAll(GetShims()))
    {
        return;
    }
    m_hasBegunRings = true;
    std::vector<Circuit> wanted;
    for (const SwitchCircuit& circuit : m_rings.GetWanted())
    {
        wanted.emplace_back(circuit.one, circuit.other);
    }
    const CircuitPlan change = m_switch->GetMap().PlanTowards(wanted, {});
    NS_LOG_INFO("rail " << m_rail << ": giant rings: " << change);
    const CircuitPlanReport report =
        m_switch->Apply(change, MakeCallback(&OcsAgent::HandleRings, this));
    if (report.status == CircuitPlanStatus::DONE || report.status == CircuitPlanStatus::REFUSED)
    {
        RingsEnded(report);
    }
}

void
OcsAgent::HandleRings(const CircuitPlanReport& report)
{
    NS_LOG_FUNCTION(this);
    WhenOver({RINGS, 0}, [this, report]() { RingsEnded(report); });
}

void
OcsAgent::RingsEnded(const CircuitPlanReport& report)
{
    NS_LOG_FUNCTION(this);
    if (!IsRunning() || m_ringsUp)
    {
        return; // a plan without changes is over at once, and the switch reports it again
    }
    OpusFallback up;
    up.isUp = true;
    if (report.status == CircuitPlanStatus::REFUSED)
    {
        up.dark = m_rings.GetWanted(); // nothing has changed
    }
    else if (report.status == CircuitPlanStatus::FAILED)
    {
        up.dark = TakeDownDark(m_rings.GetWanted(), report);
    }
    NS_LOG_INFO("rail " << m_rail << ": giant rings are up, without " << up.dark.size()
                        << " circuits");
    m_ringsUp = up;
    SendFallback(up, nullptr);
}

void
OcsAgent::HandleEnded(uint64_t number, const CircuitPlanReport& report)
{
    NS_LOG_FUNCTION(this << number);
    const Time when = Simulator::Now();
    WhenOver({ENDED, number}, [this, number, report, when]() { Ended(number, report, when); });
}

void
OcsAgent::HandleFault(PortId port, PortFault fault)
{
    NS_LOG_FUNCTION(this << port);
    WhenOver({FAULT, port.Get()}, [this, port, fault]() { Faulty(port, fault); });
}

void
OcsAgent::Ended(uint64_t number, const CircuitPlanReport& report, Time when)
{
    NS_LOG_FUNCTION(this << number);
    const auto found = m_plans.find(number);
    if (!m_switch->HasPower())
    {
        return; // neither has the agent, whose process ends
    }
    if (!IsRunning() || found == m_plans.end() || found->second.answered ||
        m_linking.count(number) != 0)
    {
        return; // a plan without changes is over at once, and the switch reports it again
    }
    Plan& plan = found->second;
    NS_LOG_INFO("rail " << m_rail << ": plan " << number << " ends after "
                        << ToMilliseconds((when - plan.begun).GetTimeStep())
                        << (report.message.empty() ? "" : ": ") << report.message);
    if (report.status == CircuitPlanStatus::DONE)
    {
        ++m_counters.done;
        m_counters.reconfiguration += when - plan.begun;
        plan.settled = when;
        if (m_doneWhen == CARRIER && AwaitCarrier(plan))
        {
            --m_open;
            SendAccept();
            return;
        }
        const OpusProgram& program = plan.program.Get<OpusProgram>();
        --m_open;
        Answer(plan, OpusDone{program.plan, program.phase});
        return;
    }
    const bool isPartial = report.status == CircuitPlanStatus::FAILED;
    std::vector<SwitchCircuit> dark;
    if (isPartial)
    {
        dark = TakeDownDark(plan.program.Get<OpusProgram>().up, report);
    }
    Alarm(plan, report.message, isPartial, std::move(dark));
}

bool
OcsAgent::AwaitCarrier(Plan& plan)
{
    NS_LOG_FUNCTION(this);
    const OpusProgram& program = plan.program.Get<OpusProgram>();
    std::map<OpusPeer, std::vector<SwitchCircuit>> shims;
    for (const SwitchCircuit& circuit : program.up)
    {
        for (const SwitchCircuit& end : {circuit, SwitchCircuit{circuit.other, circuit.one}})
        {
            const auto shim = m_shims.find(end.one);
            if (shim != m_shims.end())
            {
                shims[shim->second].push_back(end);
                plan.awaited.insert(end.one);
            }
        }
    }
    for (auto& [shim, circuits] : shims)
    {
        Send({m_promise.term, ServerId(), m_rail, OpusWatch{program.plan, std::move(circuits)}},
             shim);
    }
    if (!plan.awaited.empty())
    {
        m_linking.insert(program.plan);
    }
    return !plan.awaited.empty();
}

void
OcsAgent::EndWait(uint64_t number, const std::vector<PortId>& ports)
{
    NS_LOG_FUNCTION(this << number);
    if (m_linking.count(number) == 0)
    {
        return; // a shim's answer to the watch of a plan that is answered
    }
    Plan& plan = m_plans.at(number);
    for (const PortId port : ports)
    {
        plan.awaited.erase(port);
    }
    if (plan.awaited.empty())
    {
        m_linking.erase(number);
        const Time linkUp = Simulator::Now() - plan.settled;
        m_counters.linkUp += linkUp;
        NS_LOG_INFO("rail " << m_rail << ": the circuits of plan " << number << " have carrier "
                            << ToMilliseconds(linkUp.GetTimeStep()) << " later");
        const OpusProgram& program = plan.program.Get<OpusProgram>();
        Answer(plan, OpusDone{program.plan, program.phase, linkUp.GetTimeStep()});
    }
}

void
OcsAgent::EndWaitsFor(const OpusProgram& program)
{
    std::vector<PortId> ports;
    for (const auto* circuits : {&program.down, &program.up})
    {
        for (const SwitchCircuit& circuit : *circuits)
        {
            ports.push_back(circuit.one);
            ports.push_back(circuit.other);
        }
    }
    for (const uint64_t number : std::set<uint64_t>(m_linking))
    {
        EndWait(number, ports);
    }
}

void
OcsAgent::Failed(const OpusMessage& message, const OpusPeer& peer)
{
    if (const OpusWatch* watch = message.Find<OpusWatch>())
    {
        NS_LOG_WARN("rail " << m_rail << ": " << peer << " does not report carrier for plan "
                            << watch->plan);
        std::vector<PortId> ports;
        for (const SwitchCircuit& circuit : watch->circuits)
        {
            ports.push_back(circuit.one);
        }
        EndWait(watch->plan, ports);
    }
}

std::vector<SwitchCircuit>
OcsAgent::TakeDownDark(const std::vector<SwitchCircuit>& up, const CircuitPlanReport& report)
{
    NS_LOG_FUNCTION(this);
    CircuitPlan down;
    std::vector<SwitchCircuit> dark;
    for (const SwitchCircuit& circuit : up)
    {
        const bool isDark = std::any_of(report.stuck.begin(), report.stuck.end(), [&](PortId port) {
            return port == circuit.one || port == circuit.other;
        });
        if (isDark)
        {
            down.Disconnect(circuit.one, circuit.other);
            dark.push_back(circuit);
        }
    }
    m_switch->Apply(down);
    return dark;
}

void
OcsAgent::Alarm(Plan& plan,
                const std::string& reason,
                bool isPartial,
                std::vector<SwitchCircuit> dark)
{
    ++m_counters.alarms;
    --m_open;
    const OpusProgram& program = plan.program.Get<OpusProgram>();
    Answer(plan, OpusAlarm{program.plan, program.phase, reason, isPartial, std::move(dark)});
}

void
OcsAgent::Answer(Plan& plan, OpusMessage::Content content)
{
    plan.answer = {m_promise.term, ServerId(), m_rail, std::move(content)};
    plan.answered = true;
    ++m_answers;
    Send(plan.answer, m_controller);
    m_planEnded(plan.program, plan.answer);
    SendAccept();
    Forget();
}

void
OcsAgent::Forget()
{
    for (auto plan = m_plans.begin(); m_answers > REMEMBERED && plan != m_plans.end();)
    {
        if (!plan->second.answered)
        {
            ++plan;
            continue;
        }
        m_forgotten = std::max(m_forgotten, plan->first);
        plan = m_plans.erase(plan);
        --m_answers;
    }
}

void
OcsAgent::Faulty(PortId port, PortFault fault)
{
    if (!m_known || !IsOwn(port))
    {
        return; // no controller is known, or it is of no interest to it
    }
    ++m_counters.alarms;
    std::ostringstream words;
    words << "port " << port << " is " << ToString(fault);
    NS_LOG_INFO("rail " << m_rail << ": " << words.str());
    OpusAlarm alarm;
    alarm.reason = words.str();
    Send({m_promise.term, ServerId(), m_rail, std::move(alarm)}, m_controller);
}

} // namespace ns3
