/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-injector.h"

#include "ns3/abort.h"
#include "ns3/collective-application.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/option-value.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FaultInjector");

NS_OBJECT_ENSURE_REGISTERED(FaultInjector);

namespace
{

/** @return whether two faults are of the same NIC port */
bool
IsSameNic(const Fault& one, const Fault& other)
{
    return one.server == other.server && one.gpu == other.gpu && one.port == other.port;
}

/** @return the probability that one of several independent losses happens */
double
CombineLosses(const std::vector<Fault>& faults, double loss)
{
    double passes = 1 - loss;
    for (const Fault& fault : faults) // in their order: the same for each set of faults
    {
        passes *= 1 - fault.loss;
    }
    return 1 - passes;
}

/** Adds a trace source for each kind of fault. @return the type */
TypeId
AddKinds(TypeId tid)
{
    for (const FaultKind kind : GetFaultKinds())
    {
        tid.AddTraceSource(FaultKindSource::GetName(kind),
                           "A fault of the kind " + ToString(kind) +
                               " begins (true), or is repaired (false).",
                           Ptr<const TraceSourceAccessor>(new FaultKindSource(kind), false),
                           "ns3::FaultInjector::KindCallback");
    }
    return tid;
}

/** @return a share as text */
std::string
ToText(double share)
{
    std::ostringstream words;
    words << share;
    return words.str();
}

} // namespace

TypeId
FaultInjector::GetTypeId()
{
    static TypeId tid = AddKinds(
        TypeId("ns3::FaultInjector")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<FaultInjector>()
            .AddTraceSource("FaultBegan",
                            "A fault hits its component: the fault, and the state of the component "
                            "in words.",
                            MakeTraceSourceAccessor(&FaultInjector::m_faultBegan),
                            "ns3::FaultInjector::FaultCallback")
            .AddTraceSource("FaultEnded",
                            "A fault is repaired: the fault, and the state of the component in "
                            "words.",
                            MakeTraceSourceAccessor(&FaultInjector::m_faultEnded),
                            "ns3::FaultInjector::FaultCallback"));
    return tid;
}

FaultInjector::FaultInjector()
{
    NS_LOG_FUNCTION(this);
}

FaultInjector::~FaultInjector()
{
    NS_LOG_FUNCTION(this);
}

void
FaultInjector::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Stop();
    for (auto& [when, instant] : m_instants)
    {
        Simulator::Remove(instant.event);
    }
    m_instants.clear();
    m_rails.clear();
    m_planes.clear();
    m_targets = nullptr;
    m_awaited.clear();
    Object::DoDispose();
}

// ------------------------------------------------------------------------ set-up

void
FaultInjector::SetRails(const std::vector<Rail>& rails)
{
    NS_LOG_FUNCTION(this << rails.size());
    RequirePicoseconds("FaultInjector");
    if (m_rails.empty()) // ranks that it awaits hold it, and it holds their rails
    {
        Simulator::ScheduleDestroy(&FaultInjector::Dispose, Ptr<FaultInjector>(this));
    }
    m_rails = rails;
}

void
FaultInjector::AddControlPlane(const OpusControlPlane& plane)
{
    NS_LOG_FUNCTION(this);
    if (plane.controller)
    {
        m_planes.push_back(plane);
    }
}

void
FaultInjector::SetTargets(Ptr<FaultTargets> targets)
{
    NS_LOG_FUNCTION(this << targets);
    m_targets = targets;
}

FaultCluster
FaultInjector::GetCluster() const
{
    FaultCluster cluster;
    cluster.rails = m_rails.size();
    if (!m_rails.empty())
    {
        const Rail& rail = m_rails.front();
        cluster.servers = rail.GetGpus();
        cluster.gpus = m_rails.size();
        cluster.ports = rail.GetPortsPerGpu();
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        cluster.switchPorts = ocs ? ocs->GetPorts() : 0;
    }
    cluster.hasController = !m_planes.empty();
    for (const OpusControlPlane& plane : m_planes)
    {
        cluster.hasStandby = cluster.hasStandby || plane.standby;
    }
    return cluster;
}

