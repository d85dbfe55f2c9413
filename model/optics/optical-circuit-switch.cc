/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-circuit-switch.h"

#include "observed-trace.h"
#include "optical-fiber.h"
#include "own-random-variable.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpticalCircuitSwitch");

NS_OBJECT_ENSURE_REGISTERED(OpticalCircuitSwitch);

const char*
ToString(PortFault fault)
{
    switch (fault)
    {
    case PortFault::NONE:
        return "none";
    case PortFault::STUCK_DARK:
        return "stuck-dark";
    case PortFault::SLOW:
        return "slow";
    }
    return "unknown";
}

const char*
ToString(PlanStatus status)
{
    switch (status)
    {
    case PlanStatus::TURNING:
        return "turning";
    case PlanStatus::QUEUED:
        return "queued";
    case PlanStatus::DONE:
        return "done";
    case PlanStatus::FAILED:
        return "failed";
    case PlanStatus::REFUSED:
        return "refused";
    }
    return "unknown";
}

TypeId
OpticalCircuitSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::OpticalCircuitSwitch")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OpticalCircuitSwitch>()
            .AddAttribute(
                "Technology",
                "Name of the OCS technology, which gives the reconfiguration time, radix "
                "and granularity that are not set otherwise: plzt, sip, rotornet, mems, "
                "piezo, liquid-crystal, robotic, or one added to OcsTechnology::GetAll().",
                StringValue("piezo"),
                MakeStringAccessor(&OpticalCircuitSwitch::SetTechnology,
                                   &OpticalCircuitSwitch::GetTechnologyName),
                MakeStringChecker())
            .AddAttribute("Radix",
                          "The most ports the switch may have. 0: as the technology says.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OpticalCircuitSwitch::m_radix),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReconfigurationTime",
                          "Random variable, in seconds, drawn once a plan: how long the ports that "
                          "it changes are dark. Null: as the technology says.",
                          PointerValue(),
                          MakePointerAccessor(&OpticalCircuitSwitch::m_reconfigurationTime),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("PropagationDelay",
                          "Time light takes from port to port inside the switch.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OpticalCircuitSwitch::m_propagationDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Granularity",
                          "Which ports a plan darkens: those it changes, or the whole switch.",
                          EnumValue(BY_TECHNOLOGY),
                          MakeRailsEnumAccessor<Granularity>(&OpticalCircuitSwitch::m_granularity),
                          MakeEnumChecker(BY_TECHNOLOGY,
                                          "ByTechnology",
                                          PER_PORT,
                                          "PerPort",
                                          WHOLE_SWITCH,
                                          "WholeSwitch"))
            .AddAttribute("WhenTurning",
                          "What becomes of a plan that arrives while one of its ports is turning.",
                          EnumValue(QUEUE),
                          MakeRailsEnumAccessor<WhenTurning>(&OpticalCircuitSwitch::m_whenTurning),
                          MakeEnumChecker(QUEUE, "Queue", REFUSE, "Refuse"))
            .AddTraceSource("CircuitUp",
                            "A circuit carries light from now on.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_circuitUp),
                            "ns3::OpticalCircuitSwitch::CircuitCallback")
            .AddTraceSource("CircuitDown",
                            "A circuit carries no light any more.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_circuitDown),
                            "ns3::OpticalCircuitSwitch::CircuitCallback")
            .AddTraceSource("PlanAccepted",
                            "A plan is being carried out: its ports turn.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_planAccepted),
                            "ns3::OpticalCircuitSwitch::PlanCallback")
            .AddTraceSource("PlanQueued",
                            "A plan waits for ports that turn for another.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_planQueued),
                            "ns3::OpticalCircuitSwitch::PlanCallback")
            .AddTraceSource("PlanRefused",
                            "A plan cannot be carried out, and why; nothing changed.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_planRefused),
                            "ns3::OpticalCircuitSwitch::ReportCallback")
            .AddTraceSource("PlanEnded",
                            "A plan that was accepted is done, or failed at ports that are stuck.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_planEnded),
                            "ns3::OpticalCircuitSwitch::ReportCallback")
            .AddTraceSource("FrameDropped",
                            "A frame was lost in the switch, and why.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_frameDropped),
                            "ns3::OpticalCircuitSwitch::FrameDroppedCallback")
            .AddTraceSource("FramePassed",
                            "A frame has passed, down to its last bit. Fires for every frame.",
                            MakeObservedTraceSourceAccessor(&OpticalCircuitSwitch::m_framePassed,
                                                            &OpticalCircuitSwitch::NotifyObservers),
                            "ns3::OpticalCircuitSwitch::FramePassedCallback")
            .AddTraceSource("Alarm",
                            "Something is the matter with a port.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_alarm),
                            "ns3::OpticalCircuitSwitch::AlarmCallback");
    return tid;
}

