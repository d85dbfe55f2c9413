/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ocs-agent.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OcsAgent");

NS_OBJECT_ENSURE_REGISTERED(OcsAgent);

namespace
{

/** The inputs from the switch at an instant, in the order in which they are handled. */
enum Said : uint64_t
{
    ENDED,
    FAULT,
};

} // namespace

TypeId
OcsAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OcsAgent")
                            .SetParent<OpusEndpoint>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OcsAgent>()
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
    m_rail = rail;
}

const OcsAgent::Counters&
OcsAgent::GetCounters() const
{
    return m_counters;
}

void
OcsAgent::Begin()
{
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
    m_switch->TraceDisconnectWithoutContext("Alarm", MakeCallback(&OcsAgent::HandleFault, this));
}

void
OcsAgent::DoDispose()
{
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
    if (message.type == OpusMessage::Type::CLAIM)
    {
        TakeClaim(message, peer);
    }
    else if (!IsInCharge(message, peer))
    {
        ++m_counters.stale;
        SayTerm(peer);
    }
    else if (message.type == OpusMessage::Type::PROGRAM)
    {
        TakeProgram(message);
    }
}

void
OcsAgent::SayTerm(const OpusPeer& peer)
{
    OpusMessage answer;
    answer.type = OpusMessage::Type::HEARTBEAT;
    answer.term = m_promise.term;
    answer.rail = m_rail;
    Send(answer, peer);
}

void
OcsAgent::TakeClaim(const OpusMessage& message, const OpusPeer& peer)
{
    if (!m_promise.WouldAccept(message.term, m_known && peer == m_controller))
    {
        SayTerm(peer);
    }
    else if (message.speculative)
    {
        OpusMessage answer;
        answer.type = OpusMessage::Type::ACCEPT;
        answer.term = message.term;
        answer.rail = m_rail;
        answer.speculative = true;
        Send(answer, peer);
    }
    else
    {
        m_known = true;
        m_promise.term = message.term;
        m_controller = peer;
        m_isOwed = true;
        SendAccept();
    }
}

void
OcsAgent::SendAccept()
{
    if (!m_isOwed || m_open > 0)
    {
        return;
    }
    m_isOwed = false;
    OpusMessage answer;
    answer.type = OpusMessage::Type::ACCEPT;
    answer.term = m_promise.term;
    answer.rail = m_rail;
    for (const Circuit& circuit : m_switch->GetMap().GetCircuits())
    {
        answer.up.push_back({circuit.low, circuit.high});
    }
    Send(answer, m_controller);
}

void
OcsAgent::TakeProgram(const OpusMessage& message)
{
    const auto [found, isNew] = m_plans.try_emplace(message.plan);
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
    plan.begun = NowPicoseconds();
    ++m_open;
    if (message.plan <= m_forgotten)
    {
        Answer(plan, OpusMessage::Type::ALARM, "this plan is too old for its answer to be known");
        return;
    }
    ++m_counters.programs;
    m_planBegun(message);
    CircuitPlan change;
    for (const SwitchCircuit& circuit : message.down)
    {
        change.Disconnect(circuit.one, circuit.other);
    }
    for (const SwitchCircuit& circuit : message.up)
    {
        change.Connect(circuit.one, circuit.other);
    }
    const CircuitPlanReport report =
        m_switch->Apply(change, MakeCallback(&OcsAgent::HandleEnded, this).Bind(message.plan));
    if (report.status == CircuitPlanStatus::DONE || report.status == CircuitPlanStatus::REFUSED)
    {
        Ended(message.plan, report, NowPicoseconds());
    }
}

void
OcsAgent::HandleEnded(uint64_t number, const CircuitPlanReport& report)
{
    const Picoseconds when = NowPicoseconds();
    WhenOver({ENDED, number}, [this, number, report, when]() { Ended(number, report, when); });
}

void
OcsAgent::HandleFault(PortId port, PortFault fault)
{
    WhenOver({FAULT, port.Get()}, [this, port, fault]() { Faulty(port, fault); });
}

void
OcsAgent::Ended(uint64_t number, const CircuitPlanReport& report, Picoseconds when)
{
    const auto found = m_plans.find(number);
    if (!IsRunning() || found == m_plans.end() || found->second.answered)
    {
        return; // a plan without changes is over at once, and the switch reports it again
    }
    if (report.status == CircuitPlanStatus::FAILED)
    {
        TakeDownDark(found->second, report);
    }
    const bool done = report.status == CircuitPlanStatus::DONE;
    if (done)
    {
        ++m_counters.done;
        m_counters.reconfiguration += when - found->second.begun;
    }
    Answer(found->second,
           done ? OpusMessage::Type::DONE : OpusMessage::Type::ALARM,
           done ? "" : report.message);
}

void
OcsAgent::TakeDownDark(Plan& plan, const CircuitPlanReport& report)
{
    CircuitPlan down;
    for (const SwitchCircuit& circuit : plan.program.up)
    {
        const bool isDark = std::any_of(report.stuck.begin(), report.stuck.end(), [&](PortId port) {
            return port == circuit.one || port == circuit.other;
        });
        if (isDark)
        {
            down.Disconnect(circuit.one, circuit.other);
            plan.answer.down.push_back(circuit);
        }
    }
    plan.answer.speculative = true;
    m_switch->Apply(down);
}

void
OcsAgent::Answer(Plan& plan, OpusMessage::Type type, const std::string& reason)
{
    m_counters.alarms += type == OpusMessage::Type::ALARM ? 1 : 0;
    plan.answer.type = type;
    plan.answer.term = m_promise.term;
    plan.answer.rail = m_rail;
    plan.answer.phase = plan.program.phase;
    plan.answer.plan = plan.program.plan;
    plan.answer.reason = reason;
    plan.answered = true;
    --m_open;
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
    if (!m_known)
    {
        return; // no controller is known
    }
    ++m_counters.alarms;
    std::ostringstream words;
    words << "port " << port << " is " << ToString(fault);
    OpusMessage alarm;
    alarm.type = OpusMessage::Type::ALARM;
    alarm.term = m_promise.term;
    alarm.rail = m_rail;
    alarm.reason = words.str();
    Send(alarm, m_controller);
}

} // namespace ns3