void
FaultInjector::Add(const Fault& fault)
{
    NS_LOG_FUNCTION(this << fault);
    SimulationProcesses::RequireOne("faults of a FaultInjector");
    const std::string mistake = FindMistake(fault, GetCluster());
    NS_ABORT_MSG_UNLESS(mistake.empty(), "FaultInjector: " << mistake);
    NS_ABORT_MSG_IF(fault.at < Simulator::Now(),
                    "FaultInjector: " << fault << ", and it is " << ToOption(Simulator::Now())
                                      << " already; give that instant or a later one");
    ++m_counters.added;
    At(fault.at).begin.insert(fault);
    if (fault.GetEnd() < Time::Max())
    {
        At(fault.GetEnd()).end.insert(fault);
    }
}

void
FaultInjector::Load(const FaultSchedule& schedule)
{
    NS_LOG_FUNCTION(this << schedule.GetFaults().size());
    const std::vector<std::string> mistakes = schedule.FindMistakes(GetCluster());
    std::string all;
    for (const std::string& mistake : mistakes)
    {
        all += (all.empty() ? "" : "\n") + mistake;
    }
    NS_ABORT_MSG_UNLESS(all.empty(),
                        "FaultInjector: the cluster can't have these faults:\n"
                            << all);
    for (const Fault& fault : schedule.GetFaults())
    {
        Add(fault);
    }
}

FaultInjector::Instant&
FaultInjector::At(Time when)
{
    Instant& instant = m_instants[when];
    if (instant.event.IsExpired())
    {
        instant.event = Simulator::Schedule(when - Simulator::Now(),
                                            &FaultInjector::Run,
                                            Ptr<FaultInjector>(this),
                                            when);
    }
    return instant;
}

void
FaultInjector::Stop()
{
    NS_LOG_FUNCTION(this);
    for (auto place = m_instants.begin(); place != m_instants.end();)
    {
        Instant& instant = place->second;
        m_counters.dropped += DropAllButNeeded(instant);
        if (!instant.end.empty())
        {
            ++place;
            continue;
        }
        Simulator::Remove(instant.event); // a cancelled event would prolong the simulation
        place = m_instants.erase(place);
    }
    for (auto& [fault, event] : m_flaps)
    {
        Simulator::Remove(event);
    }
    m_flaps.clear();
}

bool
FaultInjector::KeepsFarewells(FaultKind kind)
{
    return kind == FaultKind::SHIM_RESTART || kind == FaultKind::MANAGEMENT_PARTITION ||
           kind == FaultKind::MANAGEMENT_LOSS;
}

uint64_t
FaultInjector::DropAllButNeeded(Instant& instant) const
{
    const std::size_t all = instant.begin.size() + instant.end.size();
    instant.begin.clear();
    for (auto fault = instant.end.begin(); fault != instant.end.end();)
    {
        const bool isNeeded = KeepsFarewells(fault->kind) && m_active.count(*fault) > 0;
        fault = isNeeded ? std::next(fault) : instant.end.erase(fault);
    }
    return all - instant.end.size();
}

// ------------------------------------------------------------------------ results

std::vector<Fault>
FaultInjector::GetActive() const
{
    return {m_active.begin(), m_active.end()};
}

const FaultInjector::Counters&
FaultInjector::GetCounters() const
{
    return m_counters;
}

uint64_t
FaultInjector::GetBegun(FaultKind kind) const
{
    const auto found = m_begun.find(kind);
    return found == m_begun.end() ? 0 : found->second;
}

template <typename Matches>
std::vector<Fault>
FaultInjector::Find(FaultKind kind, Matches matches) const
{
    std::vector<Fault> found;
    for (const Fault& fault : m_active)
    {
        if (fault.kind == kind && matches(fault))
        {
            found.push_back(fault);
        }
    }
    return found;
}

template <typename Matches>
bool
FaultInjector::Holds(FaultKind kind, Matches matches) const
{
    return std::any_of(m_active.begin(), m_active.end(), [&](const Fault& fault) {
        return fault.kind == kind && matches(fault);
    });
}

std::size_t
FaultInjector::CountLike(const Fault& fault) const
{
    return Find(fault.kind, [&](const Fault& one) { return IsSameComponent(one, fault); }).size();
}