OpticalCircuitSwitch::OpticalCircuitSwitch()
{
    NS_LOG_FUNCTION(this);
}

OpticalCircuitSwitch::~OpticalCircuitSwitch()
{
    NS_LOG_FUNCTION(this);
}

void
OpticalCircuitSwitch::DoInitialize()
{
    RequirePicoseconds("OpticalCircuitSwitch");
    Object::DoInitialize();
}

void
OpticalCircuitSwitch::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_waiting.clear();
    m_settling.clear();
    m_ports.clear();
    m_reconfigurationTime = nullptr;
    Object::DoDispose();
}

// ------------------------------------------------------------------- what it is

void
OpticalCircuitSwitch::SetTechnology(std::string name)
{
    OcsTechnology::Get(name); // aborts if there is none
    m_technology = name;
}

std::string
OpticalCircuitSwitch::GetTechnologyName() const
{
    return m_technology;
}

const OcsTechnology&
OpticalCircuitSwitch::GetTechnology() const
{
    return OcsTechnology::Get(m_technology);
}

uint32_t
OpticalCircuitSwitch::GetRadix() const
{
    return m_radix != 0 ? m_radix : GetTechnology().radix;
}

bool
OpticalCircuitSwitch::IsWholeSwitch() const
{
    return m_granularity == WHOLE_SWITCH ||
           (m_granularity == BY_TECHNOLOGY && GetTechnology().wholeSwitch);
}

Picoseconds
OpticalCircuitSwitch::DrawReconfigurationTime() const
{
    if (!m_reconfigurationTime)
    {
        return GetTechnology().reconfiguration;
    }
    const double seconds = m_reconfigurationTime->GetValue();
    NS_ABORT_MSG_UNLESS(seconds >= 0 && seconds < 9e6,
                        "OpticalCircuitSwitch: ReconfigurationTime drew "
                            << seconds
                            << " s; it must lie between 0 and 9,000,000 s: choose another random "
                               "variable");
    return std::llround(seconds * 1e12);
}

Ptr<OpticalSwitchPort>
OpticalCircuitSwitch::AddPort()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_ports.size() < GetRadix(),
                        "OpticalCircuitSwitch: cannot add port "
                            << m_ports.size() << ": a " << m_technology << " switch has "
                            << GetRadix()
                            << " ports; use a technology with more, or set the attribute Radix");
    Ptr<Node> node = GetObject<Node>();
    NS_ABORT_MSG_UNLESS(node,
                        "OpticalCircuitSwitch: aggregate the switch to a Node before adding ports");
    Ptr<OpticalSwitchPort> device = CreateObject<OpticalSwitchPort>();
    device->SetSwitch(this, m_map.AddPort());
    device->SetAddress(Mac48Address::Allocate());
    node->AddDevice(device);
    m_ports.emplace_back();
    m_ports.back().device = device;
    return device;
}

OpticalCircuitSwitch::Port&
OpticalCircuitSwitch::At(PortId port, const char* caller)
{
    return const_cast<Port&>(static_cast<const OpticalCircuitSwitch*>(this)->At(port, caller));
}

const OpticalCircuitSwitch::Port&
OpticalCircuitSwitch::At(PortId port, const char* caller) const
{
    NS_ABORT_MSG_UNLESS(port.Get() < m_ports.size(),
                        "OpticalCircuitSwitch::" << caller << ": there is no port " << port
                                                 << "; the switch has " << m_ports.size()
                                                 << " ports, counted from 0");
    return m_ports[port.Get()];
}

Ptr<OpticalSwitchPort>
OpticalCircuitSwitch::GetPort(PortId port) const
{
    return At(port, "GetPort").device;
}

uint32_t
OpticalCircuitSwitch::GetPorts() const
{
    return m_ports.size();
}

const CircuitMap&
OpticalCircuitSwitch::GetMap() const
{
    return m_map;
}

bool
OpticalCircuitSwitch::IsTurning(PortId port) const
{
    return At(port, "IsTurning").turning;
}

bool
OpticalCircuitSwitch::IsUp(PortId port) const
{
    return At(port, "IsUp").device->GetHistory().IsLit();
}

