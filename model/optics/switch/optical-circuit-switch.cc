/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-circuit-switch.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/observed-trace.h"
#include "ns3/optical-fiber.h"
#include "ns3/own-random-variable.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpticalCircuitSwitch");

NS_OBJECT_ENSURE_REGISTERED(OpticalCircuitSwitch);

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
                MakeReadOnceAccessor("OpticalCircuitSwitch::Technology",
                                     &OpticalCircuitSwitch::IsGranularityTold,
                                     MakeStringAccessor(&OpticalCircuitSwitch::SetTechnology,
                                                        &OpticalCircuitSwitch::GetTechnologyName)),
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
                          MakeTimeAccessor(&OpticalCircuitSwitch::SetPropagationDelay,
                                           &OpticalCircuitSwitch::GetPropagationDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Granularity",
                          "Which ports a plan darkens: those it changes, or the whole switch.",
                          EnumValue(BY_TECHNOLOGY),
                          MakeReadOnceAccessor("OpticalCircuitSwitch::Granularity",
                                               &OpticalCircuitSwitch::IsGranularityTold,
                                               MakeRailsEnumAccessor<Granularity>(
                                                   &OpticalCircuitSwitch::m_granularity)),
                          MakeEnumChecker(BY_TECHNOLOGY,
                                          "ByTechnology",
                                          PER_PORT,
                                          "PerPort",
                                          WHOLE_SWITCH,
                                          "WholeSwitch"))
            .AddAttribute(
                "WhenReconfiguring",
                "What becomes of a plan that arrives while one of its ports is reconfiguring.",
                EnumValue(QUEUE),
                MakeRailsEnumAccessor<WhenReconfiguring>(
                    &OpticalCircuitSwitch::m_whenReconfiguring),
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
                            "A plan is being carried out: its ports reconfigure.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_planAccepted),
                            "ns3::OpticalCircuitSwitch::PlanCallback")
            .AddTraceSource("PlanQueued",
                            "A plan waits for ports that reconfigure for another.",
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

/** A port of the switch: it passes frames and light from its fiber to the switch. */
class OpticalCircuitSwitch::Port final : public OpticalSwitchPort
{
  public:
    Port(OpticalCircuitSwitch* owner, PortId id)
        : OpticalSwitchPort(id),
          m_switch(owner)
    {
    }

    OpticalCircuitSwitch* GetSwitch() const override
    {
        return m_switch;
    }

    // FiberPort
    void ReceiveFrame(WireFrame&& frame) override
    {
        if (!m_disposed)
        {
            m_switch->Relay(*this, std::move(frame));
        }
    }

    bool EmitsLight() const override
    {
        return !m_disposed && m_switch->LightLeaves(*this);
    }

    // CircuitIngress
    FiberPort* PeekEgress() const override
    {
        return PeekPointer(m_switch->GetPort(GetHistory().GetCurrent().label.peer));
    }

    Time GetPropagationDelay() const override
    {
        return m_switch->GetPropagationDelay();
    }

    bool IsObserved() const override
    {
        return m_switch->IsObserved();
    }

    void CountRelayed(uint64_t frames) override
    {
        m_switch->CountRelayed(frames);
    }

  private:
    void PassLight() override
    {
        if (!m_disposed)
        {
            m_switch->PassLight(*this);
        }
    }

    void DoDispose() override
    {
        m_disposed = true;
        OpticalSwitchPort::DoDispose();
    }

    OpticalCircuitSwitch* m_switch; //!< it owns this port
    bool m_disposed{false};         //!< it makes no more calls to the switch
};

OpticalCircuitSwitch::OpticalCircuitSwitch()
    : m_reconfigurer(*this)
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
    m_reconfigurer.Dispose();
    m_ports.clear();
    m_reconfigurationTime = nullptr;
    Object::DoDispose();
}

// --------------------------------------------------------------------- settings

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
    Ptr<OpticalSwitchPort> port = CreateObject<Port>(this, m_reconfigurer.AddPort());
    port->SetAddress(Mac48Address::Allocate());
    node->AddDevice(port);
    m_ports.push_back(port);
    return port;
}

const Ptr<OpticalSwitchPort>&
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
    return At(port, "GetPort");
}

