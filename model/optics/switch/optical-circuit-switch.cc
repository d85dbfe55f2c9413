/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-circuit-switch.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/fabric-names.h"
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

#include <algorithm>
#include <array>
#include <sstream>
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
                                     &OpticalCircuitSwitch::IsGranularitySet,
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
                                               &OpticalCircuitSwitch::IsGranularitySet,
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
            .AddAttribute("Latching",
                          "Whether circuits stay set without power. They carry light again when it "
                          "is back; without this it comes back with no circuits.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OpticalCircuitSwitch::m_isLatching),
                          MakeBooleanChecker())
            .AddAttribute("Fabric",
                          "The inside of the switch: a SwitchFabric, as a short name (crossbar, "
                          "hexagonal, benes, crossbar-mesh), a type, or a type with attributes.",
                          StringValue("crossbar"),
                          MakeReadOnceAccessor(
                              "OpticalCircuitSwitch::Fabric",
                              &OpticalCircuitSwitch::IsFabricSet,
                              MakeObjectFactoryAccessor(&OpticalCircuitSwitch::m_fabricFactory)),
                          MakeTypeAliasChecker(&GetFabricAliases))
            .AddAttribute("Rearrange",
                          "Whether circuits that a plan does not name may move to other routes of "
                          "the fabric for it, dark meanwhile. Else such a plan is refused.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OpticalCircuitSwitch::m_rearrange),
                          MakeBooleanChecker())
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
            .AddTraceSource(
                "PlanEnded",
                "A plan that was accepted is done, or failed at ports that have no light: stuck, "
                "or with too high a loss.",
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
                            "The switch has detected a fault of a port.",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_alarm),
                            "ns3::OpticalCircuitSwitch::AlarmCallback")
            .AddTraceSource("Power",
                            "The power is back (true) or gone (false).",
                            MakeTraceSourceAccessor(&OpticalCircuitSwitch::m_powerTrace),
                            "ns3::OpticalCircuitSwitch::PowerCallback");
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

    bool TakesAnnouncements() const override
    {
        return true;
    }

    bool Announce(WireFrame& frame) override
    {
        return !m_disposed && m_switch->RelayAhead(*this, frame);
    }

    void Withdraw() override
    {
        if (!m_disposed)
        {
            m_switch->Withdraw(*this);
        }
    }

    bool EmitsLight() const override
    {
        return !m_disposed && m_switch->m_light.LeavesAt(*this);
    }

    // CircuitIngress
    FiberPort* PeekEgress() const override
    {
        return PeekPointer(m_switch->GetPort(GetHistory().GetCurrent().label.peer));
    }

    Time GetPropagationDelay() const override
    {
        return m_switch->GetPropagationDelay() + ToTime(GetHistory().GetCurrent().label.delay);
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
            m_switch->m_light.PassOn(*this);
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
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("OpticalCircuitSwitch");
    Object::DoInitialize();
    m_light.Begin();
}

void
OpticalCircuitSwitch::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_reconfigurer.Dispose();
    m_light.Dispose();
    m_reconfigurationTime = nullptr;
    m_fabric = nullptr;
    Object::DoDispose();
}

// --------------------------------------------------------------------- settings

void
OpticalCircuitSwitch::SetTechnology(std::string name)
{
    NS_LOG_FUNCTION(this << name);
    m_technology = OcsTechnology::Get(name).name; // aborts if there is none
}

std::string
OpticalCircuitSwitch::GetTechnologyName() const
{
    return m_technology;
}

const OcsTechnology&
OpticalCircuitSwitch::GetTechnology() const
{
    return *OcsTechnology::Find(m_technology);
}

uint32_t
OpticalCircuitSwitch::GetRadix() const
{
    return m_radix != 0 ? m_radix : GetTechnology().radix;
}

bool
OpticalCircuitSwitch::FetchGranularity()
{
    NS_LOG_FUNCTION(this);
    m_granularitySet = true;
    return IsWholeSwitch();
}

bool
OpticalCircuitSwitch::IsGranularitySet() const
{
    return m_granularitySet;
}