int64_t
OpticalCircuitSwitch::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (m_reconfigurationTime)
    {
        m_reconfigurationTime = OwnCopyOf(m_reconfigurationTime);
        m_reconfigurationTime->SetStream(stream);
    }
    return 1;
}

// ----------------------------------------------------------------- plans

PlanReport
OpticalCircuitSwitch::Connect(PortId a, PortId b)
{
    return Apply(CircuitPlan().Connect(a, b));
}

PlanReport
OpticalCircuitSwitch::Disconnect(PortId a, PortId b)
{
    return Apply(CircuitPlan().Disconnect(a, b));
}

PlanReport
OpticalCircuitSwitch::Apply(const CircuitPlan& plan, PlanEnded ended)
{
    NS_LOG_FUNCTION(this << plan);
    SettleDue();
    const uint64_t number = ++m_plans;
    if (!MustWait(plan, m_waiting.size()))
    {
        return Start(number, plan, ended);
    }
    PlanReport report;
    report.plan = number;
    if (m_whenTurning == REFUSE)
    {
        report.refusal = PlanRefusal::PORT_TURNING;
        std::ostringstream message;
        message << "cannot apply \"" << plan
                << "\": a port of it is turning for another plan; try again when that has ended, "
                   "or set WhenTurning to Queue";
        report.message = message.str();
        m_planRefused(report);
        return report;
    }
    report.status = PlanStatus::QUEUED;
    m_waiting.push_back(Waiting{number, plan, ended});
    m_planQueued(number, plan);
    return report;
}

bool
OpticalCircuitSwitch::MustWait(const CircuitPlan& plan, std::size_t plansBefore) const
{
    if (m_working > 0 && IsWholeSwitch())
    {
        return true;
    }
    const std::vector<PortId> ports = plan.GetPorts();
    const auto isTurning = [this](PortId port) {
        return port.Get() < m_ports.size() && m_ports[port.Get()].turning;
    };
    if (std::any_of(ports.begin(), ports.end(), isTurning))
    {
        return true;
    }
    // a plan does not overtake one that came before it and concerns a port of it
    for (std::size_t i = 0; i < plansBefore; ++i)
    {
        for (PortId earlier : m_waiting[i].plan.GetPorts())
        {
            if (std::find(ports.begin(), ports.end(), earlier) != ports.end())
            {
                return true;
            }
        }
    }
    return false;
}

PlanReport
OpticalCircuitSwitch::Start(uint64_t number, const CircuitPlan& plan, PlanEnded ended)
{
    auto work = std::make_shared<Work>();
    PlanReport& report = work->report;
    report.plan = number;
    const PlanVerdict verdict = m_map.Check(plan);
    if (!verdict.IsAccepted())
    {
        report.refusal = verdict.refusal;
        report.message = verdict.message;
        m_planRefused(report);
        return report;
    }
    CircuitChange change = m_map.Apply(plan);
    m_planAccepted(number, plan);
    if (!IsInitialized())
    {
        Preset(change);
        report.status = PlanStatus::DONE;
        m_planEnded(report);
        return report;
    }
    work->ended = ended;
    if (change.IsEmpty())
    {
        report.status = PlanStatus::DONE;
        Simulator::ScheduleNow(&OpticalCircuitSwitch::Finish, this, work);
        ++m_working;
        return report;
    }
    report.status = PlanStatus::TURNING;
    std::vector<PortId> idle;
    for (const Circuit& circuit : change.removed)
    {
        Darken(circuit);
        for (PortId port : {circuit.low, circuit.high})
        {
            if (!m_map.GetPeer(port))
            {
                idle.push_back(port);
            }
        }
    }
    if (IsWholeSwitch())
    {
        for (const Circuit& circuit : m_map.GetCircuits())
        {
            Darken(circuit);
            m_map.Renew(circuit);
        }
        change.added = m_map.GetCircuits();
    }
    Turn(change.added, idle, work);
    return report;
}

void
OpticalCircuitSwitch::Preset(const CircuitChange& change)
{
    for (const Circuit& circuit : change.removed)
    {
        m_ports[circuit.low.Get()].device->GetHistory().Reset();
        m_ports[circuit.high.Get()].device->GetHistory().Reset();
        UpdateEgress(circuit.low);
        UpdateEgress(circuit.high);
    }
    for (const Circuit& circuit : change.added)
    {
        Light(circuit);
    }
}