bool
FaultInjector::IsServerLost(uint32_t server) const
{
    return Holds(FaultKind::SERVER_LOSS,
                 [server](const Fault& one) { return one.server == server; });
}

bool
FaultInjector::IsLost(uint32_t server, uint32_t gpu) const
{
    return IsServerLost(server) || Holds(FaultKind::GPU_FAILURE, [&](const Fault& one) {
               return one.server == server && one.gpu == gpu;
           });
}

double
FaultInjector::GetSlowFactor(uint32_t server, uint32_t gpu) const
{
    double factor = 1;
    for (const Fault& one : Find(FaultKind::GPU_SLOW, [&](const Fault& each) {
             return each.server == server && each.gpu == gpu;
         }))
    {
        factor *= one.factor;
    }
    return std::min(factor, 1e6); // the most that an application takes
}

void
FaultInjector::ApplyTo(uint32_t server, uint32_t gpu, Ptr<CollectiveApplication> rank) const
{
    NS_LOG_FUNCTION(this << server << gpu << rank);
    rank->SetSlowFactor(GetSlowFactor(server, gpu));
    if (IsLost(server, gpu))
    {
        rank->Halt();
    }
}

// ------------------------------------------------------------------ the end of a run

void
FaultInjector::StopAfter(const std::vector<Ptr<CollectiveApplication>>& ranks)
{
    NS_LOG_FUNCTION(this << ranks.size());
    const Ptr<FaultInjector> self(this);
    for (const Ptr<CollectiveApplication>& rank : ranks)
    {
        const uint32_t index = m_awaited.size();
        m_awaited.push_back({PeekPointer(rank), rank->IsOver() || rank->IsHalted()});
        m_awaitedLeft += m_awaited.back().isOver ? 0 : 1;
        rank->TraceConnectWithoutContext(
            "ProgramEnded",
            MakeCallback(&FaultInjector::ProgramEnded, self).Bind(index));
        rank->TraceConnectWithoutContext(
            "OperationFailed",
            MakeCallback(&FaultInjector::OperationFailed, self).Bind(index));
        rank->TraceConnectWithoutContext("Stalled",
                                         MakeCallback(&FaultInjector::Stalled, self).Bind(index));
    }
}

void
FaultInjector::ProgramEnded(uint32_t index, RankId)
{
    RankIsOver(index);
}

void
FaultInjector::OperationFailed(uint32_t index, const OperationRecord&)
{
    RankIsOver(index);
}

void
FaultInjector::Stalled(uint32_t index, const std::string&)
{
    RankIsOver(index);
}

void
FaultInjector::RankIsOver(uint32_t index)
{
    if (index >= m_awaited.size() || m_awaited[index].isOver)
    {
        return;
    }
    m_awaited[index].isOver = true;
    if (--m_awaitedLeft == 0)
    {
        NS_LOG_INFO("all ranks are over: no more faults");
        // those of this instant still come, in whatever order the events are
        Simulator::Schedule(ToTime(1), &FaultInjector::Stop, Ptr<FaultInjector>(this));
    }
}

// ---------------------------------------------------------------------- an instant

void
FaultInjector::Run(Time when)
{
    NS_LOG_FUNCTION(this << when);
    const auto found = m_instants.find(when);
    if (found == m_instants.end())
    {
        return;
    }
    const Instant instant = std::move(found->second);
    m_instants.erase(found);
    // a fault that follows another one directly leaves no gap
    for (const Fault& fault : instant.begin)
    {
        Begin(fault);
    }
    for (const Fault& fault : instant.end)
    {
        End(fault);
    }
}

void
FaultInjector::Begin(const Fault& fault)
{
    m_active.insert(fault);
    ++m_counters.begun;
    ++m_begun[fault.kind];
    if (fault.kind == FaultKind::NIC_PORT_FLAPPING && m_flaps.count(fault) == 0)
    {
        m_flappedDown.insert(fault);
        ScheduleFlap(fault, 1);
    }
    const std::string outcome = Update(fault);
    NS_LOG_INFO(fault << ": " << outcome);
    m_faultBegan(fault, outcome);
    EditSource(fault.kind)(fault, true);
}