uint32_t
OpticalCircuitSwitch::GetPorts() const
{
    return m_ports.size();
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

// -------------------------------------------------------------- plans and faults

CircuitPlanReport
OpticalCircuitSwitch::Apply(const CircuitPlan& plan, PlanEnded ended)
{
    NS_LOG_FUNCTION(this << plan);
    return m_reconfigurer.Apply(plan, ended);
}

CircuitPlanReport
OpticalCircuitSwitch::Connect(PortId a, PortId b)
{
    return Apply(CircuitPlan().Connect(a, b));
}

CircuitPlanReport
OpticalCircuitSwitch::Disconnect(PortId a, PortId b)
{
    return Apply(CircuitPlan().Disconnect(a, b));
}

const CircuitMap&
OpticalCircuitSwitch::GetMap() const
{
    return m_reconfigurer.GetMap();
}

bool
OpticalCircuitSwitch::IsReconfiguring(PortId port) const
{
    At(port, "IsReconfiguring");
    return m_reconfigurer.IsReconfiguring(port);
}

bool
OpticalCircuitSwitch::IsUp(PortId port) const
{
    At(port, "IsUp");
    return IsLit(port);
}

void
OpticalCircuitSwitch::SetFault(PortId port, PortFault fault, Time extra)
{
    NS_LOG_FUNCTION(this << port << ToString(fault) << extra);
    At(port, "SetFault");
    NS_ABORT_MSG_IF(extra.IsStrictlyNegative(),
                    "OpticalCircuitSwitch::SetFault: a slow port settles later, not earlier; give "
                    "an extra time of 0 or more instead of "
                        << extra);
    if (fault == PortFault::NONE)
    {
        m_reconfigurer.ClearFault(port);
        return;
    }
    m_reconfigurer.SetFault(port, fault, extra.GetTimeStep());
}

void
OpticalCircuitSwitch::ClearFault(PortId port)
{
    NS_LOG_FUNCTION(this << port);
    At(port, "ClearFault");
    m_reconfigurer.ClearFault(port);
}

PortFault
OpticalCircuitSwitch::GetFault(PortId port) const
{
    At(port, "GetFault");
    return m_reconfigurer.GetFault(port);
}

// ----------------------------------------------- interface of the reconfigurer

Picoseconds
OpticalCircuitSwitch::DrawReconfigurationTime()
{
    if (!m_reconfigurationTime)
    {
        return GetTechnology().reconfiguration;
    }
    return DrawPicoseconds(m_reconfigurationTime, "OpticalCircuitSwitch: ReconfigurationTime");
}

bool
OpticalCircuitSwitch::ReconfiguresAsAWhole() const
{
    return IsWholeSwitch();
}

bool
OpticalCircuitSwitch::FetchGranularity()
{
    m_granularityTold = true;
    return IsWholeSwitch();
}

bool
OpticalCircuitSwitch::IsGranularityTold() const
{
    return m_granularityTold;
}

bool
OpticalCircuitSwitch::IsWholeSwitch() const
{
    return m_granularity == WHOLE_SWITCH ||
           (m_granularity == BY_TECHNOLOGY && GetTechnology().wholeSwitch);
}

bool
OpticalCircuitSwitch::QueuesPlans() const
{
    return m_whenReconfiguring == QUEUE;
}

bool
OpticalCircuitSwitch::HasBegun() const
{
    return IsInitialized();
}

void
OpticalCircuitSwitch::NotifyAccepted(uint64_t plan, const CircuitPlan& what)
{
    m_planAccepted(plan, what);
}

void
OpticalCircuitSwitch::NotifyQueued(uint64_t plan, const CircuitPlan& what)
{
    m_planQueued(plan, what);
}

void
OpticalCircuitSwitch::NotifyRefused(const CircuitPlanReport& report)
{
    m_planRefused(report);
}

void
OpticalCircuitSwitch::NotifyEnded(const CircuitPlanReport& report)
{
    m_planEnded(report);
}

void
OpticalCircuitSwitch::NotifyAlarm(PortId port, PortFault fault)
{
    m_alarm(port, fault);
}

// ------------------------------------------------------------------ light

bool
OpticalCircuitSwitch::IsLit(PortId port) const
{
    return m_ports[port.Get()]->GetHistory().IsLit();
}

void
OpticalCircuitSwitch::Darken(const Circuit& circuit)
{
    LeaveTrain(circuit.low, "the circuit is taken down");
    auto& low = m_ports[circuit.low.Get()]->GetHistory();
    auto& high = m_ports[circuit.high.Get()]->GetHistory();
    const uint64_t epoch = low.GetCurrent().label.epoch;
    if (HasBegun())
    {
        low.Fall(NowPicoseconds());
        high.Fall(NowPicoseconds());
    }
    else
    {
        low.Reset(); // there has never been light
        high.Reset();
    }
    m_circuitDown(circuit.low, circuit.high, epoch);
    UpdateEgress(circuit.low);
    UpdateEgress(circuit.high);
}

void
OpticalCircuitSwitch::Light(const Circuit& circuit, uint64_t epoch)
{
    const Picoseconds since = HasBegun() ? NowPicoseconds() : ALWAYS_BEFORE;
    m_ports[circuit.low.Get()]->GetHistory().Rise(since, {circuit.high, epoch});
    m_ports[circuit.high.Get()]->GetHistory().Rise(since, {circuit.low, epoch});
    m_circuitUp(circuit.low, circuit.high, epoch);
    UpdateEgress(circuit.low);
    UpdateEgress(circuit.high);
}

bool
OpticalCircuitSwitch::LightLeaves(const OpticalSwitchPort& egress) const
{
    const auto& history = egress.GetHistory();
    return history.IsLit() && m_ports[history.GetCurrent().label.peer.Get()]->SeesLight();
}

void
OpticalCircuitSwitch::UpdateEgress(PortId id)
{
    const Ptr<OpticalSwitchPort>& port = m_ports[id.Get()];
    const Ptr<OpticalFiber> fiber = port->GetFiber();
    if (!fiber)
    {
        return;
    }
    const bool light = LightLeaves(*port);
    if (!HasBegun())
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
OpticalCircuitSwitch::Relay(const OpticalSwitchPort& ingress, WireFrame&& frame)
{
    ++m_counters.received;
    OpticalSwitchPort::Path path;
    const PathCheck check = ingress.GetHistory().Check(frame.first, frame.last, path);
    if (check != PathCheck::WHOLE)
    {
        const FrameDropReason reason = check == PathCheck::DARK  ? FrameDropReason::NO_CIRCUIT
                                       : check == PathCheck::CUT ? FrameDropReason::CUT
                                                                 : FrameDropReason::OTHER_CIRCUIT;
        ++m_counters.dropped;
        m_frameDropped(ingress.GetPortId(), frame, reason);
        return;
    }
    if (m_observed)
    {
        m_framePassed(ingress.GetPortId(), path.peer, frame);
    }
    const OpticalSwitchPort* egress = PeekPointer(m_ports[path.peer.Get()]);
    OpticalFiber* fiber = egress->PeekFiber();
    if (fiber == nullptr)
    {
        ++m_counters.dropped; // out of a port without a fiber
        m_frameDropped(ingress.GetPortId(), frame, FrameDropReason::NO_CIRCUIT);
        return;
    }
    ++m_counters.passed;
    frame.Travel(m_propagationDelay.GetTimeStep());
    fiber->Transmit(egress, std::move(frame));
}

void
OpticalCircuitSwitch::LeaveTrain(PortId port, const char* why)
{
    if (const Ptr<OpticalFiber> fiber = m_ports[port.Get()]->GetFiber())
    {
        fiber->LeaveTrain(why);
    }
}

void
OpticalCircuitSwitch::SetPropagationDelay(Time delay)
{
    for (uint32_t p = 0; p < m_ports.size() && delay != m_propagationDelay; ++p)
    {
        const Ptr<OpticalFiber> fiber = m_ports[p]->GetFiber();
        if (!fiber)
        {
            continue;
        }
        fiber->LeaveTrain("the propagation delay of the switch changes");
        NS_ABORT_MSG_IF(fiber->GetEmptyFrom() != ALWAYS_BEFORE &&
                            fiber->GetEmptyFrom() > NowPicoseconds(),
                        "OpticalCircuitSwitch: the PropagationDelay cannot change from "
                            << m_propagationDelay.GetTimeStep() << " to " << delay.GetTimeStep()
                            << " ps at " << NowPicoseconds() << " ps: what is on its way in the "
                            << "fiber of port " << p << ", a frame or light that comes or goes, "
                            << "comes out at " << fiber->GetEmptyFrom()
                            << " ps. Change it when all fibers are empty.");
    }
    m_propagationDelay = delay;
}

Time
OpticalCircuitSwitch::GetPropagationDelay() const
{
    return m_propagationDelay;
}

void
OpticalCircuitSwitch::CountRelayed(uint64_t frames)
{
    m_counters.received += frames;
    m_counters.passed += frames;
}

const OpticalCircuitSwitch::Counters&
OpticalCircuitSwitch::GetCounters() const
{
    for (const Ptr<OpticalSwitchPort>& port : m_ports)
    {
        if (port->PeekFiber() != nullptr)
        {
            port->PeekFiber()->CatchUp();
        }
    }
    return m_counters;
}

std::size_t
OpticalCircuitSwitch::GetOpenPlans() const
{
    return m_reconfigurer.GetOpenPlans();
}

void
OpticalCircuitSwitch::NotifyObservers()
{
    m_observed = !m_framePassed.IsEmpty();
    for (uint32_t p = 0; p < m_ports.size() && m_observed; ++p)
    {
        LeaveTrain(PortId(p), "a trace is connected to every frame of the switch");
    }
}

bool
OpticalCircuitSwitch::IsObserved() const
{
    return m_observed;
}

} // namespace ns3