void
OpticalCircuitSwitch::Turn(const std::vector<Circuit>& circuits,
                           const std::vector<PortId>& idle,
                           std::shared_ptr<Work> work)
{
    const Picoseconds time = DrawReconfigurationTime();
    std::map<Picoseconds, Batch> batches;
    const auto turn = [this](PortId id) {
        Port& port = m_ports[id.Get()];
        port.turning = true;
        return port.fault == PortFault::SLOW ? port.slower : 0;
    };
    for (const Circuit& circuit : circuits)
    {
        const Picoseconds slower = std::max(turn(circuit.low), turn(circuit.high));
        batches[time + slower].circuits.push_back(circuit);
    }
    for (PortId port : idle)
    {
        batches[time + turn(port)].idle.push_back(port);
    }
    ++m_working;
    work->unsettled = batches.size();
    for (auto& [wait, batch] : batches)
    {
        batch.work = work;
        m_settling.emplace(NowPicoseconds() + wait, batch);
        Simulator::Schedule(ToTime(wait), &OpticalCircuitSwitch::SettleDue, this);
    }
}

void
OpticalCircuitSwitch::SettleDue()
{
    while (!m_settling.empty() && m_settling.begin()->first <= NowPicoseconds())
    {
        const Batch batch = m_settling.begin()->second;
        m_settling.erase(m_settling.begin());
        Settle(batch);
    }
}

void
OpticalCircuitSwitch::Settle(const Batch& batch)
{
    const std::shared_ptr<Work>& work = batch.work;
    for (PortId port : batch.idle)
    {
        m_ports[port.Get()].turning = false;
    }
    for (const Circuit& circuit : batch.circuits)
    {
        bool stuck = false;
        for (PortId id : {circuit.low, circuit.high})
        {
            Port& port = m_ports[id.Get()];
            port.turning = false;
            if (port.fault == PortFault::STUCK_DARK)
            {
                stuck = true;
                work->report.stuck.push_back(id);
                m_alarm(id, port.fault);
            }
            else if (port.fault == PortFault::SLOW)
            {
                m_alarm(id, port.fault);
            }
        }
        if (!stuck)
        {
            Light(circuit);
        }
    }
    if (--work->unsettled == 0)
    {
        Finish(work);
    }
    StartWaiting();
}

void
OpticalCircuitSwitch::Finish(std::shared_ptr<Work> work)
{
    --m_working;
    PlanReport& report = work->report;
    report.status = report.stuck.empty() ? PlanStatus::DONE : PlanStatus::FAILED;
    if (!report.stuck.empty())
    {
        std::ostringstream message;
        message << "no light through port";
        for (PortId port : report.stuck)
        {
            message << " " << port;
        }
        message << ": stuck dark; its circuit gets light when the fault is cleared";
        report.message = message.str();
    }
    m_planEnded(report);
    if (!work->ended.IsNull())
    {
        work->ended(report);
    }
}

void
OpticalCircuitSwitch::StartWaiting()
{
    for (std::size_t i = 0; i < m_waiting.size();)
    {
        if (MustWait(m_waiting[i].plan, i))
        {
            ++i;
            continue;
        }
        const Waiting next = m_waiting[i];
        m_waiting.erase(m_waiting.begin() + i);
        const PlanReport report = Start(next.number, next.plan, next.ended);
        if (report.status == PlanStatus::REFUSED && !next.ended.IsNull())
        {
            next.ended(report);
        }
    }
}

// ----------------------------------------------------------------- faults

void
OpticalCircuitSwitch::SetFault(PortId id, PortFault fault, Time extra)
{
    NS_LOG_FUNCTION(this << id << ToString(fault) << extra);
    SettleDue();
    Port& port = At(id, "SetFault");
    NS_ABORT_MSG_IF(extra.IsStrictlyNegative(),
                    "OpticalCircuitSwitch::SetFault: a slow port settles later, not earlier; give "
                    "an extra time of 0 or more instead of "
                        << extra);
    if (fault == PortFault::NONE)
    {
        ClearFault(id);
        return;
    }
    port.fault = fault;
    port.slower = extra.GetTimeStep();
    const bool lit = port.device->GetHistory().IsLit();
    if (fault == PortFault::STUCK_DARK && lit)
    {
        // the switch sees its light go; a turning port is noticed when it should have settled
        Darken(Circuit(id, *m_map.GetPeer(id)));
        m_alarm(id, fault);
    }
}