void
FaultInjector::End(const Fault& fault)
{
    const auto found = m_active.find(fault);
    NS_ASSERT_MSG(found != m_active.end(), "a fault ends that has not begun");
    m_active.erase(found);
    ++m_counters.ended;
    if (fault.kind == FaultKind::NIC_PORT_FLAPPING && m_active.count(fault) == 0)
    {
        m_flappedDown.erase(fault);
        Simulator::Remove(m_flaps[fault]);
        m_flaps.erase(fault);
    }
    std::string outcome = Update(fault);
    if (const std::size_t others = CountLike(fault))
    {
        outcome += ", by " + std::to_string(others) + (others == 1 ? " other" : " others");
    }
    NS_LOG_INFO(fault << " is over: " << outcome);
    m_faultEnded(fault, outcome);
    EditSource(fault.kind)(fault, false);
}

Time
FaultInjector::GetFlap(const Fault& fault, uint64_t change)
{
    const Picoseconds period = fault.period.GetTimeStep();
    const auto down = static_cast<Picoseconds>(std::llround(period * fault.duty));
    return fault.at +
           ToTime(static_cast<Picoseconds>(change / 2) * period + (change % 2 == 1 ? down : 0));
}

void
FaultInjector::ScheduleFlap(const Fault& fault, uint64_t change)
{
    m_flaps[fault] = Simulator::Schedule(GetFlap(fault, change) - Simulator::Now(),
                                         &FaultInjector::Flap,
                                         Ptr<FaultInjector>(this),
                                         fault,
                                         change);
}

void
FaultInjector::Flap(const Fault& fault, uint64_t change)
{
    if (change % 2 == 1)
    {
        m_flappedDown.erase(fault);
    }
    else
    {
        m_flappedDown.insert(fault);
    }
    UpdateNic(fault.server, fault.gpu, fault.port);
    ScheduleFlap(fault, change + 1);
}

// --------------------------------------------------------------------- components

std::string
FaultInjector::Update(const Fault& fault)
{
    switch (fault.kind)
    {
    case FaultKind::FIBER_CUT:
        return UpdateFiber(fault);
    case FaultKind::BIT_ERRORS:
        return UpdateLoss(fault);
    case FaultKind::OCS_PORT_STUCK:
    case FaultKind::OCS_PORT_SLOW:
        return UpdateSwitchPort(fault);
    case FaultKind::OCS_PORT_MISCONNECTED:
        return UpdateWiring(fault);
    case FaultKind::OCS_DOWN:
        return UpdateSwitchPower(fault);
    case FaultKind::NIC_PORT_DOWN:
    case FaultKind::NIC_PORT_FLAPPING:
        return UpdateNic(fault.server, fault.gpu, fault.port);
    case FaultKind::MANAGEMENT_LOSS:
    case FaultKind::MANAGEMENT_DELAY:
        return UpdateLinks(fault.ends);
    case FaultKind::MANAGEMENT_PARTITION:
        return UpdateParts();
    case FaultKind::CONTROLLER_CRASH:
    case FaultKind::STANDBY_CRASH:
        return UpdateController(fault.kind);
    case FaultKind::AGENT_RESTART:
        return UpdateAgents(fault.rail);
    case FaultKind::SHIM_RESTART:
        return UpdateShims(fault.server);
    case FaultKind::GPU_FAILURE:
    case FaultKind::GPU_SLOW:
        return UpdateGpu(fault.server, fault.gpu);
    case FaultKind::SERVER_LOSS:
        return UpdateServer(fault.server);
    }
    return "";
}

Ptr<OpticalFiber>
FaultInjector::GetFiber(const Fault& fault) const
{
    return m_rails[fault.gpu].GetFiber(fault.server, fault.port);
}

Ptr<OpticalCircuitSwitch>
FaultInjector::GetSwitch(const Fault& fault) const
{
    return m_rails[fault.rail.Get()].GetOpticalSwitch();
}