bool
OpticalCircuitSwitch::IsWholeSwitch() const
{
    return m_granularity == WHOLE_SWITCH ||
           (m_granularity == BY_TECHNOLOGY && GetTechnology().wholeSwitch);
}

void
OpticalCircuitSwitch::SetPropagationDelay(Time delay)
{
    NS_LOG_FUNCTION(this << delay);
    m_light.SetPropagationDelay(delay);
}

Time
OpticalCircuitSwitch::GetPropagationDelay() const
{
    return m_light.GetPropagationDelay();
}

Ptr<OpticalSwitchPort>
OpticalCircuitSwitch::AddPort()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_light.GetPorts().size() < GetRadix(),
                        "OpticalCircuitSwitch: cannot add port "
                            << m_light.GetPorts().size() << ": a " << m_technology << " switch has "
                            << GetRadix()
                            << " ports; use a technology with more, or set the attribute Radix");
    NS_ABORT_MSG_IF(m_routes.GetFabric(),
                    "OpticalCircuitSwitch: cannot add port "
                        << m_light.GetPorts().size() << ": the " << m_routes.GetFabric()->GetName()
                        << " is laid out for " << m_routes.GetFabric()->GetPorts()
                        << " ports; add all ports before the first circuit");
    Ptr<Node> node = GetObject<Node>();
    NS_ABORT_MSG_UNLESS(node,
                        "OpticalCircuitSwitch: aggregate the switch to a Node before adding ports");
    Ptr<OpticalSwitchPort> port = CreateObject<Port>(this, m_reconfigurer.AddPort());
    port->SetAddress(Mac48Address::Allocate());
    node->AddDevice(port);
    m_light.AddPort(port);
    return port;
}

const Ptr<OpticalSwitchPort>&
OpticalCircuitSwitch::At(PortId port, const char* caller) const
{
    NS_ABORT_MSG_UNLESS(port.Get() < m_light.GetPorts().size(),
                        "OpticalCircuitSwitch::" << caller << ": there is no port " << port
                                                 << "; the switch has " << m_light.GetPorts().size()
                                                 << " ports, counted from 0");
    return m_light.GetPorts()[port.Get()];
}

Ptr<OpticalSwitchPort>
OpticalCircuitSwitch::GetPort(PortId port) const
{
    return At(port, "GetPort");
}

uint32_t
OpticalCircuitSwitch::GetPorts() const
{
    return m_light.GetPorts().size();
}

int64_t
OpticalCircuitSwitch::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    FixStream(m_reconfigurationTime, stream);
    return 1;
}

// -------------------------------------------------------------- plans and faults