void
OpticalCircuitSwitch::ClearFault(PortId id)
{
    NS_LOG_FUNCTION(this << id);
    SettleDue();
    Port& port = At(id, "ClearFault");
    port.fault = PortFault::NONE;
    port.slower = 0;
    const std::optional<PortId> peer = m_map.GetPeer(id);
    if (!peer || port.turning || port.device->GetHistory().IsLit() ||
        At(*peer, "ClearFault").fault == PortFault::STUCK_DARK)
    {
        return;
    }
    const Circuit circuit(id, *peer);
    m_map.Renew(circuit);
    if (!IsInitialized())
    {
        Light(circuit);
        return;
    }
    auto work = std::make_shared<Work>();
    work->report.plan = ++m_plans;
    Turn({circuit}, {}, work);
}

PortFault
OpticalCircuitSwitch::GetFault(PortId port) const
{
    return At(port, "GetFault").fault;
}

// ------------------------------------------------------------------ light

void
OpticalCircuitSwitch::Darken(const Circuit& circuit)
{
    auto& low = m_ports[circuit.low.Get()].device->GetHistory();
    if (!low.IsLit())
    {
        return;
    }
    const uint64_t epoch = low.GetCurrent().label.epoch;
    const Picoseconds now = NowPicoseconds();
    low.Fall(now);
    m_ports[circuit.high.Get()].device->GetHistory().Fall(now);
    m_circuitDown(circuit.low, circuit.high, epoch);
    UpdateEgress(circuit.low);
    UpdateEgress(circuit.high);
}

void
OpticalCircuitSwitch::Light(const Circuit& circuit)
{
    const uint64_t epoch = m_map.GetEpoch(circuit.low);
    const Picoseconds since = IsInitialized() ? NowPicoseconds() : ALWAYS_BEFORE;
    m_ports[circuit.low.Get()].device->GetHistory().Rise(since, {circuit.high, epoch});
    m_ports[circuit.high.Get()].device->GetHistory().Rise(since, {circuit.low, epoch});
    m_circuitUp(circuit.low, circuit.high, epoch);
    UpdateEgress(circuit.low);
    UpdateEgress(circuit.high);
}

bool
OpticalCircuitSwitch::LightLeaves(const OpticalSwitchPort& egress) const
{
    const auto& history = egress.GetHistory();
    return history.IsLit() && m_ports[history.GetCurrent().label.peer.Get()].device->SeesLight();
}

void
OpticalCircuitSwitch::UpdateEgress(PortId id)
{
    const Ptr<OpticalSwitchPort>& port = m_ports[id.Get()].device;
    const Ptr<OpticalFiber> fiber = port->GetFiber();
    if (!fiber)
    {
        return;
    }
    const bool light = LightLeaves(*port);
    if (!IsInitialized())
    {
        fiber->PresetLight(PeekPointer(port), light);
        return;
    }
    fiber->SendLight(PeekPointer(port), light, m_propagationDelay);
}

void
OpticalCircuitSwitch::PassLight(const OpticalSwitchPort& ingress)
{
    const auto& history = ingress.GetHistory();
    if (history.IsLit())
    {
        UpdateEgress(history.GetCurrent().label.peer);
    }
}

void
OpticalCircuitSwitch::Relay(const OpticalSwitchPort& ingress, WireFrame frame)
{
    OpticalSwitchPort::Path path;
    const LightVerdict verdict = ingress.GetHistory().Judge(frame.first, frame.last, path);
    if (verdict != LightVerdict::WHOLE)
    {
        const FrameDropReason reason = verdict == LightVerdict::DARK ? FrameDropReason::NO_CIRCUIT
                                       : verdict == LightVerdict::CUT
                                           ? FrameDropReason::CUT
                                           : FrameDropReason::OTHER_CIRCUIT;
        m_frameDropped(ingress.GetPortId(), frame, reason);
        return;
    }
    if (m_observed)
    {
        m_framePassed(ingress.GetPortId(), path.peer, frame);
    }
    const Ptr<OpticalSwitchPort>& egress = m_ports[path.peer.Get()].device;
    frame.Travel(m_propagationDelay.GetTimeStep());
    if (egress->GetFiber())
    {
        egress->GetFiber()->Transmit(PeekPointer(egress), std::move(frame));
        return;
    }
    m_frameDropped(ingress.GetPortId(), frame, FrameDropReason::NO_CIRCUIT);
}

void
OpticalCircuitSwitch::NotifyObservers()
{
    m_observed = !m_framePassed.IsEmpty();
}

bool
OpticalCircuitSwitch::IsObserved() const
{
    return m_observed;
}

} // namespace ns3