std::string
FaultInjector::UpdateFiber(const Fault& fault)
{
    const Ptr<OpticalFiber> fiber = GetFiber(fault);
    const std::vector<Fault> cuts =
        Find(FaultKind::FIBER_CUT, [&](const Fault& one) { return IsSameNic(one, fault); });
    if (cuts.empty())
    {
        fiber->Splice();
        return "the fiber is spliced";
    }
    // where it is cut already, another cut changes nothing
    const bool isNicFirst =
        fiber->GetDevice(0) == m_rails[fault.gpu].GetNic(fault.server, fault.port);
    fiber->Cut(isNicFirst ? cuts.front().position : 1 - cuts.front().position);
    return "the fiber is cut";
}

std::string
FaultInjector::UpdateLoss(const Fault& fault)
{
    const std::vector<Fault> errors =
        Find(FaultKind::BIT_ERRORS, [&](const Fault& one) { return IsSameNic(one, fault); });
    const Ptr<OpticalFiber> fiber = GetFiber(fault);
    // the rate without faults is that of the attribute when the first one came
    DoubleValue rate;
    fiber->GetAttribute("FrameLossRate", rate);
    const auto found = m_ownLoss.try_emplace(PeekPointer(fiber), rate.Get()).first;
    const double loss = CombineLosses(errors, found->second);
    if (errors.empty())
    {
        fiber->SetAttribute("FrameLossRate", DoubleValue(found->second));
        m_ownLoss.erase(found);
        return "the fiber has no further bit errors";
    }
    fiber->SetAttribute("FrameLossRate", DoubleValue(loss));
    return "a share of " + ToText(loss) + " of the frames is lost";
}

std::string
FaultInjector::UpdateSwitchPort(const Fault& fault)
{
    const Ptr<OpticalCircuitSwitch> ocs = GetSwitch(fault);
    const PortId port(fault.port);
    const auto isIt = [&](const Fault& one) {
        return one.rail == fault.rail && one.port == fault.port;
    };
    if (Holds(FaultKind::OCS_PORT_STUCK, isIt))
    {
        if (ocs->GetFault(port) != PortFault::STUCK_DARK)
        {
            ocs->SetFault(port, PortFault::STUCK_DARK);
        }
        return "the port is stuck dark";
    }
    if (ocs->GetFault(port) == PortFault::STUCK_DARK)
    {
        ocs->ClearFault(port);
    }
    Time extra(0);
    for (const Fault& one : Find(FaultKind::OCS_PORT_SLOW, isIt))
    {
        extra = std::max(extra, one.extra);
    }
    if (extra.IsStrictlyPositive())
    {
        ocs->SetFault(port, PortFault::SLOW, extra);
        return "the port settles " + ToOption(extra) + " later";
    }
    ocs->ClearFault(port);
    return "the port is repaired";
}

std::string
FaultInjector::UpdateWiring(const Fault& fault)
{
    std::vector<std::pair<PortId, PortId>> swaps;
    for (const Fault& one : Find(FaultKind::OCS_PORT_MISCONNECTED,
                                 [&](const Fault& each) { return each.rail == fault.rail; }))
    {
        swaps.emplace_back(one.port, one.other);
    }
    GetSwitch(fault)->Misconnect(swaps);
    return swaps.empty() ? "each port has its own fiber"
                         : std::to_string(swaps.size()) + " pairs of fibers are swapped";
}

std::string
FaultInjector::UpdateSwitchPower(const Fault& fault)
{
    const bool isDown =
        Holds(FaultKind::OCS_DOWN, [&](const Fault& one) { return one.rail == fault.rail; });
    const Ptr<OpticalCircuitSwitch> ocs = GetSwitch(fault);
    ocs->SetPower(!isDown);
    UpdateAgents(fault.rail);
    return isDown ? "the switch and its agent are down"
                  : "the switch is back with " +
                        std::to_string(ocs->GetMap().GetCircuits().size()) + " circuits";
}

std::string
FaultInjector::UpdateNic(uint32_t server, uint32_t gpu, uint32_t port)
{
    Fault fault;
    fault.server = server;
    fault.gpu = gpu;
    fault.port = port;
    const auto isIt = [&](const Fault& one) { return IsSameNic(one, fault); };
    const bool isDown = IsServerLost(server) || Holds(FaultKind::NIC_PORT_DOWN, isIt) ||
                        std::any_of(m_flappedDown.begin(), m_flappedDown.end(), isIt);
    m_rails[gpu].GetNic(server, port)->SetPower(!isDown);
    return isDown ? "the port is down" : "the port is on";
}