CircuitPlanReport
OpticalCircuitSwitch::Apply(const CircuitPlan& plan, PlanEnded ended)
{
    NS_LOG_FUNCTION(this << plan);
    FetchFabric();
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

Ptr<SwitchFabric>
OpticalCircuitSwitch::GetFabric() const
{
    return m_fabric ? m_fabric : m_fabricFactory.Create<SwitchFabric>();
}

std::shared_ptr<const FabricDescription>
OpticalCircuitSwitch::FetchFabric()
{
    if (!IsFabricSet())
    {
        NS_LOG_FUNCTION(this);
        m_fabric = GetFabric();
        m_routes = FabricRoutes(m_fabric->Describe(GetPorts()));
    }
    return m_routes.GetFabric();
}

bool
OpticalCircuitSwitch::IsFabricSet() const
{
    return m_fabric != nullptr;
}

std::string
OpticalCircuitSwitch::GetWhyBlocked(const CircuitPlan& plan) const
{
    return FabricRoutes(m_routes).Change(GetMap().GetChange(plan), {}).why;
}

FabricPath
OpticalCircuitSwitch::GetPath(PortId port) const
{
    At(port, "GetPath");
    const std::optional<PortId> peer = GetMap().GetPeer(port);
    NS_ABORT_MSG_UNLESS(peer,
                        "OpticalCircuitSwitch::GetPath: port "
                            << port << " has no circuit; ask when one is set up, see GetMap()");
    return m_routes.GetPath(Circuit(port, *peer));
}

std::string
OpticalCircuitSwitch::GetWhyDark(PortId port) const
{
    At(port, "GetWhyDark");
    const std::optional<PortId> peer = GetMap().GetPeer(port);
    if (peer)
    {
        return m_reconfigurer.GetWhyNoLight(Circuit(port, *peer));
    }
    return GetFault(port) == PortFault::STUCK_DARK ? CircuitReconfigurer::GetWhyStuck({port}) : "";
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

void
OpticalCircuitSwitch::Misconnect(const std::vector<std::pair<PortId, PortId>>& swaps)
{
    NS_LOG_FUNCTION(this << swaps.size());
    std::vector<PortId> ports;
    const auto add = [&](const std::vector<std::pair<PortId, PortId>>& pairs) {
        for (const auto& [one, other] : pairs)
        {
            At(one, "Misconnect");
            At(other, "Misconnect");
            ports.push_back(one);
            ports.push_back(other);
        }
    };
    add(m_swaps);
    add(swaps);
    m_swaps = swaps;
    m_reconfigurer.Rewire(ports, [this]() { m_light.SetSwaps(m_swaps); });
}

void
OpticalCircuitSwitch::SetPower(bool isOn)
{
    NS_LOG_FUNCTION(this << isOn);
    if (isOn == HasPower())
    {
        return;
    }
    NS_LOG_INFO((isOn ? "the power is back" : "the power is gone"));
    if (isOn)
    {
        m_reconfigurer.RegainPower();
    }
    else
    {
        m_reconfigurer.LosePower(m_isLatching);
    }
    m_powerTrace(isOn);
}

bool
OpticalCircuitSwitch::HasPower() const
{
    return m_reconfigurer.HasPower();
}

// ------------------------------------------------------------------- statistics

const OpticalCircuitSwitch::Counters&
OpticalCircuitSwitch::GetCounters() const
{
    for (const Ptr<OpticalSwitchPort>& port : m_light.GetPorts())
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

uint64_t
OpticalCircuitSwitch::GetPlans() const
{
    return m_reconfigurer.GetPlans();
}

// ----------------------------------------------- interface of the reconfigurer

Picoseconds
OpticalCircuitSwitch::DrawReconfigurationTime()
{
    if (!m_reconfigurationTime)
    {
        return GetUsualReconfigurationTime().GetTimeStep();
    }
    return DrawPicoseconds(m_reconfigurationTime, "OpticalCircuitSwitch: ReconfigurationTime");
}

Time
OpticalCircuitSwitch::GetUsualReconfigurationTime() const
{
    const std::optional<Time> tuning = GetFabric()->GetTuningTime();
    return tuning ? *tuning : GetTechnology().reconfiguration;
}

bool
OpticalCircuitSwitch::ReconfiguresAsAWhole() const
{
    return IsWholeSwitch();
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
    NS_LOG_INFO("plan " << plan << " begins: " << what);
    m_planAccepted(plan, what);
}

void
OpticalCircuitSwitch::NotifyQueued(uint64_t plan, const CircuitPlan& what)
{
    NS_LOG_INFO("plan " << plan << " waits: " << what);
    m_planQueued(plan, what);
}

void
OpticalCircuitSwitch::NotifyRefused(const CircuitPlanReport& report)
{
    NS_LOG_INFO("plan " << report.plan << " is refused: " << report.message);
    m_planRefused(report);
}

void
OpticalCircuitSwitch::NotifyEnded(const CircuitPlanReport& report)
{
    NS_LOG_INFO("plan " << report.plan << " has ended");
    m_planEnded(report);
}

void
OpticalCircuitSwitch::NotifyAlarm(PortId port, PortFault fault)
{
    NS_LOG_INFO("alarm at port " << port << ": " << ToString(fault));
    m_alarm(port, fault);
}

// ------------------------------------------------------------------ light

bool
OpticalCircuitSwitch::IsLit(PortId port) const
{
    return m_light.IsLit(port);
}

void
OpticalCircuitSwitch::Darken(const Circuit& circuit)
{
    const uint64_t epoch = m_light.Darken(circuit);
    NS_LOG_INFO("circuit " << circuit << " is down, epoch " << epoch);
    m_circuitDown(circuit.low, circuit.high, epoch);
    m_light.UpdateEgresses(circuit);
}

void
OpticalCircuitSwitch::Light(const Circuit& circuit, uint64_t epoch)
{
    NS_LOG_INFO("circuit " << circuit << " is up, epoch " << epoch);
    m_light.Light(circuit, epoch, m_routes.GetDelays(circuit));
    m_circuitUp(circuit.low, circuit.high, epoch);
    m_light.UpdateEgresses(circuit);
}

std::vector<Circuit>
OpticalCircuitSwitch::GetMovable(const CircuitChange& change) const
{
    std::vector<Circuit> movable = GetMap().GetCircuits();
    const auto isNamed = [&change](const Circuit& circuit) {
        return std::count(change.removed.begin(), change.removed.end(), circuit) > 0;
    };
    const auto stays = [&](const Circuit& circuit) {
        return isNamed(circuit) || !IsLit(circuit.low);
    };
    movable.erase(std::remove_if(movable.begin(), movable.end(), stays), movable.end());
    return movable;
}

RouteChange
OpticalCircuitSwitch::ChangeRoutes(const CircuitChange& change)
{
    if (!m_routes.GetFabric())
    {
        return {};
    }
    const bool mayMove = m_rearrange && !m_routes.GetFabric()->IsNonBlocking();
    RouteChange result =
        m_routes.Change(change, mayMove ? GetMovable(change) : std::vector<Circuit>());
    if (!result.why.empty())
    {
        result.why += mayMove ? "; take circuits down, or use a larger fabric"
                              : "; take circuits down, use a larger fabric, or set Rearrange so "
                                "that others may move";
    }
    for (const Circuit& circuit : result.moved)
    {
        NS_LOG_INFO("circuit " << circuit << " moves to another route");
    }
    return result;
}

std::string
OpticalCircuitSwitch::GetWhyTooWeak(const Circuit& circuit) const
{
    const std::array<const OpticalSwitchPort*, 2> ports{PeekPointer(m_light.At(circuit.low)),
                                                        PeekPointer(m_light.At(circuit.high))};
    std::array<std::optional<TransceiverPower>, 2> ends;
    for (const uint32_t end : {0, 1})
    {
        if (const OpticalFiber* fiber = ports[end]->PeekFiber())
        {
            ends[end] = fiber->PeekPeer(ports[end])->GetTransceiverPower();
        }
    }
    if (!ends[0] || !ends[1])
    {
        return "";
    }
    const FabricPath path = m_routes.GetPath(circuit);
    const double loss =
        path.lossDb + (m_routes.GetFabric() ? 0 : GetTechnology().lossDb.value_or(0));
    for (const uint32_t end : {0, 1})
    {
        const double launched = ends[end]->launchDbm;
        const double needed = ends[1 - end]->sensitivityDbm;
        if (launched - loss < needed)
        {
            std::ostringstream why;
            why << "circuit " << circuit << " loses " << loss << " dB";
            if (path.cells > 0)
            {
                why << " in " << path.cells << " cells and at two ports";
            }
            why << ", and the transceivers bear " << launched - needed << " dB (" << launched
                << " dBm launched at port " << ports[end]->GetPortId() << ", " << needed
                << " dBm needed at port " << ports[1 - end]->GetPortId()
                << "); use transceivers with a larger budget, or a fabric with less loss";
            return why.str();
        }
    }
    return "";
}

Picoseconds
OpticalCircuitSwitch::GetClearFrom(const Circuit& circuit) const
{
    return m_light.GetClearFrom(circuit, m_routes.GetDelays(circuit));
}

void
OpticalCircuitSwitch::Relay(const OpticalSwitchPort& ingress, WireFrame&& frame)
{
    ++m_counters.received;
    OpticalSwitchPort::Path path;
    const PathCheck check = ingress.GetHistory().Check(frame.first, frame.last, path);
    if (check != PathCheck::WHOLE)
    {
        Drop(ingress,
             frame,
             check == PathCheck::DARK  ? FrameDropReason::NO_CIRCUIT
             : check == PathCheck::CUT ? FrameDropReason::CUT
                                       : FrameDropReason::OTHER_CIRCUIT);
        return;
    }
    const OpticalSwitchPort* egress = PeekPointer(m_light.GetPorts()[path.peer.Get()]);
    OpticalFiber* fiber = egress->PeekFiber();
    if (fiber == nullptr)
    {
        Drop(ingress, frame, FrameDropReason::NO_CIRCUIT); // out of a port without a fiber
        return;
    }
    if (m_observed)
    {
        m_framePassed(ingress.GetPortId(), path.peer, frame);
    }
    ++m_counters.passed;
    frame.Travel(m_light.GetPropagationDelay().GetTimeStep() + path.delay);
    fiber->Transmit(egress, std::move(frame));
}

bool
OpticalCircuitSwitch::RelayAhead(const OpticalSwitchPort& ingress, WireFrame& frame)
{
    const auto& history = ingress.GetHistory();
    if (m_observed || !history.IsLit() || history.GetCurrent().from > frame.first)
    {
        return false; // the present circuit does not take it
    }
    const OpticalSwitchPort::Path& path = history.GetCurrent().label;
    const OpticalSwitchPort* egress = PeekPointer(m_light.GetPorts()[path.peer.Get()]);
    OpticalFiber* fiber = egress->PeekFiber();
    const Picoseconds inside = m_light.GetPropagationDelay().GetTimeStep() + path.delay;
    if (fiber == nullptr || !fiber->TransmitAhead(egress, inside, frame))
    {
        return false;
    }
    ++m_counters.received;
    ++m_counters.passed;
    return true;
}

void
OpticalCircuitSwitch::Withdraw(const OpticalSwitchPort& port)
{
    if (port.IsLit())
    {
        const OpticalSwitchPort::Path& path = port.GetHistory().GetCurrent().label;
        WithdrawFrom(port);
        WithdrawFrom(*m_light.GetPorts()[path.peer.Get()]);
    }
}

void
OpticalCircuitSwitch::WithdrawFrom(const OpticalSwitchPort& ingress)
{
    const OpticalSwitchPort::Path& path = ingress.GetHistory().GetCurrent().label;
    const OpticalSwitchPort* egress = PeekPointer(m_light.GetPorts()[path.peer.Get()]);
    if (egress->PeekFiber() == nullptr || ingress.PeekFiber() == nullptr)
    {
        return;
    }
    const Picoseconds inside = m_light.GetPropagationDelay().GetTimeStep() + path.delay;
    RingQueue<WireFrame> frames = egress->PeekFiber()->TakeBack(egress, inside);
    m_counters.received -= frames.size();
    m_counters.passed -= frames.size();
    ingress.PeekFiber()->Withdraw(&ingress, std::move(frames));
}

void
OpticalCircuitSwitch::Drop(const OpticalSwitchPort& ingress,
                           const WireFrame& frame,
                           FrameDropReason reason)
{
    NS_LOG_LOGIC("drops a frame that came in by port " << ingress.GetPortId() << ": " << reason);
    ++m_counters.dropped;
    m_frameDropped(ingress.GetPortId(), frame, reason);
}

void
OpticalCircuitSwitch::CountRelayed(uint64_t frames)
{
    m_counters.received += frames;
    m_counters.passed += frames;
}

void
OpticalCircuitSwitch::NotifyObservers()
{
    NS_LOG_FUNCTION(this);
    m_observed = !m_framePassed.IsEmpty();
    if (m_observed)
    {
        m_light.LeaveTrain("a trace is connected to every frame of the switch");
    }
}

bool
OpticalCircuitSwitch::IsObserved() const
{
    return m_observed;
}

} // namespace ns3