NodeContainer
FaultInjector::FindNodes(const OpusControlPlane& plane,
                         const std::vector<ManagementEnd>& ends) const
{
    std::set<uint32_t> seen;
    NodeContainer nodes;
    const auto add = [&](Ptr<Node> node) {
        if (node && seen.insert(node->GetId()).second)
        {
            nodes.Add(node);
        }
    };
    for (const ManagementEnd& end : ends)
    {
        switch (end.role)
        {
        case ManagementEnd::Role::CONTROLLER:
            add(plane.controller->GetNode());
            break;
        case ManagementEnd::Role::STANDBY:
            add(plane.standby ? plane.standby->GetNode() : nullptr);
            break;
        case ManagementEnd::Role::SERVER:
            add(end.number < plane.servers.GetN() ? plane.servers.Get(end.number) : nullptr);
            break;
        case ManagementEnd::Role::RAIL:
            add(end.number < plane.agents.size() ? plane.agents[end.number]->GetNode() : nullptr);
            break;
        }
    }
    return nodes;
}

std::string
FaultInjector::UpdateLinks(const std::vector<ManagementEnd>& ends)
{
    std::string outcome;
    for (const ManagementEnd& end : ends)
    {
        const auto hasEnd = [&](const Fault& one) {
            return std::binary_search(one.ends.begin(), one.ends.end(), end);
        };
        const std::vector<Fault> losses = Find(FaultKind::MANAGEMENT_LOSS, hasEnd);
        const bool isGone = end.role == ManagementEnd::Role::SERVER && IsServerLost(end.number);
        Time extra(0);
        for (const Fault& one : Find(FaultKind::MANAGEMENT_DELAY, hasEnd))
        {
            extra += one.extra;
        }
        const double loss = isGone ? 1 : CombineLosses(losses, 0); // beside that of the network
        for (const OpusControlPlane& plane : m_planes)
        {
            const NodeContainer nodes = FindNodes(plane, {end});
            for (uint32_t n = 0; n < nodes.GetN(); ++n)
            {
                plane.network.SetLoss(nodes.Get(n), loss);
                plane.network.SetExtraDelay(nodes.Get(n), extra);
            }
        }
        outcome += (outcome.empty() ? "" : "; ") + ToString(end) + ": loss " + ToText(loss) +
                   ", further delay " + ToOption(extra);
    }
    return outcome;
}

std::string
FaultInjector::UpdateParts()
{
    const std::vector<Fault> partitions =
        Find(FaultKind::MANAGEMENT_PARTITION, [](const Fault&) { return true; });
    for (const OpusControlPlane& plane : m_planes)
    {
        std::vector<NodeContainer> parts;
        for (const Fault& one : partitions)
        {
            parts.push_back(FindNodes(plane, one.ends));
        }
        plane.network.Divide(parts);
    }
    return partitions.empty()
               ? "the management network is whole"
               : "the management network is divided " + std::to_string(partitions.size()) +
                     (partitions.size() == 1 ? " time" : " times");
}

std::string
FaultInjector::UpdateController(FaultKind kind)
{
    const bool isDown = Holds(kind, [](const Fault&) { return true; });
    if (isDown == (m_crashed.count(kind) > 0))
    {
        return "it is down already";
    }
    for (const OpusControlPlane& plane : m_planes)
    {
        const Ptr<OpusControllerApp> controller =
            kind == FaultKind::CONTROLLER_CRASH ? plane.controller : plane.standby;
        if (controller && isDown)
        {
            controller->Crash();
        }
        else if (controller)
        {
            controller->Restart();
        }
    }
    if (isDown)
    {
        m_crashed.insert(kind);
        return "it has crashed";
    }
    m_crashed.erase(kind);
    return "it is restarted";
}

std::string
FaultInjector::UpdateAgents(RailId rail)
{
    const auto isIt = [rail](const Fault& one) { return one.rail == rail; };
    const bool isDown = Holds(FaultKind::AGENT_RESTART, isIt) || Holds(FaultKind::OCS_DOWN, isIt);
    for (const OpusControlPlane& plane : m_planes)
    {
        if (rail.Get() >= plane.agents.size())
        {
            continue;
        }
        if (isDown)
        {
            plane.agents[rail.Get()]->EndProcess();
        }
        else
        {
            plane.agents[rail.Get()]->BeginProcess();
        }
    }
    return isDown ? "the agent is down" : "the agent begins anew";
}

std::vector<Ptr<OpusShimApp>>
FaultInjector::FindShims(uint32_t server) const
{
    if (m_targets)
    {
        return m_targets->FindShims(server);
    }
    std::vector<Ptr<OpusShimApp>> shims;
    for (const OpusControlPlane& plane : m_planes)
    {
        for (const Ptr<OpusShimApp>& shim : plane.shims)
        {
            if (shim->GetServer() == ServerId(server))
            {
                shims.push_back(shim);
            }
        }
    }
    return shims;
}

std::string
FaultInjector::UpdateShims(uint32_t server)
{
    const bool isDown =
        Holds(FaultKind::SHIM_RESTART, [server](const Fault& one) { return one.server == server; });
    for (const Ptr<OpusShimApp>& shim : FindShims(server))
    {
        if (isDown)
        {
            shim->EndProcess();
        }
        else
        {
            shim->BeginProcess();
        }
    }
    return isDown ? "the shims are down" : "the shims begin anew";
}

std::vector<Ptr<CollectiveApplication>>
FaultInjector::FindRanks(uint32_t server, uint32_t gpu) const
{
    std::vector<Ptr<CollectiveApplication>> ranks;
    if (m_targets)
    {
        const Ptr<CollectiveApplication> rank = m_targets->FindRank(server, gpu);
        if (rank)
        {
            ranks.push_back(rank);
        }
        return ranks;
    }
    const Ptr<Node> node = m_rails[gpu].GetGpu(server);
    for (uint32_t a = 0; a < node->GetNApplications(); ++a)
    {
        const auto rank = DynamicCast<CollectiveApplication>(node->GetApplication(a));
        if (rank && !rank->IsOver())
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::string
FaultInjector::UpdateGpu(uint32_t server, uint32_t gpu)
{
    const bool isLost = IsLost(server, gpu);
    const double factor = GetSlowFactor(server, gpu);
    const std::vector<Ptr<CollectiveApplication>> ranks = FindRanks(server, gpu);
    for (const Ptr<CollectiveApplication>& rank : ranks)
    {
        ApplyTo(server, gpu, rank);
        for (uint32_t index = 0; isLost && index < m_awaited.size(); ++index)
        {
            if (m_awaited[index].application == PeekPointer(rank))
            {
                RankIsOver(index);
            }
        }
    }
    if (const Ptr<RdmaEngine> engine = m_rails[gpu].GetGpu(server)->GetObject<RdmaEngine>())
    {
        if (isLost)
        {
            engine->Silence();
        }
        else
        {
            engine->EndSilence();
        }
    }
    std::ostringstream words;
    if (isLost)
    {
        words << "the GPU is dead";
    }
    else if (factor == 1)
    {
        words << "the GPU is as fast as ever";
    }
    else
    {
        words << "the GPU takes " << factor << " times as long";
    }
    for (std::size_t r = 0; r < ranks.size(); ++r)
    {
        words << (r == 0 ? ": rank " : ", rank ") << ranks[r]->GetRank();
    }
    return words.str();
}

std::string
FaultInjector::UpdateServer(uint32_t server)
{
    const bool isLost = IsServerLost(server);
    for (const Ptr<OpusShimApp>& shim : FindShims(server))
    {
        if (isLost)
        {
            shim->Crash(); // for good: it is of the job that was there
        }
    }
    UpdateLinks({{ManagementEnd::Role::SERVER, server}});
    for (uint32_t gpu = 0; gpu < m_rails.size(); ++gpu)
    {
        UpdateGpu(server, gpu);
        for (uint32_t port = 0; port < m_rails[gpu].GetPortsPerGpu(); ++port)
        {
            UpdateNic(server, gpu, port);
        }
    }
    return isLost ? "the server is gone" : "the server is back, without its job";
}

} // namespace ns3
